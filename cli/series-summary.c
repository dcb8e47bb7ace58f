// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/series-summary.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"

#define WIDTH 80
#define MAX_ROWS 12 /* of one section; --json has all */

char *number_ranges(const int *v, size_t nr)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0, k; i < nr; i = k) {
		for (k = i + 1; k < nr && v[k] == v[k - 1] + 1; k++)
			;
		buf_addf(&b, "%s%d", i ? ", " : "", v[i]);
		if (k - i > 1)
			buf_addf(&b, "-%d", v[k - 1]);
	}
	return buf_take(&b);
}

/* Words of text in lines of WIDTH columns; lines after the first are indented. */
static void wrapped(const char *first, const char *text, int indent)
{
	size_t column = strlen(first);

	out_text("%s", first);
	for (bool begun = false; *(text += strspn(text, " ")); begun = true) {
		size_t n = strcspn(text, " ");

		if (begun && column + 1 + n > WIDTH) {
			out_text("\n%*s", indent, "");
			column = (size_t)indent;
			begun = false;
		}
		out_text("%s%.*s", begun ? " " : "", (int)n, text);
		column += n + begun;
		text += n;
	}
	out_text("\n");
}

static void print_bases(const struct series *s)
{
	size_t shown = 0;

	if (s->base_commit)
		out_text("base      %s\n", s->base_commit);
	for (size_t i = 0; i < s->nr_base_hints && shown < 3; i++) {
		const struct base_hint *h = &s->base_hints[i];

		if (!strcmp(h->kind, "base-commit") || s->base_commit)
			continue;
		out_text("%s%s", shown ? ", " : "base      perhaps ", h->text);
		shown++;
	}
	if (shown)
		out_text("\n");
	for (size_t i = 0; i < s->nr_prerequisites && i < 5; i++)
		out_text("needs     %s %s\n", s->prerequisites[i].kind,
			 s->prerequisites[i].value);
	if (s->nr_prerequisites > 5)
		out_text("          and %zu more\n", s->nr_prerequisites - 5);
}

/* "6.9, queued as queue-6.9/x.patch", and the commit upstream of a single patch. */
static void print_stable(const struct series *s)
{
	const struct stable_note *n = s->stable;
	const struct upstream_claim *u =
		s->nr_patches == 1 ? upstream_claims_main(&s->patches[0].upstream) : NULL;

	if (n)
		out_text("stable    %s, %s", n->version, stable_state_word(n->state));
	if (n && n->file)
		out_text(" as\n          %s%s%s", n->queue ? n->queue : "",
			 n->queue ? "/" : "", n->file);
	if (n && n->release)
		out_text(" of %s", n->release);
	if (n && n->deadline)
		out_text("\nanswers   until %s", n->deadline);
	if (n)
		out_text("\n");
	if (u)
		out_text("upstream  %s%s\n", u->commit,
			 u->form == UPSTREAM_REVERT ? ", reverted" : "");
}

static void print_head(const struct series *s)
{
	const struct patch *first = &s->patches[0];
	const char *name = s->cover ? s->cover->author_name : first->author_name;
	const char *email = s->cover ? s->cover->author_email : first->author_email;
	_cleanup_free_ char *date = clock_iso(first->date);
	_cleanup_free_ char *revisions = number_ranges(s->revisions, s->nr_revisions);

	wrapped("", s->title, 2);
	out_text("\nrevision  v%d%s%s", s->revision, s->rfc ? ", RFC" : "",
		 s->resend ? ", resent" : "");
	if (s->nr_revisions > 1)
		out_text(" (here: %s)", revisions);
	out_text("\nauthor    %s <%s>\ndate      %.10s\nid        %s\n", name, email,
		 date, s->message_id);
	print_bases(s);
	print_stable(s);
	out_text("patches   %d of %d%s\n", s->total - (int)s->nr_missing, s->total,
		 s->nr_missing ? "" : ", complete");
	if (s->nr_missing) {
		_cleanup_free_ char *missing = number_ranges(s->missing, s->nr_missing);

		out_text("missing   %s\n", missing);
	}
}

static bool has_tag(const struct patch *p, const char *key)
{
	for (size_t i = 0; i < p->nr_trailers; i++) {
		const struct trailer *t = &p->trailers[i];

		if ((t->state == TRAILER_KEPT || t->state == TRAILER_ADDED) &&
		    !strcasecmp(t->key, key))
			return true;
	}
	return false;
}

static const char *const reviews[] = { "Reviewed-by", "Acked-by", "Tested-by" };

