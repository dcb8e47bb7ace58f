// SPDX-License-Identifier: GPL-3.0-or-later
/* The checks of a queue that build: S23 and S24. */
#include <stdlib.h>
#include <string.h>

#include "cli/build-warnings.h"
#include "cli/queue-try-internal.h"
#include "cli/steps-objects.h"
#include "core/base/alloc.h"
#include "core/stable/report.h"

static int blame_build(struct trial *t, struct err *e)
{
	const struct probe_opts none = { 0 };
	_cleanup_free_ char *what = xasprintf("the kernel does not build: %s",
					      t->tip.build.reason ?: t->tip.build.status);
	struct probe p;

	return probe_make("build", &none, &p, e) < 0 ? -(int)e->code
						     : trial_blame(t, "S23", &p, what, e);
}

/* The steps of a queue, one after the other. */
struct steps {
	struct trial *t;
	size_t objects, whole; /* compiled alone, built whole */
	char *broken;	       /* why the step before does not build; NULL = it does */
};

/* What is broken stays so until somebody mends it: each cause is said once. */
static int build_whole(struct steps *s, size_t i, struct err *e)
{
	struct queue_report *r = s->t->report;
	_cleanup_(kernel_release) struct kernel k = { 0 };
	_cleanup_free_ char *before = take_ptr(s->broken);

	if (lab_build(s->t->out->lab, &r->v[i].commit, &k, e) < 0)
		return -(int)e->code;
	s->whole++;
	if (!strcmp(k.build.status, "ok"))
		return 0;
	s->broken = xstrdup(k.build.reason ?: k.build.status);
	if (!before || strcmp(before, s->broken) != 0)
		queue_report_say(r, "S23", i, CHECK_ERROR,
				 "with this patch last the kernel does not build: %s",
				 s->broken);
	return 0;
}

/* 1 when the objects the patch touches compile, 0 when only a whole build tells. */
static int compile(struct steps *s, size_t i, struct err *e)
{
	const struct queue_try_query *q = s->t->q;
	const struct queue_report *r = s->t->report;
	const struct oid *before = i ? &r->v[i - 1].commit : &r->base;
	struct objects_record rec = { 0 };
	bool ok;

	if (step_objects(q->c, q->run, before, &r->v[i].commit, &q->o->stage.build, &rec,
			 e) < 0)
		return -(int)e->code;
	ok = rec.answer == OBJECTS_COMPILE;
	s->objects += ok ? rec.nr : 0;
	objects_record_release(&rec);
	return ok;
}

/* A step that does not build breaks the users' own bisections, whatever comes behind. */
static int build_each(struct trial *t, struct err *e)
{
	struct steps s = { .t = t };
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i + 1 < t->report->nr; i++) {
		/* After a step that failed nobody knows which objects there are. */
		rc = s.broken ? 0 : compile(&s, i, e);
		if (rc == 0)
			rc = build_whole(&s, i, e);
	}
	free(s.broken);
	if (rc < 0)
		return rc;
	queue_report_say(
		t->report, "S23", t->report->nr, CHECK_INFO,
		"of %zu steps before the tip %zu were built whole; of the others "
		"the %zu objects that their patches touch were compiled",
		t->report->nr - 1, s.whole, s.objects);
	return 0;
}

static int check_build(struct trial *t, bool builds, struct err *e)
{
	queue_report_make(t->report, "S23");
	if (!builds && blame_build(t, e) < 0)
		return -(int)e->code;
	if (!t->q->o->each)
		queue_report_say(t->report, "S23", t->report->nr, CHECK_INFO,
				 "only the tip was built; --each builds every step");
	return 0;
}

/* The patch that touches a file, when it is but one; else nr. */
static size_t patch_of(const struct trial *t, const char *file)
{
	const struct queue *q = t->q->queue;
	size_t found = q->nr;

	for (size_t i = 0; i < q->nr; i++) {
		if (!strv_has(&q->v[i].patch->files, file))
			continue;
		if (found != q->nr)
			return q->nr;
		found = i;
	}
	return found;
}

static void say_warnings(struct trial *t, const struct build_warnings *w)
{
	for (size_t i = 0; i < w->news.nr; i++) {
		const struct warning_new *n = &w->news.v[i];
		_cleanup_free_ char *text = build_warning_text(n);

		queue_report_say(t->report, "S24", patch_of(t, n->warning->file),
				 CHECK_WARNING, "the build warns, and did not before: %s",
				 text);
	}
	if (w->unknown && !w->news.partial && w->news.untold)
		queue_report_say(t->report, "S24", t->report->nr, CHECK_INFO,
				 "of %zu warnings cannot be told whether they are new",
				 w->news.untold);
	else if (w->unknown)
		queue_report_gap(t->report, "S24", "%s", w->unknown);
}

/* The tree without the queue was built before the tip, in the same folder. */
static void check_warnings(struct trial *t, const struct kernel *base)
{
	struct build_warnings w;

	if (strcmp(base->build.status, "ok") != 0) {
		queue_report_gap(t->report, "S24", "the tree without the queue: %s",
				 base->build.reason ?: base->build.status);
		return;
	}
	queue_report_make(t->report, "S24");
	build_warnings_find(&base->build, &t->tip.build, &w);
	say_warnings(t, &w);
	build_warnings_release(&w);
}

int trial_build(struct trial *t, struct err *e)
{
	_cleanup_(kernel_release) struct kernel base = { 0 };
	struct lab *l = t->out->lab;
	bool builds;

	if (trial_wants(t, "S24") && lab_build(l, &t->report->base, &base, e) < 0)
		return -(int)e->code;
	if (trial_wants(t, "S23") && t->q->o->each && build_each(t, e) < 0)
		return -(int)e->code;
	if (lab_build(l, &t->report->head, &t->tip, e) < 0)
		return -(int)e->code;
	builds = !strcmp(t->tip.build.status, "ok");
	if (trial_wants(t, "S24") && builds)
		check_warnings(t, &base);
	if (trial_wants(t, "S23") && check_build(t, builds, e) < 0)
		return -(int)e->code;
	return builds;
}
