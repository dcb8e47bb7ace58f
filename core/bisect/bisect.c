// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bisect/bisect.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/bisect/posterior.h"

/* What more boots of one build do not average out (the layout of its code), as a share of
 * min_sd: 0.3 % where boots differ by 1 %. */
#define BUILD_SHARE 0.3
/* Normal quantile of the reported 95 % interval. */
#define Z95 1.96
/* An outlier of one boot could name the wrong commit; where the change is smaller than so
 * many sd, both sides of the culprit are booted twice. */
#define CONFIRM_BELOW 20.0
/* While the search goes on, every so many boots one is of an end, against drift. */
#define DRIFT_EVERY 6
/* Bayes factor from which a second change is reported. */
#define SECOND_BF 20.0
#define UNDECIDED_MASS 0.9

struct commit_state {
	unsigned int boots;
	double mean, squares; /* of logs; Welford */
	bool untestable;
};

struct bisect {
	size_t nr;
	struct bisect_opts o;
	struct commit_state *c;
	double *p; /* posterior over commits */
	unsigned int boots, since_end;
	struct bisect_result res;
	double d, half; /* log of bad end over good end, half width of its interval */
	size_t next;
};

static void decide(struct bisect *b);

int bisect_new(size_t nr_commits, const struct bisect_opts *o, struct bisect **ret,
	       struct err *e)
{
	struct bisect *b;

	if (nr_commits < 2)
		return err_set(e, ERR_USAGE, "nothing to bisect between the two ends");
	if (!(o->min_effect > 0 && o->min_effect < 1) ||
	    !(o->min_sd > 0 && o->min_sd < 1))
		return err_set(
			e, ERR_USAGE,
			"smallest effect and repeatability must lie between 0 and 1");
	if (!(o->confidence > 0.5 && o->confidence < 1))
		return err_set(e, ERR_USAGE, "confidence %g is not between 0.5 and 1",
			       o->confidence);
	b = xzalloc(sizeof(*b));
	b->nr = nr_commits;
	b->o = *o;
	if (b->o.end_boots < 2)
		b->o.end_boots = 2;
	b->c = xcalloc(nr_commits, sizeof(*b->c));
	b->p = xcalloc(nr_commits, sizeof(*b->p));
	for (size_t k = 1; k < nr_commits; k++)
		b->p[k] = 1 / (double)(nr_commits - 1);
	decide(b);
	*ret = b;
	return 0;
}

/* What boots of one commit tell about the variance of a boot; min_sd counts as two
 * degrees of freedom, so that it is never zero. */
struct scatter {
	double sum, df, floor;
};

static struct scatter scatter(const struct bisect *b)
{
	double floor = b->o.min_sd * b->o.min_sd;
	struct scatter s = { .sum = 2 * floor, .df = 2, .floor = floor };

	for (size_t k = 0; k < b->nr; k++) {
		if (b->c[k].boots < 2)
			continue;
		s.sum += b->c[k].squares;
		s.df += b->c[k].boots - 1;
	}
	return s;
}

/* Variance of one boot, where one value has to do. Two degrees of freedom less make up
 * for the tails of Student's t that a Gaussian lacks. */
static double boot_variance(const struct bisect *b)
{
	struct scatter s = scatter(b);

	return fmax(s.sum / fmax(s.df - 2, 2), s.floor);
}

/* Variance of a commit's mean over n boots. */
static double mean_variance(const struct bisect *b, double s2, unsigned int n)
{
	double build = BUILD_SHARE * b->o.min_sd;

	return build * build + s2 / n;
}

static size_t collect(const struct bisect *b, double s2, struct tested *t)
{
	size_t n = 0;

	for (size_t k = 0; k < b->nr; k++)
		if (b->c[k].boots)
			t[n++] = (struct tested){ k, b->c[k].mean,
						  mean_variance(b, s2, b->c[k].boots) };
	return n;
}

/*
 * The posterior with the variance of a boot integrated out on a grid, each point weighted
 * by what boots of one commit and the evidence for one change say about it. With a single
 * estimate the search would stop whenever the estimate happens to be small.
 */
