// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/diff-side.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/apply-step.h"
#include "cli/base-step.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "core/git/apply.h"
#include "mail/box.h"

/* SOURCE@vN in its two parts; 0 when no revision is named. */
static int split_revision(const char *arg, char **ret_source)
{
	const char *at = strrchr(arg, '@');
	int n = 0;

	if (at && at[1] == 'v' && !fs_exists(arg) && parse_int(at + 2, 1, INT_MAX, &n))
		*ret_source = xstrndup(arg, (size_t)(at - arg));
	else
		*ret_source = xstrdup(arg);
	return n;
}

static bool is_range(const char *source)
{
	return strstr(source, "..") && !strchr(source, '@') && !fs_exists(source);
}

static void side_release(struct diff_side *s)
{
	free(s->source);
	series_free(s->s);
	free(s->why_mailed);
	range_release(&s->range);
}

void diff_sides_release(struct diff_sides *s)
{
	side_release(&s->old);
	side_release(&s->new);
	range_texts_free(s->texts);
}

static int read_range(struct ctx *c, struct diff_side *s, struct range_texts *texts,
		      struct err *e)
{
	const char *dots = strstr(s->source, "..");
	_cleanup_free_ char *from = xstrndup(s->source, (size_t)(dots - s->source));
	struct range_ends ends;

	if (!c->repo)
		return err_set(e, ERR_NO_TREE, "commits '%s' without a repository",
			       s->source);
	if (repo_resolve(c->repo, *from ? from : "HEAD", &ends.base, e) < 0 ||
	    repo_resolve(c->repo, dots[2] ? dots + 2 : "HEAD", &ends.head, e) < 0)
		return -(int)e->code;
	s->base = ends.base;
	return range_read(c->repo, &ends, texts, &s->range, e);
}

/* The newest revision before N, 0 when there is none. */
static int before(const struct series *s, int n)
{
	int found = 0;

	for (size_t i = 0; i < s->nr_revisions; i++)
		if (s->revisions[i] < n && s->revisions[i] > found)
			found = s->revisions[i];
	return found;
}

static int no_other(const struct diff_side *s, struct err *e)
{
	err_set(e, ERR_NOT_FOUND, "'%s' has no revision before v%d", s->source,
		s->s->revision);
	return err_hint(e, "name the source of the other revision as second argument");
}

/* Both versions from one source, read once. */
static int read_one_source(struct ctx *c, const struct cli_source_opts *o, int old,
			   int new, struct diff_sides *d, struct err *e)
{
	_cleanup_strv_ struct strv sources = STRV_INIT;
	_cleanup_box_ struct box *box = box_new();
	_cleanup_free_ char *id = NULL;
	struct cli_source_opts so = *o;

	strv_add(&sources, d->new.source);
	so.revision = (uint64_t) new;
	if (cli_series(c, &so, &sources, box, &id, &d->new.s, e) < 0)
		return -(int)e->code;
	d->old.source = xstrdup(d->new.source);
	if (!old)
		old = before(d->new.s, d->new.s->revision);
	if (!old)
		return no_other(&d->new, e);
	so.revision = (uint64_t)old;
	return cli_series_box(c, &so, box, id, &d->old.s, e);
}

static int read_side(struct ctx *c, const struct cli_source_opts *o, int revision,
		     struct diff_side *s, struct err *e)
{
	_cleanup_strv_ struct strv sources = STRV_INIT;
	struct cli_source_opts so = *o;

	if (is_range(s->source))
		return 0;
	strv_add(&sources, s->source);
	so.revision = (uint64_t)revision;
	return cli_series(c, &so, &sources, NULL, NULL, &s->s, e);
}

static int read_ranges(struct ctx *c, struct diff_sides *d, struct err *e)
{
	if (!d->old.s && read_range(c, &d->old, d->texts, e) < 0)
		return -(int)e->code;
	return d->new.s ? 0 : read_range(c, &d->new, d->texts, e);
}

static int read_both(struct ctx *c, const struct cli_source_opts *o,
		     const struct strv *args, struct diff_sides *d, struct err *e)
{
	_cleanup_free_ char *first = NULL, *second = NULL;
	int old = split_revision(args->v[0], &first), new = 0;

	if (args->nr > 1)
		new = split_revision(args->v[1], &second);
	if (second && *second) {
		d->old.source = take_ptr(first);
		d->new.source = take_ptr(second);
		if (read_side(c, o, old, &d->old, e) < 0 ||
		    read_side(c, o, new, &d->new, e) < 0)
			return -(int)e->code;
		return read_ranges(c, d, e);
	}
	if (is_range(first))
		return err_set(e, ERR_USAGE, "'%s' needs something to compare with",
			       first);
	d->new.source = take_ptr(first);
	return read_one_source(c, o, old, new, d, e);
}

/* Commits of a series, in memory. What keeps them from being is told, not an error. */
static void make_commits(struct ctx *c, const struct cli_source_opts *o,
			 struct diff_side *s, const char *onto, struct range_texts *texts)
{
	const struct cli_base_opts bo = { .onto = (char *)onto };
	const struct cli_base_query q = { .series = s->s, .source = o, .opts = &bo };
	_cleanup_cli_base_ struct cli_base base = { 0 };
	_cleanup_apply_ struct apply_result *a = NULL;
	_cleanup_err_ struct err e = { 0 };
	int r = -1;

	if (!c->repo) {
		err_set(&e, ERR_NO_TREE, "no repository");
	} else if (cli_base(c, &q, &base, &e) == 0 &&
		   cli_commits(c, s->s, &base.onto, &a, &e) == 0) {
		s->base = base.onto;
		r = range_read(c->repo, &(struct range_ends){ s->base, a->head }, texts,
			       &s->range, &e);
	}
	if (r < 0) {
		s->why_mailed = xstrdup(e.nr ? e.frame[0] : "unknown cause");
		s->base = (struct oid){ 0 };
	}
}

static void use_mails(struct diff_side *s)
{
	if (!s->s)
		return;
	range_release(&s->range);
	range_from_series(s->s, &s->range);
}

int diff_sides_read(struct ctx *c, const struct cli_source_opts *o,
		    const struct strv *args, const char *onto, struct diff_sides *ret,
		    struct err *e)
{
	ret->texts = range_texts_new();
	if (read_both(c, o, args, ret, e) < 0)
		return -(int)e->code;
	if (ret->old.s)
		make_commits(c, o, &ret->old, onto, ret->texts);
	if (ret->new.s)
		make_commits(c, o, &ret->new, onto, ret->texts);
	/* Headings and context of mails and of commits differ where nothing has changed. */
	if (ret->old.why_mailed || ret->new.why_mailed) {
		use_mails(&ret->old);
		use_mails(&ret->new);
	}
	return 0;
}
