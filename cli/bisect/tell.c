// SPDX-License-Identifier: GPL-3.0-or-later
/* One way in for all that is found out: measured now, remembered, replayed, by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bisect/state.h"
#include "core/base/alloc.h"

void search_release(struct search *s)
{
	for (size_t i = 0; i < s->nr_variants; i++) {
		kernel_release(&s->variants[i]->kernel);
		free(s->variants[i]->code);
		free(s->variants[i]);
	}
	free(s->variants);
	memory_release(&s->memory);
	bisect_free(s->engine);
}

struct variant *search_variant(struct search *s, size_t at, unsigned int layout)
{
	struct variant *v;

	for (size_t i = 0; i < s->nr_variants; i++)
		if (s->variants[i]->at == at && s->variants[i]->layout == layout)
			return s->variants[i];
	v = xzalloc(sizeof(*v));
	v->at = at;
	v->layout = layout;
	*array_push(s->variants, s->nr_variants) = v;
	return v;
}

static double geometric_mean(const double *v, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += log(v[i]);
	return exp(sum / (double)nr);
}

static void add_move(struct search *s, const struct log_entry *en, unsigned int boot)
{
	struct bisect_step *m = array_push(s->out->moves, s->out->nr_moves);
	bool build = en->kind == LOG_SKIP && en->stage == BISECT_AT_BUILD;

	*m = (struct bisect_step){
		.commit = en->at,
		.stage = build || s->site->asks_build ? "build" : "boot",
		.boot = boot,
		.seconds = en->seconds,
		.reason = xstrdup(en->reason),
	};
	m->answered = en->kind != LOG_SKIP;
	if (en->kind == LOG_RUNS)
		m->value = geometric_mean(en->runs, en->nr_runs);
	if (en->kind == LOG_PASS)
		m->value = en->old / (double)(en->old + en->new);
	for (size_t i = 0; i < s->out->space.nr; i++)
		m->posterior_max = fmax(m->posterior_max, bisect_posterior(s->engine, i));
}

/* A test may look at the sources, and a build's answer is the build itself. */
static bool asks_kernels(const struct search *s)
{
	return !s->site->asks_build && strncmp(s->site->question, "test", 4);
}

/*
 * D8: what is built alike behaves alike. A syzbot bisection (4037) ended at a commit that
 * only moved comments.
 */
static int note_same(struct search *s, const struct log_entry *en, struct err *e)
{
	struct variant *v = search_variant(s, en->at, en->layout);

	if (!en->code || v->code || en->layout)
		return 0;
	v->code = xstrdup(en->code);
	if (!asks_kernels(s))
		return 0;
	for (size_t i = 0; i < s->nr_variants; i++) {
		const struct variant *other = s->variants[i];

		if (other == v || other->layout || !other->code ||
		    strcmp(other->code, v->code))
			continue;
		s->out->same++;
		s->out->alike |= !(other->at && v->at) &&
				 other->at + v->at + 1 == s->out->space.nr;
		return bisect_same(s->engine, other->at, v->at, e);
	}
	return 0;
}

static int tell_engine(struct bisect *engine, const struct log_entry *en, struct err *e)
{
	const struct bisect_boot boot = {
		.commit = en->at,
		.layout = en->layout,
		.runs = en->runs,
		.nr_runs = en->nr_runs,
	};

	switch (en->kind) {
	case LOG_BUILT:
		return en->layout ? 0 : bisect_built(engine, en->at, e);
	case LOG_RUNS:
		return bisect_observe(engine, &boot, e);
	case LOG_PASS:
		return bisect_observe_pass(engine, en->at, en->old, en->new, e);
	case LOG_SKIP:
		break;
	}
	if (en->layout) /* the commit is none the worse for it */
		return 0;
	return bisect_untestable(engine, en->at, en->stage, e);
}

/* A build ahead was of use once its kernel is asked. */
static void count_hidden(struct bisection *out, struct variant *v)
{
	if (!v->ahead)
		return;
	v->ahead = false;
	out->hidden++;
	out->hidden_seconds += v->hidden;
}

static void count_build(struct search *s, const struct log_entry *en, struct variant *v)
{
	v->built = true;
	s->out->builds += !en->cached && !en->hand;
	if (en->ahead) {
		v->ahead = true;
		v->hidden = fmin(en->seconds, s->last_seconds);
		s->out->built_ahead++;
	}
	s->out->seconds += en->seconds - v->hidden;
}

static void count(struct search *s, const struct log_entry *en, struct variant *v)
{
	struct bisection *out = s->out;

	if (en->kind == LOG_BUILT ||
	    (en->kind == LOG_SKIP && en->stage == BISECT_AT_BUILD)) {
		count_build(s, en, v);
		return;
	}
	count_hidden(out, v);
	s->last_seconds = en->seconds;
	out->seconds += en->seconds;
	v->old += en->old > 0;
	v->new += en->new > 0;
	if (en->hand)
		return;
	v->taken++;
	out->boots += !s->site->asks_build;
	out->runs += (unsigned int)en->nr_runs;
}

int search_tell(struct search *s, const struct log_entry *en, struct err *e)
{
	struct variant *v = search_variant(s, en->at, en->layout);
	unsigned int boot = v->taken;

	v->skipped |= en->kind == LOG_SKIP;
	if (tell_engine(s->engine, en, e) < 0)
		return err_wrap(e, "commit %.12s", en->commit.hex);
	count(s, en, v);
	if (note_same(s, en, e) < 0)
		return -(int)e->code;
	tally_add(&s->tally, en);
	tally_costs(&s->tally, &s->costs);
	s->out->layout_failed |= en->kind == LOG_SKIP && en->layout;
	if (bisect_set_costs(s->engine, &s->costs, e) < 0)
		return -(int)e->code;
	if (en->kind != LOG_BUILT)
		add_move(s, en, boot);
	return 0;
}

int search_record(struct search *s, const struct log_entry *v, size_t nr, struct err *e)
{
	if (memory_add(&s->memory, v, nr, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < nr; i++)
		if (search_tell(s, &v[i], e) < 0)
			return -(int)e->code;
	return 0;
}
