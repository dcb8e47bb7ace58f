// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/image.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/diff-internal.h"
#include "core/git/whitespace.h"

static void add_line(struct image *img, const char *p, size_t n, bool common)
{
	*array_push(img->v, img->nr) =
		(struct line){ .p = p, .len = n, .common = common };
}

void image_init(struct image *img, const char *data, size_t len)
{
	const char *p = data, *end = data + len;

	*img = (struct image){ 0 };
	while (p < end) {
		size_t n = diff_line_len(p, end);

		add_line(img, p, n, false);
		p += n;
	}
}

void image_release(struct image *img)
{
	free(img->v);
	*img = (struct image){ 0 };
}

void image_text(const struct image *img, struct buf *ret)
{
	size_t len = 0;

	for (size_t i = 0; i < img->nr; i++)
		len += img->v[i].len;
	buf_room(ret, len);
	for (size_t i = 0; i < img->nr; i++)
		buf_add(ret, img->v[i].p, img->v[i].len);
}

/* Count blank lines that would end up at the end of the file. */
static void count_blank(struct hunk_lines *l, char marker, const char *s, size_t n)
{
	bool blank = ws_is_blank(s, n);

	if (marker == '+' && blank)
		l->blank_end++;
	else if (marker != ' ' || !blank)
		l->blank_end = 0;
}

void hunk_lines_init(struct hunk_lines *l, const struct hunk *h, bool reverse)
{
	const char *p = h->body, *end = h->body + h->len;
	struct image *minus = reverse ? &l->post : &l->pre;
	struct image *plus = reverse ? &l->pre : &l->post;

	*l = (struct hunk_lines){ .leading = h->leading, .trailing = h->trailing };
	while (p < end) {
		size_t len = diff_line_len(p, end), n = len - 1;
		const char *next = p + len;
		/* "\ No newline at end of file" takes the newline off the line before. */
		bool cut = next < end && *next == '\\', common = *p == ' ';

		if (*p == '\n' && !cut) {
			add_line(minus, p, 1, true);
			add_line(plus, p, 1, true);
		}
		if (*p == ' ' || *p == '-')
			add_line(minus, p + 1, n - (cut && n), common);
		if (*p == ' ' || *p == '+')
			add_line(plus, p + 1, n - (cut && n), common);
		if (*p != '\\')
			count_blank(l, *p == '\n' ? ' ' : *p, p + 1, n);
		p = next;
	}
}

/* Fix the lines of one kind; they then are in ret, which must not move after that. */
static void fix_lines(struct image *img, bool common, struct buf *ret)
{
	size_t room = 0, at = 0;

	for (size_t i = 0; i < img->nr; i++)
		room += img->v[i].len;
	buf_room(ret, room); /* no fix makes a line longer */
	for (size_t i = 0; i < img->nr; i++) {
		struct line *line = &img->v[i];

		if (line->common != common)
			continue;
		ws_fix(line->p, line->len, ret);
		line->p = ret->data + at;
		line->len = ret->len - at;
		at = ret->len;
	}
}

void hunk_lines_fix(struct hunk_lines *l)
{
	fix_lines(&l->post, false, &l->fixed);
}

void hunk_lines_release(struct hunk_lines *l)
{
	image_release(&l->pre);
	image_release(&l->post);
	buf_release(&l->fixed);
	buf_release(&l->fixed_context);
}

static bool same(const struct line *a, const struct line *b)
{
	return a->len == b->len && !memcmp(a->p, b->p, a->len);
}

/*
 * git compares the bytes of the hunk as a whole, so a last line without newline also
 * matches where only white space follows, unless the hunk has to match the end.
 */
static bool same_last(const struct line *have, const struct line *want, bool at_end)
{
	if (same(have, want))
		return true;
	return !at_end && have->len > want->len && !memcmp(have->p, want->p, want->len) &&
	       (!want->len || want->p[want->len - 1] != '\n') &&
	       ws_is_blank(have->p + want->len, have->len - want->len);
}

/*
 * Context that fits but for white space stays as the image has it, or loses its errors,
 * when those get fixed.
 */
static void take_context(const struct image *img, struct hunk_lines *l, size_t at,
			 const struct apply_rules *rules)
{
	size_t k = 0;

	if (!rules->ignore_space_change) {
		fix_lines(&l->post, true, &l->fixed_context);
		return;
	}
	for (size_t i = 0; i < l->pre.nr; i++) {
		if (!l->pre.v[i].common)
			continue;
		while (!l->post.v[k].common)
			k++;
		l->post.v[k].p = img->v[at + i].p;
		l->post.v[k++].len = img->v[at + i].len;
	}
}

