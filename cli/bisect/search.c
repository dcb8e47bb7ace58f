// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/ahead.h"
#include "cli/bisect/build.h"
#include "cli/bisect/chart.h"
#include "cli/bisect/prior.h"
#include "cli/bisect/state.h"
#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/git/touched.h"

#define MAX_BOOTS 60
/* What more boots of one build do not average out (the layout of its code), as a share of
 * the target's repeatability: 0.3 % where boots differ by 1 %. */
#define BUILD_SHARE 0.3
/* Looked through for a commit to build ahead. */
#define AHEAD 8
/* More of the cache than this tells the engine little. */
#define CACHED_MAX 1000

/* The likeliest next build, to be made while something is asked; NULL: none. */
static struct variant *next_build(struct search *s)
{
	size_t v[AHEAD], nr = bisect_ahead(s->engine, v, AHEAD);

	for (size_t i = 0; s->site->spare && i < nr; i++) {
		struct variant *one = search_variant(s, v[i], 0);

		if (!s->out->space.v[v[i]].overlay && !one->built &&
		    !one->kernel.build.status)
			return one;
	}
	return NULL;
}

#define BAR 32

static void keep_posterior(const struct search *s)
{
	struct bisection *out = s->out;

	if (!out->posterior)
		out->posterior = xcalloc(out->space.nr, sizeof(*out->posterior));
	for (size_t i = 0; i < out->space.nr; i++)
		out->posterior[i] = bisect_posterior(s->engine, i);
	out->no_change = bisect_no_change(s->engine);
}

/* The line on a terminal: where the culprit may be, and what is asked next. */
static void show(struct search *s, const struct bisect_move *next)
{
	_cleanup_buf_ struct buf bar = BUF_INIT;
	const struct bisection *out = s->out;

	if (!s->site->progress)
		return;
	keep_posterior(s);
	buf_adds(&bar, "bisect [");
	chart_bar(out, BAR, &bar);
	buf_addf(&bar, "] next %.12s, boots", out->space.v[next->commit].commit.hex);
	progress_update(s->site->progress, buf_str(&bar), out->boots, 0);
}

static int take_step(struct search *s, const struct bisect_move *next, struct err *e)
{
	struct variant *v = search_variant(s, next->commit, next->layout);
	struct ask ask = { v, next->runs, v->taken };

	if (v->skipped && !v->taken)
		return err_set(e, ERR_INTERNAL, "commit %.12s is asked for again",
			       s->out->space.v[v->at].commit.hex);
	show(s, next);
	if (search_build(s, v, e) < 0)
		return -(int)e->code;
	if (!search_can_ask(s, v))
		return 0; /* recorded: the engine chooses another one */
	return search_ask(s, &ask, 1, next_build(s), e);
}

static int search_loop(struct search *s, struct err *e)
{
	struct bisect_move next;

	for (bisect_next(s->engine, &next);
	     next.kind != BISECT_MOVE_DONE && !s->out->alike && !s->out->layout_failed;
	     bisect_next(s->engine, &next))
		if (take_step(s, &next, e) < 0)
			return err_wrap(e, "bisection stopped at commit %.12s",
					s->out->space.v[next.commit].commit.hex);
	return 0;
}

/* Kernels that exist cost no build; which there were is remembered, as that changes. */
static int note_cached(struct search *s, struct err *e)
{
	struct bisection *out = s->out;
	_cleanup_free_ struct log_entry *v = xcalloc(CACHED_MAX, sizeof(*v));
	_cleanup_free_ struct oid *commits = xcalloc(out->space.nr, sizeof(*commits));
	_cleanup_free_ bool *hit = xcalloc(out->space.nr, sizeof(*hit));
	size_t nr = 0;

	for (size_t i = 0; i < out->space.nr; i++)
		commits[i] = out->space.v[i].commit;
	if (s->site->lab && lab_cached(s->site->lab, commits, out->space.nr, hit, e) < 0)
		return err_wrap(e, "cannot look for builds in the cache");
	for (size_t i = 0; i < out->space.nr && nr < CACHED_MAX; i++)
		if (hit[i] && !out->space.v[i].overlay)
			v[nr++] = (struct log_entry){ .at = i,
						      .commit = commits[i],
						      .cached = true };
	return memory_add(&s->memory, v, nr, e);
}

