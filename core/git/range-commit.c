// SPDX-License-Identifier: GPL-3.0-or-later
/* Commits as the texts range-diff compares. */
#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/path-quote.h"
#include "core/git/range-internal.h"
#include "core/git/repo-internal.h"

/* The diff of one commit while libgit2 walks it. */
struct text {
	struct buf b;
	size_t diff_at;
	struct range_file file;
};

static int on_file(const git_diff_delta *d, float progress, void *ctx)
{
	struct text *t = ctx;

	(void)progress;
	t->file = (struct range_file){
		.old_name = d->old_file.path,
		.new_name = d->new_file.path,
		.old_mode = d->old_file.mode,
		.new_mode = d->new_file.mode,
		.is_new = d->status == GIT_DELTA_ADDED,
		.is_delete = d->status == GIT_DELTA_DELETED,
		.is_rename = d->status == GIT_DELTA_RENAMED,
	};
	if (!t->diff_at)
		t->diff_at = t->b.len + 1; /* behind the blank line */
	range_file(&t->file, &t->b);
	return 0;
}

static int on_binary(const git_diff_delta *d, const git_diff_binary *binary, void *ctx)
{
	struct text *t = ctx;

	(void)d;
	(void)binary;
	buf_adds(&t->b, " Binary files ");
	path_quote(t->file.is_new ? "/dev/null" : t->file.old_name, &t->b);
	buf_adds(&t->b, " and ");
	path_quote(t->file.is_delete ? "/dev/null" : t->file.new_name, &t->b);
	buf_adds(&t->b, " differ\n");
	return 0;
}

static int on_hunk(const git_diff_delta *d, const git_diff_hunk *h, void *ctx)
{
	struct text *t = ctx;
	const char *end = h->header + h->header_len, *p;

	(void)d;
	while (end > h->header && end[-1] == '\n')
		end--;
	p = memmem(h->header + 2, (size_t)(end - h->header - 2), "@@", 2);
	p = p ? p + 2 : end;
	range_hunk(&t->file, p, (size_t)(end - p), &t->b);
	return 0;
}

static int on_line(const git_diff_delta *d, const git_diff_hunk *h,
		   const git_diff_line *l, void *ctx)
{
	struct text *t = ctx;
	const char *eol = memchr(l->content, '\n', l->content_len);

	(void)d;
	(void)h;
	if (l->origin == ' ' || l->origin == '+' || l->origin == '-')
		range_line(l->origin, l->content,
			   eol ? (size_t)(eol - l->content) : l->content_len, &t->b);
	else
		buf_adds(&t->b, " \\ No newline at end of file\n");
	return 0;
}

struct reader {
	struct repo *r;
	git_mailmap *mailmap;
	struct range *range;
};

static int commit_diff(git_repository *git, git_commit *c, git_diff **ret)
{
	git_diff_find_options find;
	git_diff_options o;
	git_tree *tree = NULL, *old = NULL;
	git_commit *parent = NULL;
	int rc = git_commit_tree(&tree, c);

	if (rc == 0 && git_commit_parentcount(c)) {
		rc = git_commit_parent(&parent, c, 0);
		if (rc == 0)
			rc = git_commit_tree(&old, parent);
	}
	git_diff_options_init(&o, GIT_DIFF_OPTIONS_VERSION);
	git_diff_find_options_init(&find, GIT_DIFF_FIND_OPTIONS_VERSION);
	o.flags = GIT_DIFF_INDENT_HEURISTIC;
	if (rc == 0)
		rc = git_diff_tree_to_tree(ret, git, old, tree, &o);
	find.flags = GIT_DIFF_FIND_RENAMES;
	if (rc == 0)
		rc = git_diff_find_similar(*ret, &find);
	git_commit_free(parent);
	git_tree_free(old);
	git_tree_free(tree);
	return rc;
}

static int add_head(struct reader *rd, git_commit *c, struct buf *b)
{
	git_signature *who = NULL;
	int rc = git_commit_author_with_mailmap(&who, c, rd->mailmap);

	if (rc == 0)
		range_head(who->name, who->email, git_commit_message(c), b);
	git_signature_free(who);
	return rc;
}

static int add_commit(struct reader *rd, git_commit *c)
{
	struct text t = { 0 };
	git_diff *diff = NULL;
	struct range_patch *p;
	int rc = add_head(rd, c, &t.b);

	if (rc == 0)
		rc = commit_diff(rd->r->git, c, &diff);
	if (rc == 0)
		rc = git_diff_foreach(diff, on_file, on_binary, on_hunk, on_line, &t);
	git_diff_free(diff);
	if (rc == 0) {
		p = range_add(rd->range, &t.b, t.diff_at);
		p->oid = oid_from_git(git_commit_id(c));
		p->subject = range_subject(git_commit_message(c));
	}
	buf_release(&t.b);
	return rc;
}

static int read_one(struct reader *rd, const struct oid *oid)
{
	git_commit *c = NULL;
	git_oid id;
	int rc = oid_to_git(oid, &id) ? git_commit_lookup(&c, rd->r->git, &id) : -1;

	if (rc == 0 && git_commit_parentcount(c) < 2)
		rc = add_commit(rd, c);
	git_commit_free(c);
	return rc;
}

int range_read(struct repo *r, const struct oid *base, const struct oid *head,
	       struct range *ret, struct err *e)
{
	_cleanup_free_ struct oid *v = NULL;
	_cleanup_range_ struct range range = { 0 };
	struct reader rd = { .r = r, .range = &range };
	size_t nr = 0;
	int rc;

	if (repo_range(r, base, head, false, &v, &nr, e) < 0)
		return -(int)e->code;
	if (nr > RANGE_MAX)
		return err_set(e, ERR_TOO_BIG, "'%.12s' to '%.12s' are %zu commits",
			       base->hex, head->hex, nr);
	rc = git_mailmap_from_repository(&rd.mailmap, r->git);
	for (size_t i = 0; rc == 0 && i < nr; i++)
		rc = read_one(&rd, &v[i]);
	git_mailmap_free(rd.mailmap);
	if (rc < 0)
		return git_fail(e, ERR_IO, "cannot read the commits up to '%.12s'",
				head->hex);
	*ret = range;
	range = (struct range){ 0 };
	return 0;
}
