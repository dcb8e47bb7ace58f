// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/queue-objections.h"

#include "core/base/fs.h"
#include "core/base/alloc.h"
#include "mail/box.h"
#include "mail/objections.h"

#define MAX_LINKS 4 /* of one commit, looked up */

int queue_objections_open(struct ctx *c, struct run *r,
			  const struct cli_source_opts *source,
			  struct queue_objections *ret, struct err *e)
{
	struct queue_objections o = { .c = c, .source = source };
	_cleanup_free_ char *path = NULL;
	const char *dir;

	if (run_dir(r, &dir, e) < 0)
		return -(int)e->code;
	path = fs_path(dir, "thread.mbox");
	if (fs_exists(path)) {
		o.thread = box_new();
		if (box_read(o.thread, path, 0, e) < 0) {
			box_free(o.thread);
			return -(int)e->code;
		}
	}
	*ret = o;
	return 0;
}

void queue_objections_release(struct queue_objections *o)
{
	box_free(o->thread);
}

/* An archive that does not have the thread has nothing to say. */
static int ask_archives(struct queue_objections *o, const char *message_id,
			struct strv *ret, struct err *e)
{
	_cleanup_strv_ struct strv ids = STRV_INIT;
	_cleanup_box_ struct box *box = box_new();
	_cleanup_err_ struct err why = { 0 };

	strv_add(&ids, message_id);
	if (cli_thread(o->c, o->source, message_id, box, &why) == 0)
		return objections_find(box, &ids, ret, e);
	if (why.code == ERR_UNKNOWN_MESSAGE_ID || why.code == ERR_NO_RESULTS ||
	    why.code == ERR_OFFLINE)
		return 0;
	*e = why;
	why = (struct err){ 0 };
	return -(int)e->code;
}

int queue_objections_find(void *ctx, const struct patch *p, const struct strv *links,
			  struct strv *ret, struct err *e)
{
	struct queue_objections *o = ctx;
	_cleanup_strv_ struct strv ids = STRV_INIT;

	if (p->message_id)
		strv_add(&ids, p->message_id);
	if (o->thread && objections_find(o->thread, &ids, ret, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; o->source && links && i < links->nr && i < MAX_LINKS; i++)
		if (ask_archives(o, links->v[i], ret, e) < 0)
			return -(int)e->code;
	return 0;
}
