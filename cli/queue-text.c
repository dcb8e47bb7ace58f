// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "bench/report/report.h"
#include "cli/queue-versions.h"
#include "cli/queue-view.h"
#include "core/base/alloc.h"

bool queue_shows(const struct queue_view *v, size_t patch, size_t finding)
{
	return !v->news->asked || v->news->fresh[patch][finding];
}

bool queue_shows_whole(const struct queue_view *v, size_t finding)
{
	return !v->news->asked || v->news->whole[finding];
}

struct tally {
	size_t by[3]; /* enum check_severity */
	size_t patches;
};

static struct tally count(const struct queue_view *v)
{
	const struct queue_report *r = v->report;
	struct tally t = { 0 };

	for (size_t i = 0; i < r->nr; i++)
		for (size_t k = 0; k < r->v[i].nr; k++)
			t.by[r->v[i].v[k].severity] += queue_shows(v, i, k);
	for (size_t k = 0; k < r->nr_whole; k++)
		t.by[r->whole[k].severity] += queue_shows_whole(v, k);
	return t;
}

const char *queue_status(const struct queue_view *v)
{
	struct tally t = count(v);

	if (t.by[CHECK_ERROR])
		return "errors";
	if (v->report->nr_gaps)
		return "unknown";
	return t.by[CHECK_WARNING] ? "warnings" : "ok";
}

int queue_exit_code(const struct queue_view *v)
{
	const char *s = queue_status(v);

	return !strcmp(s, "errors") ? 1 : !strcmp(s, "unknown") ? 125 : 0;
}

static void add_head(const struct queue_view *v, struct buf *b)
{
	const struct queue *q = v->q;

	buf_addf(b, "queue     %s%s%s, %zu patch%s\n", q->name,
		 q->version && !strstr(q->name, q->version) ? " for " : "",
		 q->version && !strstr(q->name, q->version) ? q->version : "", q->nr,
		 q->nr == 1 ? "" : "es");
	if (v->base->name)
		buf_addf(b, "tree      %s (%.12s)\n", v->base->name, v->base->oid.hex);
	if (v->mainline)
		buf_addf(b, "mainline  %s (%.12s)\n", v->mainline, v->mainline_tip.hex);
	if (v->ref)
		buf_addf(b, "ref       %s (%.12s)\n", v->ref, v->report->head.hex);
	if (v->base->candidate)
		buf_addf(b,
			 "note      the tree is a release candidate (%s): the queue may "
			 "be in it\n",
			 v->base->candidate);
	if (v->q->failed)
		buf_addf(b, "note      this patch failed to apply: it is not in the "
			    "queue\n");
	if (queue_names_no_version(v->q) && v->q->version)
		buf_adds(b, "note      it names no version: each that is cared for is "
			    "asked\n");
	if (v->news->asked)
		buf_addf(b, "since     %s; %zu finding%s gone\n",
			 v->news->run ? v->news->run : "no run before", v->news->gone,
			 v->news->gone == 1 ? "" : "s");
}

static void add_detail(const struct finding *f, struct buf *b)
{
	for (const char *p = f->detail; p && *p;) {
		size_t n = strcspn(p, "\n");

		buf_addf(b, "          %.*s\n", (int)n, p);
		p += n + (p[n] == '\n');
	}
}

static void add_finding(const struct queue_view *v, const struct finding *f,
			struct buf *b)
{
	static const char *const marks[] = { "info", "warn", "ERR" };

	buf_addf(b, "  %-4s  %s  %s\n", marks[f->severity], f->check->id, f->text);
	if (v->detail)
		add_detail(f, b);
}

/* The worst first. */
static void add_findings(const struct queue_view *v, size_t i, struct buf *b)
{
	const struct patch_verdict *p = &v->report->v[i];

	for (int s = CHECK_ERROR; s >= CHECK_INFO; s--)
		for (size_t k = 0; k < p->nr; k++)
			if ((int)p->v[k].severity == s && queue_shows(v, i, k))
				add_finding(v, &p->v[k], b);
}

static bool has_shown(const struct queue_view *v, size_t i, enum check_severity least)
{
	const struct patch_verdict *p = &v->report->v[i];

	for (size_t k = 0; k < p->nr; k++)
		if (p->v[k].severity >= least && queue_shows(v, i, k))
			return true;
	return false;
}