static bool fits_exactly(const struct image *img, const struct image *pre, size_t at,
			 bool at_end, uint64_t *budget)
{
	for (size_t i = 0; i < pre->nr; i++) {
		const struct line *have = &img->v[at + i], *want = &pre->v[i];

		if (*budget)
			--*budget;
		if (have->patched || (i + 1 < pre->nr ? !same(have, want)
						      : !same_last(have, want, at_end)))
			return false;
	}
	return true;
}

static bool alike(const struct line *have, const struct line *want,
		  const struct apply_rules *rules)
{
	if (rules->ignore_space_change)
		return ws_alike(have->p, have->len, want->p, want->len);
	return ws_alike_fixed(have->p, have->len, want->p, want->len);
}

/* A comparison that looks at white space costs so many plain ones. */
#define LOOSE_COST 16

/* The same with white space that the rules let differ. */
static bool fits_loosely(const struct image *img, const struct image *pre, size_t at,
			 struct fit *fit)
{
	if (!fit->rules->ignore_space_change && fit->rules->whitespace != WHITESPACE_FIX)
		return false;
	for (size_t i = 0; i < pre->nr; i++) {
		const struct line *have = &img->v[at + i];

		fit->budget -= fit->budget < LOOSE_COST ? fit->budget : LOOSE_COST;
		if (have->patched || !alike(have, &pre->v[i], fit->rules))
			return false;
	}
	return true;
}

/*
 * Where errors get fixed, a hunk may go on behind the end of the file with blank lines that
 * someone removed there already, if it shares more than blank lines with the file.
 */
static bool fits_beyond(const struct image *img, const struct hunk_lines *l, size_t at,
			struct fit *fit)
{
	size_t inside = img->nr - at;
	struct image pre = { .v = l->pre.v, .nr = inside };
	bool text = false;

	if (fit->rules->whitespace != WHITESPACE_FIX)
		return false;
	for (size_t i = 0; i < inside; i++)
		text |= !ws_is_blank(pre.v[i].p, pre.v[i].len);
	for (size_t i = inside; i < l->pre.nr; i++)
		if (!ws_is_blank(l->pre.v[i].p, l->pre.v[i].len))
			return false;
	return text && fits_loosely(img, &pre, at, fit);
}

static bool matches(const struct image *img, struct hunk_lines *l, size_t at,
		    const struct place *place, struct fit *fit)
{
	bool beyond = at > img->nr || l->pre.nr > img->nr - at;

	if (at > img->nr || (place->at_begin && at))
		return false;
	if (beyond ? !fits_beyond(img, l, at, fit)
		   : place->at_end && at + l->pre.nr != img->nr)
		return false;
	if (!beyond && fits_exactly(img, &l->pre, at, place->at_end, &fit->budget))
		return true;
	if (!beyond && !fits_loosely(img, &l->pre, at, fit))
		return false;
	take_context(img, l, at, fit->rules);
	return true;
}

/* The lines around want, nearest first, forward before backward. */
static enum place_result search(const struct image *img, struct hunk_lines *l,
				size_t want, struct place *place, struct fit *fit)
{
	if (want > img->nr)
		want = img->nr;
	for (size_t i = 0; i <= img->nr; i++) {
		size_t at[] = { want + i, want - i };

		for (int k = 0; k < 2; k++) {
			if (k ? !i || i > want : at[k] > img->nr)
				continue;
			if (!fit->budget)
				return PLACE_TOO_LONG;
			fit->budget--;
			if (matches(img, l, at[k], place, fit)) {
				place->found = at[k];
				return PLACE_FOUND;
			}
		}
	}
	return PLACE_NONE;
}

static enum place_result find_once(const struct image *img, struct hunk_lines *l,
				   struct place *place, struct fit *fit)
{
	bool fix = fit->rules->whitespace == WHITESPACE_FIX;
	size_t at = place->at_begin ? 0 : img->nr - l->pre.nr;

	if (l->pre.nr > img->nr && !fix)
		return PLACE_NONE;
	if (!place->at_begin && !place->at_end)
		return search(img, l, place->want, place, fit);
	if (fix)
		return search(img, l, at, place, fit);
	if (!matches(img, l, at, place, fit))
		return PLACE_NONE;
	place->found = at;
	return PLACE_FOUND;
}

static void drop_first(struct image *img)
{
	memmove(img->v, img->v + 1, --img->nr * sizeof(*img->v));
}

/* One step down in context: first the ends need not match, then lines go, from the longer
 * side, from both when they are equal. False at the limit. */
