// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/path-safe.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* As Linux has it for a whole path; it bounds how deep a tree can get, too. */
#define PATH_LIMIT 4095

/*
 * HFS+ ignores these when it compares names: U+200C..200F, 202A..202E, 206A..206F, FEFF.
 * The number of bytes of such a character at s, 0 when there is none.
 */
static size_t hfs_ignored(const unsigned char *s)
{
	if (s[0] == 0xe2 && s[1] == 0x80 &&
	    ((s[2] >= 0x8c && s[2] <= 0x8f) || (s[2] >= 0xaa && s[2] <= 0xae)))
		return 3;
	if (s[0] == 0xe2 && s[1] == 0x81 && s[2] >= 0xaa && s[2] <= 0xaf)
		return 3;
	return s[0] == 0xef && s[1] == 0xbb && s[2] == 0xbf ? 3 : 0;
}

/* Whether the component at s is name (lower case) to HFS+. */
static bool hfs_equal(const char *s, const char *name)
{
	const unsigned char *p = (const unsigned char *)s;

	for (;; name++, p++) {
		size_t n;

		while ((n = hfs_ignored(p)))
			p += n;
		if (!*name)
			return !*p || *p == '/';
		if (tolower(*p) != *name)
			return false;
	}
}

/*
 * Whether the component at s is name to NTFS: any case, blanks and dots behind it, a
 * stream name behind a colon. A backslash ends a component there.
 */
static bool ntfs_equal(const char *s, const char *name)
{
	size_t n = strlen(name);

	if (strncasecmp(s, name, n))
		return false;
	s += n;
	s += strspn(s, " .");
	return !*s || *s == '/' || *s == '\\' || *s == ':';
}

static bool component_is_safe(const char *s, bool is_link)
{
	size_t n = strcspn(s, "/");

	if (!n || (n == 1 && s[0] == '.') || (n == 2 && s[0] == '.' && s[1] == '.'))
		return false;
	if (hfs_equal(s, ".git") || ntfs_equal(s, ".git") || ntfs_equal(s, "git~1"))
		return false;
	return !is_link || (!hfs_equal(s, ".gitmodules") &&
			    !ntfs_equal(s, ".gitmodules") && !ntfs_equal(s, "gitmod~1"));
}

bool path_is_safe(const char *path, bool is_link)
{
	if (strlen(path) > PATH_LIMIT ||
	    (isalpha((unsigned char)path[0]) && path[1] == ':'))
		return false;
	for (;;) {
		if (!component_is_safe(path, is_link))
			return false;
		/* "a\.git" is two components where the backslash is a separator. */
		for (; *path && *path != '/'; path++)
			if (*path == '\\' && path[1] && path[1] != '/' &&
			    !component_is_safe(path + 1, is_link))
				return false;
		if (!*path)
			return true;
		path++;
	}
}
