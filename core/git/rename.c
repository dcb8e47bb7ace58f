// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * diffcore-rename of git 2.39: equal contents first, then files of one unique base name,
 * then the best of all pairs. Renames are exclusive, and empty files take no part.
 */
#include "core/git/rename.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/diff-internal.h"
#include "core/git/similar.h"

/* A file with the same base name needs more than any other file, in this step. */
#define SIMILAR_BASENAME (SIMILAR_RENAME + (SIMILAR_MAX - SIMILAR_RENAME) / 2)

/* git keeps so many sources a target. */
#define CANDIDATES 4

static const char empty_blob[] = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

struct end {
	const struct tree_file *file;
	size_t index; /* in from, for sources */
	bool used;
	bool has_size, has_pieces;
	size_t size;
	struct pieces pieces;
};

struct finder {
	struct repo *r;
	struct end *sources, *targets;
	size_t nr_sources, nr_targets;
	const struct tree_file **found;
	struct err *e;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Files of a that b lacks. */
static void collect(const struct tree_files *a, const struct tree_files *b,
		    struct end **ret, size_t *nr)
{
	for (size_t i = 0; i < a->nr; i++) {
		const struct tree_file *f = &a->v[i];

		if (!strcmp(f->oid.hex, empty_blob) || tree_files_find(b, f->path))
			continue;
		*array_push(*ret, *nr) = (struct end){ .file = f, .index = i };
	}
}

static void pair(struct finder *f, struct end *source, struct end *target)
{
	f->found[source->index] = target->file;
	source->used = target->used = true;
}

static bool is_file(const struct end *e)
{
	return (e->file->mode & MODE_TYPE) == MODE_FILE;
}

static void find_equal(struct finder *f)
{
	for (size_t t = 0; t < f->nr_targets; t++) {
		struct end *target = &f->targets[t], *best = NULL;
		bool best_name = false;

		for (size_t s = 0; s < f->nr_sources; s++) {
			struct end *source = &f->sources[s];
			bool name;

			if (source->used ||
			    !oid_equal(&source->file->oid, &target->file->oid))
				continue;
			if ((!is_file(source) || !is_file(target)) &&
			    source->file->mode != target->file->mode)
				continue;
			name = !strcmp(base_name(source->file->path),
				       base_name(target->file->path));
			if (best && (best_name || !name))
				continue;
			best = source;
			best_name = name;
		}
		if (best)
			pair(f, best, target);
	}
}

static int need_size(struct finder *f, struct end *end)
{
	if (!end->has_size && repo_blob_size(f->r, &end->file->oid, &end->size, f->e) < 0)
		return -(int)f->e->code;
	end->has_size = true;
	return 0;
}

static int need_pieces(struct finder *f, struct end *end)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (end->has_pieces)
		return 0;
	if (repo_get(f->r, OBJECT_BLOB, &end->file->oid, &b, f->e) < 0)
		return -(int)f->e->code;
	pieces_init(&end->pieces, &b);
	end->has_pieces = true;
	return 0;
}

/* The score, 0 when it is below least, negative on error. */
static int score(struct finder *f, struct end *source, struct end *target, int least)
{
	int n;

	if (!is_file(source) || !is_file(target))
		return 0;
	if (need_size(f, source) < 0 || need_size(f, target) < 0)
		return -(int)f->e->code;
	if (!similar_sizes(source->size, target->size, least))
		return 0;
	if (need_pieces(f, source) < 0 || need_pieces(f, target) < 0)
		return -(int)f->e->code;
	n = similar_score(&source->pieces, &target->pieces);
	return n < least ? 0 : n;
}

/* The only unused end of that base name; NULL when there is none or more than one. */
static struct end *only_named(struct end *v, size_t nr, const char *name)
{
	struct end *found = NULL;

	for (size_t i = 0; i < nr; i++) {
		if (v[i].used || strcmp(base_name(v[i].file->path), name))
			continue;
		if (found)
			return NULL;
		found = &v[i];
	}
	return found;
}

