// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/apply-step.h"

#include <stdlib.h>

#include "cli/cmd.h"
#include "core/base/alloc.h"

static const char *env(const char *name)
{
	const char *v = getenv(name);

	return v && *v ? v : NULL;
}

void cli_apply_opts_fill(struct ctx *c, struct cli_apply_opts *ret)
{
	const char *env_name = env("GIT_COMMITTER_NAME");
	const char *env_email = env("GIT_COMMITTER_EMAIL");

	ret->name = env_name ? xstrdup(env_name) : cfg_get(c->cfg, "user.name");
	ret->email = env_email ? xstrdup(env_email) : cfg_get(c->cfg, "user.email");
	ret->apply = (struct apply_opts){ .rules = c->rules,
					  .threeway = c->threeway,
					  .committer_name = ret->name,
					  .committer_email = ret->email };
}

void cli_apply_release(struct cli_apply_opts *o)
{
	free(o->name);
	free(o->email);
}

/* As o says but with the user's rules and name. */
static int apply_as_user(struct ctx *c, const struct series *s,
			 const struct apply_opts *o, struct apply_result **ret,
			 struct err *e)
{
	_cleanup_(cli_apply_release) struct cli_apply_opts user = { 0 };

	cli_apply_opts_fill(c, &user);
	user.apply.onto = o->onto;
	user.apply.ref = o->ref;
	user.apply.resolved = o->resolved;
	if (apply_series(c->repo, s, &user.apply, ret, e) < 0)
		return err_wrap(e, "cannot apply '%s' to '%.12s'",
				s->title ? s->title : "the series", o->onto.hex);
	return 0;
}

int cli_commits_from(struct ctx *c, const struct series *s, const struct oid *onto,
		     const struct oid *resolved, struct apply_result **ret, struct err *e)
{
	const struct apply_opts o = { .onto = *onto, .resolved = resolved };

	return apply_as_user(c, s, &o, ret, e);
}

int cli_commits(struct ctx *c, const struct series *s, const struct oid *onto,
		struct apply_result **ret, struct err *e)
{
	return cli_commits_from(c, s, onto, NULL, ret, e);
}

static char *ref_of(const struct series *s, const char *what, const struct oid *onto)
{
	_cleanup_free_ char *slug = series_slug(s);

	return xasprintf("refs/kiln/%s/v%d%s/%.12s", slug, s->revision, what, onto->hex);
}

char *cli_ref(const struct series *s, const struct oid *onto)
{
	return ref_of(s, "", onto);
}

char *cli_needed_ref(const struct series *s, const struct oid *onto)
{
	return ref_of(s, "-base", onto);
}

int cli_apply_to(struct ctx *c, const struct series *s, const struct oid *onto,
		 struct apply_result **ret, struct err *e)
{
	_cleanup_free_ char *ref = cli_ref(s, onto);
	const struct apply_opts o = { .onto = *onto, .ref = ref };

	return apply_as_user(c, s, &o, ret, e);
}
