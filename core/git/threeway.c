// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/threeway.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/git/diff-internal.h"
#include "core/git/objects.h"
#include "core/git/tree-edit.h"

/* No real patch that needs merging names more files; time grows with the square. */
#define MAX_FILES 10000

/* Files of the ancestor as they are found, and what is not. */
struct ancestor {
	struct repo *r;
	const struct oid *ours;
	struct tree_change *v;
	size_t nr;
	struct buf missing;
	size_t nr_missing;
	char *first; /* path of the first one */
	struct err *e;
};

/* The blob an index line names, maybe by the first digits: 1, or 0 when there is none. */
static int find_blob(struct ancestor *a, const char *prefix, struct oid *ret)
{
	size_t n = strlen(prefix);
	git_oid shortened, id;
	git_odb *odb;
	bool found;
	size_t size;
	git_object_t type;

	if (n < GIT_OID_MINPREFIXLEN || n > 40 || !parse_is_hex(prefix, n) ||
	    git_oid_fromstrn(&shortened, prefix, n) < 0 ||
	    git_repository_odb(&odb, a->r->git) < 0)
		return 0;
	found = git_odb_exists_prefix(&id, odb, &shortened, n) == 0 &&
		git_odb_read_header(&size, &type, odb, &id) == 0 &&
		type == GIT_OBJECT_BLOB;
	git_odb_free(odb);
	if (found)
		*ret = oid_from_git(&id);
	return found;
}

/* The commit a submodule's diff starts from: its one hunk tells, else the full id. */
static bool find_gitlink(const struct file_diff *f, struct oid *ret)
{
	static const char word[] = "-Subproject commit ";
	size_t k = sizeof(word) - 1, n = strlen(f->old_id);
	const struct hunk *h = f->hunks;
	const char *id = f->old_id;

	if (f->nr_hunks == 1 && h->old_pos == 1 && h->old_nr == 1 && h->len > k + 40 &&
	    !memcmp(h->body, word, k) && h->body[k + 40] == '\n' &&
	    !strncmp(h->body + k, f->old_id, n))
		id = h->body + k;
	else if (n != 40)
		return false;
	if (!parse_is_hex(id, 40))
		return false;
	memcpy(ret->hex, id, 40);
	ret->hex[40] = '\0';
	return true;
}

static void note_missing(struct ancestor *a, const struct file_diff *f, const char *name)
{
	if (!a->nr_missing++)
		a->first = xstrdup(name);
	buf_addf(&a->missing, "%s'%s' (%s)", a->missing.len ? ", " : "", name,
		 *f->old_id ? f->old_id : "no index line");
}

/* 1 = found, 0 = missing and noted, negative on error. */
static int find_file(struct ancestor *a, const struct file_diff *f, const char *name,
		     struct oid *ret)
{
	unsigned int mode;
	int r;

	if ((f->old_mode & MODE_TYPE) == MODE_GITLINK) {
		if (find_gitlink(f, ret))
			return 1;
	} else if (find_blob(a, f->old_id, ret)) {
		return 1;
	} else if (!f->nr_hunks && !f->is_binary && !*f->old_id) {
		/* Only names or modes change: whatever contents we have will do. */
		r = tree_lookup(a->r, a->ours, name, &mode, ret, a->e);
		if (r < 0 || (r && mode != MODE_TREE))
			return r;
	}
	note_missing(a, f, name);
	return 0;
}

static unsigned int index_mode(unsigned int mode)
{
	if ((mode & MODE_TYPE) == MODE_LINK || (mode & MODE_TYPE) == MODE_GITLINK)
		return mode & MODE_TYPE;
	return mode & 0100 ? MODE_FILE | 0755 : MODE_FILE | 0644;
}

/* Two diffs of one file: the later one's blob counts. */
static struct tree_change *change_of(struct ancestor *a, const char *name)
{
	for (size_t i = 0; i < a->nr; i++)
		if (!strcmp(a->v[i].path, name))
			return &a->v[i];
	return array_push(a->v, a->nr);
}

static int collect(struct ancestor *a, const struct diff *d)
{
	for (size_t i = 0; i < d->nr; i++) {
		const struct file_diff *f = &d->files[i];
		const char *name = f->old_name ? f->old_name : f->new_name;
		struct oid oid;
		int r;

		if (f->is_new > 0)
			continue;
		r = find_file(a, f, name, &oid);
		if (r < 0)
			return r;
		if (r)
			*change_of(a, name) =
				(struct tree_change){ name, true, index_mode(f->old_mode),
						      oid };
	}
	return 0;
}

static int missing(struct ancestor *a, struct file_failure *failure)
{
	file_failure_release(failure);
	failure->path = xstrdup(a->first);
	failure->reason = xasprintf("cannot merge: the repository lacks %s the patch was "
				    "made on: %s",
				    a->nr_missing > 1 ? "the blobs" : "the blob",
				    buf_str(&a->missing));
	failure->hint = xstrdup("fetch the tree the series is based on, or name a commit "
				"it applies to with --onto");
	err_set(a->e, ERR_NO_BLOB, "%s", failure->reason);
	return err_hint(a->e, "%s", failure->hint);
}

static int build(struct ancestor *a, const struct diff *d, struct oid *ret,
		 struct file_failure *failure)
{
	_cleanup_free_ char *path = NULL;

	if (collect(a, d) < 0)
		return -(int)a->e->code;
	if (a->nr_missing)
		return missing(a, failure);
	return tree_edit(a->r, NULL, a->v, a->nr, ret, &path, a->e);
}

static int build_ancestor(struct repo *r, const struct diff *d, const struct oid *ours,
			  struct oid *ret, struct file_failure *failure, struct err *e)
{
	struct ancestor a = { .r = r, .ours = ours, .e = e };
	int rc = build(&a, d, ret, failure);

	free(a.v);
	free(a.first);
	buf_release(&a.missing);
	return rc;
}

static int conflicting(const struct conflicts *c, struct file_failure *failure,
		       struct err *e)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	for (size_t i = 0; i < c->nr; i++)
		buf_addf(&text, "%s'%s' (%s)", i ? ", " : "", c->v[i].path, c->v[i].kind);
	file_failure_release(failure);
	failure->path = xstrdup(c->v[0].path);
	failure->reason = xasprintf("the merge has conflicts: %s", buf_str(&text));
	return err_set(e, ERR_CONFLICT, "%s", failure->reason);
}

int threeway_apply(struct repo *r, const struct diff *d, const struct threeway *in,
		   struct oid *ret, struct conflicts *conflicts,
		   struct file_failure *failure, struct err *e)
{
	struct merge_input m = { .ours = in->tree, .their_name = in->subject };
	struct patch_opts o = { .rules = in->rules };
	enum apply_method ignored;

	if (d->nr > MAX_FILES)
		return err_set(e, ERR_TOO_BIG,
			       "the patch has more than %d files to merge", MAX_FILES);
	if (build_ancestor(r, d, &in->tree, &m.base, failure, e) < 0)
		return -(int)e->code;
	if (patch_apply(r, d, &m.base, &o, &m.theirs, &ignored, failure, e) < 0)
		return err_wrap(e, "the patch does not apply to the blobs of its index "
				   "lines");
	if (merge_trees(r, &m, ret, conflicts, e) < 0)
		return -(int)e->code;
	return conflicts->nr ? conflicting(conflicts, failure, e) : 0;
}