/* Names are unique among what equal contents left over, before this step takes any. */
static int find_named(struct finder *f)
{
	_cleanup_free_ struct end **targets = xcalloc(f->nr_sources, sizeof(*targets));

	for (size_t s = 0; s < f->nr_sources; s++) {
		struct end *source = &f->sources[s];
		const char *name = base_name(source->file->path);

		if (source->used || only_named(f->sources, f->nr_sources, name) != source)
			continue;
		targets[s] = only_named(f->targets, f->nr_targets, name);
	}
	for (size_t s = 0; s < f->nr_sources; s++) {
		int n;

		if (!targets[s])
			continue;
		n = score(f, &f->sources[s], targets[s], SIMILAR_BASENAME);
		if (n < 0)
			return n;
		if (n)
			pair(f, &f->sources[s], targets[s]);
	}
	return 0;
}

struct match {
	size_t source, target;
	int score;
	bool name;
	size_t order;
};

/* Best first; git's sort is stable. */
static int by_score(const void *va, const void *vb)
{
	const struct match *a = va, *b = vb;

	if (a->score != b->score)
		return a->score < b->score ? 1 : -1;
	if (a->name != b->name)
		return a->name ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static bool is_better(const struct match *a, const struct match *b)
{
	return a->score != b->score ? a->score > b->score : a->name && !b->name;
}

/* Put m in place of the worst of the candidates, if it is better. */
static void offer(struct match *v, size_t *nr, const struct match *m)
{
	size_t worst = 0;

	if (*nr < CANDIDATES) {
		v[(*nr)++] = *m;
		return;
	}
	for (size_t i = 1; i < CANDIDATES; i++)
		if (is_better(&v[worst], &v[i]))
			worst = i;
	if (is_better(m, &v[worst]))
		v[worst] = *m;
}

static int match_target(struct finder *f, size_t t, struct match **all, size_t *nr)
{
	struct match v[CANDIDATES];
	size_t n = 0;

	for (size_t s = 0; s < f->nr_sources; s++) {
		struct match m = { .source = s, .target = t };

		if (f->sources[s].used)
			continue;
		m.score = score(f, &f->sources[s], &f->targets[t], SIMILAR_RENAME);
		if (m.score < 0)
			return m.score;
		m.name = !strcmp(base_name(f->sources[s].file->path),
				 base_name(f->targets[t].file->path));
		if (m.score)
			offer(v, &n, &m);
	}
	for (size_t i = 0; i < n; i++) {
		v[i].order = *nr;
		*array_push(*all, *nr) = v[i];
	}
	/* A big tree has many targets: keep only what the few sources need. */
	pieces_release(&f->targets[t].pieces);
	f->targets[t].has_pieces = false;
	return 0;
}

static int find_similar(struct finder *f)
{
	_cleanup_free_ struct match *all = NULL;
	size_t nr = 0;

	for (size_t t = 0; t < f->nr_targets; t++)
		if (!f->targets[t].used && match_target(f, t, &all, &nr) < 0)
			return -(int)f->e->code;
	if (nr)
		qsort(all, nr, sizeof(*all), by_score);
	for (size_t i = 0; i < nr; i++) {
		struct end *source = &f->sources[all[i].source];
		struct end *target = &f->targets[all[i].target];

		if (!source->used && !target->used)
			pair(f, source, target);
	}
	return 0;
}

static bool sources_left(const struct finder *f)
{
	for (size_t i = 0; i < f->nr_sources; i++)
		if (!f->sources[i].used)
			return true;
	return false;
}

static int find_all(struct finder *f)
{
	find_equal(f);
	if (sources_left(f) && find_named(f) < 0)
		return -(int)f->e->code;
	if (sources_left(f) && find_similar(f) < 0)
		return -(int)f->e->code;
	return 0;
}

int renames_find(struct repo *r, const struct tree_files *from,
		 const struct tree_files *to, const struct tree_file ***ret,
		 struct err *e)
{
	struct finder f = { .r = r, .e = e };
	int rc = 0;

	f.found = xcalloc(from->nr, sizeof(*f.found));
	collect(from, to, &f.sources, &f.nr_sources);
	if (f.nr_sources) {
		collect(to, from, &f.targets, &f.nr_targets);
		rc = find_all(&f);
	}
	for (size_t i = 0; i < f.nr_sources; i++)
		pieces_release(&f.sources[i].pieces);
	for (size_t i = 0; i < f.nr_targets; i++)
		pieces_release(&f.targets[i].pieces);
	free(f.sources);
	free(f.targets);
	if (rc < 0)
		free(f.found);
	else
		*ret = f.found;
	return rc;
}
