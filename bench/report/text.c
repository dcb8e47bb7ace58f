// SPDX-License-Identifier: GPL-3.0-or-later
/* A triage as text. */
#include "bench/report/report.h"

#include <string.h>

#include "bench/report/grid.h"
#include "bench/report/text.h"

enum { SHORT_OID = 12 };

static void heading(const struct report *r, struct buf *ret)
{
	const struct series *s = r->series;

	if (!s) {
		text_add_clean(ret, r->source);
		buf_adds(ret, "\n\n");
		return;
	}
	buf_addf(ret, "[%sPATCH", s->rfc ? "RFC " : "");
	if (s->revision > 1)
		buf_addf(ret, " v%d", s->revision);
	if (s->total > 1)
		buf_addf(ret, " %d/%d", s->cover ? 0 : 1, s->total);
	buf_adds(ret, "] ");
	text_add_clean(ret, s->title);
	buf_adds(ret, "\nMessage-ID: <");
	text_add_clean(ret, s->message_id);
	buf_adds(ret, ">\n\n");
}

/* Cells of one benchmark with one verdict. */
static bool result_line(const struct report *r, size_t first, enum verdict v,
			const char *label, struct buf *ret)
{
	const char *benchmark = r->rows[first].benchmark, *sep = " in ";
	bool any = false;

	for (size_t i = first; i < r->nr_rows; i++) {
		const struct comparison *row = &r->rows[i];

		if (strcmp(row->benchmark, benchmark))
			break;
		if (row->verdict != v)
			continue;
		if (!any)
			buf_addf(ret, "%-9s%s %s", label, benchmark, verdict_name(v));
		buf_addf(ret, "%s%s", sep, row->cell->name);
		sep = ", ";
		any = true;
	}
	if (any)
		buf_addc(ret, '\n');
	return any;
}

/* What stood in the way of a comparison. */
static void why_nothing(const struct report *r, struct buf *ret)
{
	if (r->apply && r->apply->failed) {
		buf_adds(ret, "does not apply\n");
		return;
	}
	for (size_t i = 0; i < r->nr_kernels; i++) {
		const struct report_kernel *k = &r->kernels[i];

		if (!k->build_id || (k->boots && !k->proven)) {
			buf_addf(ret, "the %s kernel did not %s\n", k->name,
				 k->build_id ? "boot" : "build");
			return;
		}
	}
	buf_adds(ret, "nothing was compared\n");
}

/* The outcome, most important first. */
static void outcome(const struct report *r, struct buf *ret)
{
	static const enum verdict order[] = { VERDICT_SLOWER, VERDICT_FASTER,
					      VERDICT_UNDECIDED, VERDICT_SAME };
	const char *label = "Result:";

	for (size_t i = 0; i < r->nr_rows; i++) {
		if (i && !strcmp(r->rows[i].benchmark, r->rows[i - 1].benchmark))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(order); k++)
			if (result_line(r, i, order[k], label, ret))
				label = "";
	}
	if (!r->nr_rows) {
		buf_addf(ret, "%-9s", label);
		why_nothing(r, ret);
	}
	if (r->bisect)
		report_bisect_outcome(r, ret);
	buf_addc(ret, '\n');
}

static void trailers(const struct series *s, struct buf *ret)
{
	unsigned int added = 0, flagged = 0;

	for (size_t i = 0; i < s->nr_patches; i++) {
		for (size_t k = 0; k < s->patches[i].nr_trailers; k++) {
			enum trailer_state t = s->patches[i].trailers[k].state;

			added += t == TRAILER_ADDED;
			flagged += t == TRAILER_FLAGGED;
		}
	}
	if (added || flagged)
		buf_adds(ret, "         trailers from replies:");
	if (added)
		buf_addf(ret, " %u added", added);
	if (flagged)
		buf_addf(ret, "%s %u flagged", added ? "," : "", flagged);
	if (added || flagged)
		buf_addc(ret, '\n');
}

