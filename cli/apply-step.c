// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/apply-step.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/git/apply.h"

/* The mail names it, so only plain ids and names are looked up, no search syntax. */
static bool is_plain_rev(const char *rev)
{
	if (!*rev || *rev == '-')
		return false;
	for (; *rev; rev++)
		if (!isalnum((unsigned char)*rev) && !strchr("._/-", *rev))
			return false;
	return true;
}

static int auto_base(struct ctx *c, const struct series *s, struct oid *ret,
		     struct err *e)
{
	_cleanup_err_ struct err unknown = { 0 };
	const char *rev = s->base_commit;

	if (rev && is_plain_rev(rev) && repo_resolve(c->repo, rev, ret, &unknown) == 0) {
		if (!c->quiet)
			out_talk("base: %s, the series' base-commit", rev);
		return 0;
	}
	if (repo_resolve(c->repo, "HEAD", ret, e) < 0)
		return -(int)e->code;
	if (c->quiet)
		return 0;
	if (rev)
		out_talk("base: HEAD, as the series' base-commit '%s' is not in the "
			 "repository",
			 rev);
	else
		out_talk("base: HEAD, as the series names no base-commit");
	return 0;
}

int cli_base(struct ctx *c, const struct series *s, const char *onto, const char *base,
	     struct oid *ret, struct err *e)
{
	if (onto && base) {
		err_set(e, ERR_USAGE, "both --onto and --base are given");
		return err_hint(e, "--onto names a commit, --base auto looks for one");
	}
	if (base && !strcmp(base, "auto"))
		return auto_base(c, s, ret, e);
	if (!onto)
		onto = base ? base : "HEAD";
	if (repo_resolve(c->repo, onto, ret, e) < 0) {
		err_wrap(e, "cannot apply to '%s'", onto);
		return err_hint(e, "name a commit, tag or branch of the repository with "
				   "--onto REV");
	}
	return 0;
}

static const char *env(const char *name)
{
	const char *v = getenv(name);

	return v && *v ? v : NULL;
}

static int apply_as_user(struct ctx *c, const struct series *s, struct apply_opts *o,
			 struct apply_result **ret, struct err *e)
{
	_cleanup_free_ char *name = cfg_get(c->cfg, "user.name");
	_cleanup_free_ char *email = cfg_get(c->cfg, "user.email");
	const char *env_name = env("GIT_COMMITTER_NAME");
	const char *env_email = env("GIT_COMMITTER_EMAIL");

	o->rules = c->rules;
	o->threeway = c->threeway;
	o->committer_name = env_name ? env_name : name;
	o->committer_email = env_email ? env_email : email;
	if (apply_series(c->repo, s, o, ret, e) < 0)
		return err_wrap(e, "cannot apply '%s' to '%.12s'",
				s->title ? s->title : "series", o->onto.hex);
	return 0;
}

int cli_commits_from(struct ctx *c, const struct series *s, const struct oid *onto,
		     const struct oid *resolved, struct apply_result **ret, struct err *e)
{
	struct apply_opts o = { .onto = *onto, .resolved = resolved };

	return apply_as_user(c, s, &o, ret, e);
}

int cli_commits(struct ctx *c, const struct series *s, const struct oid *onto,
		struct apply_result **ret, struct err *e)
{
	return cli_commits_from(c, s, onto, NULL, ret, e);
}

char *cli_ref(const struct series *s, const struct oid *onto)
{
	_cleanup_free_ char *slug = series_slug(s);

	return xasprintf("refs/kiln/%s/v%d/%.12s", slug, s->revision, onto->hex);
}

int cli_apply_to(struct ctx *c, const struct series *s, const struct oid *onto,
		 struct apply_result **ret, struct err *e)
{
	_cleanup_free_ char *ref = cli_ref(s, onto);
	struct apply_opts o = { .onto = *onto, .ref = ref };

	return apply_as_user(c, s, &o, ret, e);
}

int cli_apply(struct ctx *c, const struct series *s, const char *onto,
	      struct apply_result **ret, struct err *e)
{
	struct oid base;

	if (cli_base(c, s, onto, NULL, &base, e) < 0)
		return -(int)e->code;
	return cli_apply_to(c, s, &base, ret, e);
}
