// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/stats/compare.h"

#include <math.h>
#include <string.h>

#include "bench/stats/boots.h"
#include "bench/stats/fdr.h"
#include "bench/stats/interval.h"
#include "bench/stats/plan.h"
#include "bench/stats/rank.h"
#include "bench/stats/sequence.h"
#include "core/base/alloc.h"

static int check_opts(const struct compare_opts *o, struct err *e)
{
	const double sd[] = { o->noise.boot_sd, o->noise.build_sd, o->noise.boot_df,
			      o->noise.build_df };

	if (!isfinite(o->same_within) || o->same_within < 0)
		return err_set(e, ERR_USAGE, "'same' within %g is no width",
			       o->same_within);
	for (size_t i = 0; i < ARRAY_SIZE(sd); i++)
		if (!isfinite(sd[i]) || sd[i] < 0)
			return err_set(e, ERR_USAGE, "%g is no standard deviation",
				       sd[i]);
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
	if (row->drifts || !(row->sd > 0))
		row->needs_boots = have < 2 ? 2 : 0;
	else if (!o->sequential)
		row->needs_boots = plan_boots(row->sd, effect, have, o->confidence);
	else
		row->needs_boots = plan_pairs(row->sd, effect, &o->noise, o->confidence);
	if (row->needs_boots && row->needs_boots <= have)
		row->needs_boots = have + 1;
}

static bool excludes_zero(const struct comparison *row)
{
	return row->ci_lo > 0 || row->ci_hi < 0;
}

static void decide(struct comparison *row, bool higher_is_better,
		   const struct compare_opts *o)
{
	if (row->ci_lo >= -o->same_within && row->ci_hi <= o->same_within)
		row->verdict = VERDICT_SAME;
	else if (row->p <= 1 - o->confidence && excludes_zero(row))
		row->verdict = (row->change > 0) == higher_is_better ? VERDICT_FASTER
								     : VERDICT_SLOWER;
	else
		undecided(row, o);
}

static struct estimate estimate_of(double diff, double lo, double hi, double p)
{
	return (struct estimate){ expm1(diff), expm1(lo), expm1(hi), p };
}

static struct estimate estimate_interval(const struct interval *i)
{
	return estimate_of(i->diff, i->diff - i->half, i->diff + i->half, i->p);
}

/* The pairs in order; a side that is ahead waits for the other. */
static struct estimate estimate_pairs(const struct boots *base,
				      const struct boots *patched,
				      const struct compare_opts *o, bool *ret_drifts)
{
	size_t nr = base->nr < patched->nr ? base->nr : patched->nr;
	_cleanup_free_ double *d = xcalloc(nr ? nr : 1, sizeof(*d));
	struct sequence seq;

	for (size_t i = 0; i < nr; i++)
		d[i] = patched->mean_log[i] - base->mean_log[i];
	sequence_of(d, nr, &o->noise, o->confidence, &seq);
	*ret_drifts = seq.drifts;
	if (seq.drifts)
		return estimate_of(seq.mean, -INFINITY, INFINITY, 1);
	return estimate_of(seq.mean, seq.lo, seq.hi, seq.p);
}

/* What decides, by what is known and how many boots there are. */
static enum basis choose(const struct compare_opts *o, const struct interval *i,
			 const struct side *base, const struct side *patched)
{
	double rows = o->rows ? (double)o->rows : 1;

	if (!base->boots || !patched->boots)
		return BASIS_NONE;
	if (o->sequential)
		return BASIS_SEQUENCE;
	if (o->noise.boot_sd > 0)
		return BASIS_KNOWN;
	if (rank_least_p(base->boots, patched->boots) * rows <= 1 - o->confidence)
		return i->tested ? BASIS_RANK : BASIS_NONE;
	return i->tested ? BASIS_WELCH : BASIS_NONE;
}

static void estimate(struct comparison *row, const struct boots *base,
		     const struct boots *patched, const struct compare_opts *o)
{
	struct boot_means b = { base->mean_log, base->nr };
	struct boot_means p = { patched->mean_log, patched->nr };
	struct interval known, welch;
	struct estimate use;
	struct rank_shift rank;

	interval_of(&b, &p, &o->noise, o->confidence, &known);
	interval_welch(&b, &p, o->confidence, &welch);
	rank_shift_of(&b, &p, o->confidence, &rank);
	row->sd = known.sd;
	row->rank = estimate_of(rank.shift, rank.lo, rank.hi, rank.p);
	row->welch = estimate_interval(&welch);
	row->basis = choose(o, &known, &row->base, &row->patched);
	use = estimate_interval(&known);
	if (row->basis == BASIS_RANK)
		use = row->rank;
	if (row->basis == BASIS_SEQUENCE)
		use = estimate_pairs(base, patched, o, &row->drifts);
	row->change = use.change;
	row->ci_lo = use.ci_lo;
	row->ci_hi = use.ci_hi;
	row->p = row->p_adj = use.p;
	if (!known.tested) /* a bound may be known where nothing was tested */
		row->p = row->p_adj = 1;
}

/* Whatever else the two sides are, a difference of these is no kernel's. */
static int check_sides(const struct cell *c, const struct boots *base,
		       const struct boots *patched, struct err *e)
{
	if (base->clock && patched->clock && strcmp(base->clock, patched->clock))
		return err_set(e, ERR_USAGE,
			       "the sides of %s were measured by unlike clocks, '%.20s' "
			       "and '%.20s'",
			       c->name, base->clock, patched->clock);
	/* a kernel entered by kexec finds caches, firmware and memory as another left
	 * them */
	if (base->path && patched->path && strcmp(base->path, patched->path))
		return err_set(e, ERR_USAGE,
			       "the kernels of %s came up by unlike paths, '%.20s' and "
			       "'%.20s'",
			       c->name, base->path, patched->path);
	if (base->first && patched->first && samples_unlike(base->first, patched->first))
		return err_set(e, ERR_USAGE,
			       "the sides of %s were measured with unlike %s", c->name,
			       samples_unlike(base->first, patched->first));
	return 0;
}

int compare_cell(const struct benchmark *b, const struct cell *c,
		 const struct samples *base, const struct samples *patched,
		 const struct compare_opts *o, struct comparison *ret, struct err *e)
{
	_cleanup_boots_ struct boots bb = BOOTS_INIT, pb = BOOTS_INIT;

	if (check_opts(o, e) < 0)
		return -(int)e->code;
	if (boots_collect(b, c, base, &bb, e) < 0)
		return err_wrap(e, "cannot use the samples of the base in %s", c->name);
	if (boots_collect(b, c, patched, &pb, e) < 0)
		return err_wrap(e, "cannot use the samples of the patched side in %s",
				c->name);
	if (check_sides(c, &bb, &pb, e) < 0)
		return -(int)e->code;
	*ret = (struct comparison){
		.cell = c,
		.benchmark = b->name,
		.unit = b->unit,
		.base = side_of(&bb),
		.patched = side_of(&pb),
		.confidence = o->confidence,
		.same_within = o->same_within,
	};
	estimate(ret, &bb, &pb, o);
	if (bb.nr > 1 && pb.nr > 1 && ret->basis != BASIS_NONE)
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

const char *basis_name(enum basis b)
{
	static const char *const names[] = { [BASIS_NONE] = "none",
					     [BASIS_KNOWN] = "known",
					     [BASIS_WELCH] = "welch",
					     [BASIS_RANK] = "rank",
					     [BASIS_SEQUENCE] = "sequence" };

	return names[b];
}
