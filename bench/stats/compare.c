// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/stats/compare.h"

#include <math.h>
#include <string.h>

#include "bench/stats/boots.h"
#include "bench/stats/fdr.h"
#include "bench/stats/interval.h"
#include "bench/stats/plan.h"
#include "core/base/alloc.h"

static int check_opts(const struct compare_opts *o, struct err *e)
{
	if (!isfinite(o->same_within) || o->same_within < 0)
		return err_set(e, ERR_USAGE, "'same' within %g is no width",
			       o->same_within);
	if (!isfinite(o->min_sd) || o->min_sd < 0)
		return err_set(e, ERR_USAGE, "%g is no standard deviation", o->min_sd);
	if (!(o->confidence >= 0.5 && o->confidence < 1))
		return err_set(e, ERR_USAGE, "confidence %g is not from 0.5 to 1",
			       o->confidence);
	return 0;
}

static struct side side_of(const struct boots *b)
{
	struct side s = { .boots = (unsigned int)b->nr, .runs = b->runs };
	double sum = 0;

	for (size_t i = 0; i < b->nr; i++)
		sum += b->mean_log[i];
	if (b->nr)
		s.value = exp(sum / (double)b->nr);
	return s;
}

/*
 * An undecided row can end as a difference of the size seen or as "same"; the larger of
 * the two margins is the nearer end.
 */
static void undecided(struct comparison *row, const struct compare_opts *o)
{
	double seen = fabs(log1p(row->change));
	double effect = fmax(seen, log1p(o->same_within) - seen);
	unsigned int have = row->base.boots < row->patched.boots ? row->base.boots
								 : row->patched.boots;

	row->verdict = VERDICT_UNDECIDED;
	if (row->sd > 0)
		row->needs_boots = plan_boots(row->sd, effect, have, o->confidence);
	else
		row->needs_boots = have < 2 ? 2 : 0;
}

static void decide(struct comparison *row, bool higher_is_better,
		   const struct compare_opts *o)
{
	if (row->ci_lo >= -o->same_within && row->ci_hi <= o->same_within)
		row->verdict = VERDICT_SAME;
	else if (row->p <= 1 - o->confidence && row->change != 0)
		row->verdict = (row->change > 0) == higher_is_better ? VERDICT_FASTER
								     : VERDICT_SLOWER;
	else
		undecided(row, o);
}

int compare_cell(const struct benchmark *b, const struct cell *c,
		 const struct samples *base, const struct samples *patched,
		 const struct compare_opts *o, struct comparison *ret, struct err *e)
{
	_cleanup_boots_ struct boots bb = BOOTS_INIT, pb = BOOTS_INIT;
	struct interval i;

	if (check_opts(o, e) < 0)
		return -(int)e->code;
	if (boots_collect(b, c, base, &bb, e) < 0)
		return err_wrap(e, "cannot use the samples of the base in %s", c->name);
	if (boots_collect(b, c, patched, &pb, e) < 0)
		return err_wrap(e, "cannot use the samples of the patched side in %s",
				c->name);
	if (bb.clock && pb.clock && strcmp(bb.clock, pb.clock))
		return err_set(e, ERR_USAGE,
			       "the sides of %s were measured by unlike clocks, '%.20s' "
			       "and '%.20s'",
			       c->name, bb.clock, pb.clock);
	/* a kernel entered by kexec finds caches, firmware and memory as another left
	 * them */
	if (bb.path && pb.path && strcmp(bb.path, pb.path))
		return err_set(e, ERR_USAGE,
			       "the kernels of %s came up by unlike paths, '%.20s' and "
			       "'%.20s'",
			       c->name, bb.path, pb.path);
	if (bb.first && pb.first && samples_unlike(bb.first, pb.first))
		return err_set(e, ERR_USAGE,
			       "the sides of %s were measured with unlike %s", c->name,
			       samples_unlike(bb.first, pb.first));
	interval_of(&(struct boot_means){ bb.mean_log, bb.nr },
		    &(struct boot_means){ pb.mean_log, pb.nr }, o->min_sd, o->confidence,
		    &i);
	*ret = (struct comparison){
		.cell = c,
		.benchmark = b->name,
		.unit = b->unit,
		.base = side_of(&bb),
		.patched = side_of(&pb),
		.change = expm1(i.diff),
		.ci_lo = expm1(i.diff - i.half),
		.ci_hi = expm1(i.diff + i.half),
		.confidence = o->confidence,
		.sd = i.sd,
		.p = i.p,
		.p_adj = i.p,
	};
	if (i.tested)
		decide(ret, b->higher_is_better, o);
	else
		undecided(ret, o);
	return 0;
}

void compare_adjust(struct comparison *rows, size_t nr, const struct compare_opts *o)
{
	_cleanup_free_ double *p = xcalloc(nr ? nr : 1, sizeof(*p));

	for (size_t i = 0; i < nr; i++)
		p[i] = rows[i].p;
	fdr_adjust(p, nr);
	for (size_t i = 0; i < nr; i++) {
		enum verdict v = rows[i].verdict;

		rows[i].p_adj = p[i];
		if ((v == VERDICT_FASTER || v == VERDICT_SLOWER) &&
		    p[i] > 1 - o->confidence)
			undecided(&rows[i], o);
	}
}

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = { [VERDICT_UNDECIDED] = "undecided",
					     [VERDICT_SAME] = "same",
					     [VERDICT_FASTER] = "faster",
					     [VERDICT_SLOWER] = "slower" };

	return names[v];
}
