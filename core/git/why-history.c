// SPDX-License-Identifier: GPL-3.0-or-later
/* Since when a patch does not fit: the commits that changed its lines or took its file. */
#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/base-refs.h"
#include "core/git/base-search.h"
#include "core/git/commit-diff.h"
#include "core/git/git-free.h"
#include "core/git/repo-internal.h"
#include "core/git/why-internal.h"

/* Commits of one file whose contents are compared. */
#define MAX_CHANGES 300
#define MAX_MOVES 5
#define MAX_REFS 3
#define SEARCH_DEPTH 1000

void why_name_commit(struct why_ctx *c, const struct oid *oid, struct why_commit *ret)
{
	_cleanup_err_ struct err ignored = { 0 };
	struct commit_info info;

	free(ret->subject);
	ret->subject = NULL;
	ret->oid = *oid;
	if (repo_commit(c->r, oid, &info, &ignored) < 0)
		return;
	ret->subject = take_ptr(info.subject);
	commit_info_release(&info);
}

static void read_blob(struct repo *r, const struct oid *oid, struct buf *ret)
{
	_cleanup_blob_ git_blob *blob = NULL;
	git_oid id;

	buf_clear(ret);
	if (!oid_is_none(oid) && oid_to_git(oid, &id) &&
	    git_blob_lookup(&blob, r->git, &id) == 0)
		buf_add(ret, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
}

int why_read(struct repo *r, const struct oid *tree, const char *path, struct buf *ret,
	     struct oid *ret_blob, struct err *e)
{
	_cleanup_entry_ git_tree_entry *entry = NULL;
	_cleanup_tree_ git_tree *t = NULL;
	git_oid id;
	int rc = oid_to_git(tree, &id) ? git_tree_lookup(&t, r->git, &id) : -1;

	if (rc == 0)
		rc = git_tree_entry_bypath(&entry, t, path);
	if (rc == GIT_ENOTFOUND && t)
		return 0;
	if (rc < 0)
		return git_fail(e, ERR_IO, "cannot read '%s'", path);
	if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB)
		return 0;
	*ret_blob = oid_from_git(git_tree_entry_id(entry));
	read_blob(r, ret_blob, ret);
	return 1;
}

/* A file before and after a commit. */
struct step {
	const struct path_change *c;
	struct buf before, after;
};

static void settle(struct why_ctx *c, struct why_hunk *h, const struct step *s)
{
	why_name_commit(c, &s->c->commit, &h->commit);
	h->certain = true;
}

/* What the step says of one hunk that is still open. */
static void weigh(struct why_ctx *c, const struct hunk *hunk, struct why_hunk *h,
		  const struct step *s)
{
	bool applied = h->kind == WHY_APPLIED;

	if (why_fits(hunk, &s->before, false) && !why_fits(hunk, &s->after, false)) {
		settle(c, h, s);
		return;
	}
	if (applied && why_fits(hunk, &s->after, true) &&
	    !why_fits(hunk, &s->before, true)) {
		settle(c, h, s);
		return;
	}
	/* Less certain: the newest commit that changed one of the differing lines. */
	for (size_t i = 0; i < h->nr_differs && oid_is_none(&h->commit.oid); i++) {
		const struct why_line *l = &h->differs[i];

		if ((l->want && why_has_line(&s->before, l->want) &&
		     !why_has_line(&s->after, l->want)) ||
		    (l->have && !why_has_line(&s->before, l->have) &&
		     why_has_line(&s->after, l->have)))
			why_name_commit(c, &s->c->commit, &h->commit);
	}
}

/* A patch of the same series that went in before may be what changed the lines. */
static int by_own_patch(struct why_ctx *c, const struct file_diff *f, size_t first,
			struct err *e)
{
	const struct apply_result *a = c->q->result;
	_cleanup_(commit_info_release) struct commit_info base = { 0 };
	struct oid before;

