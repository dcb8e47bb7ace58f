// SPDX-License-Identifier: GPL-3.0-or-later
/* Builds, boots and samples: rows to records and back. */
#include "core/store/results.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

int store_add_build(struct store *s, const char *run, const struct build_record *b,
		    struct err *e)
{
	return sql_run(s, SQL_BUILD_ADD, e, "sssssssssssidss", run, b->commit.hex,
		       b->tree.hex, b->config, b->toolchain, b->arch, b->status,
		       b->reason, b->build_id, b->image, b->log, (int64_t)b->cached,
		       b->seconds, b->code, b->modules);
}

int store_add_boot(struct store *s, const char *run, const struct boot_record *b,
		   struct err *e)
{
	return sql_run(s, SQL_BOOT_ADD, e, "ssssssssssssidsssi", run, b->commit.hex,
		       b->tree.hex, b->target, b->accel, b->path, b->token, b->boot_id,
		       b->build_id, b->status, b->reason, b->console, (int64_t)b->proven,
		       b->seconds, b->title, b->load, b->environment,
		       (int64_t)b->counted);
}

int store_add_sample(struct store *s, const char *run, const struct sample *p,
		     struct err *e)
{
	return sql_run(s, SQL_SAMPLE_ADD, e, "sssssssidssisssss", run, p->token,
		       p->commit.hex, p->tree.hex, p->benchmark, p->l0, p->l1,
		       (int64_t)p->ordinal, p->value, p->unit, p->clock,
		       (int64_t)p->proven, p->path, p->setup, p->guest, p->qemu,
		       p->payload);
}

static struct oid sql_oid(struct store *s, enum sql q, int column)
{
	_cleanup_free_ char *hex = sql_text(s, q, column);
	struct oid oid = { 0 };

	if (hex && strlen(hex) < sizeof(oid.hex))
		memcpy(oid.hex, hex, strlen(hex));
	return oid;
}

static struct sample sample_row(struct store *s, enum sql q)
{
	return (struct sample){
		.token = sql_text(s, q, 0),
		.commit = sql_oid(s, q, 1),
		.tree = sql_oid(s, q, 2),
		.benchmark = sql_text(s, q, 3),
		.l0 = sql_text(s, q, 4),
		.l1 = sql_text(s, q, 5),
		.ordinal = (int)sql_int(s, q, 6),
		.value = sql_double(s, q, 7),
		.unit = sql_text(s, q, 8),
		.clock = sql_text(s, q, 9),
		.proven = sql_int(s, q, 10),
		.path = sql_text(s, q, 11),
		.setup = sql_text(s, q, 12),
		.guest = sql_text(s, q, 13),
		.qemu = sql_text(s, q, 14),
		.payload = sql_text(s, q, 15),
	};
}

int results_samples(struct store *s, enum sql q, struct samples *ret, struct err *e)
{
	_cleanup_samples_ struct samples found = SAMPLES_INIT;
	int r;

	while ((r = sql_next(s, q, e)) > 0)
		*samples_add(&found) = sample_row(s, q);
	if (r < 0)
		return r;
	for (size_t i = 0; i < found.nr; i++)
		*samples_add(ret) = found.v[i];
	found.nr = 0; /* the elements moved */
	return 0;
}

int store_samples(struct store *s, const char *run, const char *token,
		  struct samples *ret, struct err *e)
{
	if (sql_query(s, SQL_SAMPLE_LIST, e, "ss", run, token) < 0)
		return -(int)e->code;
	return results_samples(s, SQL_SAMPLE_LIST, ret, e);
}

