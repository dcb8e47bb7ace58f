// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/each.h"

#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "core/base/alloc.h"

const char *each_verdict_name(enum each_verdict v)
{
	static const char *const names[] = { [EACH_OK] = "ok",
					     [EACH_SAME] = "same",
					     [EACH_BROKEN] = "broken",
					     [EACH_UNKNOWN] = "unknown",
					     [EACH_LEFT] = "left" };

	return names[v];
}

/* "A..B" as its two ends, else the one word there is. */
static void split(const char *what, struct strv *ret)
{
	const char *dots = strstr(what, "..");

	/* a path may have dots too; a range has none in front and no slash behind */
	if (!dots || dots == what || !dots[2] || dots[2] == '/' || dots[2] == '.') {
		strv_add(ret, what);
		return;
	}
	strv_addf(ret, "%.*s", (int)(dots - what), what);
	strv_add(ret, dots + 2);
}

static int open_points(const struct each_query *q, struct each *r, struct err *e)
{
	const struct bisect_settings even = { .prior = (char *)"uniform" };
	_cleanup_strv_ struct strv words = STRV_INIT;
	const struct bisect_range_query of = {
		.c = q->c,
		.run = q->run,
		.source = &q->o->source,
		.base = &q->o->base,
		.bisect = &even,
		.arch = &q->stage->build.arch,
		.args = &words,
	};

	split(q->what, &words);
	if (bisect_range_open(&of, &r->range, e) < 0)
		return -(int)e->code;
	r->nr = r->range.space.nr;
	r->v = xcalloc(r->nr, sizeof(*r->v));
	for (size_t i = 0; i < r->nr; i++) {
		r->v[i].subject = r->range.space.v[i].subject;
		r->v[i].verdict = EACH_LEFT;
	}
	return 0;
}

/* Statuses that are the kernel's own doing; others stand between it and its answer. */
static enum each_verdict boot_verdict(const struct boot_record *b)
{
	static const char *const own[] = {
		"panic",	  "silent-reset", "kernel-bug",
		"kernel-warning", "hang",	  "died-early"
	};

	if (!strcmp(b->status, "ok") && b->proven)
		return EACH_OK;
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (!strcmp(b->status, own[i]))
			return EACH_BROKEN;
	return EACH_UNKNOWN;
}

static int look_at(struct lab *lab, struct each *r, size_t i, struct err *e)
{
	struct each_patch *p = &r->v[i];

	if (!p->kernel.build.status &&
	    lab_build(lab, &r->range.space.v[i].commit, &p->kernel, e) < 0)
		return -(int)e->code;
	if (strcmp(p->kernel.build.status, "ok") != 0) {
		p->verdict = EACH_BROKEN;
		return 0;
	}
	if (i && build_same_code(&p->kernel.build, &r->v[i - 1].kernel.build)) {
		p->verdict = EACH_SAME;
		return 0;
	}
	p->verdict = EACH_OK;
	if (!r->boots)
		return 0;
	shots_plan_boot(&p->shots, &p->kernel, SHOT_AUTO);
	if (lab_measure(lab, &p->shots, NULL, e) < 0)
		return -(int)e->code;
	p->verdict = boot_verdict(&p->shots.v[0].boot);
	return 0;
}

/* A patch is not to blame for what its base cannot do either. */
static int ask_base(struct lab *lab, struct each *r, struct err *e)
{
	return r->v[0].verdict == EACH_LEFT ? look_at(lab, r, 0, e) : 0;
}

static int look_at_all(const struct each_query *q, struct lab *lab, struct each *r,
		       struct err *e)
{
	for (size_t i = 1; i < r->nr; i++) {
		struct each_patch *p = &r->v[i];

		if (look_at(lab, r, i, e) < 0)
			return err_wrap(e, "patch %zu/%zu '%s'", i, r->nr - 1,
					p->subject);
		if (p->verdict != EACH_BROKEN)
			continue;
		if (ask_base(lab, r, e) < 0)
			return -(int)e->code;
		if (r->v[0].verdict != EACH_OK)
			p->verdict = EACH_UNKNOWN;
		if (q->o->stop)
			break;
	}
	return 0;
}

/* What boots needs a known-good kernel: the base, which is then known for patch 1. */
static int open_lab(const struct each_query *q, const struct stage_opts *stage,
		    struct each *r, struct lab **ret, struct err *e)
{
	const struct oid *base = &r->range.space.v[0].commit;

	if (!r->boots)
		return lab_open_builder(q->c, q->run, stage, ret, e);
	if (lab_open(q->c, q->run, stage, base->hex, ret, e) < 0)
		return -(int)e->code;
	return lab_build(*ret, base, &r->v[0].kernel, e);
}

int each_run(const struct each_query *q, struct each *ret, struct err *e)
{
	struct stage_opts stage = *q->stage;
	_cleanup_lab_ struct lab *lab = NULL;

	stage.boots_only = true;
	ret->boots = q->o->boot;
	if (open_points(q, ret, e) < 0 || open_lab(q, &stage, ret, &lab, e) < 0)
		return -(int)e->code;
	return look_at_all(q, lab, ret, e);
}

int each_exit_code(const struct each *r)
{
	int code = 0;

	for (size_t i = 1; i < r->nr; i++) {
		if (r->v[i].verdict == EACH_BROKEN)
			return 1;
		if (r->v[i].verdict == EACH_UNKNOWN)
			code = err_exit_code(ERR_UNDECIDED);
	}
	return code;
}

void each_release(struct each *r)
{
	for (size_t i = 0; i < r->nr; i++) {
		shots_release(&r->v[i].shots);
		kernel_release(&r->v[i].kernel);
	}
	free(r->v);
	bisect_range_release(&r->range);
	*r = (struct each){ 0 };
}
