// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/patch-ids.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/store/cache.h"

#define PATCH_IDS_VERSION 1

struct patch_ids {
	struct store s;
};

static const char schema[] =
	"CREATE TABLE patch_ids (oid TEXT PRIMARY KEY, patch_id TEXT)"
	" WITHOUT ROWID;";

int patch_ids_open(const char *path, struct patch_ids **ret, struct err *e)
{
	const struct cache_db db = { path, PATCH_IDS_VERSION, schema };
	_cleanup_patch_ids_ struct patch_ids *p = xzalloc(sizeof(*p));

	if (cache_db_open(&db, &p->s, e) < 0)
		return -(int)e->code;
	*ret = take_ptr(p);
	return 0;
}

void patch_ids_free(struct patch_ids *p)
{
	if (!p)
		return;
	cache_db_close(&p->s);
	free(p);
}

int patch_ids_get(struct patch_ids *p, const struct oid *commit, char **ret,
		  struct err *e)
{
	int r = sql_query(&p->s, SQL_PATCH_ID_GET, e, "s", commit->hex);

	if (r == 0)
		r = sql_next(&p->s, SQL_PATCH_ID_GET, e);
	if (r == 1) {
		*ret = sql_text(&p->s, SQL_PATCH_ID_GET, 0);
		sql_done(&p->s, SQL_PATCH_ID_GET);
	}
	return r;
}

int patch_ids_add(struct patch_ids *p, const struct oid *commit, const char *patch_id,
		  struct err *e)
{
	return sql_run(&p->s, SQL_PATCH_ID_ADD, e, "ss", commit->hex, patch_id);
}

int patch_ids_begin(struct patch_ids *p, struct err *e)
{
	return sql_begin(&p->s, e);
}

int patch_ids_end(struct patch_ids *p, struct err *e)
{
	return sql_commit(&p->s, e);
}

void patch_ids_rollback(struct patch_ids *p)
{
	sql_rollback(&p->s);
}
