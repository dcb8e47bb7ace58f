// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/prior.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/touched.h"

#define WEIGHT_KVM 20
#define WEIGHT_AWAY 0.05
#define WEIGHT_MERGE 0.3

/* A merge or a tree-wide change may touch very many; so many tell enough. */
#define MAX_PATHS 4096
#define MAX_POINTS 20000

static const char *const away[] = {
	"Documentation/*",
	"tools/*",
	"samples/*",
	"MAINTAINERS",
	"CREDITS",
	"LICENSES/*",
	".mailmap",
	".get_maintainer.ignore",
	NULL,
};

static bool matches(const char *path, const char *const *pattern)
{
	for (; pattern && *pattern; pattern++)
		if (!fnmatch(*pattern, path, 0))
			return true;
	return false;
}

static bool is_one_away(const struct arch *a, const char *path)
{
	return matches(path, away) || (!strncmp(path, "arch/", 5) &&
				       arch_of_path(path) != a && strchr(path + 5, '/'));
}

bool prior_is_away(const struct arch *a, const struct strv *paths)
{
	for (size_t i = 0; i < paths->nr; i++)
		if (!is_one_away(a, paths->v[i]))
			return false;
	return paths->nr;
}

double prior_weight(const struct arch *a, const struct strv *paths, bool merge)
{
	double weight = prior_is_away(a, paths) ? WEIGHT_AWAY : 1;

	for (size_t i = 0; i < paths->nr; i++)
		if (matches(paths->v[i], a->hot_paths))
			weight = WEIGHT_KVM;
	return merge ? weight * WEIGHT_MERGE : weight;
}

static int weigh(const struct arch *a, struct repo *r, const struct oid *commit,
		 double *ret, struct err *e)
{
	_cleanup_strv_ struct strv paths = STRV_INIT;
	struct commit_info info = { 0 };

	if (repo_commit(r, commit, &info, e) < 0)
		return -(int)e->code;
	if (repo_touched(r, commit, MAX_PATHS, &paths, e) < 0) {
		commit_info_release(&info);
		return -(int)e->code;
	}
	*ret = prior_weight(a, &paths, info.nr_parents > 1);
	commit_info_release(&info);
	return 0;
}

int prior_from_paths(const struct arch *a, struct repo *r, struct space *s, struct err *e)
{
	_cleanup_free_ double *weight = NULL;

	if (s->nr > MAX_POINTS)
		return 0;
	weight = xcalloc(s->nr, sizeof(*weight));
	for (size_t i = 0; i < s->nr; i++)
		if (weigh(a, r, &s->v[i].commit, &weight[i], e) < 0)
			return -(int)e->code;
	free(s->weight);
	s->weight = take_ptr(weight);
	return 0;
}
