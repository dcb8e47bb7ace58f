// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/base-search.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/diff-internal.h"
#include "core/git/git-free.h"
#include "core/git/repo-internal.h"

/* Changes of the files of one series on all lines together: 100 MiB. */
#define MAX_EVENTS 4000000

void base_files_release(struct base_files *f)
{
	for (size_t i = 0; i < f->nr; i++)
		free(f->v[i].path);
	free(f->v);
	*f = (struct base_files){ 0 };
}

static int by_path(const void *va, const void *vb)
{
	const struct base_file *a = va, *b = vb;

	return strcmp(a->path, b->path);
}

static void add_file(struct base_files *f, const char *path, const char *id, bool absent)
{
	struct base_file *b = array_push(f->v, f->nr);

	*b = (struct base_file){ .path = xstrdup(path), .absent = absent };
	if (!absent && id && *id) {
		memcpy(b->id, id, strlen(id) + 1);
		history_blob_range(id, strlen(id), &b->lo, &b->hi);
	}
}

static void add_diff(struct base_files *f, const struct diff *d)
{
	for (size_t i = 0; i < d->nr; i++) {
		const struct file_diff *x = &d->files[i];
		bool creates = x->is_new > 0 || x->is_rename || x->is_copy;

		if (x->old_name && x->is_new <= 0)
			add_file(f, x->old_name, x->old_id, false);
		if (x->new_name && creates)
			add_file(f, x->new_name, NULL, true);
	}
}

/* Of several states of a path the first counts: the others are of the series' making. */
static void keep_first(struct base_files *f)
{
	size_t nr = 0;

	for (size_t i = 0; i < f->nr; i++) {
		if (nr && !strcmp(f->v[nr - 1].path, f->v[i].path))
			free(f->v[i].path);
		else
			f->v[nr++] = f->v[i];
	}
	f->nr = nr;
	for (size_t i = 0; i < nr; i++)
		f->nr_known += f->v[i].absent || f->v[i].id[0];
}

/* qsort() does not keep equal elements in order. */
struct ranked {
	struct base_file f;
	size_t rank;
};

static int by_path_and_rank(const void *va, const void *vb)
{
	const struct ranked *a = va, *b = vb;
	int c = by_path(&a->f, &b->f);

	return c ? c : a->rank < b->rank ? -1 : 1;
}

static void sort_files(struct base_files *f)
{
	_cleanup_free_ struct ranked *v = xcalloc(f->nr, sizeof(*v));

	for (size_t i = 0; i < f->nr; i++)
		v[i] = (struct ranked){ f->v[i], i };
	if (f->nr)
		qsort(v, f->nr, sizeof(*v), by_path_and_rank);
	for (size_t i = 0; i < f->nr; i++)
		f->v[i] = v[i].f;
}

int base_files_of(const struct series *s, struct base_files *ret, struct err *e)
{
	_cleanup_(base_files_release) struct base_files f = { 0 };

	for (size_t i = 0; i < s->nr_patches; i++) {
		const struct patch *p = &s->patches[i];
		_cleanup_diff_ struct diff *d = NULL;

		if (diff_parse(buf_str(&p->diff), p->diff.len, &d, e) < 0)
			return err_wrap(e, "patch %d is damaged", p->number);
		add_diff(&f, d);
	}
	sort_files(&f);
	keep_first(&f);
	*ret = f;
	f = (struct base_files){ 0 };
	return 0;
}

static bool is_expected(const struct base_file *f, uint64_t blob)
{
	if (f->absent)
		return blob == 0;
	return f->id[0] && blob >= f->lo && blob <= f->hi;
}

/* The key of what a tree has at path; 0 when there is no file. */
static int blob_at(struct repo *r, const git_tree *tree, const char *path, uint64_t *ret,
		   struct err *e)
{
	_cleanup_entry_ git_tree_entry *entry = NULL;
	int rc = git_tree_entry_bypath(&entry, tree, path);

	(void)r;
	if (rc < 0 && rc != GIT_ENOTFOUND)
		return git_fail(e, ERR_IO, "cannot read '%s'", path);
	*ret = rc || git_tree_entry_type(entry) == GIT_OBJECT_TREE
		       ? 0
		       : history_blob_key(oid_from_git(git_tree_entry_id(entry)).hex);
	return 0;
}

static int tree_of(struct repo *r, const struct oid *commit, git_tree **ret,
		   struct err *e)
{
	_cleanup_commit_ git_commit *c = NULL;
	git_oid id;

	if (!oid_to_git(commit, &id) || git_commit_lookup(&c, r->git, &id) < 0 ||
	    git_commit_tree(ret, c) < 0)
		return git_fail(e, ERR_UNKNOWN_REV, "no commit '%.12s'", commit->hex);
	return 0;
}