static int begin(struct search *s, struct err *e)
{
	const struct search_site *site = s->site;
	const struct bisect_log head = {
		.question = (char *)site->question,
		.old = (char *)site->old,
		.new = (char *)site->new,
		.o = site->o,
		.first_parent = site->first_parent,
	};

	/* The cached builds go first: a run with a head has them. */
	if (note_cached(s, e) < 0 ||
	    memory_begin(&s->memory, &head, &s->out->space, e) < 0)
		return -(int)e->code;
	memory_release(&s->memory);
	return memory_load(site->run, &s->memory, e);
}

static int open_engine(struct search *s, const struct bisect_log *log, bool first_parent,
		       struct err *e)
{
	struct bisect_history h = space_history(&s->out->space, first_parent);

	s->costs = log->o.costs;
	if (bisect_new(&h, &log->o, &s->engine, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < log->nr; i++) {
		if (log->v[i].at >= s->out->space.nr ||
		    !oid_equal(&log->v[i].commit, &s->out->space.v[log->v[i].at].commit))
			return err_set(e, ERR_STORE,
				       "what the run remembers is of other commits");
		if (search_tell(s, &log->v[i], e) < 0)
			return -(int)e->code;
	}
	return 0;
}

/* However sure the numbers are: they say that the machine changed, not the kernel. */
static bool is_one_binary(const struct search *s, size_t one, size_t other)
{
	const char *id = NULL;

	for (size_t i = 0; i < s->nr_variants; i++) {
		const struct variant *v = s->variants[i];

		if (v->layout || !v->code || (v->at != one && v->at != other))
			continue;
		if (id)
			return !strcmp(id, v->code);
		id = v->code;
	}
	return false;
}

/* The engine goes with the search; its set is kept. */
static void keep_result(const struct search *s)
{
	struct bisection *out = s->out;

	bisect_result(s->engine, &out->result);
	keep_posterior(s);
	if (out->alike)
		out->result = (struct bisect_result){ .verdict = BISECT_NO_CHANGE,
						      .confidence = 1 };
	if (out->result.verdict == BISECT_FOUND && out->same &&
	    is_one_binary(s, out->result.culprit, out->result.parent)) {
		out->result.verdict = BISECT_UNDECIDED;
		out->result.rejected = true;
	}
	if (out->result.nr_set)
		out->set =
			xmemdup(out->result.set, out->result.nr_set * sizeof(*out->set));
	out->result.set = out->set;
	if (out->result.verdict == BISECT_RUNNING) /* a log that was cut off */
		out->result.verdict = BISECT_UNDECIDED;
}

static bool asked_before(const struct bisect_log *log)
{
	for (size_t i = 0; i < log->nr; i++)
		if (log->v[i].kind != LOG_BUILT || !log->v[i].cached)
			return true;
	return false;
}

int search_run(const struct search_site *site, struct space *space, struct bisection *ret,
	       struct err *e)
{
	_cleanup_(search_release) struct search s = { .site = site, .out = ret };
	bool first;

