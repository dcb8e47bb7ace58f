// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stable/branches.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/git/base-hint.h"
#include "core/git/base-refs.h"
#include "core/stable/version.h"

/* Branches that an error names. */
#define MAX_NAMED 8

/* Names under which people have mainline, the plainest last. */
static const char *const mainlines[] = { "mainline/master", "torvalds/master",
					 "linus/master",    "upstream/master",
					 "origin/master",   "mainline",
					 "master",	    "main" };

static bool resolves(struct repo *r, const char *rev)
{
	_cleanup_err_ struct err ignored = { 0 };
	struct oid oid;

	return repo_resolve(r, rev, &oid, &ignored) == 0;
}

void mainline_release(struct mainline *m)
{
	repo_free(m->other);
	free(m->rev);
	*m = (struct mainline){ 0 };
}

int mainline_missing(struct repo *r, struct err *e)
{
	err_set(e, ERR_UNKNOWN_REV, "no branch of the repository '%s' is mainline",
		repo_common_dir(r));
	return err_hint(e, "name it with --mainline REV, or DIR of another repository");
}

static char *usual_name(struct repo *r)
{
	for (size_t i = 0; i < ARRAY_SIZE(mainlines); i++)
		if (resolves(r, mainlines[i]))
			return xstrdup(mainlines[i]);
	return NULL;
}

static int open_other(const char *dir, struct mainline *ret, struct err *e)
{
	_cleanup_mainline_ struct mainline m = { 0 };

	if (repo_open(dir, &m.other, e) < 0)
		return err_hint(e, "--mainline takes a revision or a repository");
	m.rev = usual_name(m.other);
	if (!m.rev)
		return mainline_missing(m.other, e);
	*ret = m;
	m = (struct mainline){ 0 };
	return 0;
}

int mainline_find(struct repo *r, const char *given, struct mainline *ret, struct err *e)
{
	struct oid oid;

	if (given && !resolves(r, given) && fs_is_dir(given))
		return open_other(given, ret, e);
	if (given && repo_resolve(r, given, &oid, e) < 0)
		return err_hint(e, "name mainline with --mainline REV or DIR");
	*ret = (struct mainline){ .rev = given ? xstrdup(given) : usual_name(r) };
	return 0;
}

static int by_number(const void *a, const void *b)
{
	return version_compare(*(char *const *)a, *(char *const *)b);
}

int branches_active(struct repo *r, struct strv *ret, struct err *e)
{
	struct base_refs refs = { 0 };
	int64_t newest = INT64_MIN;

	if (base_refs_list(r, "linux-*.y,*/linux-*.y", &refs, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < refs.nr; i++)
		newest = refs.v[i].time > newest ? refs.v[i].time : newest;
	for (size_t i = 0; i < refs.nr; i++) {
		_cleanup_free_ char *version = version_in(refs.v[i].name);

		if (version && refs.v[i].time >= newest - BRANCHES_ENDED &&
		    !strv_has(ret, version))
			strv_add(ret, version);
	}
	base_refs_release(&refs);
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_number);
	return 0;
}

static bool is_rc_tree(const struct base_ref *ref)
{
	return ref->remote && strstr(ref->remote, "-rc");
}

static int by_version(const void *va, const void *vb)
{
	const char *a = *(char *const *)va, *b = *(char *const *)vb;
	const char *sa = strrchr(a, '/'), *sb = strrchr(b, '/');
	struct version x = { 0 }, y = { 0 };
	int d;

	(void)(version_parse(sa ? sa + 1 : a, &x) && version_parse(sb ? sb + 1 : b, &y));
	d = version_cmp(&x, &y, 3);
	return d ? d : strcmp(a, b);
}

/* "linux-5.4.y, linux-5.10.y": those there are, in the order of their versions. */
static char *known(const struct base_refs *refs)
{
	_cleanup_strv_ struct strv v = STRV_INIT;

	for (size_t i = 0; i < refs->nr; i++)
		strv_add(&v, refs->v[i].name);
	if (!v.nr)
		return xstrdup("there is none of any version");
	qsort(v.v, v.nr, sizeof(*v.v), by_version);
	while (v.nr > MAX_NAMED) {
		free(v.v[--v.nr]);
		v.v[v.nr] = NULL;
	}
	return strv_join(&v, ", ");
}

static int not_there(struct repo *r, const char *version, struct err *e)
{
	_cleanup_free_ char *names = NULL;
	_cleanup_err_ struct err ignored = { 0 };
	struct base_refs refs = { 0 };

	if (base_refs_list(r, "linux-*.y,*/linux-*.y", &refs, &ignored) < 0)
		refs = (struct base_refs){ 0 };
	names = known(&refs);
	base_refs_release(&refs);
	err_set(e, ERR_UNKNOWN_REV, "the repository has no branch linux-%s.y: %s",
		version, names);
	return err_hint(e, "fetch it, or name the tree with --onto REV");
}

int branches_stable(struct repo *r, const char *version, const char *given, char **ret,
		    struct err *e)
{
	_cleanup_free_ char *own = xasprintf("linux-%s.y", version);
	_cleanup_free_ char *patterns =
		xasprintf("linux-%s.y,*/linux-%s.y", version, version);
	const struct base_ref *best = NULL;
	struct base_refs refs = { 0 };
	struct oid oid;

	if (given && repo_resolve(r, given, &oid, e) < 0)
		return -(int)e->code;
	if (given || resolves(r, own)) {
		*ret = xstrdup(given ? given : own);
		return 0;
	}
	if (base_refs_list(r, patterns, &refs, e) < 0)
		return -(int)e->code;
	/* The newest comes first. */
	for (size_t i = 0; i < refs.nr; i++)
		if (!best || (is_rc_tree(best) && !is_rc_tree(&refs.v[i])))
			best = &refs.v[i];
	if (best)
		*ret = xstrdup(best->name);
	base_refs_release(&refs);
	return best ? 0 : not_there(r, version, e);
}
