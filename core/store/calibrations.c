// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/calibrations.h"

#include <stdlib.h>

#include "core/store/results.h"
#include "core/store/sql.h"

int store_add_calibration(struct store *s, const char *run, const struct measured *of,
			  const struct calibration *c, struct err *e)
{
	return sql_run(s, SQL_CALIBRATION_ADD, e, "ssssssssiiiiddddiiid", run, of->target,
		       of->accel, of->path, of->benchmark, of->l0, of->l1, of->params,
		       c->time, (int64_t)c->layouts, (int64_t)c->boots, (int64_t)c->runs,
		       c->value, c->run_sd, c->boot_sd, c->build_sd, (int64_t)c->run_df,
		       (int64_t)c->boot_df, (int64_t)c->build_df, c->seconds);
}

int store_calibration(struct store *s, const struct measured *of, struct calibration *ret,
		      struct err *e)
{
	const enum sql q = SQL_CALIBRATION_GET;
	int r = sql_query(s, q, e, "sssssss", of->target, of->accel, of->path,
			  of->benchmark, of->l0, of->l1, of->params);

	if (r == 0)
		r = sql_next(s, q, e);
	if (r <= 0)
		return r;
	*ret = (struct calibration){
		.time = sql_int(s, q, 0),
		.layouts = (unsigned int)sql_int(s, q, 1),
		.boots = (unsigned int)sql_int(s, q, 2),
		.runs = (unsigned int)sql_int(s, q, 3),
		.value = sql_double(s, q, 4),
		.run_sd = sql_double(s, q, 5),
		.boot_sd = sql_double(s, q, 6),
		.build_sd = sql_double(s, q, 7),
		.run_df = (unsigned int)sql_int(s, q, 8),
		.boot_df = (unsigned int)sql_int(s, q, 9),
		.build_df = (unsigned int)sql_int(s, q, 10),
		.seconds = sql_double(s, q, 11),
		.run = sql_text(s, q, 12),
	};
	sql_done(s, q);
	return 1;
}

int store_add_held(struct store *s, const char *token, const char *digest, struct err *e)
{
	return sql_run(s, SQL_HELD_ADD, e, "ss", token, digest);
}

int store_samples_like(struct store *s, const struct boots_like *like,
		       struct samples *ret, struct err *e)
{
	const enum sql q = SQL_SAMPLE_LIKE;

	if (sql_query(s, q, e, "sssssss", like->tree->hex, like->benchmark,
		      like->build_id, like->target, like->accel, like->path,
		      like->held) < 0)
		return -(int)e->code;
	return results_samples(s, q, ret, e);
}

void calibration_release(struct calibration *c)
{
	free(c->run);
	*c = (struct calibration){ 0 };
}