	ret->space = *space;
	*space = (struct space){ 0 };
	if (memory_load(site->run, &s.memory, e) < 0 ||
	    (s.memory.fresh && begin(&s, e) < 0))
		return -(int)e->code;
	first = !asked_before(&s.memory.log);
	if (open_engine(&s, &s.memory.log, site->first_parent, e) < 0 ||
	    (first && search_plan(&s, e) < 0) || search_ends(&s, e) < 0 ||
	    search_loop(&s, e) < 0)
		return -(int)e->code;
	keep_result(&s);
	return search_revert(&s, e);
}

/* P(the culprit is k or one of its ancestors). */
static double share(const struct search *s, size_t k)
{
	const struct space *space = &s->out->space;
	_cleanup_free_ bool *in = xcalloc(k + 1, sizeof(*in));
	double sum = 0;

	in[k] = true;
	for (size_t i = k + 1; i-- > 0;) {
		if (!in[i])
			continue;
		sum += bisect_posterior(s->engine, i);
		if (!space->parent_start && i)
			in[i - 1] = true;
		for (size_t n = space->parent_start ? space->parent_start[i] : 0;
		     space->parent_start && n < space->parent_start[i + 1]; n++)
			in[space->parents[n]] = true;
	}
	return sum;
}

int search_replay(struct bisect_log *log, struct bisection *ret, double **p_new,
		  struct err *e)
{
	const struct search_site site = {
		.o = log->o,
		.question = log->question,
		.asks_build = !strncmp(log->question, "build", 5),
		.quiet = true,
	};
	_cleanup_(search_release) struct search s = { .site = &site, .out = ret };

	ret->space = log->space;
	log->space = (struct space){ 0 };
	if (open_engine(&s, log, log->first_parent, e) < 0)
		return -(int)e->code;
	keep_result(&s);
	if (!p_new)
		return 0;
	*p_new = xcalloc(ret->space.nr, sizeof(**p_new));
	for (size_t i = 0; i < log->nr; i++)
		if (log->v[i].kind != LOG_BUILT)
			(*p_new)[log->v[i].at] = share(&s, log->v[i].at);
	return 0;
}

/* What the engine is told of the target; a calibration replaces what is usual. */
static int engine_noise(struct lab *l, const struct probe *probe,
			struct bisect_opts *opts, struct err *e)
{
	_cleanup_(noise_release) struct noise noise = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT;
	const struct lab_point point = { lab_bench(l), probe->o.cells[0] };

	if (probe->kind != BISECT_NUMBER)
		return 0;
	if (noise_of(l, &point, 0, &noise, e) < 0)
		return err_wrap(e, "cannot tell how the target repeats");
	if (noise.known.boot_sd > 0)
		opts->min_sd = noise.known.boot_sd;
	/* Few layouts were measured: that they agreed does not say that all do. */
	opts->build_sd = fmax(BUILD_SHARE * opts->min_sd, noise.known.build_sd);
	noise_text(&noise, &text);
	if (!lab_quiet(l))
		out_talk("noise %s", buf_str(&text));
	return 0;
}

static struct bisect_opts engine_opts(const struct probe *probe,
				      const struct bisect_settings *o)
{
	struct bisect_opts opts = bisect_defaults();

	opts.kind = probe->kind;
	opts.build_sd = BUILD_SHARE * opts.min_sd;
	opts.min_effect = o->min_effect > 0 ? o->min_effect : opts.min_effect;
	opts.confidence = o->confidence > 0 ? o->confidence : opts.confidence;
	opts.end_boots = o->end_boots	     ? (unsigned int)o->end_boots
			 : probe->asks_build ? 1
					     : opts.end_boots;
	opts.max_runs = opts.end_runs;
	opts.max_boots = o->max_boots ? (unsigned int)o->max_boots : MAX_BOOTS;
	opts.max_seconds = (double)o->budget;
	opts.direction = o->fixed ? 1 : 0;
	return opts;
}

static int first_costs(struct lab *l, const struct probe *p, struct bisect_costs *c,
		       struct err *e)
{
	c->run = c->boot / 100;
	if (costs_of_store(run_store(lab_run(l)), c, e) < 0)
		return -(int)e->code;
	if (p->asks_build) /* asking is looking at the build */
		c->boot = c->run = 1e-3;
	return 0;
}

static char *question_text(const struct lab *l, const struct probe *p)
{
	if (p->kind == BISECT_NUMBER)
		return xasprintf("number %s %s", lab_bench(l)->name, p->o.cells[0]->name);
	if (p->o.splat || p->o.test)
		return xasprintf("%s %s", p->name, p->o.splat ?: p->o.test);
	return xstrdup(p->name);
}

/* An emulated clock counts instructions, which no layout changes. */
static int wants_verify(struct lab *l, const struct probe *p,
			const struct bisect_settings *o, const struct space *s, bool *ret,
			struct err *e)
{
	const char *mode = o->verify ?: "auto";
	bool on = !strcmp(mode, "on");

