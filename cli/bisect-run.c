// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect-run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/git/repo.h"

#define MAX_BOOTS 60
/* What more boots of one build do not average out (the layout of its code), as a share of
 * the target's repeatability: 0.3 % where boots differ by 1 %. */
#define BUILD_SHARE 0.3

/* The search while it runs. */
struct search {
	struct lab *lab;
	const struct cell *cell;
	struct bisect *engine;
	struct shots ends;   /* measured ahead, several machines at once */
	unsigned int *taken; /* boots of each commit the engine has been told */
	struct bisection *out;
};

static void search_release(struct search *s)
{
	bisect_free(s->engine);
	shots_release(&s->ends);
	free(s->taken);
}

static int ensure_built(struct search *s, size_t i, struct err *e)
{
	struct kernel *k = &s->out->kernels[i];

	if (k->build.status)
		return 0;
	if (lab_build(s->lab, &s->out->commits[i], k, e) < 0)
		return -(int)e->code;
	s->out->builds += !k->build.cached;
	return 0;
}

static struct bisect_step *add_move(struct search *s, size_t i, const char *stage)
{
	struct bisect_step *m = array_push(s->out->moves, s->out->nr_moves);

	*m = (struct bisect_step){ .commit = i, .stage = stage, .boot = s->taken[i] };
	return m;
}

static void finish_move(struct search *s, struct bisect_step *m)
{
	for (size_t i = 0; i < s->out->nr; i++)
		m->posterior_max = fmax(m->posterior_max, bisect_posterior(s->engine, i));
}

/* The proven runs of the wanted cell, in ret[shot->samples.nr]; returns how many. */
static size_t shot_runs(const struct search *s, const struct shot *shot, double *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < shot->samples.nr; i++) {
		const struct sample *sample = &shot->samples.v[i];

		if (!sample->proven || strcmp(sample->l0, s->cell->l0) ||
		    strcmp(sample->l1, s->cell->l1))
			continue;
		ret[n++] = sample->value;
	}
	return n;
}

static double geometric_mean(const double *v, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += log(v[i]);
	return exp(sum / (double)nr);
}

static bool is_end(const struct search *s, size_t i)
{
	return i == 0 || i + 1 == s->out->nr;
}

/* Tell the engine about one finished boot. A wrong kernel is never evidence about a
 * commit. */
static int tell_shot(struct search *s, size_t i, const struct shot *shot, struct err *e)
{
	_cleanup_free_ double *runs = NULL;
	struct bisect_boot boot = { .commit = i };
	struct bisect_step *m;

	if (strcmp(shot->boot.status, "ok") &&
	    (is_end(s, i) || !strcmp(shot->boot.status, "wrong-kernel")))
		return shot_check(shot, e);
	m = add_move(s, i, "boot");
	m->seconds = shot->boot.seconds;
	s->out->boots++;
	s->taken[i]++;
	if (strcmp(shot->boot.status, "ok")) {
		m->reason =
			xasprintf("%s: %s", shot->boot.status, shot->boot.reason ?: "");
		if (bisect_untestable(s->engine, i, BISECT_AT_BOOT, e) < 0)
			return -(int)e->code;
		finish_move(s, m);
		return 0;
	}
	runs = xcalloc(shot->samples.nr, sizeof(*runs));
	boot.runs = runs;
	boot.nr_runs = shot_runs(s, shot, runs);
	if (!boot.nr_runs)
		return err_set(e, ERR_WRONG_KERNEL, "boot of %.12s has no proven sample",
			       shot->kernel->commit.hex);
	m->value = geometric_mean(runs, boot.nr_runs);
	s->out->runs += (unsigned int)boot.nr_runs;
	if (bisect_observe(s->engine, &boot, e) < 0)
		return -(int)e->code;
	finish_move(s, m);
	return 0;
}

static int tell_unbuilt(struct search *s, size_t i, struct err *e)
{
	struct bisect_step *m = add_move(s, i, "build");
	const struct build_record *b = &s->out->kernels[i].build;

	m->seconds = b->seconds;
	m->reason = xasprintf("%s: %s", b->status, b->reason ?: "");
	if (bisect_untestable(s->engine, i, BISECT_AT_BUILD, e) < 0)
		return -(int)e->code;
	finish_move(s, m);
	return 0;
}

/* Both ends as often as the engine will ask for first, several machines at once. */
static int measure_ends(struct search *s, unsigned int boots, struct err *e)
{
	size_t last = s->out->nr - 1;

	if (lab_build_ok(s->lab, &s->out->commits[0], &s->out->kernels[0], e) < 0 ||
	    lab_build_ok(s->lab, &s->out->commits[last], &s->out->kernels[last], e) < 0)
		return err_wrap(e, "an end of the range cannot be measured");
	for (unsigned int n = 0; n < boots; n++) {
		shots_plan_cell(&s->ends, s->cell, &s->out->kernels[n % 2 ? last : 0], n);
		shots_plan_cell(&s->ends, s->cell, &s->out->kernels[n % 2 ? 0 : last], n);
	}
	return lab_measure(s->lab, &s->ends, e);
}

