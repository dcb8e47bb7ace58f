// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/image.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/diff-internal.h"

static uint32_t hash_line(const char *p, size_t n)
{
	uint32_t h = 2166136261U;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p[i]) * 16777619U;
	return h;
}

static void add_line(struct image *img, const char *p, size_t n)
{
	*array_push(img->v, img->nr) =
		(struct line){ .p = p, .len = n, .hash = hash_line(p, n) };
}

void image_init(struct image *img, const char *data, size_t len)
{
	const char *p = data, *end = data + len;

	*img = (struct image){ 0 };
	while (p < end) {
		size_t n = diff_line_len(p, end);

		add_line(img, p, n);
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

void hunk_lines_init(struct hunk_lines *l, const struct hunk *h, bool reverse)
{
	const char *p = h->body, *end = h->body + h->len;
	struct image *minus = reverse ? &l->post : &l->pre;
	struct image *plus = reverse ? &l->pre : &l->post;

	*l = (struct hunk_lines){ 0 };
	while (p < end) {
		size_t len = diff_line_len(p, end), n = len - 1;
		const char *next = p + len;
		/* "\ No newline at end of file" takes the newline off the line before. */
		bool cut = next < end && *next == '\\';

		if (*p == '\n' && !cut) {
			add_line(minus, p, 1);
			add_line(plus, p, 1);
		}
		if (*p == ' ' || *p == '-')
			add_line(minus, p + 1, n - (cut && n));
		if (*p == ' ' || *p == '+')
			add_line(plus, p + 1, n - (cut && n));
		p = next;
	}
}

void hunk_lines_release(struct hunk_lines *l)
{
	image_release(&l->pre);
	image_release(&l->post);
}

static bool is_white(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != ' ' && p[i] != '\t' && p[i] != '\n' && p[i] != '\r')
			return false;
	return true;
}

static bool same(const struct line *a, const struct line *b)
{
	return a->hash == b->hash && a->len == b->len && !memcmp(a->p, b->p, a->len);
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
	       is_white(have->p + want->len, have->len - want->len);
}

static bool matches(const struct image *img, const struct image *pre, size_t at,
		    const struct place *place, uint64_t *budget)
{
	if (at > img->nr || pre->nr > img->nr - at)
		return false;
	if ((place->at_begin && at) || (place->at_end && at + pre->nr != img->nr))
		return false;
	for (size_t i = 0; i < pre->nr; i++) {
		const struct line *have = &img->v[at + i], *want = &pre->v[i];

		if (*budget)
			--*budget;
		if (have->patched ||
		    (i + 1 < pre->nr ? !same(have, want)
				     : !same_last(have, want, place->at_end)))
			return false;
	}
	return true;
}

/* The lines around want, nearest first, forward before backward. */
static enum place_result search(const struct image *img, const struct image *pre,
				struct place *place, uint64_t *budget)
{
	size_t last = img->nr - pre->nr,
	       want = place->want < img->nr ? place->want : img->nr;

	for (size_t i = 0; i <= img->nr; i++) {
		size_t at[] = { want + i, want - i };

		for (int k = 0; k < 2; k++) {
			if ((k && (!i || i > want)) || at[k] > last)
				continue;
			if (!*budget)
				return PLACE_TOO_LONG;
			--*budget;
			if (matches(img, pre, at[k], place, budget)) {
				place->found = at[k];
				return PLACE_FOUND;
			}
		}
	}
	return PLACE_NONE;
}

enum place_result image_find(const struct image *img, const struct hunk *h, bool reverse,
			     const struct hunk_lines *l, struct place *ret,
			     uint64_t *budget)
{
	unsigned long old_pos = reverse ? h->new_pos : h->old_pos;
	unsigned long new_pos = reverse ? h->old_pos : h->new_pos;
	size_t at;

	*ret = (struct place){ .want = new_pos ? new_pos - 1 : 0,
			       .at_begin = old_pos <= 1,
			       .at_end = !h->trailing };
	if (l->pre.nr > img->nr)
		return PLACE_NONE;
	if (!ret->at_begin && !ret->at_end)
		return search(img, &l->pre, ret, budget);
	at = ret->at_begin ? 0 : img->nr - l->pre.nr;
	if (!matches(img, &l->pre, at, ret, budget))
		return PLACE_NONE;
	ret->found = at;
	return PLACE_FOUND;
}

void image_replace(struct image *img, size_t at, const struct hunk_lines *l)
{
	size_t tail = img->nr - at - l->pre.nr, nr = at + l->post.nr + tail;
	struct line *v = img->v;

	if (nr > img->nr)
		v = xreallocarray(v, nr, sizeof(*v));
	if (tail)
		memmove(v + at + l->post.nr, v + at + l->pre.nr, tail * sizeof(*v));
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

	while (p < end && is_white(p, 1))
		p++;
	while (end > p && is_white(end - 1, 1))
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
