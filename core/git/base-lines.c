// SPDX-License-Identifier: GPL-3.0-or-later
/* Looking for a base along branches and tags: by blobs first, by trial then. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/base-internal.h"

/* Trials on one branch that the mails name before others get theirs. */
#define WORD_TRIALS 12
#define TIP_TRIALS 8

static char *rev_of(const struct base_place *p, size_t distance)
{
	if (!distance)
		return xstrdup(p->ref->name);
	return xasprintf("%s~%zu", p->ref->name, distance);
}

static size_t depth_of(const struct base_chooser *b)
{
	return b->o->depth ? b->o->depth : BASE_DEPTH;
}

/* Without the index there are only the tips; that is said once. */
static bool need_index(struct base_chooser *b)
{
	_cleanup_err_ struct err e = { 0 };

	if (b->ix || b->no_index)
		return b->ix;
	if (base_index_open(b->r, &b->ix, &e) == 0)
		return true;
	b->no_index = true;
	strv_addf(&b->c->notes, "history not searched: %s", e.frame[0]);
	return false;
}

static void note_end(struct base_chooser *b, const struct base_place *p)
{
	if (p->line.floor != HISTORY_MISSING || b->said_shallow)
		return;
	b->said_shallow = true;
	strv_addf(&b->c->notes,
		  "%s ends after %zu commits (shallow or partial clone): older ones "
		  "cannot be searched before `git fetch --unshallow`",
		  p->ref->name, p->line.len);
}

/*
 * The stretches of a place to a depth. A history that cannot be read is no reason to give
 * up on others: it has none.
 */
static void search_place(struct base_chooser *b, struct base_place *p, size_t depth)
{
	struct base_want want = { &p->ref->tip, depth, b->o->progress };
	_cleanup_err_ struct err e = { 0 };

	if (!need_index(b) ||
	    (p->line.len && (p->line.len >= depth || p->line.floor == HISTORY_ROOT)))
		return;
	base_line_release(&p->line);
	free(p->stretches.v);
	p->stretches = (struct base_stretches){ 0 };
	if (base_index_line(b->ix, &want, &p->line, NULL, &e) < 0 ||
	    base_search(b->r, b->ix, &p->line, &b->files, &p->stretches, &e) < 0)
		strv_addf(&b->c->notes, "%s not searched: %s", p->ref->name, e.frame[0]);
}

static bool is_whole(const struct base_chooser *b, size_t matches)
{
	return b->files.nr_known && matches == b->files.nr_known;
}

static int try_stretch(struct base_chooser *b, const struct base_place *p,
		       const struct base_stretch *s, struct oid *ret, struct err *e)
{
	if (base_index_commit(b->ix, &p->line, s->distance, ret, NULL, e) < 0)
		return -(int)e->code;
	return base_try(b, ret, e);
}

static char *files_text(const struct base_chooser *b)
{
	size_t n = b->files.nr_known;

	return n == 1 ? xstrdup("its file is") : xasprintf("all %zu files are", n);
}

static int choose_blobs(struct base_chooser *b, const struct base_place *p,
			size_t distance, const struct oid *oid)
{
	_cleanup_free_ char *files = files_text(b);
	char *reason;

	if (p->word) {
		reason = xasprintf("'%s' in the mails names %s, and %s as the patches "
				   "expect there",
				   p->word, p->ref->name, files);
		base_set(b, "subject", rev_of(p, distance), oid, reason);
	} else if (p->section) {
		reason = xasprintf("tree of %s in MAINTAINERS, and %s as the patches "
				   "expect there",
				   p->section, files);
		base_set(b, "maintainers", rev_of(p, distance), oid, reason);
	} else {
		reason = xasprintf("%s as the patches expect%s", files,
				   distance ? ", the newest such commit there" : "");
		base_set(b, "blobs", rev_of(p, distance), oid, reason);
	}
	return 1;
}

/* The newest commit of a place with all files as expected. */
static int whole_match(struct base_chooser *b, struct base_place *p, size_t depth,
		       struct err *e)
{
	struct oid oid;
	size_t matches;

	/* The tip needs no index. */
	if (base_matches(b->r, &p->ref->tip, &b->files, &matches, e) < 0) {
		err_release(e);
		return 0;
	}
	if (is_whole(b, matches)) {
		int r = base_try(b, &p->ref->tip, e);

		return r == 1 ? choose_blobs(b, p, 0, &p->ref->tip) : r;
	}
	if (!depth)
		return 0;
	search_place(b, p, depth);
	for (size_t i = 0, tries = 0; i < p->stretches.nr && tries < 4; i++) {
		const struct base_stretch *s = &p->stretches.v[i];
		int r;

		if (!is_whole(b, s->matches))
			continue;
		tries++;
		r = try_stretch(b, p, s, &oid, e);
		if (r)
			return r < 0 ? r : choose_blobs(b, p, s->distance, &oid);
	}
	return 0;
}

