// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/range.h"

#include <stdlib.h>
#include <string.h>

#include "boot/build/build.h"
#include "cli/apply-step.h"
#include "cli/arch-guess.h"
#include "cli/bisect/prior.h"
#include "cli/bisect/revisions.h"
#include "cli/steps-fetch.h"
#include "core/base/alloc.h"

void bisect_range_release(struct bisect_range *s)
{
	space_release(&s->space);
	series_free(s->series);
	apply_result_free(s->apply);
}

static int open_range(const struct bisect_range_query *q, struct space *ret,
		      struct err *e)
{
	_cleanup_strv_ struct strv paths = STRV_INIT;
	struct oid good, bad;

	for (size_t i = 2; i < q->args->nr; i++)
		strv_add(&paths, q->args->v[i]);
	if (step_resolve(q->c, q->run, q->args->v[0], &good, e) < 0 ||
	    step_resolve(q->c, q->run, q->args->v[1], &bad, e) < 0 ||
	    space_range(q->c->repo, &good, &bad, q->bisect->first_parent, ret, e) < 0 ||
	    (paths.nr && space_limit(q->c->repo, ret, &paths, e) < 0))
		return -(int)e->code;
	return 0;
}

/* Applied as `kiln apply` does it; the base is the good end. */
static int open_series(const struct bisect_range_query *q, struct bisect_range *ret,
		       struct err *e)
{
	_cleanup_cli_base_ struct cli_base base = { 0 };
	struct cli_base_query base_of = { .source = q->source, .opts = q->base };

	if (step_fetch(q->c, q->run, q->source, q->args->v[0], &ret->series, e) < 0)
		return -(int)e->code;
	base_of.series = ret->series;
	if (arch_guess(q->c, ret->series, q->arch, e) < 0 ||
	    step_base(q->c, q->run, &base_of, &base, e) < 0 ||
	    cli_apply_to(q->c, ret->series, &base.onto, &ret->apply, e) < 0)
		return -(int)e->code;
	return space_applied(q->c->repo, ret->apply, &ret->space, e);
}

static int open_configs(const struct bisect_range_query *q, struct space *ret,
			struct err *e)
{
	struct oid commit;
	const char *dir;

	if (q->args->nr != 3) {
		err_set(e, ERR_USAGE,
			"--config takes two files and a revision, %zu given",
			q->args->nr);
		return err_hint(e, "kiln bisect --config GOODCONFIG BADCONFIG REV");
	}
	if (step_resolve(q->c, q->run, q->args->v[2], &commit, e) < 0 ||
	    run_dir(q->run, &dir, e) < 0 ||
	    space_configs(&commit, q->args->v[0], q->args->v[1], dir, ret, e) < 0)
		return -(int)e->code;
	return 0;
}

/* All revisions there are from first to last. */
struct revisions {
	struct series **v;
	size_t nr;
};

static void revisions_release(struct revisions *r)
{
	for (size_t i = 0; i < r->nr; i++)
		series_free(r->v[i]);
	free(r->v);
}

static bool has_revision(const struct series *s, int n)
{
	for (size_t i = 0; i < s->nr_revisions; i++)
		if (s->revisions[i] == n)
			return true;
	return false;
}

static int fetch_revisions(const struct bisect_range_query *q, const char *source,
			   const int ends[2], struct revisions *ret, struct err *e)
{
	struct cli_source_opts from = *q->source;

	for (int n = ends[0]; n <= ends[1]; n++) {
		struct series *s;

		if (ret->nr && n < ends[1] && !has_revision(ret->v[0], n))
			continue;
		from.revision = (uint64_t)n;
		if (step_fetch(q->c, q->run, &from, source, &s, e) < 0)
			return -(int)e->code;
		*array_push(ret->v, ret->nr) = s;
	}
	return 0;
}

static int open_revisions(const struct bisect_range_query *q, struct space *ret,
			  struct err *e)
{
	_cleanup_(revisions_release) struct revisions v = { 0 };
	_cleanup_cli_base_ struct cli_base base = { 0 };
	struct cli_base_query base_of = { .source = q->source, .opts = q->base };
	int ends[2];
	_cleanup_free_ char *source = cli_source_revision(q->args->v[0], &ends[0]);
	_cleanup_free_ char *other = cli_source_revision(q->args->v[1], &ends[1]);

	if (!ends[1] || strcmp(source, other) || ends[0] >= ends[1])
		return err_set(e, ERR_USAGE,
			       "'%s' and '%s' are not an earlier and a later revision of "
			       "one series",
			       q->args->v[0], q->args->v[1]);
	if (fetch_revisions(q, source, ends, &v, e) < 0)
		return -(int)e->code;
	base_of.series = v.v[0];
	if (arch_guess(q->c, v.v[0], q->arch, e) < 0 ||
	    step_base(q->c, q->run, &base_of, &base, e) < 0)
		return -(int)e->code;
	return space_revisions(q->c->repo, v.v, v.nr, &base.onto, ret, e);
}

static bool is_revisions(const struct strv *args)
{
	_cleanup_free_ char *source = NULL;
	int n = 0;

	if (args->nr == 2)
		source = cli_source_revision(args->v[0], &n);
	return n;
}

/* Where points are mixtures or configurations, no path tells them apart. */
static int weigh(const struct bisect_range_query *q, struct space *s, struct err *e)
{
	const char *kind = q->bisect->prior ?: "paths";
	const struct arch *arch;

	if (strcmp(kind, "uniform") && strcmp(kind, "paths"))
		return err_set(e, ERR_USAGE, "--prior is paths or uniform, not '%s'",
			       kind);
	if (q->configs || s->v[0].mixed || !strcmp(kind, "uniform"))
		return 0;
	if (build_arch(*q->arch, &arch, e) < 0)
		return -(int)e->code;
	return prior_from_paths(arch, q->c->repo, s, e);
}

int bisect_range_open(const struct bisect_range_query *q, struct bisect_range *ret,
		      struct err *e)
{
	int r = q->configs		? open_configs(q, &ret->space, e)
		: is_revisions(q->args) ? open_revisions(q, &ret->space, e)
		: q->args->nr == 1	? open_series(q, ret, e)
					: open_range(q, &ret->space, e);

	return r < 0 ? r : weigh(q, &ret->space, e);
}
