// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/steps-fetch.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "mail/box.h"

struct fetch {
	struct ctx *c;
	const struct cli_source_opts *o;
	const char *source, *path;
	struct series *series;
	struct box *box;
	char *message_id;
};

static void fetch_release(struct fetch *f)
{
	series_free(f->series);
	box_free(f->box);
	free(f->message_id);
}

static int fetch_act(void *ctx, struct err *e)
{
	struct fetch *f = ctx;
	_cleanup_strv_ struct strv sources = STRV_INIT;

	strv_add(&sources, f->source);
	return cli_series(f->c, f->o, &sources, f->box, &f->message_id, &f->series, e);
}

static int fetch_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	struct fetch *f = ctx;

	(void)r;
	if (box_save(f->box, f->path, e) < 0)
		return err_wrap(e, "cannot keep the mails of '%s'", f->source);
	buf_adds(detail, f->message_id ? f->message_id : "");
	return 0;
}

static int fetch_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	struct fetch *f = ctx;

	(void)r;
	if (box_read(f->box, f->path, 0, e) < 0)
		return err_wrap(e, "the mails of '%s' are no longer kept", f->source);
	return cli_series_box(f->c, f->o, f->box, *detail ? detail : NULL, &f->series, e);
}

int step_fetch(struct ctx *c, struct run *r, const struct cli_source_opts *o,
	       const char *source, struct series **ret, struct err *e)
{
	static const struct step step = { fetch_act, fetch_save, fetch_load };
	struct cli_source_opts at;
	_cleanup_(fetch_release) struct fetch f = { .c = c, .o = &at, .box = box_new() };
	_cleanup_free_ char *rest = NULL;
	_cleanup_free_ char *path = NULL, *name = NULL, *file = NULL;
	const char *dir;

	if (cli_source_at(o, source, &at, &rest, e) < 0)
		return -(int)e->code;
	f.source = rest;
	if (run_dir(r, &dir, e) < 0)
		return -(int)e->code;
	name = at.revision ? xasprintf("fetch v%" PRIu64, at.revision) : xstrdup("fetch");
	file = at.revision ? xasprintf("thread-v%" PRIu64 ".mbox", at.revision)
			   : xstrdup("thread.mbox");
	path = fs_path(dir, file);
	f.path = path;
	if (run_step(r, &step, name, &f, e) < 0)
		return -(int)e->code;
	*ret = take_ptr(f.series);
	return 0;
}
