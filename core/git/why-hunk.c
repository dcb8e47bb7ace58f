// SPDX-License-Identifier: GPL-3.0-or-later
/* A hunk beside the place of a file that is most like it, line by line. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/image.h"
#include "core/git/why-internal.h"

#define FIT_BUDGET 50000000ULL

/* Comparisons that finding the nearest place may cost. */
#define NEAR_MAX 20000000

/* Lines around the place that are compared, and the largest hunk compared so. */
#define AROUND 12
#define MAX_TABLE 4000000

bool why_fits(const struct hunk *h, const struct buf *text, bool reverse)
{
	const struct apply_rules rules = APPLY_RULES_INIT;
	struct fit fit = { .rules = &rules, .reverse = reverse, .budget = FIT_BUDGET };
	struct hunk_lines l;
	struct image img;
	struct place at;
	bool fits;

	image_init(&img, buf_str(text), text->len);
	hunk_lines_init(&l, h, reverse);
	fits = l.pre.nr && image_find(&img, h, &l, &fit, &at) == PLACE_FOUND;
	hunk_lines_release(&l);
	image_release(&img);
	return fits;
}

static bool equal(const struct line *a, const struct line *b)
{
	return a->len == b->len && !memcmp(a->p, b->p, a->len);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Equal but for white space, of which at least one has some. */
static bool alike(const struct line *a, const struct line *b)
{
	const char *p = a->p, *pe = a->p + a->len, *q = b->p, *qe = b->p + b->len;

	for (;;) {
		while (p < pe && is_blank(*p))
			p++;
		while (q < qe && is_blank(*q))
			q++;
		if (p == pe || q == qe)
			return p == pe && q == qe;
		if (*p++ != *q++)
			return false;
	}
}

/* Lines of less than two letters say nothing about a place. */
static bool says_something(const struct line *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->len && n < 2; i++)
		n += !is_blank(l->p[i]) && !strchr("{}();", l->p[i]);
	return n >= 2;
}

struct near {
	size_t at, score;
};

