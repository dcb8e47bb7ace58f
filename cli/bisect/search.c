// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"

#define MAX_BOOTS 60
/* What more boots of one build do not average out (the layout of its code), as a share of
 * the target's repeatability: 0.3 % where boots differ by 1 %. */
#define BUILD_SHARE 0.3

/* The search while it runs. */
struct search {
	struct lab *lab;
	const struct probe *probe;
	struct bisect *engine;
	struct question *asked; /* the ends, answered ahead, several machines at once */
	struct answer *ends;
	size_t nr_ends;
	unsigned int *taken; /* boots of each point the engine has been told */
	struct bisection *out;
};

static void search_release(struct search *s)
{
	bisect_free(s->engine);
	for (size_t i = 0; i < s->nr_ends; i++)
		answer_release(&s->ends[i]);
	free(s->ends);
	free(s->asked);
	free(s->taken);
}

static int ensure_built(struct search *s, size_t i, struct err *e)
{
	struct kernel *k = &s->out->kernels[i];

	if (k->build.status)
		return 0;
	if (lab_build(s->lab, &s->out->space.v[i].commit, k, e) < 0)
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
	for (size_t i = 0; i < s->out->space.nr; i++)
		m->posterior_max = fmax(m->posterior_max, bisect_posterior(s->engine, i));
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
	return i == 0 || i + 1 == s->out->space.nr;
}

static int observe(struct search *s, size_t i, const struct answer *a,
		   struct bisect_step *m, struct err *e)
{
	const struct bisect_boot boot = {
		.commit = i,
		.runs = a->runs,
		.nr_runs = a->nr_runs,
	};

	switch (a->kind) {
	case ANSWER_UNTESTABLE:
		m->reason = xstrdup(a->reason);
		return bisect_untestable(s->engine, i, a->stage, e);
	case ANSWER_PASS:
		m->value = a->passed / (double)(a->passed + a->failed);
		return bisect_observe_pass(s->engine, i, a->passed, a->failed, e);
	case ANSWER_RUNS:
		break;
	}
	m->value = geometric_mean(a->runs, a->nr_runs);
	s->out->runs += (unsigned int)a->nr_runs;
	return bisect_observe(s->engine, &boot, e);
}

