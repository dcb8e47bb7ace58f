// SPDX-License-Identifier: GPL-3.0-or-later
/* What the probes share. */
#include "cli/bisect/probe.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

static const struct probe probes[] = {
	{ .name = "number", .kind = BISECT_NUMBER, .ask = probe_ask_number },
	{ .name = "boot", .kind = BISECT_PASS, .ask = probe_ask_boot },
	{ .name = "build",
	  .kind = BISECT_PASS,
	  .ask = probe_ask_build,
	  .asks_build = true },
	{ .name = "splat", .kind = BISECT_PASS, .ask = probe_ask_splat },
	{ .name = "test", .kind = BISECT_PASS, .ask = probe_ask_test },
};

void answer_release(struct answer *a)
{
	free(a->runs);
	free(a->reason);
	*a = (struct answer){ 0 };
}

struct probe probe_number(const struct cell *cell)
{
	struct probe p = probes[0];

	p.o.cells[0] = cell;
	p.o.nr_cells = 1;
	return p;
}

static int check_splat(const char *text, struct err *e)
{
	_cleanup_free_ char *why = xcalloc(256, 1);
	regex_t re;
	int r = regcomp(&re, text, REG_EXTENDED | REG_NOSUB);

	if (!r) {
		regfree(&re);
		return 0;
	}
	regerror(r, &re, why, 256);
	return err_set(e, ERR_USAGE, "'%s' is no regular expression: %s", text, why);
}

/* Options that would be ignored are mistakes. */
static int check_opts(const struct probe *p, struct err *e)
{
	bool splat = p->ask == probe_ask_splat, test = p->ask == probe_ask_test;

	if (splat != !!p->o.splat || test != !!p->o.test) {
		err_set(e, ERR_USAGE, "--for %s does not go with what else is asked",
			p->name);
		return err_hint(e,
				"--splat is for splats and --test for tests; name one");
	}
	if (p->o.timeout_is_bad && (p->kind == BISECT_NUMBER || p->asks_build))
		return err_set(e, ERR_USAGE,
			       "a timeout cannot be bad when the question is %s",
			       p->name);
	return splat ? check_splat(p->o.splat, e) : 0;
}

int probe_make(const char *name, const struct probe_opts *o, struct probe *ret,
	       struct err *e)
{
	struct probe p;

	name = name ?: o->splat ? "splat" : o->test ? "test" : "number";
	for (size_t i = 0; i < ARRAY_SIZE(probes); i++) {
		if (strcmp(name, probes[i].name))
			continue;
		p = probes[i];
		p.o = *o;
		if (check_opts(&p, e) < 0)
			return -(int)e->code;
		*ret = p;
		return 0;
	}
	err_set(e, ERR_USAGE, "nothing can be bisected for '%s'", name);
	return err_hint(e, "there is number, boot, build, splat, test");
}

bool probe_needs_machine(const struct probe *p)
{
	return p->ask != probe_ask_build && p->ask != probe_ask_test;
}

static void plan(const struct probe *p, const struct question *q, struct shots *s)
{
	shots_plan_boot(s, q->kernel, false);
	s->v[s->nr - 1].ordinal = q->boot;
	s->v[s->nr - 1].layout = q->layout;
	s->v[s->nr - 1].nr_cells = p->o.nr_cells;
	memcpy(s->v[s->nr - 1].cells, p->o.cells, sizeof(p->o.cells));
}

static bool is_wrong(const struct shot *s)
{
	return !strcmp(s->boot.status, "wrong-kernel");
}

/* The boots that ran another kernel than they should, once more. */
static int again(struct lab *l, struct shots *s, struct err *e)
{
	for (size_t i = 0; i < s->nr; i++) {
		_cleanup_(shots_release) struct shots one = { 0 };

		if (!is_wrong(&s->v[i]))
			continue;
		*array_push(one.v, one.nr) = (struct shot){
			.kernel = s->v[i].kernel,
			.nr_cells = s->v[i].nr_cells,
			.ordinal = s->v[i].ordinal,
			.layout = s->v[i].layout,
			.attempt = 1,
		};
		memcpy(one.v[0].cells, s->v[i].cells, sizeof(one.v[0].cells));
		if (lab_measure(l, &one, NULL, e) < 0 ||
		    (is_wrong(&one.v[0]) && shot_check(&one.v[0], e) < 0))
			return -(int)e->code;
		shot_release(&s->v[i]);
		s->v[i] = one.v[0];
		one.nr = 0;
	}
	return 0;
}

int probe_shots(const struct probe *p, struct lab *l, const struct question *q, size_t nr,
		struct lab_ahead *ahead, struct shots *ret, struct err *e)
{
	for (size_t i = 0; i < nr; i++)
		plan(p, &q[i], ret);
	if (lab_measure(l, ret, ahead, e) < 0)
		return -(int)e->code;
	return again(l, ret, e);
}

static enum bisect_stage stage_of(const struct shot *shot)
{
	if (!strcmp(shot->boot.status, "no-result"))
		return BISECT_AT_BENCHMARK;
	if (!strcmp(shot->boot.status, "hang") ||
	    !strcmp(shot->boot.status, "died-early"))
		return BISECT_AT_TIMEOUT;
	return BISECT_AT_BOOT;
}

void answer_no_boot(const struct shot *shot, struct answer *ret)
{
	*ret = (struct answer){
		.kind = ANSWER_UNTESTABLE,
		.stage = stage_of(shot),
		.reason = xasprintf("%s: %s", shot->boot.status,
				    shot->boot.reason ?: "no cause recorded"),
		.seconds = shot->boot.seconds,
	};
}
