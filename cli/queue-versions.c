// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/queue-versions.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/git/base-refs.h"
#include "core/stable/branches.h"
#include "core/stable/version.h"
#include "mail/queue-files.h"

#define MAX_LIST (1 << 20)

static void add(struct strv *ret, const char *version)
{
	_cleanup_free_ char *branch = version_branch(version);

	if (!strv_has(ret, branch))
		strv_add(ret, branch);
}

/* All branches of versions from first to last; both are in it, branch or not. */
static int add_range(struct ctx *c, const char *first, const char *last, struct strv *ret,
		     struct err *e)
{
	struct base_refs refs = { 0 };

	add(ret, first);
	add(ret, last);
	if (base_refs_list(c->repo, "linux-*.y,*/linux-*.y", &refs, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < refs.nr; i++) {
		_cleanup_free_ char *version = version_in(refs.v[i].name);

		if (version && version_compare(version, first) > 0 &&
		    version_compare(version, last) < 0)
			add(ret, version);
	}
	base_refs_release(&refs);
	return 0;
}

/* One of "6.1.y", "stable-6.1", "5.10-6.1"; words without a version say nothing. */
static int add_word(struct ctx *c, const char *word, struct strv *ret, struct err *e)
{
	_cleanup_free_ char *first = version_in(word);
	const char *dash = first ? strchr(strstr(word, first), '-') : NULL;
	_cleanup_free_ char *last = dash ? version_in(dash) : NULL;

	if (last)
		return add_range(c, first, last, ret, e);
	if (first)
		add(ret, first);
	return 0;
}

static int by_version(const void *a, const void *b)
{
	return version_compare(*(char *const *)a, *(char *const *)b);
}

/* active_kernel_versions of a checkout, or its folders queue-X.Y. */
static int read_checkout(const char *dir, struct strv *ret, struct err *e)
{
	static const char *const lists[] = { "active_kernel_versions",
					     "scripts/active_kernel_versions" };
	_cleanup_strv_ struct strv names = STRV_INIT;
	_cleanup_buf_ struct buf text = BUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(lists) && !text.len; i++) {
		_cleanup_free_ char *path = fs_path(dir, lists[i]);

		if (fs_exists(path) && fs_read(path, MAX_LIST, &text, e) < 0)
			return -(int)e->code;
	}
	if (!text.len && queue_files_list(dir, &names, e) < 0)
		return -(int)e->code;
	for (const char *p = buf_str(&text); *(p += strspn(p, " \t\r\n"));) {
		size_t n = strcspn(p, " \t\r\n");

		strv_take(ret, xstrndup(p, n));
		p += n;
	}
	for (size_t i = 0; i < names.nr; i++)
		if (!strncmp(names.v[i], "queue-", 6) && version_is(names.v[i] + 6))
			strv_add(ret, names.v[i] + 6);
	return 0;
}

int queue_versions_active(struct ctx *c, const char *dir, struct strv *ret, struct err *e)
{
	_cleanup_strv_ struct strv cared = STRV_INIT, all = STRV_INIT;
	struct base_refs refs = { 0 };

	if (read_checkout(dir ? dir : ".", &cared, e) < 0)
		return -(int)e->code;
	if (!cared.nr)
		return branches_active(c->repo, ret, e);
	if (base_refs_list(c->repo, "linux-*.y,*/linux-*.y", &refs, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < refs.nr; i++)
		strv_take(&all, version_in(refs.v[i].name) ?: xstrdup(""));
	base_refs_release(&refs);
	for (size_t i = 0; i < cared.nr; i++)
		if (version_is(cared.v[i]) && strv_has(&all, cared.v[i]))
			add(ret, cared.v[i]);
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_version);
	return 0;
}

bool queue_names_no_version(const struct queue *q)
{
	return !q->whole && !q->series->stable && !q->series->tree_hints.nr;
}

int queue_versions(struct ctx *c, const struct queue *q, struct strv *ret, struct err *e)
{
	const struct strv *hints = &q->series->tree_hints;

	if (q->whole || q->series->stable) {
		if (q->version)
			strv_add(ret, q->version);
		return 0;
	}
	for (size_t i = 0; i < hints->nr; i++)
		for (const char *p = hints->v[i]; *(p += strspn(p, ",/+ "));) {
			size_t n = strcspn(p, ",/+ ");
			_cleanup_free_ char *word = xstrndup(p, n);

			if (add_word(c, word, ret, e) < 0)
				return -(int)e->code;
			p += n;
		}
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_version);
	return 0;
}