/* Tell the engine about one finished boot. */
static int tell(struct search *s, size_t i, const struct answer *a, struct err *e)
{
	struct bisect_step *m;

	if (a->kind == ANSWER_UNTESTABLE && is_end(s, i))
		return err_set(e, ERR_UNDECIDED, "end %.12s '%s' gives no answer: %s",
			       s->out->space.v[i].commit.hex, s->out->space.v[i].subject,
			       a->reason);
	m = add_move(s, i, "boot");
	m->seconds = a->seconds;
	s->out->boots++;
	s->taken[i]++;
	if (observe(s, i, a, m, e) < 0)
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

/* Both ends as often as the engine will ask for first, in the order ABBA. */
static int measure_ends(struct search *s, const struct bisect_opts *o, struct err *e)
{
	struct bisection *out = s->out;
	size_t last = out->space.nr - 1;

	if (!s->probe->asks_build &&
	    (lab_build_ok(s->lab, &out->space.v[0].commit, &out->kernels[0], e) < 0 ||
	     lab_build_ok(s->lab, &out->space.v[last].commit, &out->kernels[last], e) <
		     0))
		return err_wrap(e, "an end of the range cannot be measured");
	s->nr_ends = 2 * (size_t)o->end_boots;
	s->asked = xcalloc(s->nr_ends, sizeof(*s->asked));
	s->ends = xcalloc(s->nr_ends, sizeof(*s->ends));
	for (unsigned int n = 0; n < o->end_boots; n++)
		for (unsigned int side = 0; side < 2; side++)
			s->asked[2 * n + side] = (struct question){
				.kernel = &out->kernels[n % 2 == side ? 0 : last],
				.boot = n,
				.runs = o->end_runs,
			};
	return s->probe->ask(s->probe, s->lab, s->asked, s->nr_ends, s->ends, e);
}

static const struct answer *answered_ahead(const struct search *s, size_t i)
{
	for (size_t k = 0; k < s->nr_ends; k++)
		if (s->asked[k].kernel == &s->out->kernels[i] &&
		    s->asked[k].boot == s->taken[i])
			return &s->ends[k];
	return NULL;
}

static int take_step(struct search *s, const struct bisect_move *next, struct err *e)
{
	_cleanup_(answer_release) struct answer a = { 0 };
	size_t i = next->commit;
	const struct answer *ahead = answered_ahead(s, i);
	struct question q = {
		.kernel = &s->out->kernels[i],
		.boot = s->taken[i],
		.runs = next->runs,
		.layout = next->layout,
	};

	if (ahead)
		return tell(s, i, ahead, e);
	if (ensure_built(s, i, e) < 0)
		return -(int)e->code;
	if (!s->probe->asks_build && strcmp(q.kernel->build.status, "ok"))
		return tell_unbuilt(s, i, e);
	if (s->probe->ask(s->probe, s->lab, &q, 1, &a, e) < 0)
		return -(int)e->code;
	return tell(s, i, &a, e);
}

static struct bisect_opts engine_opts(const struct lab *l, const struct probe *probe,
				      const struct bisect_settings *o)
{
	const struct compare_opts lab = campaign_opts(l, &(struct compare_settings){ 0 });
	struct bisect_opts opts = bisect_defaults();

	opts.kind = probe->kind;
	opts.min_sd = lab.min_sd;
	opts.build_sd = BUILD_SHARE * lab.min_sd;
	opts.min_effect = o->min_effect > 0 ? o->min_effect : opts.min_effect;
	opts.confidence = o->confidence > 0 ? o->confidence : opts.confidence;
	opts.end_boots = o->end_boots ? (unsigned int)o->end_boots : opts.end_boots;
	opts.max_boots = o->max_boots ? (unsigned int)o->max_boots : MAX_BOOTS;
	return opts;
}

static int search_loop(struct search *s, struct err *e)
{
	struct bisect_move next;

	for (bisect_next(s->engine, &next); next.kind != BISECT_MOVE_DONE;
	     bisect_next(s->engine, &next))
		if (take_step(s, &next, e) < 0)
			return err_wrap(e, "bisection stopped at commit %.12s",
					s->out->space.v[next.commit].commit.hex);
	return 0;
}

/* The engine goes with the search; its set is kept. */
static void keep_result(const struct search *s)
{
	struct bisection *out = s->out;

	bisect_result(s->engine, &out->result);
	if (out->result.nr_set)
		out->set =
			xmemdup(out->result.set, out->result.nr_set * sizeof(*out->set));
	out->result.set = out->set;
}

int bisection_run(struct lab *l, struct space *space, const struct probe *probe,
		  const struct bisect_settings *o, struct bisection *ret, struct err *e)
{
	const struct bisect_opts opts = engine_opts(l, probe, o);
	_cleanup_(search_release) struct search s = {
		.lab = l,
		.probe = probe,
		.out = ret,
	};
	uint64_t start = clock_ms();
	struct bisect_history history;

	ret->space = *space;
	*space = (struct space){ 0 };
	history = space_history(&ret->space, o->first_parent);
	ret->kernels = xcalloc(ret->space.nr, sizeof(*ret->kernels));
	ret->virtual_clock = !strcmp(lab_accel(l), "tcg");
	s.taken = xcalloc(ret->space.nr, sizeof(*s.taken));
	if (bisect_new(&history, &opts, &s.engine, e) < 0 ||
	    measure_ends(&s, &opts, e) < 0 || search_loop(&s, e) < 0)
		return -(int)e->code;
	keep_result(&s);
	ret->seconds = (double)(clock_ms() - start) / 1000;
	return 0;
}

int bisection_exit_code(const struct bisection *b)
{
	return b->result.verdict == BISECT_FOUND ? 0 : err_exit_code(ERR_UNDECIDED);
}

void bisection_release(struct bisection *b)
{
	for (size_t i = 0; b->kernels && i < b->space.nr; i++)
		kernel_release(&b->kernels[i]);
	free(b->kernels);
	free(b->set);
	for (size_t i = 0; i < b->nr_moves; i++)
		free(b->moves[i].reason);
	free(b->moves);
	space_release(&b->space);
	*b = (struct bisection){ 0 };
}