int base_matches(struct repo *r, const struct oid *commit, const struct base_files *f,
		 size_t *ret, struct err *e)
{
	_cleanup_tree_ git_tree *tree = NULL;
	size_t n = 0;

	if (tree_of(r, commit, &tree, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < f->nr; i++) {
		uint64_t blob;

		if (blob_at(r, tree, f->v[i].path, &blob, e) < 0)
			return -(int)e->code;
		n += is_expected(&f->v[i], blob);
	}
	*ret = n;
	return 0;
}

/* A change of one of the files on the line. */
struct change {
	size_t distance, file;
	uint64_t after;
};

struct sweep {
	struct change *v;
	size_t nr;
	uint64_t *now; /* the blob of each file where the sweep is */
	size_t matches;
	struct base_stretches *ret;
};

static int newest_first(const void *va, const void *vb)
{
	const struct change *a = va, *b = vb;

	if (a->distance != b->distance)
		return a->distance < b->distance ? -1 : 1;
	return a->file < b->file ? -1 : a->file > b->file;
}

static int changes_of(struct base_index *ix, const struct base_line *l,
		      const struct base_files *f, struct sweep *s, struct err *e)
{
	for (size_t i = 0; i < f->nr; i++) {
		_cleanup_free_ struct history_event *v = NULL;
		size_t nr = 0;

		if (history_path(base_index_history(ix), history_path_key(f->v[i].path),
				 MAX_EVENTS, &v, &nr, e) < 0)
			return -(int)e->code;
		for (size_t k = 0; k < nr; k++) {
			int64_t d = base_line_distance(l, &v[k].at);

			if (d >= 0)
				*array_push(s->v, s->nr) =
					(struct change){ (size_t)d, i, v[k].blob };
		}
		if (s->nr >= MAX_EVENTS)
			return err_set(e, ERR_TOO_BIG,
				       "the files of the series changed too often");
	}
	if (s->nr)
		qsort(s->v, s->nr, sizeof(*s->v), newest_first);
	return 0;
}

static void note_stretch(struct sweep *s, size_t distance)
{
	*array_push(s->ret->v, s->ret->nr) =
		(struct base_stretch){ distance, s->matches };
}

/*
 * From the oldest commit, whose files are read from its tree, up to the tip: each change
 * ends a stretch at the commit before it.
 */
static void sweep_up(struct sweep *s, const struct base_line *l,
		     const struct base_files *f)
{
	for (size_t i = s->nr; i > 0;) {
		size_t distance = s->v[i - 1].distance;

		if (distance + 1 < l->len)
			note_stretch(s, distance + 1);
		for (; i > 0 && s->v[i - 1].distance == distance; i--) {
			const struct change *c = &s->v[i - 1];
			const struct base_file *file = &f->v[c->file];

			s->matches -= is_expected(file, s->now[c->file]);
			s->now[c->file] = c->after;
			s->matches += is_expected(file, s->now[c->file]);
		}
	}
	note_stretch(s, 0);
}

static int start_at_floor(struct repo *r, struct base_index *ix,
			  const struct base_line *l, const struct base_files *f,
			  struct sweep *s, struct err *e)
{
	_cleanup_tree_ git_tree *tree = NULL;
	struct oid lowest;

	if (base_index_commit(ix, l, l->len - 1, &lowest, NULL, e) < 0 ||
	    tree_of(r, &lowest, &tree, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < f->nr; i++) {
		if (blob_at(r, tree, f->v[i].path, &s->now[i], e) < 0)
			return -(int)e->code;
		s->matches += is_expected(&f->v[i], s->now[i]);
	}
	return 0;
}

static void reverse(struct base_stretches *s)
{
	for (size_t i = 0; i < s->nr / 2; i++) {
		struct base_stretch x = s->v[i];

		s->v[i] = s->v[s->nr - 1 - i];
		s->v[s->nr - 1 - i] = x;
	}
}

int base_search(struct repo *r, struct base_index *ix, const struct base_line *l,
		const struct base_files *f, struct base_stretches *ret, struct err *e)
{
	_cleanup_free_ uint64_t *now = xcalloc(f->nr + 1, sizeof(*now));
	struct base_stretches found = { 0 };
	struct sweep s = { .now = now, .ret = &found };
	int rc = changes_of(ix, l, f, &s, e);

	if (rc == 0)
		rc = start_at_floor(r, ix, l, f, &s, e);
	if (rc == 0) {
		sweep_up(&s, l, f);
		reverse(&found);
		*ret = found;
	}
	free(s.v);
	return rc;
}
