// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/commit-walk.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/stop.h"
#include "core/git/git-free.h"
#include "core/git/repo-internal.h"

/* Of the file that lists the cuts; a line of 41 bytes each. */
#define MAX_SHALLOW (64 << 20)

void commit_text_release(struct commit_text *c)
{
	free(c->parents);
	free(c->subject);
	free(c->author);
	free(c->message);
	*c = (struct commit_text){ 0 };
}

/* 1 and the commit, 0 when it is not there. */
static int look_up(struct repo *r, const struct oid *oid, git_commit **ret, struct err *e)
{
	git_oid id;
	int rc = oid_to_git(oid, &id) ? git_commit_lookup(ret, r->git, &id)
				      : GIT_ENOTFOUND;

	if (rc == GIT_ENOTFOUND)
		return 0;
	return rc < 0 ? git_fail(e, ERR_IO, "cannot read commit '%.12s'", oid->hex) : 1;
}

int commit_text_read(struct repo *r, const struct oid *oid, struct commit_text *ret,
		     struct err *e)
{
	_cleanup_commit_ git_commit *c = NULL;
	const git_signature *author;
	const char *subject;
	int rc = look_up(r, oid, &c, e);

	if (rc <= 0)
		return rc;
	author = git_commit_author(c);
	subject = git_commit_summary(c);
	*ret = (struct commit_text){
		.oid = *oid,
		.nr_parents = git_commit_parentcount(c),
		.subject = xstrdup(subject ? subject : ""),
		.author = xasprintf("%s <%s>", author->name, author->email),
		.message = xstrdup(git_commit_message(c)),
		.authored = author->when.time,
		.date = git_commit_time(c),
	};
	ret->parents = xcalloc(ret->nr_parents, sizeof(*ret->parents));
	for (size_t i = 0; i < ret->nr_parents; i++)
		ret->parents[i] = oid_from_git(git_commit_parent_id(c, (unsigned int)i));
	return 1;
}

int commit_line(struct repo *r, const struct oid *tip, const struct commit_stop *stop,
		struct oid **ret, size_t *ret_nr, struct oid *ret_end, struct err *e)
{
	_cleanup_free_ struct oid *v = NULL;
	struct oid at = *tip;
	size_t nr = 0;

	for (;;) {
		_cleanup_commit_ git_commit *c = NULL;
		int rc = stop->stop(stop->ctx, &at, e);

		if (rc == 0)
			rc = look_up(r, &at, &c, e);
		else if (rc > 0)
			break;
		if (rc < 0 || (nr % 4096 == 0 && stop_check(e) < 0))
			return -(int)e->code;
		if (rc > 0)
			*array_push(v, nr) = at;
		if (rc == 0 || !git_commit_parentcount(c)) {
			at = (struct oid){ 0 };
			break;
		}
		at = oid_from_git(git_commit_parent_id(c, 0));
	}
	*ret = take_ptr(v);
	*ret_nr = nr;
	*ret_end = at;
	return 0;
}

struct stack {
	struct oid *v;
	size_t nr;
};

static void stack_release(struct stack *s)
{
	free(s->v);
}

/* One commit that is not the tip: look at it, and put its parents on the stack. */
static int visit(struct repo *r, const struct commit_walk *w, const struct oid *oid,
		 struct stack *s, struct err *e)
{
	_cleanup_commit_text_ struct commit_text c = { 0 };
	int rc = w->stop.stop(w->stop.ctx, oid, e);

	if (rc)
		return rc < 0 ? rc : 0;
	rc = commit_text_read(r, oid, &c, e);
	if (rc == 0)
		w->missing(w->stop.ctx, oid);
	if (rc <= 0)
		return rc;
	for (size_t i = c.nr_parents; i-- > 0;)
		*array_push(s->v, s->nr) = c.parents[i];
	return w->found(w->stop.ctx, &c, e);
}

int commit_walk(struct repo *r, const struct oid *tip, const struct commit_walk *w,
		struct err *e)
{
	_cleanup_commit_text_ struct commit_text c = { 0 };
	_cleanup_(stack_release) struct stack s = { 0 };
	int rc = commit_text_read(r, tip, &c, e);

	if (rc == 0)
		w->missing(w->stop.ctx, tip);
	if (rc <= 0)
		return rc;
	for (size_t i = c.nr_parents; i-- > 0;)
		*array_push(s.v, s.nr) = c.parents[i];
	while (s.nr) {
		struct oid at = s.v[--s.nr];

		if (visit(r, w, &at, &s, e) < 0 || stop_check(e) < 0)
			return -(int)e->code;
	}
	return w->found(w->stop.ctx, &c, e);
}

int commit_is_ancestor(struct repo *r, const struct oid *a, const struct oid *b,
		       struct err *e)
{
	_cleanup_commit_ git_commit *ca = NULL, *cb = NULL;
	int rc;

	if (oid_equal(a, b))
		return 1;
	rc = look_up(r, a, &ca, e);
	if (rc > 0)
		rc = look_up(r, b, &cb, e);
	if (rc <= 0)
		return rc;
	rc = git_graph_descendant_of(r->git, git_commit_id(cb), git_commit_id(ca));
	return rc < 0 ? git_fail(e, ERR_IO, "cannot walk the history of '%.12s'", b->hex)
		      : rc;
}

void commit_shallow_digest(struct repo *r, struct oid *ret)
{
	_cleanup_free_ char *path = fs_path(r->common_dir, "shallow");
	_cleanup_err_ struct err ignored = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;

	*ret = (struct oid){ 0 };
	if (fs_exists(path) && fs_read(path, MAX_SHALLOW, &b, &ignored) == 0 && b.len)
		repo_digest(b.data, b.len, ret);
}
