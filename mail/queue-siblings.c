// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/queue-siblings.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/series/upstream.h"
#include "core/stable/version.h"

#define MAX_PATCH ((size_t)64 << 20)

/* The commit one file says, as a line. */
static int add_claim(const char *path, struct buf *ret, struct err *e)
{
	_cleanup_upstream_claims_ struct upstream_claims claims = UPSTREAM_CLAIMS_INIT;
	_cleanup_buf_ struct buf text = BUF_INIT;
	const struct upstream_claim *main;

	if (fs_is_dir(path))
		return 0;
	if (fs_read(path, MAX_PATCH, &text, e) < 0)
		return -(int)e->code;
	upstream_claims_read(buf_str(&text), &claims);
	main = upstream_claims_main(&claims);
	if (main && main->form != UPSTREAM_REVERT)
		buf_addf(ret, "%s\n", main->commit);
	return 0;
}

static int read_queue(struct queue_files *f, const char *folder, const char *version,
		      struct err *e)
{
	_cleanup_free_ char *key = xasprintf("../queue-%s", version);
	_cleanup_strv_ struct strv names = STRV_INIT;
	struct buf *ret;

	if (queue_files_list(folder, &names, e) < 0)
		return -(int)e->code;
	ret = queue_files_add(f, key);
	for (size_t i = 0; i < names.nr; i++) {
		_cleanup_free_ char *path = fs_path(folder, names.v[i]);

		if (add_claim(path, ret, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

/* "6.1" of a folder "queue-6.1", else NULL. Owned. */
static char *own_version(const char *folder)
{
	const char *slash = strrchr(folder, '/'), *base = slash ? slash + 1 : folder;

	if (strncmp(base, "queue-", 6) || !version_is(base + 6))
		return NULL;
	return xstrdup(base + 6);
}

int queue_siblings_read(struct queue_files *f, struct err *e)
{
	_cleanup_free_ char *real = realpath(f->folder, NULL);
	_cleanup_free_ char *own = real ? own_version(real) : NULL;
	_cleanup_free_ char *above = xasprintf("%s/..", f->folder);
	_cleanup_strv_ struct strv names = STRV_INIT;

	if (!own)
		return 0;
	if (queue_files_list(above, &names, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < names.nr; i++) {
		_cleanup_free_ char *version = own_version(names.v[i]);
		_cleanup_free_ char *folder = fs_path(above, names.v[i]);

		if (!version || version_compare(version, own) <= 0 || !fs_is_dir(folder))
			continue;
		if (read_queue(f, folder, version, e) < 0)
			return -(int)e->code;
	}
	return 0;
}
