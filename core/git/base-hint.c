// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/base-hint.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

/* The number at *p, or false; real versions have few digits. */
static bool number(const char **p, int *ret)
{
	int n = 0, digits = 0;

	for (; isdigit((unsigned char)**p) && digits < 6; ++*p, digits++)
		n = n * 10 + (**p - '0');
	*ret = n;
	return digits && !isdigit((unsigned char)**p);
}

/* A version at *p, which is left behind it and behind its ".y". */
static bool version_at(const char **p, struct version *ret)
{
	struct version v = { 0 };
	const char *s = *p;

	if (*s == 'v' || *s == 'V')
		s++;
	for (;;) {
		if (!number(&s, &v.v[v.nr++]))
			return false;
		if (v.nr == 3 || s[0] != '.' || !isdigit((unsigned char)s[1]))
			break;
		s++;
	}
	if (v.nr < 2)
		return false;
	if (!strncmp(s, ".y", 2) || !strncmp(s, ".Y", 2))
		s += 2;
	*p = s;
	*ret = v;
	return true;
}

bool version_parse(const char *s, struct version *ret)
{
	static const char *const prefixes[] = { "linux-", "stable-", "stable/", "for-" };
	struct version v;

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(s, prefixes[i], strlen(prefixes[i])))
			s += strlen(prefixes[i]);
	if (!version_at(&s, &v) || (*s && strcmp(s, "-stable")))
		return false;
	*ret = v;
	return true;
}

int version_cmp(const struct version *a, const struct version *b, int nr)
{
	for (int i = 0; i < nr; i++)
		if (a->v[i] != b->v[i])
			return a->v[i] < b->v[i] ? -1 : 1;
	return 0;
}

bool version_range(const char *word, struct version *lo, struct version *hi)
{
	const char *s = word;
	struct version a, b;

	if (version_parse(word, &a)) {
		*lo = *hi = a;
		return true;
	}
	if (!version_at(&s, &a))
		return false;
	while (*s == ' ')
		s++;
	if (*s++ != '-')
		return false;
	while (*s == ' ')
		s++;
	if (!version_at(&s, &b) || *s)
		return false;
	*lo = version_cmp(&a, &b, 2) <= 0 ? a : b;
	*hi = version_cmp(&a, &b, 2) <= 0 ? b : a;
	return true;
}

int base_default_branch(const char *branch)
{
	static const char *const names[] = { "next", "for-next", "main", "master",
					     "queue" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(branch, names[i]))
			return (int)i;
	return -1;
}

char *base_url_path(const char *url)
{
	const char *scheme = strstr(url, "://");
	const char *p = url, *slash;
	char *path;
	size_t n;

	if (scheme) {
		p = scheme + 3;
		slash = strchr(p, '/');
		p = slash ? slash : p + strlen(p);
	} else if ((slash = strchr(p, ':')) && !memchr(p, '/', (size_t)(slash - p))) {
		p = slash + 1; /* host:path */
	}
	while (*p == '/')
		p++;
	path = xstrdup(p);
	n = strlen(path);
	while (n && path[n - 1] == '/')
		path[--n] = '\0';
	if (n > 4 && !strcmp(path + n - 4, ".git"))
		path[n - 4] = '\0';
	return path;
}

/* The name of a branch without its remote's. */
static const char *branch_name(const struct base_ref *ref)
{
	return ref->remote ? ref->name + strlen(ref->remote) + 1 : ref->name;
}

static bool is_tree(const char *word, size_t n, const struct base_ref *ref,
		    const char *url)
{
	_cleanup_free_ char *path = url ? base_url_path(url) : NULL;
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *last = slash ? slash + 1 : path;

	if (ref->remote && strlen(ref->remote) == n && !strncmp(ref->remote, word, n))
		return true;
	return last && strlen(last) == n && !strncmp(last, word, n);
}

/* The newest series of a range is meant first: rank by how far below its end. */
static int version_rank(const char *word, const struct base_ref *ref)
{
	struct version lo, hi, has;

	if (!version_range(word, &lo, &hi) || !version_parse(branch_name(ref), &has))
		return -1;
	if (version_cmp(&has, &lo, 2) < 0 || version_cmp(&has, &hi, 2) > 0)
		return -1;
	/* "6.6.12" is that release; "6.6" and "6.6.y" are the branch, else a release. */
	if (lo.nr == 3 && version_cmp(&has, &lo, 3))
		return -1;
	return (hi.v[0] - has.v[0]) * 1000 + (hi.v[1] - has.v[1]) * 2 +
	       (ref->kind == BASE_REF_TAG ? 1 : 0) + 10;
}

int base_hint_rank(const char *word, const struct base_ref *ref, const char *url)
{
	const char *branch = branch_name(ref), *slash = strchr(word, '/');
	int rank;

	if (!*word || ref->kind == BASE_REF_HEAD)
		return -1;
	if (!strcmp(ref->name, word))
		return 0;
	if (!strcmp(branch, word))
		return 1;
	if (slash && is_tree(word, (size_t)(slash - word), ref, url) &&
	    !strcmp(branch, slash + 1))
		return 2;
	rank = version_rank(word, ref);
	if (rank >= 0)
		return rank;
	if (ref->kind == BASE_REF_REMOTE && is_tree(word, strlen(word), ref, url)) {
		rank = base_default_branch(branch);
		return rank < 0 ? -1 : 3 + rank;
	}
	return -1;
}
