// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/base-refs.h"

#include <fnmatch.h>
#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/git-free.h"
#include "core/git/repo-internal.h"

static void ref_release(struct base_ref *r)
{
	free(r->name);
	free(r->remote);
}

void base_refs_release(struct base_refs *v)
{
	for (size_t i = 0; i < v->nr; i++)
		ref_release(&v->v[i]);
	free(v->v);
	*v = (struct base_refs){ 0 };
}

/* Behind the prefix, or NULL. */
static const char *behind(const char *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(s, prefix, n) ? NULL : s + n;
}

/* Short name and kind; false for refs that are no branch and no tag. */
static bool classify(const char *full, struct base_ref *ret)
{
	const char *name;

	*ret = (struct base_ref){ .kind = BASE_REF_LOCAL };
	if ((name = behind(full, "refs/remotes/"))) {
		const char *slash = strchr(name, '/');

		ret->kind = BASE_REF_REMOTE;
		if (!slash || !strcmp(slash, "/HEAD"))
			return false;
		ret->remote = xstrndup(name, (size_t)(slash - name));
	} else if ((name = behind(full, "refs/tags/"))) {
		ret->kind = BASE_REF_TAG;
	} else if (!(name = behind(full, "refs/heads/"))) {
		return false;
	}
	ret->name = xstrdup(name);
	return true;
}

static bool matches(const char *patterns, const char *name, const char *full)
{
	_cleanup_free_ char *copy = xstrdup(patterns);
	char *at = copy, *one;

	while ((one = strsep(&at, ", ")))
		if (*one && (!fnmatch(one, name, 0) || !fnmatch(one, full, 0)))
			return true;
	return false;
}

static void add_ref(git_reference *ref, const char *patterns, struct base_refs *ret)
{
	const char *full = git_reference_name(ref);
	_cleanup_object_ git_object *commit = NULL;
	struct base_ref one;

	if (!classify(full, &one)) {
		ref_release(&one);
		return;
	}
	if ((patterns && !matches(patterns, one.name, full)) ||
	    git_reference_peel(&commit, ref, GIT_OBJECT_COMMIT) < 0) {
		ref_release(&one);
		return;
	}
	one.tip = oid_from_git(git_object_id(commit));
	one.time = git_commit_time((git_commit *)commit);
	*array_push(ret->v, ret->nr) = one;
}

static int add_head(struct repo *r, const char *patterns, struct base_refs *ret)
{
	_cleanup_reference_ git_reference *head = NULL;
	_cleanup_object_ git_object *commit = NULL;

	if ((patterns && !matches(patterns, "HEAD", "HEAD")) ||
	    git_repository_head(&head, r->git) < 0 ||
	    git_reference_peel(&commit, head, GIT_OBJECT_COMMIT) < 0)
		return 0;
	*array_push(ret->v, ret->nr) = (struct base_ref){
		.name = xstrdup("HEAD"),
		.kind = BASE_REF_HEAD,
		.tip = oid_from_git(git_object_id(commit)),
		.time = git_commit_time((git_commit *)commit),
	};
	return 0;
}

static int newest_first(const void *va, const void *vb)
{
	const struct base_ref *a = va, *b = vb;

	if ((a->kind == BASE_REF_HEAD) != (b->kind == BASE_REF_HEAD))
		return a->kind == BASE_REF_HEAD ? -1 : 1;
	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return a->kind != b->kind ? (int)a->kind - (int)b->kind
				  : strcmp(a->name, b->name);
}

/* Keep the newest of each kind. */
static void shorten(struct base_refs *v)
{
	size_t branches = 0, tags = 0, nr = 0;

	for (size_t i = 0; i < v->nr; i++) {
		bool tag = v->v[i].kind == BASE_REF_TAG;

		if (tag ? tags++ < BASE_MAX_TAGS : branches++ < BASE_MAX_BRANCHES) {
			v->v[nr++] = v->v[i];
		} else {
			v->left_out++;
			ref_release(&v->v[i]);
		}
	}
	v->nr = nr;
}

int base_refs_list(struct repo *r, const char *patterns, struct base_refs *ret,
		   struct err *e)
{
	_cleanup_(base_refs_release) struct base_refs v = { 0 };
	git_reference_iterator *it = NULL;
	git_reference *ref = NULL;
	int rc;

	rc = add_head(r, patterns, &v);
	if (rc == 0)
		rc = git_reference_iterator_new(&it, r->git);
	while (rc == 0 && (rc = git_reference_next(&ref, it)) == 0) {
		add_ref(ref, patterns, &v);
		git_reference_free(ref);
	}
	git_reference_iterator_free(it);
	if (rc != GIT_ITEROVER)
		return git_fail(e, ERR_IO, "cannot list the branches of '%s'",
				r->common_dir);
	if (v.nr)
		qsort(v.v, v.nr, sizeof(*v.v), newest_first);
	shorten(&v);
	*ret = v;
	v = (struct base_refs){ 0 };
	return 0;
}

/* Tips of all refs but ours, whatever they are; tags of trees have none. */
static int all_tips(struct repo *r, git_oid **ret, size_t *nr)
{
	git_reference_iterator *it = NULL;
	git_reference *ref = NULL;
	int rc = git_reference_iterator_new(&it, r->git);

	while (rc == 0 && (rc = git_reference_next(&ref, it)) == 0) {
		_cleanup_object_ git_object *commit = NULL;

		if (!behind(git_reference_name(ref), "refs/kiln/") &&
		    git_reference_peel(&commit, ref, GIT_OBJECT_COMMIT) == 0)
			git_oid_cpy(array_push(*ret, *nr), git_object_id(commit));
		git_reference_free(ref);
	}
	git_reference_iterator_free(it);
	return rc == GIT_ITEROVER ? 0 : rc;
}

int base_is_reachable(struct repo *r, const struct oid *commit, bool *ret, struct err *e)
{
	_cleanup_free_ git_oid *tips = NULL;
	git_oid id, head;
	size_t nr = 0;
	int rc = oid_to_git(commit, &id) ? all_tips(r, &tips, &nr) : -1;

	if (rc == 0 && git_reference_name_to_id(&head, r->git, "HEAD") == 0)
		git_oid_cpy(array_push(tips, nr), &head);
	for (size_t i = 0; rc == 0 && i < nr; i++) {
		if (git_oid_equal(&tips[i], &id)) {
			*ret = true;
			return 0;
		}
	}
	if (rc == 0)
		rc = nr ? git_graph_reachable_from_any(r->git, &id, tips, nr) : 0;
	if (rc == GIT_ENOTFOUND)
		rc = 0; /* the walk met the end of a shallow clone */
	if (rc < 0)
		return git_fail(e, ERR_IO, "cannot walk the history");
	*ret = rc == 1;
	return 0;
}

char *base_remote_url(struct repo *r, const char *remote)
{
	_cleanup_free_ char *key = xasprintf("remote.%s.url", remote);
	git_config *cfg = NULL;
	const char *url = NULL;
	char *copy;

	if (git_repository_config_snapshot(&cfg, r->git) < 0 ||
	    git_config_get_string(&url, cfg, key) < 0)
		url = NULL;
	copy = xstrdup(url);
	git_config_free(cfg);
	return copy;
}