	if (!on && strcmp(mode, "off") && strcmp(mode, "auto"))
		return err_set(e, ERR_USAGE, "--verify is auto, on or off, not '%s'",
			       mode);
	*ret = false;
	if (!strcmp(mode, "off") || p->kind != BISECT_NUMBER ||
	    (!on && lab_is_emulated(l)))
		return 0;
	*ret = point_has_layouts(lab_repo(l), &s->v[0].commit);
	if (on && !*ret)
		return err_set(e, ERR_USAGE,
			       "commit %.12s has no init/main.c to move code with",
			       s->v[0].commit.hex);
	return 0;
}

/* C119. Its paths may deceive (a document that is compiled in), so it is only said. */
static int check_plausible(struct lab *l, struct bisection *b, struct err *e)
{
	_cleanup_strv_ struct strv paths = STRV_INIT;
	const struct point *p = &b->space.v[b->result.culprit];

	if (b->result.verdict != BISECT_FOUND || p->overlay || p->mixed)
		return 0;
	if (repo_touched(lab_repo(l), &p->commit, 4096, &paths, e) < 0)
		return -(int)e->code;
	if (prior_is_away(lab_arch(l), &paths))
		b->implausible = xasprintf("it touches only %s%s, which no %s kernel is "
					   "built from",
					   paths.v[0],
					   paths.nr > 1 ? " and the like" : "",
					   lab_arch(l)->source);
	return 0;
}

int bisection_run(struct lab *l, struct space *space, const struct probe *probe,
		  const struct bisect_settings *o, struct bisection *ret, struct err *e)
{
	_cleanup_free_ char *question = question_text(l, probe);
	struct search_site site = {
		.run = lab_run(l),
		.lab = l,
		.probe = probe,
		.o = engine_opts(probe, o),
		.question = question,
		.old = o->old
			       ?: o->fixed ? "broken"
					   : "good",
		.new = o->new
			       ?: o->fixed ? "fixed"
					   : "bad",
		.expect = o->expect,
		.fixed = o->fixed,
		.first_parent = o->first_parent,
		.asks_build = probe->asks_build,
		.quiet = lab_quiet(l),
		.progress = lab_progress(l),
	};

	if (!o->no_speculate && !probe->asks_build)
		site.spare = lab_spare(l, probe->kind == BISECT_NUMBER);
	if (engine_noise(l, probe, &site.o, e) < 0 ||
	    first_costs(l, probe, &site.o.costs, e) < 0)
		return -(int)e->code;
	if (wants_verify(l, probe, o, space, &site.o.verify, e) < 0)
		return -(int)e->code;
	site.revert = site.o.verify;
	ret->virtual_clock = lab_is_emulated(l);
	ret->measured = probe->kind == BISECT_NUMBER;
	if (search_run(&site, space, ret, e) < 0)
		return -(int)e->code;
	return check_plausible(l, ret, e);
}

int bisection_exit_code(const struct bisection *b)
{
	return b->result.verdict == BISECT_FOUND ? 0 : err_exit_code(ERR_UNDECIDED);
}

void bisection_release(struct bisection *b)
{
	free(b->set);
	free(b->posterior);
	for (size_t i = 0; i < b->nr_moves; i++)
		free(b->moves[i].reason);
	free(b->moves);
	free(b->implausible);
	space_release(&b->space);
	*b = (struct bisection){ 0 };
}