static size_t distance(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

/*
 * The place where the most lines agree, counted from both ends, as a line put in between
 * moves all that follow.
 */
static struct near find_near(const struct image *img, const struct image *pre,
			     size_t want)
{
	struct near best = { 0 };

	if (!pre->nr || !img->nr || pre->nr > NEAR_MAX / img->nr)
		return best;
	for (size_t i = 0; i < img->nr; i++) {
		size_t score = 0;

		for (size_t k = 0; k < pre->nr && i + k < img->nr; k++)
			if (equal(&img->v[i + k], &pre->v[k]))
				score += says_something(&pre->v[k]) ? 4 : 1;
		if (score > best.score || (score && score == best.score &&
					   distance(i, want) < distance(best.at, want)))
			best = (struct near){ i, score };
	}
	return best;
}

/* Whether all lines are there in order but for white space; *at is where. */
static bool near_blank(const struct image *img, const struct image *pre, size_t *at)
{
	if (!pre->nr || pre->nr > img->nr || pre->nr > NEAR_MAX / img->nr)
		return false;
	for (size_t i = 0; i + pre->nr <= img->nr; i++) {
		size_t k = 0;

		while (k < pre->nr && alike(&img->v[i + k], &pre->v[k]))
			k++;
		if (k == pre->nr) {
			*at = i;
			return true;
		}
	}
	return false;
}

/* A line as it may be shown: no newline, not too long. */
static char *show(const struct line *l)
{
	size_t n = l->len;

	while (n && (l->p[n - 1] == '\n' || l->p[n - 1] == '\r'))
		n--;
	return xstrndup(l->p, n < 200 ? n : 200);
}

static void add_line(struct why_hunk *h, size_t line, const struct line *have,
		     const struct line *want)
{
	if (h->nr_differs < WHY_MAX_LINES)
		*array_push(h->differs, h->nr_differs) =
			(struct why_line){ line, have ? show(have) : NULL,
					   want ? show(want) : NULL };
}

/* Longest common subsequences of the tails: the table of a plain line diff. */
static uint16_t *lcs_table(const struct line *a, size_t na, const struct line *b,
			   size_t nb)
{
	uint16_t *t = xcalloc((na + 1) * (nb + 1), sizeof(*t));

	for (size_t i = na; i-- > 0;) {
		for (size_t k = nb; k-- > 0;) {
			uint16_t down = t[(i + 1) * (nb + 1) + k];
			uint16_t right = t[i * (nb + 1) + k + 1];

			if (equal(&a[i], &b[k]))
				t[i * (nb + 1) + k] =
					(uint16_t)(t[(i + 1) * (nb + 1) + k + 1] + 1);
			else
				t[i * (nb + 1) + k] = down > right ? down : right;
		}
	}
	return t;
}

/* Lines of the file around the place; first is the number of the first one, from 0. */
struct window {
	const struct line *v;
	size_t nr, first;
};

/* Lines between two that agree: what the hunk wants and what the file has. */
struct block {
	size_t want, want_end, have, have_end;
	bool leading, trailing;
};

/*
 * Before the first and behind the last line that agrees the file may have what it likes:
 * only as many of its lines count as the hunk wants there.
 */
static void add_block(struct block b, const struct image *pre, const struct window *w,
		      struct why_hunk *ret)
{
	size_t want = b.want_end - b.want;

	if (b.leading && b.have_end - b.have > want)
		b.have = b.have_end - want;
	if (b.trailing && b.have_end - b.have > want)
		b.have_end = b.have + want;
	while (b.want < b.want_end || b.have < b.have_end) {
		const struct line *x = b.have < b.have_end ? &w->v[b.have] : NULL;
		const struct line *y = b.want < b.want_end ? &pre->v[b.want] : NULL;

		add_line(ret, w->first + b.have + 1, x, y);
		b.have += x != NULL;
		b.want += y != NULL;
	}
}

/* How many lines agree; those that do not are added to ret. */
static size_t diff_lines(const struct image *pre, const struct window *w,
			 struct why_hunk *ret)
{
	_cleanup_free_ uint16_t *t = lcs_table(pre->v, pre->nr, w->v, w->nr);
	size_t i = 0, k = 0, stride = w->nr + 1;
	bool first = true;

	while (i < pre->nr || k < w->nr) {
		struct block b = { .want = i, .have = k, .leading = first };

		while ((i < pre->nr || k < w->nr) &&
		       !(i < pre->nr && k < w->nr && equal(&pre->v[i], &w->v[k]))) {
			if (k == w->nr || (i < pre->nr && t[(i + 1) * stride + k] >
								  t[i * stride + k + 1]))
				i++;
			else
				k++;
		}
		b.want_end = i++;
		b.have_end = k++;
		b.trailing = i > pre->nr || k > w->nr ||
			     !t[b.want_end * stride + b.have_end];
		add_block(b, pre, w, ret);
		first = false;
	}
	return t[0];
}

static void drop_lines(struct why_hunk *h)
{
	for (size_t i = 0; i < h->nr_differs; i++) {
		free(h->differs[i].have);
		free(h->differs[i].want);
	}
	free(h->differs);
	h->differs = NULL;
	h->nr_differs = 0;
}

/* Line for line, unless looking around finds more: then lines were put in or taken out. */
static void compare_at(const struct image *img, const struct image *pre, size_t at,
		       struct why_hunk *ret)
{
	size_t from = at > AROUND ? at - AROUND : 0;
	size_t to = at + pre->nr + AROUND < img->nr ? at + pre->nr + AROUND : img->nr;
	size_t end = at + pre->nr < img->nr ? at + pre->nr : img->nr;
	struct window wide = { img->v + from, to - from, from };
	struct window close = { img->v + at, end - at, at };
	struct why_hunk around = { 0 };

	ret->nearest = at + 1;
	if ((pre->nr + 1) * (wide.nr + 1) > MAX_TABLE || pre->nr > UINT16_MAX)
		return;
	ret->same = diff_lines(pre, &close, ret);
	around.same = diff_lines(pre, &wide, &around);
	if (around.same > ret->same) {
		drop_lines(ret);
		ret->same = around.same;
		ret->differs = around.differs;
		ret->nr_differs = around.nr_differs;
	} else {
		drop_lines(&around);
	}
}

static void classify(const struct image *img, const struct hunk_lines *l, size_t want,
		     struct why_hunk *ret)
{
	struct near near = find_near(img, &l->pre, want);
	size_t at;

	ret->kind = WHY_FOREIGN;
	if (near.score) {
		ret->kind = WHY_CONTEXT;
		compare_at(img, &l->pre, near.at, ret);
		if (ret->same == l->pre.nr && !ret->nr_differs)
			ret->kind = WHY_PLACE;
		else if (ret->same * 4 < l->pre.nr)
			ret->kind = WHY_FOREIGN;
	}
	if (ret->kind != WHY_PLACE && near_blank(img, &l->pre, &at)) {
		ret->kind = WHY_WHITESPACE;
		ret->nearest = at + 1;
	}
}

void why_compare(const struct file_diff *f, size_t nr, const struct buf *text,
		 struct why_hunk *ret)
{
	const struct hunk *h = &f->hunks[nr];
	struct hunk_lines l;
	struct image img;

	image_init(&img, buf_str(text), text->len);
	hunk_lines_init(&l, h, false);
	ret->path = xstrdup(f->old_name ? f->old_name : f->new_name);
	ret->hunk = (int)nr + 1;
	ret->of = (int)f->nr_hunks;
	ret->line = h->old_pos;
	ret->patch_line = h->line;
	ret->lines = l.pre.nr;
	if (why_fits(h, text, true))
		ret->kind = WHY_APPLIED;
	else
		classify(&img, &l, h->old_pos ? h->old_pos - 1 : 0, ret);
	hunk_lines_release(&l);
	image_release(&img);
}

bool why_has_line(const struct buf *text, const char *line)
{
	const char *p = buf_str(text), *end = p + text->len;
	size_t n = strlen(line);

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((nl ? nl : end) - p);

		if (len == n && !memcmp(p, line, n))
			return true;
		p += len + 1;
	}
	return false;
}