static void fetched(const struct series *s, struct buf *ret)
{
	unsigned int others = 0;

	buf_addf(ret, "Fetched: %zu of %d patch%s, v%d", s->nr_patches, s->total,
		 s->total == 1 ? "" : "es", s->revision);
	for (size_t i = 0; i < s->nr_revisions; i++)
		if (s->revisions[i] != s->revision)
			buf_addf(ret, "%sv%d",
				 others++ ? ", " : " (also seen: ", s->revisions[i]);
	buf_adds(ret, others ? ")\n" : "\n");
	trailers(s, ret);
	for (size_t i = 0; i < s->nr_missing; i++)
		buf_addf(ret, "         patch %d is missing\n", s->missing[i]);
	for (size_t i = 0; i < s->nr_notes; i++) {
		if (s->notes[i].level != NOTE_WARNING)
			continue;
		buf_adds(ret, "         ");
		text_add_clean(ret, s->notes[i].text);
		buf_addc(ret, '\n');
	}
}

static void failure(const struct apply_failure *f, struct buf *ret)
{
	buf_addf(ret, "  %d  does not apply: ", f->number);
	text_add_clean(ret, f->subject);
	buf_adds(ret, "\n     ");
	if (f->path)
		text_add_clean(ret, f->path);
	if (f->hunk)
		buf_addf(ret, ", hunk %d", f->hunk);
	buf_adds(ret, ": ");
	text_add_clean(ret, f->reason);
	buf_addc(ret, '\n');
	if (f->hint) {
		buf_adds(ret, "     hint: ");
		text_add_clean(ret, f->hint);
		buf_addc(ret, '\n');
	}
}

static void applied(const struct report *r, struct buf *ret)
{
	const struct apply_result *a = r->apply;

	buf_addf(ret, "Applied: on %.*s", SHORT_OID, a->base.hex);
	if (r->onto) {
		buf_adds(ret, " (");
		text_add_clean(ret, r->onto);
		buf_addc(ret, ')');
	}
	buf_addc(ret, '\n');
	for (size_t i = 0; i < a->nr; i++) {
		buf_addf(ret, "  %zu  %.*s ", i + 1, SHORT_OID, a->commits[i].oid.hex);
		text_add_clean(ret, a->commits[i].subject);
		if (a->commits[i].method != APPLY_EXACT)
			buf_addf(ret, " (%s)", apply_method_name(a->commits[i].method));
		buf_addc(ret, '\n');
	}
	if (a->failed)
		failure(a->failed, ret);
}

static void cause(const char *what, const char *status, const char *reason,
		  struct buf *ret)
{
	buf_addf(ret, "           %s: ", what);
	text_add_clean(ret, status ? status : "unknown");
	if (reason) {
		buf_adds(ret, ", ");
		text_add_clean(ret, reason);
	}
	buf_addc(ret, '\n');
}

static void kernel(const struct report_kernel *k, struct buf *ret)
{
	buf_addf(ret, "  %-8s %.*s", k->name, SHORT_OID, k->commit.hex);
	if (!k->build_id) {
		buf_addc(ret, '\n');
		cause("build", k->status, k->reason, ret);
		return;
	}
	buf_adds(ret, " build-id ");
	text_add_clean(ret, k->build_id);
	buf_addf(ret, "\n           %u of %u boots proven", k->proven, k->boots);
	if (k->path) {
		buf_adds(ret, ", by ");
		text_add_clean(ret, k->path);
	}
	buf_addf(ret, ", %u boot id%s\n", k->boot_ids, k->boot_ids == 1 ? "" : "s");
	if (k->boot_failed)
		cause("not proven", k->boot_failed, k->failed_reason, ret);
}

void report_text(const struct report *r, struct buf *ret)
{
	heading(r, ret);
	outcome(r, ret);
	if (r->series)
		fetched(r->series, ret);
	if (r->apply)
		applied(r, ret);
	if (r->nr_kernels) {
		buf_adds(ret, "Kernels:");
		if (r->accel)
			buf_addf(ret, " run under %s",
				 !strcmp(r->accel, "kvm") ? "KVM" : "emulation (TCG)");
		buf_addc(ret, '\n');
	}
	for (size_t i = 0; i < r->nr_kernels; i++)
		kernel(&r->kernels[i], ret);
	if (r->nr_rows) {
		buf_addc(ret, '\n');
		report_table(r->rows, r->nr_rows, r->virtual_clock, ret);
	}
	if (r->nr_claims) {
		buf_addc(ret, '\n');
		report_claims(r->claims, r->nr_claims, ret);
	}
	if (r->bisect)
		report_bisect_text(r, ret);
}
