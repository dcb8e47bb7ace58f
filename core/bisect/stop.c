// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/bisect/evalue.h"
#include "core/bisect/state.h"

#define Z95 1.959964
/* Bayes factor from which a second change is reported. */
#define SECOND_BF 20.0
/* From this one up to that, the question is open. */
#define OPEN_BF 1.0
#define UNDECIDED_MASS 0.9
/* Bayes factor of a change against none below which nothing is named. */
#define CHANGE_BF 20.0
/* One boot gone wrong could place the change. Where that is larger than a few sd, so that
 * one boot is enough to name it, both sides of it are booted twice; on a target whose
 * scatter is known to be small only below so many sd, beyond which no boot goes wrong. */
#define CONFIRM_ABOVE 5.0
#define CONFIRM_BELOW 12.0

static const struct unit *usual(const struct bisect *b, size_t k)
{
	return data_unit(&b->data, k, 0);
}

static unsigned int boots_of(const struct bisect *b, size_t k)
{
	const struct unit *u = usual(b, k);

	if (!u)
		return 0;
	return b->o.kind == BISECT_PASS ? u->passed + u->failed : (unsigned int)u->nr;
}

/* Mean and variance of one end by its own boots. */
static double end_mean(const struct bisect *b, size_t k, double *ret_var)
{
	struct run_noise noise = data_run_noise(&b->data);
	const struct unit *u = usual(b, k);
	double w = 0, s = 0;

	if (b->o.kind == BISECT_PASS) {
		double n = u->passed + u->failed + 1.0, p = (u->failed + .5) / n;

		*ret_var = p * (1 - p) / n;
		return p;
	}
	for (size_t i = 0; i < u->nr; i++) {
		double v = b->post.tau2 + noise.variance / u->boots[i].runs;

		w += 1 / v;
		s += boot_location(&u->boots[i], &noise) / v;
	}
	*ret_var = 1 / w + b->post.lam2;
	return s / w;
}

double ends_change(const struct bisect *b, double *ret_sd)
{
	double old, new, d = end_mean(b, bad_end(b), &new) - end_mean(b, 0, &old);

	*ret_sd = sqrt(old + new);
	return d;
}

static double shown(const struct bisect *b, double y)
{
	return b->o.kind == BISECT_PASS ? y : expm1(y);
}

/* Boots of the ends in pairs, in the order they came. */
static double ends_evidence(const struct bisect *b)
{
	const struct unit *old = usual(b, 0), *new = usual(b, bad_end(b));
	struct run_noise noise = data_run_noise(&b->data);
	_cleanup_free_ double *d = xcalloc(old->nr + 1, sizeof(*d));
	size_t nr = 0;

	for (; nr < old->nr && nr < new->nr; nr++)
		d[nr] = boot_location(&new->boots[nr], &noise) -
			boot_location(&old->boots[nr], &noise);
	return e_value(d, nr, 1);
}

static void fill_change(struct bisect *b)
{
	double sd, d = ends_change(b, &sd);
	double half = b->o.kind == BISECT_PASS ? Z95 * sd : fmax(Z95 * sd, b->o.min_sd);

	b->res.change = shown(b, d);
	b->res.ci_lo = shown(b, d - half);
	b->res.ci_hi = shown(b, d + half);
	b->res.log_bf10 = b->post.log_bf10;
	b->res.ends_e = ends_evidence(b);
}

/* good, bad, bad, good, ...: a drift of the machine hits both ends alike. */
static bool next_end(struct bisect *b)
{
	unsigned int good = boots_of(b, 0), bad = boots_of(b, bad_end(b)), k = good + bad;
	bool at_bad = k % 4 == 1 || k % 4 == 2;

	if (good >= b->o.end_boots && bad >= b->o.end_boots)
		return false;
	if (good >= b->o.end_boots)
		at_bad = true;
	if (bad >= b->o.end_boots)
		at_bad = false;
	b->move = (struct bisect_move){ BISECT_MOVE_END, at_bad ? bad_end(b) : 0,
					b->o.kind == BISECT_PASS ? 1 : b->o.end_runs, 0 };
	return true;
}

static size_t top_group(const struct bisect *b)
{
	size_t best = 0;

	for (size_t g = 1; g < b->post.nr; g++)
		if (b->post.p[g] > b->post.p[best])
			best = g;
	return best;
}

/* The tested commit before k: a parent, or what comes before the untestable ones. */
static size_t tested_parent(const struct bisect *b, size_t k)
{
	size_t room, nr;
	const size_t *parents = graph_parents(&b->graph, k, &room, &nr);

	while (nr && !tested(b, parents[0])) {
		k = parents[0];
		parents = graph_parents(&b->graph, k, &room, &nr);
	}
	return nr ? parents[0] : 0;
}

static void fill_step(struct bisect *b, size_t g)
{
	const struct levels *l = &b->post.levels[g];
	double d = l->new - l->old, half = Z95 *sqrt(l->new_var + l->old_var);

	b->res.step = shown(b, d);
	b->res.step_lo = shown(b, d - half);
	b->res.step_hi = shown(b, d + half);
}

