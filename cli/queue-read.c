// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/queue-read.h"

#include <stdlib.h>
#include <string.h>

#include "cli/steps-fetch.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/stable/version.h"
#include "mail/queue-read.h"

#define MAX_KEPT ((size_t)1 << 30)

struct reading {
	const struct queue_source *source;
	const char *path;
	struct queue_files files;
};

static bool is_version(const char *what)
{
	return version_is(what) && !fs_exists(what);
}

/* A release names the folder of the queue it was made of: releases/X.Y.Z. */
static int folder_of(const struct queue_source *s, char **ret, struct err *e)
{
	const char *dir = s->dir ? s->dir : ".";
	_cleanup_free_ char *release = xasprintf("%s/releases/%s", dir, s->what);

	if (!is_version(s->what)) {
		*ret = xstrdup(s->what);
		return 0;
	}
	if (fs_is_dir(release)) {
		*ret = take_ptr(release);
		return 0;
	}
	return queue_files_folder(dir, s->what, ret, e);
}

static int read_act(void *ctx, struct err *e)
{
	struct reading *r = ctx;
	_cleanup_free_ char *folder = NULL;

	if (folder_of(r->source, &folder, e) < 0)
		return -(int)e->code;
	return queue_files_read(folder, &r->files, e);
}

static int read_save(void *ctx, struct run *run, struct buf *detail, struct err *e)
{
	const struct reading *r = ctx;
	_cleanup_buf_ struct buf text = BUF_INIT;

	(void)run;
	queue_files_pack(&r->files, &text);
	buf_adds(detail, r->files.folder);
	return fs_write(r->path, text.data, text.len, e);
}

static int read_load(void *ctx, struct run *run, const char *detail, struct err *e)
{
	struct reading *r = ctx;
	_cleanup_buf_ struct buf text = BUF_INIT;

	(void)run;
	(void)detail;
	if (fs_read(r->path, MAX_KEPT, &text, e) < 0)
		return err_wrap(e, "the files of '%s' are no longer kept",
				r->source->what);
	return queue_files_unpack(&text, &r->files, e);
}

static int read_folder(struct run *r, const struct queue_source *s, const char *path,
		       struct queue **ret, struct err *e)
{
	static const struct step step = { read_act, read_save, read_load };
	struct reading rd = { .source = s, .path = path };
	int rc = run_step(r, &step, "read", &rd, e);

	if (rc == 0)
		rc = queue_from_files(s->what, &rd.files, ret, e);
	queue_files_release(&rd.files);
	return rc;
}

/* A version or a quilt folder; another folder may be a maildir. */
static bool is_folder(const char *what)
{
	_cleanup_free_ char *series = fs_path(what, "series");
	_cleanup_free_ char *below = fs_path(what, "patches/series");

	return is_version(what) || fs_exists(series) || fs_exists(below);
}

static int read_source(struct ctx *c, struct run *r, const struct queue_source *s,
		       struct queue **ret, struct err *e)
{
	struct series *series = NULL;

	if (step_fetch(c, r, s->opts, s->what, &series, e) < 0)
		return -(int)e->code;
	*ret = queue_from_series(s->what, &series);
	return 0;
}

int step_queue(struct ctx *c, struct run *r, const struct queue_source *s,
	       struct queue **ret, struct err *e)
{
	_cleanup_free_ char *path = NULL;
	const char *dir;

	if (run_dir(r, &dir, e) < 0)
		return -(int)e->code;
	path = fs_path(dir, "queue.files");
	/* What a run has read is what it works on, wherever it came from. */
	if (fs_exists(path) || is_folder(s->what))
		return read_folder(r, s, path, ret, e);
	return read_source(c, r, s, ret, e);
}
