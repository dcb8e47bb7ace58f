// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stable/queue-names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/series/upstream.h"
#include "core/series/words.h"

/* A patch, a list: the largest of Linux have a few MiB. */
#define MAX_FILE (64 << 20)
#define MAX_PATCHES 20000

void queue_names_release(struct queue_names *q)
{
	free(q->folder);
	commit_names_release(&q->queued);
	commit_names_release(&q->dropped);
	*q = (struct queue_names){ 0 };
}

void queue_dropped_read(const char *text, const char *version, struct commit_names *ret)
{
	size_t n = strlen(version);

	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		const char *at = p + strspn(p, " \t");
		char *hex;

		if (strncmp(at, version, n) || (at[n] != ' ' && at[n] != '\t'))
			continue;
		at += n + strspn(at + n, " \t");
		hex = words_hash(&at);
		if (hex)
			*array_push(ret->v, ret->nr) = (struct commit_name){ .hex = hex };
	}
}

/* The Subject: of the head, without what stands in brackets before it. */
static char *title_of(const char *text)
{
	const char *p = text;

	while (*p && *p != '\n') {
		size_t n = strcspn(p, "\n");

		if (!strncasecmp(p, "subject:", 8)) {
			p += 8 + strspn(p + 8, " \t");
			while (*p == '[' && strcspn(p, "]") < strcspn(p, "\n")) {
				p += strcspn(p, "]") + 1;
				p += strspn(p, " \t");
			}
			return xstrndup(p, strcspn(p, "\r\n"));
		}
		p += n + (p[n] == '\n');
	}
	return NULL;
}

void queue_patch_read(const char *text, struct commit_names *ret)
{
	_cleanup_upstream_claims_ struct upstream_claims claims = UPSTREAM_CLAIMS_INIT;
	const struct upstream_claim *claim;
	struct commit_name name = { 0 };

	upstream_claims_read(text, &claims);
	claim = upstream_claims_main(&claims);
	if (claim && claim->form != UPSTREAM_REVERT)
		name.hex = xstrdup(claim->commit);
	else if (!claim)
		name.title = title_of(text);
	if (name.hex || name.title)
		*array_push(ret->v, ret->nr) = name;
}

static int read_patch(struct queue_names *q, const char *name, struct err *e)
{
	_cleanup_free_ char *path = fs_path(q->folder, name);
	_cleanup_buf_ struct buf text = BUF_INIT;

	/* A file that is missing is for the checks to say. */
	if (strchr(name, '/') || !fs_exists(path))
		return 0;
	if (fs_read(path, MAX_FILE, &text, e) < 0)
		return -(int)e->code;
	q->patches++;
	queue_patch_read(buf_str(&text), &q->queued);
	return 0;
}

static int read_series(struct queue_names *q, struct err *e)
{
	_cleanup_free_ char *path = fs_path(q->folder, "series");
	_cleanup_buf_ struct buf list = BUF_INIT;

	if (fs_read(path, MAX_FILE, &list, e) < 0)
		return -(int)e->code;
	for (const char *p = buf_str(&list); *p;) {
		size_t n = strcspn(p, "\n"), word;
		_cleanup_free_ char *name = NULL;

		p += strspn(p, " \t");
		n = strcspn(p, "\n");
		word = strcspn(p, " \t\r\n#");
		name = xstrndup(p, word);
		if (q->patches > MAX_PATCHES)
			return err_set(e, ERR_TOO_BIG, "'%s' lists too many patches",
				       path);
		if (word && read_patch(q, name, e) < 0)
			return -(int)e->code;
		p += n + (p[n] == '\n');
	}
	return 0;
}

/* The folder with a series: DIR/queue-X.Y, DIR itself; NULL when there is none. */
static char *folder_of(const char *dir, const char *version)
{
	_cleanup_free_ char *name = xasprintf("queue-%s", version);
	_cleanup_free_ char *queue = fs_path(dir, name),
			    *in_queue = fs_path(queue, "series");
	_cleanup_free_ char *here = fs_path(dir, "series");

	if (fs_exists(in_queue))
		return take_ptr(queue);
	return fs_exists(here) ? xstrdup(dir) : NULL;
}

static int read_dropped(const char *dir, const char *version, struct queue_names *q,
			struct err *e)
{
	static const char *const places[] = { "scripts/dropped_commits",
					      "../scripts/dropped_commits",
					      "dropped_commits" };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		_cleanup_free_ char *path = fs_path(dir, places[i]);
		_cleanup_buf_ struct buf text = BUF_INIT;

		if (!fs_exists(path))
			continue;
		if (fs_read(path, MAX_FILE, &text, e) < 0)
			return -(int)e->code;
		queue_dropped_read(buf_str(&text), version, &q->dropped);
		return 0;
	}
	return 0;
}

int queue_names_read(const char *dir, const char *version, struct queue_names *ret,
		     struct err *e)
{
	_cleanup_queue_names_ struct queue_names q = { .folder =
							       folder_of(dir, version) };

	if (q.folder && read_series(&q, e) < 0)
		return err_wrap(e, "cannot read the queue '%s'", q.folder);
	if (read_dropped(dir, version, &q, e) < 0)
		return -(int)e->code;
	*ret = q;
	q = (struct queue_names){ 0 };
	return 0;
}