static void update_posterior(struct bisect *b, struct tested *t)
{
	static const double factors[] = { .5, .6, .71, .84, 1, 1.19, 1.41, 1.68, 2, 2.4 };
	const struct scatter s = scatter(b);
	_cleanup_free_ double *each = xcalloc(b->nr * ARRAY_SIZE(factors), sizeof(*each));
	double log_w[ARRAY_SIZE(factors)], top = -INFINITY, total = 0;

	for (size_t i = 0; i < ARRAY_SIZE(factors); i++) {
		double s2 = fmax(s.sum / s.df * factors[i] * factors[i], s.floor);
		struct chain c = { b->nr, NULL, t, collect(b, s2, t) };

		log_w[i] = -s.df / 2 * log(s2) - s.sum / s2 / 2 +
			   posterior(&c, each + i * b->nr);
		top = fmax(top, log_w[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(factors); i++)
		total += exp(log_w[i] - top);
	for (size_t k = 0; k < b->nr; k++) {
		b->p[k] = 0;
		for (size_t i = 0; i < ARRAY_SIZE(factors); i++)
			b->p[k] += each[i * b->nr + k] * exp(log_w[i] - top) / total;
	}
}

static void set_change(struct bisect *b, double s2)
{
	const struct commit_state *good = &b->c[0], *bad = &b->c[b->nr - 1];
	double shown;

	b->d = bad->mean - good->mean;
	b->half = Z95 * sqrt(mean_variance(b, s2, good->boots) +
			     mean_variance(b, s2, bad->boots));
	shown = fmax(b->half, b->o.min_sd);
	b->res.change = expm1(b->d);
	b->res.ci_lo = expm1(b->d - shown);
	b->res.ci_hi = expm1(b->d + shown);
}

static size_t clamp_end(const struct bisect *b, size_t which)
{
	return which ? b->nr - 1 : 0;
}

/* good, bad, bad, good, ...: a drift of the machine hits both ends alike. */
static size_t next_end(const struct bisect *b)
{
	unsigned int good = b->c[0].boots, bad = b->c[b->nr - 1].boots, k = good + bad;

	if (good >= b->o.end_boots && bad < b->o.end_boots)
		return clamp_end(b, 1);
	if (bad >= b->o.end_boots && good < b->o.end_boots)
		return clamp_end(b, 0);
	return clamp_end(b, k % 4 == 1 || k % 4 == 2);
}

/* The ends agree within what is worth finding. */
static bool ends_agree(const struct bisect *b)
{
	return fabs(b->d) + b->half < b->o.min_effect;
}

static bool change_is_sure(const struct bisect *b, const struct chain *chain)
{
	return posterior_log_bf10(chain) >= -log(1 - b->o.confidence);
}

/*
 * Enough of a difference to search for it: sure and large, or, after twice the boots, at
 * least not zero. In the latter case the search's own boots decide whether it is real.
 */
static bool ends_differ(const struct bisect *b, const struct chain *chain)
{
	const unsigned int patience = 2 * b->o.end_boots;

	if (change_is_sure(b, chain) && fabs(b->d) >= b->o.min_effect)
		return true;
	return b->c[0].boots >= patience && b->c[b->nr - 1].boots >= patience &&
	       fabs(b->d) > b->half;
}

/* The smallest run of commits that holds at least the mass wanted. */
static void smallest_set(struct bisect *b, double mass)
{
	size_t best = b->nr;
	double sum = 0;

	for (size_t from = 1, to = 1; to < b->nr; to++) {
		sum += b->p[to];
		while (from < to && sum - b->p[from] >= mass)
			sum -= b->p[from++];
		if (sum >= mass && to - from < best) {
			best = to - from;
			b->res.set_first = from;
			b->res.set_last = to;
			b->res.confidence = sum;
		}
	}
}

static void undecided(struct bisect *b)
{
	b->res.verdict = BISECT_UNDECIDED;
	b->res.set_first = 1;
	b->res.set_last = b->nr - 1;
	b->res.confidence = 1;
	smallest_set(b, UNDECIDED_MASS);
}

/*
 * The commits between two tested neighbours that hold the confidence wanted, when all but
 * the last of them are untestable: nothing can be measured any more inside.
 */
static bool settled_gap(const struct bisect *b, size_t *ret_first, size_t *ret_last)
{
	for (size_t last = 1, first = 1; last < b->nr; last++) {
		double mass = 0;

		if (b->c[last].untestable)
			continue;
		for (size_t k = first; k <= last; k++)
			mass += b->p[k];
		if (b->c[last].boots && b->c[first - 1].boots &&
		    mass >= b->o.confidence) {
			*ret_first = first;
			*ret_last = last;
			return true;
		}
		first = last + 1;
	}
	return false;
}

static bool is_end(const struct bisect *b, size_t k)
{
	return k == 0 || k == b->nr - 1;
}

/* A side of the found step that one outlier could have placed; false when there is none.
 */
static bool unconfirmed(const struct bisect *b, double s2, size_t first, size_t last,
			size_t *ret)
{
	const size_t sides[] = { last, first - 1 };

	if (fabs(b->d) > CONFIRM_BELOW * sqrt(s2))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(sides); i++) {
		if (b->c[sides[i]].boots >= 2)
			continue;
		*ret = sides[i];
		return true;
	}
	return false;
}

/*
 * Where to look next: the commit whose boot splits the posterior best for what it adds to
 * the knowledge of its value. A first boot adds most, later ones less.
 */
static size_t best_split(const struct bisect *b, double s2)
{
	double below = 0, best = -1;
	size_t next = b->nr - 1;

	for (size_t k = 1; k + 1 < b->nr; k++) {
		const unsigned int n = b->c[k].boots;
		double gain = 1 / mean_variance(b, s2, n + 1), score;

		below += b->p[k];
		if (b->c[k].untestable)
			continue;
		if (n)
			gain -= 1 / mean_variance(b, s2, n);
		score = below * (1 - below) * gain;
		if (score > best) {
			best = score;
			next = k;
		}
	}
	return next;
}

static void search(struct bisect *b, const struct chain *chain, double s2)
{
	double step, bf21 = posterior_log_bf21(chain, &step);
	size_t first, last;

	b->res.second_change = bf21 > log(SECOND_BF) && step >= b->o.min_effect;
	if (settled_gap(b, &first, &last) && change_is_sure(b, chain)) {
		if (b->boots < b->o.max_boots &&
		    unconfirmed(b, s2, first, last, &b->next))
			return;
		b->res.verdict = first == last ? BISECT_FOUND : BISECT_SET;
		b->res.culprit = last;
		b->res.set_first = first;
		b->res.set_last = last;
		b->res.confidence = 0;
		for (size_t k = first; k <= last; k++)
			b->res.confidence += b->p[k];
	} else if (b->boots >= b->o.max_boots) {
		undecided(b);
	} else if (b->since_end >= DRIFT_EVERY) {
		b->next = clamp_end(b, b->c[0].boots > b->c[b->nr - 1].boots);
	} else {
		b->next = best_split(b, s2);
	}
}

/* After each event: what is known, and what to do next. */
static void decide(struct bisect *b)
{
	const size_t end = b->nr - 1;
	double s2 = boot_variance(b);
	_cleanup_free_ struct tested *t = NULL;
	struct chain chain = { .nr_commits = b->nr };

	b->res = (struct bisect_result){ .verdict = BISECT_RUNNING };
	b->next = next_end(b);
	if (b->c[0].boots && b->c[end].boots) {
		t = xcalloc(b->nr, sizeof(*t));
		update_posterior(b, t);
		chain.nr_tested = collect(b, s2, t);
		chain.tested = t;
		set_change(b, s2);
	}
	if (b->c[0].untestable || b->c[end].untestable)
		undecided(b);
	else if (b->c[0].boots >= b->o.end_boots && b->c[end].boots >= b->o.end_boots) {
		if (ends_agree(b)) {
			b->res.verdict = BISECT_NO_CHANGE;
			b->res.confidence = 1 / (1 + exp(posterior_log_bf10(&chain)));
		} else if (ends_differ(b, &chain)) {
			search(b, &chain, s2);
		}
	}
	if (b->res.verdict == BISECT_RUNNING && b->boots >= b->o.max_boots)
		undecided(b);
}

int bisect_measured(struct bisect *b, size_t commit, double value, struct err *e)
{
	struct commit_state *c;
	double y, d;

	if (commit >= b->nr)
		return err_set(e, ERR_INTERNAL, "commit %zu is outside of the bisection",
			       commit);
	if (!(value > 0) || isinf(value))
		return err_set(e, ERR_USAGE, "a rate of %g is no measurement", value);
	c = &b->c[commit];
	y = log(value);
	d = y - c->mean;
	c->boots++;
	c->mean += d / c->boots;
	c->squares += d * (y - c->mean);
	b->boots++;
	b->since_end = is_end(b, commit) ? 0 : b->since_end + 1;
	decide(b);
	return 0;
}

void bisect_untestable(struct bisect *b, size_t commit)
{
	/* What was measured of it before still counts. */
	if (commit >= b->nr || b->c[commit].boots)
		return;
	b->c[commit].untestable = true;
	decide(b);
}

bool bisect_next(struct bisect *b, size_t *ret_commit)
{
	if (b->res.verdict != BISECT_RUNNING)
		return false;
	*ret_commit = b->next;
	return true;
}

void bisect_result(const struct bisect *b, struct bisect_result *ret)
{
	*ret = b->res;
}

double bisect_posterior(const struct bisect *b, size_t commit)
{
	return commit < b->nr ? b->p[commit] : 0;
}

const char *bisect_verdict_name(enum bisect_verdict v)
{
	static const char *const names[] = {
		[BISECT_RUNNING] = "running",
		[BISECT_FOUND] = "found",
		[BISECT_SET] = "set",
		[BISECT_NO_CHANGE] = "no-change",
		[BISECT_UNDECIDED] = "undecided",
	};

	return names[v];
}

void bisect_free(struct bisect *b)
{
	if (!b)
		return;
	free(b->c);
	free(b->p);
	free(b);
}
