// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/abbrev.h"

#include <dirent.h>
#include <fcntl.h>
#include <git2.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/git/repo-internal.h"

#define ABBREV_LEAST 7
#define HEX_LEN 40

/* Objects in a pack: the last of the 256 counts in its index, gitformat-pack(5). */
static uint64_t index_objects(const char *path)
{
	static const unsigned char magic[] = { 0xff, 't', 'O', 'c' };
	unsigned char head[8 + 256 * 4];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof(head));
	const unsigned char *last;

	if (fd >= 0)
		close(fd);
	if (n < (ssize_t)sizeof(head))
		return 0;
	last = head + 255 * 4 + (memcmp(head, magic, 4) ? 0 : 8);
	return (uint64_t)last[0] << 24 | (uint64_t)last[1] << 16 |
	       (uint64_t)last[2] << 8 | last[3];
}

static uint64_t folder_objects(const char *objects)
{
	_cleanup_free_ char *pack = fs_path(objects, "pack");
	DIR *d = opendir(pack);
	const struct dirent *entry;
	uint64_t sum = 0;

	if (!d)
		return 0;
	while ((entry = readdir(d))) {
		_cleanup_free_ char *path = fs_path(pack, entry->d_name);
		size_t n = strlen(entry->d_name);

		if (n > 4 && !strcmp(entry->d_name + n - 4, ".idx"))
			sum += index_objects(path);
	}
	closedir(d);
	return sum;
}

/* With the alternates of the repository, not with theirs. */
static uint64_t packed_objects(struct repo *r)
{
	_cleanup_free_ char *objects = fs_path(r->common_dir, "objects");
	_cleanup_free_ char *list = fs_path(objects, "info/alternates");
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	uint64_t sum = folder_objects(objects);
	char *line, *rest;

	if (!fs_exists(list) || fs_read(list, 1 << 20, &b, &e) < 0)
		return sum;
	for (rest = b.data; (line = strsep(&rest, "\n"));) {
		_cleanup_free_ char *path = *line == '/' ? xstrdup(line)
							 : fs_path(objects, line);

		if (*line && *line != '#')
			sum += folder_objects(path);
	}
	return sum;
}

/*
 * Of 2^n objects two share their first n/2 bits by chance; four bits are a digit, and half
 * of it is for safety.
 */
static int auto_len(struct repo *r)
{
	uint64_t objects = packed_objects(r);
	int bits = 0, len;

	for (; objects; objects >>= 1)
		bits++;
	len = (bits + 1) / 2;
	return len < ABBREV_LEAST ? ABBREV_LEAST : len;
}

static int wanted_len(struct repo *r)
{
	git_config *live = NULL, *cfg = NULL;
	const char *value = NULL;
	int32_t len = 0;

	if (!git_repository_config(&live, r->git) && !git_config_snapshot(&cfg, live)) {
		if (git_config_get_string(&value, cfg, "core.abbrev") < 0)
			len = 0;
		else if (!strcasecmp(value, "no") || !strcasecmp(value, "off") ||
			 !strcasecmp(value, "false"))
			len = HEX_LEN;
		else if (git_config_parse_int32(&len, value) < 0 || len < 4 ||
			 len > HEX_LEN)
			len = 0;
	}
	git_config_free(cfg);
	git_config_free(live);
	return len ? len : auto_len(r);
}

char *repo_abbrev(struct repo *r, const struct oid *oid)
{
	git_odb *odb = NULL;
	int len = r->abbrev;
	git_oid id, found;

	if (!len)
		len = r->abbrev = wanted_len(r);
	if (oid_to_git(oid, &id) && git_repository_odb(&odb, r->git) == 0)
		while (len < HEX_LEN &&
		       git_odb_exists_prefix(&found, odb, &id, (size_t)len) ==
			       GIT_EAMBIGUOUS)
			len++;
	git_odb_free(odb);
	return xstrndup(oid->hex, (size_t)len);
}
