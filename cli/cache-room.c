// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cache-room.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/store/run.h"
#include "core/store/store.h"

/* ".../builds/KEY/image" */
static void keep_key(const char *path, struct strv *keep)
{
	const char *end = path ? strrchr(path, '/') : NULL, *start = end;

	while (start && start > path && start[-1] != '/')
		start--;
	if (start && start < end)
		strv_addf(keep, "%.*s", (int)(end - start), start);
}

static int keep_run(struct store *s, const char *run, struct strv *keep, struct err *e)
{
	struct build_record *v = NULL;
	size_t nr = 0;

	if (store_builds(s, run, &v, &nr, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < nr; i++) {
		keep_key(v[i].log, keep);
		build_record_release(&v[i]);
	}
	free(v);
	return 0;
}

static int keep_live(struct store *s, struct strv *keep, struct err *e)
{
	struct run_info *v = NULL;
	size_t nr = 0;
	int r = 0;

	if (run_list(s, &v, &nr, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < nr; i++) {
		if (!r && v[i].state == RUN_ACTIVE && run_is_live(v[i].id))
			r = keep_run(s, v[i].id, keep, e);
		run_info_release(&v[i]);
	}
	free(v);
	return r;
}

int cache_room(struct store *s, uint64_t mib, struct cache_trimmed *ret, struct err *e)
{
	_cleanup_strv_ struct strv keep = STRV_INIT;

	if (keep_live(s, &keep, e) < 0)
		return -(int)e->code;
	return cache_trim(mib > UINT64_MAX >> 20 ? UINT64_MAX : mib << 20, &keep, ret, e);
}
