// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/config-source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "boot/build/running.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/git/repo.h"

static bool is_target(const char *word)
{
	size_t n = strlen(word), k = strlen("_defconfig");

	if (!strcmp(word, "tinyconfig") || !strcmp(word, "defconfig"))
		return true;
	if (n <= k || strcmp(word + n - k, "_defconfig") != 0)
		return false;
	for (const char *p = word; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_' && *p != '-')
			return false;
	return *word != '-';
}

/* A file with this text, the same for the same text. */
static int keep(const struct buf *text, char **ret, struct err *e)
{
	_cleanup_free_ char *cache = fs_cache_dir(), *dir = fs_path(cache, "configs");
	_cleanup_free_ char *path = NULL;
	struct oid digest;

	repo_digest(text->data, text->len, &digest);
	path = fs_path(dir, digest.hex);
	if (!fs_exists(path) &&
	    (fs_mkdirs(dir, e) < 0 || fs_write(path, text->data, text->len, e) < 0))
		return -(int)e->code;
	*ret = take_ptr(path);
	return 0;
}

static int read_running(bool trim, struct config_source *ret, struct err *e)
{
	_cleanup_buf_ struct buf config = BUF_INIT, modules = BUF_INIT;

	if (running_config("/", &config, e) < 0 || keep(&config, &ret->file, e) < 0)
		return -(int)e->code;
	if (!trim)
		return 0;
	return running_modules("/", &modules, e) < 0 ? -(int)e->code
						     : keep(&modules, &ret->lsmod, e);
}

int config_source(const char *word, struct config_source *ret, struct err *e)
{
	bool trim = !strcmp(word, "localmodconfig");

	if (trim || !strcmp(word, "running")) {
		if (read_running(trim, ret, e) < 0)
			return err_wrap(e, "cannot take the configuration '%s'", word);
	} else if (is_target(word)) {
		ret->target = xstrdup(word);
	} else {
		ret->file = xstrdup(word);
	}
	return 0;
}

void config_source_release(struct config_source *s)
{
	free(s->target);
	free(s->file);
	free(s->lsmod);
	*s = (struct config_source){ 0 };
}