static void add_patches(const struct queue_view *v, enum check_severity least,
			struct buf *b)
{
	for (size_t i = 0; i < v->report->nr; i++) {
		const struct patch_verdict *p = &v->report->v[i];

		if (!has_shown(v, i, least))
			continue;
		buf_addf(b, "\n%s (%s", queue_entry_name(&v->q->v[i]),
			 queue_kind_word(p->kind));
		if (!oid_is_none(&p->upstream))
			buf_addf(b, ", %.12s", p->upstream.hex);
		buf_adds(b, ")\n");
		add_findings(v, i, b);
	}
}

static void add_whole(const struct queue_view *v, struct buf *b)
{
	bool any = false;

	for (size_t k = 0; k < v->report->nr_whole; k++) {
		if (!queue_shows_whole(v, k))
			continue;
		buf_adds(b, any ? "" : "\n");
		add_finding(v, &v->report->whole[k], b);
		any = true;
	}
}

static void add_gaps(const struct queue_view *v, struct buf *b)
{
	const struct queue_report *r = v->report;

	for (size_t i = 0; i < r->nr_gaps; i++)
		buf_addf(b, "%snot checked: %s (%s): %s\n", i ? "" : "\n",
			 r->gaps[i].check->id, r->gaps[i].check->about,
			 r->gaps[i].reason);
}

/* Checks that build and boot, when none of them was made. */
static bool is_static(const struct queue_report *r)
{
	return !queue_report_made(r, "S23") && !queue_report_made(r, "S25");
}

/* What was measured, and how. */
static void add_numbers(const struct queue_view *v, struct buf *b)
{
	const struct campaign *c = &v->tried->campaign;

	if (!c->nr)
		return;
	buf_addf(b, "\n%s against the tree without the queue, %s:\n\n",
		 v->q->release ? v->q->release : "the queue",
		 c->virtual_clock ? "emulated by QEMU" : "on this machine's processors");
	report_table(c->rows, c->nr, c->virtual_clock, b);
}

static void add_counts(const struct queue_view *v, struct buf *b)
{
	struct tally t = count(v);

	buf_addf(b, "%zu error%s, %zu warning%s, %zu for information\n",
		 t.by[CHECK_ERROR], t.by[CHECK_ERROR] == 1 ? "" : "s",
		 t.by[CHECK_WARNING], t.by[CHECK_WARNING] == 1 ? "" : "s",
		 t.by[CHECK_INFO]);
}

void queue_text(const struct queue_view *v, struct buf *ret)
{
	add_head(v, ret);
	add_whole(v, ret);
	add_patches(v, CHECK_INFO, ret);
	add_gaps(v, ret);
	add_numbers(v, ret);
	buf_addf(ret, "\n%s: ", queue_status(v));
	add_counts(v, ret);
	if (is_static(v->report))
		buf_adds(ret, "nothing was built or booted\n");
}

static void add_kinds(const struct queue_view *v, struct buf *b)
{
	size_t by[4] = { 0 };

	for (size_t i = 0; i < v->report->nr; i++)
		by[v->report->v[i].kind]++;
	buf_addf(b,
		 "Patches: total: %zu clean: %zu adapted: %zu stable-only: %zu "
		 "revert: %zu\n",
		 v->report->nr, by[QUEUE_CLEAN], by[QUEUE_ADAPTED], by[QUEUE_STABLE_ONLY],
		 by[QUEUE_REVERT]);
}

void queue_reply(const struct queue_view *v, struct buf *ret)
{
	const char *what = v->q->release   ? v->q->release
			   : v->q->version ? v->q->version
					   : v->q->name;
	struct tally t = count(v);

	buf_addf(ret, "%s checks of %s on %s (%.12s):\n",
		 is_static(v->report) ? "Static" : "Build, boot and static", what,
		 v->base->name ? v->base->name : "no tree", v->base->oid.hex);
	add_kinds(v, ret);
	buf_adds(ret, "Findings: ");
	add_counts(v, ret);
	add_whole(v, ret);
	add_patches(v, CHECK_WARNING, ret);
	add_gaps(v, ret);
	add_numbers(v, ret);
	buf_addc(ret, '\n');
	if (is_static(v->report))
		buf_adds(ret, "Nothing was built or booted for this report.\n");
	else if (!t.by[CHECK_ERROR] && queue_report_made(v->report, "S23") &&
		 queue_report_made(v->report, "S25"))
		buf_addf(ret, "Tested-by: %s\n", v->tester);
}