static bool any_reviews(const struct series *s)
{
	for (size_t i = 0; i < s->nr_patches; i++)
		for (size_t k = 0; k < ARRAY_SIZE(reviews); k++)
			if (has_tag(&s->patches[i], reviews[k]))
				return true;
	return false;
}

static int digits(int n)
{
	int d = 1;

	while (n >= 10) {
		n /= 10;
		d++;
	}
	return d;
}

static void print_patches(const struct series *s)
{
	bool reviewed = any_reviews(s);
	int wide = 2 * digits(s->total) + 1;

	out_text("\n");
	for (size_t i = 0; i < s->nr_patches; i++) {
		const struct patch *p = &s->patches[i];
		_cleanup_buf_ struct buf b = BUF_INIT;

		buf_addf(&b, "%d/%d", p->number, s->total);
		out_text("  %*s  ", wide, buf_str(&b));
		buf_clear(&b);
		for (size_t k = 0; reviewed && k < ARRAY_SIZE(reviews); k++)
			buf_addc(&b, has_tag(p, reviews[k]) ? reviews[k][0] : '.');
		out_text("%s%s%s\n", buf_str(&b), reviewed ? "  " : "", p->subject);
		if (p->damage)
			out_text("  %*s  damaged: %s\n", wide, "", p->damage);
	}
	if (reviewed)
		out_text("  %*s  R reviewed, A acked, T tested\n", wide, "");
}

/* A trailer, and the patches that have it for the same reason. */
struct row {
	const struct trailer *t;
	int *numbers;
	size_t nr;
};

static bool is_same(const struct trailer *a, const struct trailer *b)
{
	return !strcmp(a->key, b->key) && !strcmp(a->value, b->value) &&
	       !strcmp(a->reason ? a->reason : "", b->reason ? b->reason : "");
}

static void add_row(struct row **rows, size_t *nr, const struct trailer *t, int number)
{
	size_t i = 0;

	while (i < *nr && !is_same((*rows)[i].t, t))
		i++;
	if (i == *nr)
		*array_push(*rows, *nr) = (struct row){ .t = t };
	if (!(*rows)[i].nr || (*rows)[i].numbers[(*rows)[i].nr - 1] != number)
		*array_push((*rows)[i].numbers, (*rows)[i].nr) = number;
}

static void print_row(const struct series *s, const struct row *r)
{
	_cleanup_free_ char *numbers = number_ranges(r->numbers, r->nr);
	_cleanup_free_ char *line = xasprintf("%s: %s", r->t->key, r->t->value);
	_cleanup_buf_ struct buf why = BUF_INIT;

	wrapped("  ", line, 6);
	if (s->total > 1)
		buf_addf(&why, "%s %s%s", r->nr > 1 ? "patches" : "patch", numbers,
			 r->t->reason ? ": " : "");
	buf_adds(&why, r->t->reason ? r->t->reason : "");
	if (why.len)
		wrapped("      ", buf_str(&why), 6);
	if (r->t->state == TRAILER_FLAGGED && r->t->source)
		out_text("      in <%s>\n", r->t->source);
}

static void print_trailers(const struct series *s, enum trailer_state state,
			   const char *title)
{
	struct row *rows = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < s->nr_patches; i++) {
		for (size_t k = 0; k < s->patches[i].nr_trailers; k++) {
			const struct trailer *t = &s->patches[i].trailers[k];

			/* Every patch has a Link of its own. */
			if (t->state == state && (t->source || strcmp(t->key, "Link")))
				add_row(&rows, &nr, t, s->patches[i].number);
		}
	}
	if (nr)
		out_text("\n%s\n", title);
	for (size_t i = 0; i < nr; i++) {
		if (i < MAX_ROWS)
			print_row(s, &rows[i]);
		free(rows[i].numbers);
	}
	if (nr > MAX_ROWS)
		out_text("  and %zu more\n", nr - MAX_ROWS);
	free(rows);
}

static void print_notes(const struct series *s)
{
	size_t shown = 0;

	for (size_t i = 0; i < s->nr_notes; i++) {
		const struct note *n = &s->notes[i];
		bool warning = n->level == NOTE_WARNING;

		if (n->of_trailer)
			continue;
		if (!shown++)
			out_text("\n");
		wrapped(warning ? "warning: " : "note: ", n->text, 6);
		if (n->message_id)
			out_text("      in <%s>\n", n->message_id);
	}
}

void series_summary(const struct series *s)
{
	print_head(s);
	print_patches(s);
	print_trailers(s, TRAILER_ADDED, "added from replies");
	print_trailers(s, TRAILER_FLAGGED, "not added");
	print_notes(s);
}