static const struct shot *measured_ahead(const struct search *s, size_t i)
{
	for (size_t k = 0; k < s->ends.nr; k++)
		if (s->ends.v[k].kernel == &s->out->kernels[i] &&
		    s->ends.v[k].ordinal == s->taken[i])
			return &s->ends.v[k];
	return NULL;
}

static int take_step(struct search *s, size_t i, struct err *e)
{
	_cleanup_(shots_release) struct shots one = { 0 };
	const struct shot *ahead = measured_ahead(s, i);

	if (ahead)
		return tell_shot(s, i, ahead, e);
	if (ensure_built(s, i, e) < 0)
		return -(int)e->code;
	if (strcmp(s->out->kernels[i].build.status, "ok"))
		return tell_unbuilt(s, i, e);
	shots_plan_cell(&one, s->cell, &s->out->kernels[i], s->taken[i]);
	if (lab_measure(s->lab, &one, e) < 0)
		return -(int)e->code;
	return tell_shot(s, i, &one.v[0], e);
}

static int take_commits(struct lab *l, const struct oid *commits, size_t nr,
			struct bisection *ret, struct err *e)
{
	ret->commits = xmemdup(commits, nr * sizeof(*commits));
	ret->kernels = xcalloc(nr, sizeof(*ret->kernels));
	ret->nr = nr;
	for (size_t i = 0; i < nr; i++) {
		struct commit_info info = { 0 };

		if (repo_commit(lab_repo(l), &commits[i], &info, e) < 0)
			return -(int)e->code;
		strv_add(&ret->subjects, info.subject);
		commit_info_release(&info);
	}
	return 0;
}

int bisection_run(struct lab *l, const struct oid *commits, size_t nr,
		  const struct cell *cell, const struct bisect_settings *o,
		  struct bisection *ret, struct err *e)
{
	const struct compare_opts defaults =
		campaign_opts(l, &(struct compare_settings){ 0 });
	const struct bisect_history history = { .nr = nr };
	struct bisect_opts opts = bisect_defaults();
	_cleanup_(search_release) struct search s = {
		.lab = l,
		.cell = cell,
		.out = ret,
	};
	uint64_t start = clock_ms();
	struct bisect_move next;

	opts.min_sd = defaults.min_sd;
	opts.build_sd = BUILD_SHARE * defaults.min_sd;
	opts.min_effect = o->min_effect > 0 ? o->min_effect : opts.min_effect;
	opts.confidence = o->confidence > 0 ? o->confidence : opts.confidence;
	opts.end_boots = o->end_boots ? (unsigned int)o->end_boots : opts.end_boots;
	opts.max_boots = o->max_boots ? (unsigned int)o->max_boots : MAX_BOOTS;
	if (take_commits(l, commits, nr, ret, e) < 0)
		return -(int)e->code;
	ret->virtual_clock = !strcmp(lab_accel(l), "tcg");
	s.taken = xcalloc(nr, sizeof(*s.taken));
	if (bisect_new(&history, &opts, &s.engine, e) < 0 ||
	    measure_ends(&s, opts.end_boots, e) < 0)
		return -(int)e->code;
	for (;;) {
		bisect_next(s.engine, &next);
		if (next.kind == BISECT_MOVE_DONE)
			break;
		if (take_step(&s, next.commit, e) < 0)
			return err_wrap(e, "bisection stopped at commit %.12s",
					commits[next.commit].hex);
	}
	bisect_result(s.engine, &ret->result);
	ret->result.set = NULL; /* the engine goes with the search */
	ret->seconds = (double)(clock_ms() - start) / 1000;
	return 0;
}

int bisection_range(struct ctx *c, const struct oid *good, const struct oid *bad,
		    bool first_parent, struct oid **ret, size_t *ret_nr, struct err *e)
{
	_cleanup_free_ struct oid *range = NULL;
	struct oid *all;
	size_t nr;

	if (repo_range(c->repo, good, bad, first_parent, &range, &nr, e) < 0)
		return -(int)e->code;
	if (!nr) {
		err_set(e, ERR_USAGE, "no commits between %.12s and %.12s", good->hex,
			bad->hex);
		return err_hint(e, "the good end comes first and must be an ancestor of "
				   "the bad one");
	}
	all = xcalloc(nr + 1, sizeof(*all));
	all[0] = *good;
	memcpy(all + 1, range, nr * sizeof(*all));
	*ret = all;
	*ret_nr = nr + 1;
	return 0;
}

int bisection_exit_code(const struct bisection *b)
{
	return b->result.verdict == BISECT_FOUND ? 0 : err_exit_code(ERR_UNDECIDED);
}

void bisection_release(struct bisection *b)
{
	for (size_t i = 0; i < b->nr; i++)
		kernel_release(&b->kernels[i]);
	free(b->kernels);
	free(b->commits);
	strv_release(&b->subjects);
	for (size_t i = 0; i < b->nr_moves; i++)
		free(b->moves[i].reason);
	free(b->moves);
	*b = (struct bisection){ 0 };
}