static bool reduce(struct hunk_lines *l, const struct fit *fit, struct place *p)
{
	unsigned int least = fit->rules->context;

	if (l->leading <= least && l->trailing <= least)
		return false;
	p->reduced = true;
	if (p->at_begin || p->at_end) {
		p->at_begin = p->at_end = false;
		return true;
	}
	if (l->leading >= l->trailing) {
		drop_first(&l->pre);
		drop_first(&l->post);
		l->leading--;
		p->want--; /* below 0 it becomes the end of the file, as in git */
	}
	if (l->trailing > l->leading) {
		l->pre.nr--;
		l->post.nr--;
		l->trailing--;
	}
	return true;
}

enum place_result image_find(const struct image *img, const struct hunk *h,
			     struct hunk_lines *l, struct fit *fit, struct place *ret)
{
	unsigned long old_pos = fit->reverse ? h->new_pos : h->old_pos;
	unsigned long new_pos = fit->reverse ? h->old_pos : h->new_pos;
	enum place_result r;

	*ret = (struct place){ .want = new_pos ? new_pos - 1 : 0,
			       .at_begin = old_pos <= 1,
			       .at_end = !h->trailing };
	do
		r = find_once(img, l, ret, fit);
	while (r == PLACE_NONE && reduce(l, fit, ret));
	if (r == PLACE_FOUND && fit->rules->whitespace == WHITESPACE_FIX &&
	    ret->found + l->pre.nr >= img->nr)
		l->post.nr -= l->blank_end;
	return r;
}

void image_replace(struct image *img, size_t at, const struct hunk_lines *l)
{
	size_t inside = img->nr - at < l->pre.nr ? img->nr - at : l->pre.nr;
	size_t tail = img->nr - at - inside, nr = at + l->post.nr + tail;
	struct line *v = img->v;

	if (nr > img->nr)
		v = xreallocarray(v, nr, sizeof(*v));
	if (tail)
		memmove(v + at + l->post.nr, v + at + inside, tail * sizeof(*v));
	for (size_t i = 0; i < l->post.nr; i++) {
		v[at + i] = l->post.v[i];
		v[at + i].patched = true;
	}
	img->v = v;
	img->nr = nr;
}

/* A line for an error text: without indentation, shortened. */
static void quote_line(const struct line *l, struct buf *ret)
{
	const char *p = l->p, *end = l->p + l->len;
	size_t max = 60;

	while (p < end && ws_is_blank(p, 1))
		p++;
	while (end > p && ws_is_blank(end - 1, 1))
		end--;
	buf_addc(ret, '\'');
	for (; p < end && (max || (*p & 0xc0) == 0x80); p++) {
		buf_addc(ret, (char)(*p == '\t' || !*p ? ' ' : *p));
		max -= max > 0;
	}
	buf_adds(ret, p < end ? "...'" : "'");
}

/* How many lines of pre the image has at a place, and the first one that differs. */
static size_t likeness(const struct image *img, const struct image *pre, size_t at,
		       size_t *differs)
{
	size_t n = 0;

	*differs = pre->nr;
	for (size_t i = 0; i < pre->nr; i++) {
		if (at + i < img->nr && same(&img->v[at + i], &pre->v[i]))
			n++;
		else if (*differs == pre->nr)
			*differs = i;
	}
	return n;
}

static size_t distance(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

/* More comparisons than this are not worth a better message. */
#define EXPLAIN_MAX 20000000

void image_explain(const struct image *img, const struct hunk_lines *l,
		   const struct place *at, struct buf *ret)
{
	size_t best = 0, best_at = 0, differs = 0, k;

	if (!img->nr) {
		buf_adds(ret, "the file is empty");
		return;
	}
	if (!l->pre.nr || l->pre.nr > EXPLAIN_MAX / img->nr)
		return;
	for (size_t i = 0; i < img->nr; i++) {
		size_t n = likeness(img, &l->pre, i, &k);

		if (n < best ||
		    (n == best &&
		     (!n || distance(i, at->want) >= distance(best_at, at->want))))
			continue;
		best = n;
		best_at = i;
		differs = k;
	}
	if (!best) {
		buf_adds(ret, "none of its lines is in the file");
	} else if (best == l->pre.nr) {
		bool begin = at->at_begin && best_at;
		bool end = at->at_end && best_at + best != img->nr;

		buf_addf(ret, "its lines are at %zu, %s", best_at + 1,
			 begin ? "but it belongs at the start of the file"
			 : end ? "but it belongs at the end of the file"
			       : "which an earlier hunk changed");
	} else if (best_at + differs >= img->nr) {
		buf_addf(ret, "the file ends after line %zu, the patch goes on with ",
			 img->nr);
		quote_line(&l->pre.v[differs], ret);
	} else {
		buf_addf(ret, "line %zu is ", best_at + differs + 1);
		quote_line(&img->v[best_at + differs], ret);
		buf_adds(ret, ", the patch expects ");
		quote_line(&l->pre.v[differs], ret);
	}
}