	if (repo_commit(c->r, &c->onto, &base, e) < 0)
		return -(int)e->code;
	before = base.tree;
	for (size_t i = 0; i < a->nr; i++) {
		_cleanup_buf_ struct buf x = BUF_INIT, y = BUF_INIT;
		struct oid bx = { 0 }, by = { 0 };
		int rx = why_read(c->r, &before, f->old_name, &x, &bx, e);
		int ry = rx < 0 ? rx
				: why_read(c->r, &a->commits[i].tree, f->old_name, &y,
					   &by, e);

		if (rx < 0 || ry < 0)
			return -(int)e->code;
		before = a->commits[i].tree;
		for (size_t k = first; k < c->ret->nr_hunks && !oid_equal(&bx, &by);
		     k++) {
			struct why_hunk *h = &c->ret->hunks[k];
			const struct hunk *hunk = &f->hunks[h->hunk - 1];

			if (why_fits(hunk, &x, false) && !why_fits(hunk, &y, false))
				h->own_patch = c->q->series->patches[i].number;
		}
	}
	return 0;
}

static bool all_settled(const struct why_ctx *c, size_t first)
{
	for (size_t i = first; i < c->ret->nr_hunks; i++)
		if (!c->ret->hunks[i].certain && !c->ret->hunks[i].own_patch)
			return false;
	return true;
}

static int open_log(struct why_ctx *c, const char *path, struct path_log **ret,
		    struct err *e)
{
	struct path_log_limit limit = { WHY_COMMITS, c->deadline_ms };

	return path_log_open(c->r, &c->onto, path, &limit, ret, e);
}

int why_since(struct why_ctx *c, const struct file_diff *f, size_t first, struct err *e)
{
	_cleanup_path_log_ struct path_log *log = NULL;
	struct path_change change;
	int rc = 1;

	if (by_own_patch(c, f, first, e) < 0 || open_log(c, f->old_name, &log, e) < 0)
		return -(int)e->code;
	for (int i = 0; i < MAX_CHANGES && !all_settled(c, first); i++) {
		struct step s = { .c = &change };

		rc = path_log_next(log, &change, e);
		if (rc <= 0)
			break;
		read_blob(c->r, &change.before, &s.before);
		read_blob(c->r, &change.after, &s.after);
		for (size_t k = first; k < c->ret->nr_hunks; k++) {
			struct why_hunk *h = &c->ret->hunks[k];

			if (!h->certain && !h->own_patch)
				weigh(c, &f->hunks[h->hunk - 1], h, &s);
		}
		buf_release(&s.before);
		buf_release(&s.after);
	}
	return rc < 0 ? rc : 0;
}

/* The commit that took the file away or made it. */
static int find_edge(struct why_ctx *c, const char *path, bool made, struct oid *ret,
		     struct err *e)
{
	_cleanup_path_log_ struct path_log *log = NULL;
	struct path_change change;
	int rc;

	if (open_log(c, path, &log, e) < 0)
		return -(int)e->code;
	for (int i = 0; i < MAX_CHANGES; i++) {
		rc = path_log_next(log, &change, e);
		if (rc <= 0)
			return rc;
		if (made ? oid_is_none(&change.before) && !oid_is_none(&change.after)
			 : !oid_is_none(&change.before) && oid_is_none(&change.after)) {
			*ret = change.commit;
			return 1;
		}
	}
	return 0;
}

static bool all_fit(const struct file_diff *f, const struct buf *text)
{
	for (size_t i = 0; i < f->nr_hunks; i++)
		if (!why_fits(&f->hunks[i], text, false))
			return false;
	return f->nr_hunks > 0;
}

/* Follow renames up to a name the tree has. */
static int follow(struct why_ctx *c, const struct file_diff *f, struct why_file *ret,
		  struct err *e)
{
	_cleanup_free_ char *path = xstrdup(f->old_name);

	for (int i = 0; i < MAX_MOVES; i++) {
		_cleanup_buf_ struct buf text = BUF_INIT;
		struct commit_move move;
		struct oid by, blob;
		int rc = find_edge(c, path, false, &by, e);

		if (rc <= 0)
			return rc;
		if (i == 0)
			why_name_commit(c, &by, &ret->commit);
		if (commit_moved(c->r, &by, path, &move, e) < 0)
			return -(int)e->code;
		if (!move.to)
			return 0;
		free(path);
		path = move.to;
		rc = why_read(c->r, &c->tree, path, &text, &blob, e);
		if (rc < 0)
			return rc;
		free(ret->moved_to);
		ret->moved_to = xstrdup(path);
		if (rc) {
			ret->fits_there = all_fit(f, &text);
			return 0;
		}
	}
	return 0;
}