static void fill_set(struct bisect *b, size_t g)
{
	for (size_t k = 1; k < b->graph.nr; k++) {
		if (b->groups.of[k] != g)
			continue;
		b->set[b->res.nr_set++] = k;
		if (b->p[k] > b->p[b->res.culprit] || !b->res.culprit)
			b->res.culprit = k;
	}
	b->res.confidence = b->post.p[g];
	b->res.parent = tested_parent(b, b->set[0]);
}

static int by_number(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

static int by_probability(const void *a, const void *b, void *p)
{
	const double *v = p;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	if (v[x] != v[y])
		return v[x] < v[y] ? 1 : -1;
	return (x > y) - (x < y);
}

/* The fewest commits that hold the mass, in ret; returns how many, and the mass. */
static size_t smallest_set(const double *p, size_t nr, double mass, size_t *ret,
			   double *ret_sum)
{
	double sum = 0;
	size_t n = 0;

	for (size_t k = 1; k < nr; k++)
		ret[k - 1] = k;
	qsort_r(ret, nr - 1, sizeof(*ret), by_probability, (void *)p);
	while (n < nr - 1 && sum < mass)
		sum += p[ret[n++]];
	*ret_sum = sum;
	qsort(ret, n, sizeof(*ret), by_number);
	return n;
}

static void bounds(struct bisect *b)
{
	if (!b->res.nr_set)
		return;
	b->res.set_first = b->set[0];
	b->res.set_last = b->set[b->res.nr_set - 1];
}

static void undecided(struct bisect *b)
{
	double sum;

	b->move.kind = BISECT_MOVE_DONE;
	b->res.verdict = BISECT_UNDECIDED;
	b->res.nr_set = smallest_set(b->p, b->graph.nr, UNDECIDED_MASS, b->set, &sum);
	b->res.confidence = sum;
	b->res.culprit = b->set[0];
	for (size_t i = 1; i < b->res.nr_set; i++)
		if (b->p[b->set[i]] > b->p[b->res.culprit])
			b->res.culprit = b->set[i];
	b->res.parent = tested_parent(b, b->res.culprit);
	bounds(b);
}

/* The bootable commit in the middle of p; graph.nr when none is. */
static size_t middle(const struct bisect *b, const double *p)
{
	size_t at = 0, best = b->graph.nr;
	double sum = 0;

	while (at + 1 < b->graph.nr && sum < 0.5)
		sum += p[++at];
	for (size_t k = 1; k < bad_end(b); k++) {
		size_t off = k > at ? k - at : at - k;

		if (may_boot(b, k) &&
		    (best == b->graph.nr || off < (best > at ? best - at : at - best)))
			best = k;
	}
	return best;
}

/* Where a second change may stand: the posterior of each commit to be it. */
static void fill_second(struct bisect *b, size_t g, size_t *ret_middle)
{
	struct problem pr = { .data = &b->data,
			      .groups = &b->groups,
			      .grid = &b->grid,
			      .run = data_run_noise(&b->data) };
	_cleanup_free_ double *p = xcalloc(b->graph.nr, sizeof(*p));
	_cleanup_free_ size_t *set = xcalloc(b->graph.nr, sizeof(*set));
	struct two_changes two = { 0 };
	double sum;
	size_t nr;

	posterior_two(&pr, g, &two);
	for (size_t k = 1; k < b->graph.nr; k++) {
		size_t of = b->groups.of[k];

		p[k] = two.second[of] * b->weight[k] / b->groups.v[of].weight;
	}
	*ret_middle = middle(b, p);
	b->res.log_bf21 = two.log_bf21;
	b->res.second_change = two.log_bf21 > log(SECOND_BF) &&
			       fabs(two.step) >= log1p(b->o.min_effect);
	if (b->res.second_change) {
		nr = smallest_set(p, b->graph.nr, UNDECIDED_MASS, set, &sum);
		b->res.second_first = set[0];
		b->res.second_last = set[nr - 1];
		b->res.second_step = expm1(two.step);
	}
	free(two.second);
}

static bool spent(const struct bisect *b)
{
	return b->data.boots >= b->o.max_boots ||
	       (b->o.max_seconds > 0 && b->seconds >= b->o.max_seconds);
}

/* Given a change, it is here; and that there is one has evidence of its own. */
bool group_is_sure(const struct bisect *b, size_t g)
{
	return b->post.p[g] >= b->o.confidence && b->post.log_bf10 >= log(CHANGE_BF);
}

/* A group that holds the confidence and that nothing more divides. */
static bool settled(struct bisect *b, size_t g)
{
	if (!group_is_sure(b, g))
		return false;
	b->split = splitter(b, g);
	return b->split == b->graph.nr;
}

/* A side of the step that a single boot has placed, when that boot may have gone wrong;
 * graph.nr when there is none. */
static size_t unconfirmed(const struct bisect *b, size_t g, size_t culprit)
{
	const struct levels *l = &b->post.levels[g];
	double sd = sqrt(b->post.tau2 + b->post.run2 / b->o.end_runs);
	double step = fabs(l->new - l->old);
	size_t sides[] = { culprit, b->res.parent };

	if (b->o.kind == BISECT_PASS || step < CONFIRM_ABOVE * sd ||
	    (b->o.build_sd >= 0 && step > CONFIRM_BELOW * sd))
		return b->graph.nr;
	for (size_t i = 0; i < ARRAY_SIZE(sides); i++)
		if (tested(b, sides[i]) && boots_of(b, sides[i]) < 2)
			return sides[i];
	return b->graph.nr;
}

/* Enough is known of group g: name it, after fresh layouts if they are asked for. */
static void name(struct bisect *b, size_t g)
{
	size_t culprit, parent, again;

	fill_set(b, g);
	culprit = b->set[b->res.nr_set - 1];
	parent = b->res.parent;
	again = unconfirmed(b, g, culprit);
	if (again < b->graph.nr && !spent(b)) {
		b->res.nr_set = 0;
		b->move = (struct bisect_move){ BISECT_MOVE_COMMIT, again,
						runs_for(b, false), 0 };
		return;
	}
	if (b->o.verify && b->o.kind == BISECT_NUMBER) {
		switch (verify(b, culprit, parent, &b->move, &b->res.verified_step)) {
		case VERIFY_MORE:
			if (!spent(b)) {
				b->res.nr_set = 0;
				return;
			}
			undecided(b);
			return;
		case VERIFY_REJECTED:
			b->res.nr_set = 0;
			undecided(b);
			b->res.rejected = true;
			return;
		case VERIFY_ACCEPTED:
			b->res.verified = true;
		}
	}
	b->move.kind = BISECT_MOVE_DONE;
	b->res.verdict = b->res.nr_set == 1 ? BISECT_FOUND : BISECT_SET;
	bounds(b);
}

static void no_change(struct bisect *b)
{
	b->res.verdict = BISECT_NO_CHANGE;
	b->res.confidence = b->post.none_p;
	b->move.kind = BISECT_MOVE_DONE;
}

/* The ends differ by less than what is worth finding. */
static bool ends_agree(const struct bisect *b)
{
	double sd, d = ends_change(b, &sd);

	return b->o.kind == BISECT_NUMBER && fabs(d) + Z95 * sd < log1p(b->o.min_effect);
}

/* With first_parent: the merge whose side branch may be entered. */
static void open_cell(struct bisect *b)
{
	_cleanup_free_ double *mass = NULL;

	b->open_cell = b->graph.nr;
	if (!b->cell)
		return;
	mass = xcalloc(b->graph.nr, sizeof(*mass));
	for (size_t k = 1; k < b->graph.nr; k++)
		mass[b->cell[k]] += b->p[k];
	for (size_t k = 1; k < b->graph.nr; k++)
		if (mass[k] >= b->o.confidence)
			b->open_cell = k;
}

/* When it is open whether there is a second change, boot where it would be first. */
static void look_for_second(struct bisect *b, size_t g)
{
	size_t at;

	if (b->o.kind == BISECT_PASS)
		return;
	fill_second(b, g, &at);
	if (b->res.verdict == BISECT_UNDECIDED || b->res.log_bf21 < log(OPEN_BF) ||
	    b->res.log_bf21 > log(SECOND_BF) || at == b->graph.nr || spent(b))
		return;
	b->res.verdict = BISECT_RUNNING;
	b->res.nr_set = 0;
	b->move = (struct bisect_move){ BISECT_MOVE_COMMIT, at, 1, 0 };
	b->move.runs = runs_for(b, !(b->flags[at] & COMMIT_BUILT));
}

bool judge(struct bisect *b)
{
	size_t g;

	if (!testable(b, 0) || !testable(b, bad_end(b))) {
		undecided(b);
		return false;
	}
	if (boots_of(b, 0) && boots_of(b, bad_end(b)))
		fill_change(b);
	if (next_end(b)) {
		if (spent(b))
			undecided(b);
		return false;
	}
	open_cell(b);
	g = top_group(b);
	fill_step(b, g);
	if (b->post.none_p >= b->o.confidence || ends_agree(b)) {
		no_change(b);
		return false;
	}
	if (settled(b, g))
		name(b, g);
	else if (spent(b))
		b->post.none_p > 0.5 ? no_change(b) : undecided(b);
	if (b->res.verdict != BISECT_RUNNING && b->res.verdict != BISECT_NO_CHANGE)
		look_for_second(b, g);
	return b->res.verdict == BISECT_RUNNING && b->move.kind == BISECT_MOVE_DONE;
}

void bisect_result(const struct bisect *b, struct bisect_result *ret)
{
	*ret = b->res;
	ret->boots = b->data.boots;
	ret->builds = b->builds;
	ret->runs = b->data.runs;
	ret->seconds = b->seconds;
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
