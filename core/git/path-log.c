// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/path-log.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/git/git-free.h"
#include "core/git/repo-internal.h"

/* A commit whose file is known but whose parents are still to be looked at. */
struct edge {
	git_oid id, blob; /* blob zero = no such file */
	int64_t time;
};

struct path_log {
	struct repo *r;
	char *path;
	struct path_log_limit limit;
	struct edge *v; /* sorted by time, the newest last */
	size_t nr, looked;
};

static int blob_of(struct path_log *l, git_commit *c, git_oid *ret)
{
	_cleanup_entry_ git_tree_entry *entry = NULL;
	_cleanup_tree_ git_tree *tree = NULL;
	int rc = git_commit_tree(&tree, c);

	memset(ret, 0, sizeof(*ret));
	if (rc == 0)
		rc = git_tree_entry_bypath(&entry, tree, l->path);
	if (rc == 0 && git_tree_entry_type(entry) == GIT_OBJECT_BLOB)
		git_oid_cpy(ret, git_tree_entry_id(entry));
	/* A tree that is missing reads as no file too; a commit was not. */
	return rc == GIT_ENOTFOUND && tree ? 0 : rc;
}

static void push(struct path_log *l, const git_oid *id, const git_oid *blob, int64_t time)
{
	size_t at = l->nr;

	for (size_t i = 0; i < l->nr; i++)
		if (git_oid_equal(&l->v[i].id, id))
			return;
	(void)array_push(l->v, l->nr);
	while (at > 0 && l->v[at - 1].time > time)
		at--;
	memmove(l->v + at + 1, l->v + at, (l->nr - 1 - at) * sizeof(*l->v));
	git_oid_cpy(&l->v[at].id, id);
	git_oid_cpy(&l->v[at].blob, blob);
	l->v[at].time = time;
}

int path_log_open(struct repo *r, const struct oid *from, const char *path,
		  const struct path_log_limit *limit, struct path_log **ret,
		  struct err *e)
{
	_cleanup_path_log_ struct path_log *l = xzalloc(sizeof(*l));
	_cleanup_commit_ git_commit *c = NULL;
	git_oid id, blob;

	l->r = r;
	l->path = xstrdup(path);
	l->limit = *limit;
	if (!oid_to_git(from, &id) || git_commit_lookup(&c, r->git, &id) < 0 ||
	    blob_of(l, c, &blob) < 0)
		return git_fail(e, ERR_UNKNOWN_REV, "cannot read commit '%.12s'",
				from->hex);
	push(l, &id, &blob, git_commit_time(c));
	*ret = take_ptr(l);
	return 0;
}

void path_log_free(struct path_log *l)
{
	if (!l)
		return;
	free(l->path);
	free(l->v);
	free(l);
}

static struct oid id_of(const git_oid *id)
{
	return git_oid_is_zero(id) ? (struct oid){ 0 } : oid_from_git(id);
}

/* Parents of the commit that are there; the first one that has the file alike is alone. */
static int step(struct path_log *l, const struct edge *at, struct path_change *ret)
{
	_cleanup_commit_ git_commit *c = NULL;
	git_oid parents[16], blobs[16];
	int64_t times[16];
	unsigned int nr = 0;
	int rc = git_commit_lookup(&c, l->r->git, &at->id);

	if (rc < 0)
		return rc;
	for (unsigned int i = 0; i < git_commit_parentcount(c) && nr < 16; i++) {
		_cleanup_commit_ git_commit *parent = NULL;

		if (git_commit_parent(&parent, c, i) < 0 ||
		    blob_of(l, parent, &blobs[nr]) < 0)
			continue;
		git_oid_cpy(&parents[nr], git_commit_id(parent));
		times[nr] = git_commit_time(parent);
		if (git_oid_equal(&blobs[nr], &at->blob)) {
			push(l, &parents[nr], &blobs[nr], times[nr]);
			return 0;
		}
		nr++;
	}
	for (unsigned int i = 0; i < nr; i++)
		push(l, &parents[i], &blobs[i], times[i]);
	/* Behind the end of a shallow clone nobody knows who made the file. */
	if (!nr && (git_commit_parentcount(c) || git_oid_is_zero(&at->blob)))
		return 0;
	*ret = (struct path_change){ .commit = id_of(&at->id),
				     .after = id_of(&at->blob) };
	if (nr) {
		ret->parent = id_of(&parents[0]);
		ret->before = id_of(&blobs[0]);
	}
	return 1;
}

int path_log_next(struct path_log *l, struct path_change *ret, struct err *e)
{
	while (l->nr) {
		struct edge at = l->v[--l->nr];
		int rc;

		if (l->looked++ >= l->limit.commits ||
		    (l->limit.deadline_ms && !clock_left(l->limit.deadline_ms)))
			return 0;
		rc = step(l, &at, ret);
		if (rc < 0)
			return git_fail(e, ERR_IO, "cannot walk the history of '%s'",
					l->path);
		if (rc)
			return 1;
	}
	return 0;
}