static struct build_record build_row(struct store *s, enum sql q)
{
	return (struct build_record){
		.commit = sql_oid(s, q, 0),
		.tree = sql_oid(s, q, 1),
		.config = sql_text(s, q, 2),
		.toolchain = sql_text(s, q, 3),
		.arch = sql_text(s, q, 4),
		.status = sql_text(s, q, 5),
		.reason = sql_text(s, q, 6),
		.build_id = sql_text(s, q, 7),
		.image = sql_text(s, q, 8),
		.log = sql_text(s, q, 9),
		.cached = sql_int(s, q, 10),
		.seconds = sql_double(s, q, 11),
		.code = sql_text(s, q, 12),
		.modules = sql_text(s, q, 13),
	};
}

int store_builds(struct store *s, const char *run, struct build_record **ret,
		 size_t *ret_nr, struct err *e)
{
	struct build_record *v = NULL;
	size_t nr = 0;
	int r;

	if (sql_query(s, SQL_BUILD_LIST, e, "s", run) < 0)
		return -(int)e->code;
	while ((r = sql_next(s, SQL_BUILD_LIST, e)) > 0)
		*array_push(v, nr) = build_row(s, SQL_BUILD_LIST);
	if (r < 0) {
		while (nr)
			build_record_release(&v[--nr]);
		free(v);
		return r;
	}
	*ret = v;
	*ret_nr = nr;
	return 0;
}

static struct boot_record boot_row(struct store *s, enum sql q)
{
	return (struct boot_record){
		.commit = sql_oid(s, q, 0),
		.tree = sql_oid(s, q, 1),
		.target = sql_text(s, q, 2),
		.accel = sql_text(s, q, 3),
		.path = sql_text(s, q, 4),
		.token = sql_text(s, q, 5),
		.boot_id = sql_text(s, q, 6),
		.build_id = sql_text(s, q, 7),
		.status = sql_text(s, q, 8),
		.reason = sql_text(s, q, 9),
		.console = sql_text(s, q, 10),
		.proven = sql_int(s, q, 11),
		.seconds = sql_double(s, q, 12),
		.title = sql_text(s, q, 13),
		.load = sql_text(s, q, 14),
		.environment = sql_text(s, q, 15),
		.counted = sql_int(s, q, 16),
	};
}

static int take_boots(struct store *s, enum sql q, struct boot_record **ret,
		      size_t *ret_nr, struct err *e)
{
	struct boot_record *v = NULL;
	size_t nr = 0;
	int r;

	while ((r = sql_next(s, q, e)) > 0)
		*array_push(v, nr) = boot_row(s, q);
	if (r < 0) {
		while (nr)
			boot_record_release(&v[--nr]);
		free(v);
		return r;
	}
	*ret = v;
	*ret_nr = nr;
	return 0;
}

int store_boots(struct store *s, const char *run, struct boot_record **ret,
		size_t *ret_nr, struct err *e)
{
	if (sql_query(s, SQL_BOOT_LIST, e, "s", run) < 0)
		return -(int)e->code;
	return take_boots(s, SQL_BOOT_LIST, ret, ret_nr, e);
}

int store_measured(struct store *s, const char *benchmark, struct samples *ret,
		   struct boot_record **ret_boots, size_t *ret_nr, struct err *e)
{
	if (sql_query(s, SQL_SAMPLE_MEASURED, e, "s", benchmark) < 0 ||
	    results_samples(s, SQL_SAMPLE_MEASURED, ret, e) < 0 ||
	    sql_query(s, SQL_BOOT_MEASURED, e, "s", benchmark) < 0)
		return -(int)e->code;
	return take_boots(s, SQL_BOOT_MEASURED, ret_boots, ret_nr, e);
}

int store_boot(struct store *s, const char *token, struct boot_record *ret, struct err *e)
{
	int r = sql_query(s, SQL_BOOT_GET, e, "s", token);

	if (r == 0)
		r = sql_next(s, SQL_BOOT_GET, e);
	if (r < 0)
		return r;
	if (r == 0)
		return err_set(e, ERR_NOT_FOUND, "no boot '%s' in the store", token);
	*ret = boot_row(s, SQL_BOOT_GET);
	sql_done(s, SQL_BOOT_GET);
	return 0;
}