int why_file_history(struct why_ctx *c, const struct file_diff *f, struct why_file *ret,
		     struct err *e)
{
	struct oid by;
	int rc;

	if (ret->missing)
		return follow(c, f, ret, e);
	rc = find_edge(c, f->new_name, true, &by, e);
	if (rc == 1)
		why_name_commit(c, &by, &ret->commit);
	return rc < 0 ? rc : 0;
}

static bool odb_has(struct repo *r, const char *id)
{
	_cleanup_odb_ git_odb *odb = NULL;
	git_oid prefix, full;
	size_t n = strlen(id);
	int rc;

	if (git_repository_odb(&odb, r->git) < 0 || git_oid_fromstrn(&prefix, id, n) < 0)
		return false;
	rc = git_odb_exists_prefix(&full, odb, &prefix, n);
	return rc == 0 || rc == GIT_EAMBIGUOUS;
}

/* The newest commit of a line that has the file so: 1, 0 when none does. */
static int find_on_line(struct why_ctx *c, struct base_index *ix, const struct oid *tip,
			const struct base_files *files, struct oid *ret, struct err *e)
{
	_cleanup_(base_line_release) struct base_line line = { 0 };
	struct base_want want = { .tip = tip, .depth = SEARCH_DEPTH };
	struct base_stretches found = { 0 };
	int rc = base_index_line(ix, &want, &line, NULL, e);

	if (rc == 0)
		rc = base_search(c->r, ix, &line, files, &found, e);
	for (size_t i = 0; rc == 0 && i < found.nr; i++)
		if (found.v[i].matches)
			rc = base_index_commit(ix, &line, found.v[i].distance, ret, NULL,
					       e) < 0
				     ? -1
				     : 1;
	free(found.v);
	return rc;
}

/* The branches and tags that had the blob at that path. */
static int find_blob(struct why_ctx *c, const struct file_diff *f, struct why_file *ret,
		     struct err *e)
{
	_cleanup_(base_refs_release) struct base_refs refs = { 0 };
	_cleanup_base_index_ struct base_index *ix = NULL;
	struct base_file file = { .path = f->old_name };
	struct base_files files = { &file, 1, 1 };

	memcpy(file.id, f->old_id, strlen(f->old_id) + 1);
	history_blob_range(file.id, strlen(file.id), &file.lo, &file.hi);
	if (base_index_open(c->r, &ix, e) < 0 || base_refs_list(c->r, NULL, &refs, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < refs.nr && ret->blob_refs.nr < MAX_REFS; i++) {
		struct oid commit;
		int rc = find_on_line(c, ix, &refs.v[i].tip, &files, &commit, e);

		if (rc < 0)
			return rc;
		if (rc && !ret->blob_refs.nr)
			why_name_commit(c, &commit, &ret->blob_commit);
		if (rc)
			strv_add(&ret->blob_refs, refs.v[i].name);
	}
	return 0;
}

int why_blob(struct why_ctx *c, const struct file_diff *f, const struct oid *have,
	     struct why_file *ret, struct err *e)
{
	_cleanup_err_ struct err ignored = { 0 };
	size_t n = strlen(f->old_id);

	(void)e;
	if (!n || strspn(f->old_id, "0") == n)
		return 0;
	memcpy(ret->id, f->old_id, n + 1);
	ret->blob = WHY_BLOB_SAME;
	if (!strncmp(have->hex, f->old_id, n))
		return 0;
	ret->blob = odb_has(c->r, f->old_id) ? WHY_BLOB_KNOWN : WHY_BLOB_UNKNOWN;
	/* The index is a cache: without it the rest of the explanation stands. */
	if (ret->blob == WHY_BLOB_KNOWN && find_blob(c, f, ret, &ignored) < 0)
		return 0;
	return 0;
}