/* What is left to try of a place, the most like what is expected first. */
struct attempt {
	const struct base_place *place;
	struct base_stretch s;
};

static int best_first(const void *va, const void *vb)
{
	const struct attempt *a = va, *b = vb;

	if (a->s.matches != b->s.matches)
		return a->s.matches > b->s.matches ? -1 : 1;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->s.distance < b->s.distance ? -1 : a->s.distance > b->s.distance;
}

static int choose_trial(struct base_chooser *b, const struct attempt *a,
			const struct oid *oid)
{
	const struct base_place *p = a->place;
	_cleanup_free_ char *files =
		b->files.nr_known ? xasprintf(", %zu of %zu files as the patches expect",
					      a->s.matches, b->files.nr_known)
				  : xstrdup("");
	char *reason;

	if (p->word)
		reason = xasprintf(
			"'%s' in the mails names %s; the series applies there%s", p->word,
			p->ref->name, files);
	else
		reason = xasprintf("the newest commit tried that takes the series%s",
				   files);
	base_set(b, p->word ? "subject" : "newest", rev_of(p, a->s.distance), oid,
		 reason);
	return 1;
}

static int try_tip(struct base_chooser *b, const struct base_place *p, struct err *e)
{
	struct attempt a = { .place = p };
	int r;

	if (base_matches(b->r, &p->ref->tip, &b->files, &a.s.matches, e) < 0) {
		err_release(e);
		return 0;
	}
	r = base_try(b, &p->ref->tip, e);
	return r == 1 ? choose_trial(b, &a, &p->ref->tip) : r;
}

/* Stretches of places from first on, as many as max trials allow. */
static int try_stretches(struct base_chooser *b, const struct base_place *first,
			 size_t nr, size_t max, struct err *e)
{
	_cleanup_free_ struct attempt *v = NULL;
	size_t nr_v = 0;

	for (const struct base_place *p = first; p < first + nr; p++)
		for (size_t i = 0; i < p->stretches.nr; i++)
			*array_push(v, nr_v) = (struct attempt){ p, p->stretches.v[i] };
	if (nr_v)
		qsort(v, nr_v, sizeof(*v), best_first);
	for (size_t i = 0; i < nr_v && max-- && !base_is_over(b); i++) {
		struct oid oid;
		int r = try_stretch(b, v[i].place, &v[i].s, &oid, e);

		if (r)
			return r < 0 ? r : choose_trial(b, &v[i], &oid);
	}
	return 0;
}

int base_by_word(struct base_chooser *b, struct err *e)
{
	for (size_t i = 0; i < b->nr_places && b->places[i].word; i++) {
		struct base_place *p = &b->places[i];
		int r = whole_match(b, p, depth_of(b), e);

		if (r == 0)
			r = try_tip(b, p, e);
		if (r == 0)
			r = try_stretches(b, p, 1, WORD_TRIALS, e);
		if (r)
			return r;
		note_end(b, p);
		strv_addf(&b->c->notes,
			  "'%s' in the mails names %s, but the series does not apply "
			  "there",
			  p->word, p->ref->name);
		if (base_is_over(b))
			return 0;
	}
	return 0;
}

int base_by_blobs(struct base_chooser *b, struct err *e)
{
	size_t depths[] = { 0, BASE_FIRST_DEPTH, depth_of(b) };

	if (!b->files.nr_known)
		return 0;
	/* Where the user is, if the files are as expected; then tips; then history. */
	for (size_t i = 0; i < b->nr_places; i++) {
		int r = b->places[i].ref->kind == BASE_REF_HEAD
				? whole_match(b, &b->places[i], 0, e)
				: 0;
		if (r)
			return r;
	}
	for (size_t k = 1; k < ARRAY_SIZE(depths); k++) {
		size_t depth = depths[k] < depth_of(b) ? depths[k] : depth_of(b);

		for (size_t i = 0; i < b->nr_places && !base_is_over(b); i++) {
			int r = whole_match(b, &b->places[i], depth, e);

			if (r)
				return r;
		}
	}
	for (size_t i = 0; i < b->nr_places; i++)
		note_end(b, &b->places[i]);
	return 0;
}

int base_by_trial(struct base_chooser *b, struct err *e)
{
	size_t tips = 0;

	for (size_t i = 0; i < b->nr_places; i++) {
		int r = b->places[i].ref->kind == BASE_REF_HEAD
				? try_tip(b, &b->places[i], e)
				: 0;
		if (r)
			return r;
	}
	for (size_t i = 0; i < b->nr_places && tips++ < TIP_TRIALS; i++) {
		int r = try_tip(b, &b->places[i], e);

		if (r)
			return r;
	}
	for (size_t i = 0; i < b->nr_places; i++)
		search_place(b, &b->places[i],
			     BASE_FIRST_DEPTH < depth_of(b) ? BASE_FIRST_DEPTH
							    : depth_of(b));
	return try_stretches(b, b->places, b->nr_places, BASE_MAX_TRIALS, e);
}
