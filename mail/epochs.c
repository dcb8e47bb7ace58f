// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/epochs.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/oid.h"
#include "core/git/epoch.h"
#include "core/git/repo.h"
#include "core/store/mail-index.h"
#include "mail/head.h"
#include "mail/mbox.h"
#include "mail/tags.h"

/* What a killed kiln loses of its work. */
#define BATCH 5000
#define LOCK_MS (10 * 60 * 1000)

struct update {
	struct mail_index *x;
	const struct progress *progress;
	int64_t epoch;
	const char *name;
	size_t nr;
};

char *epochs_index_path(const char *path)
{
	_cleanup_free_ char *real = realpath(path, NULL), *cache = fs_cache_dir();
	struct oid key;

	repo_digest(real ?: path, strlen(real ?: path), &key);
	return xasprintf("%s/mail-index/%s.db", cache, key.hex);
}

static int add(struct update *u, const struct buf *raw, const struct oid *blob,
	       struct head *h, struct err *e)
{
	_cleanup_free_ char *sender = xasprintf("%s <%s>", h->from_name, h->from_email);
	_cleanup_free_ char *change = NULL;
	struct mail_row row = { .message_id = h->message_id,
				.references = &h->references,
				.subject = h->subject.title ?: "",
				.sender = sender,
				.date = h->date.known ? h->date.epoch : 0,
				.blob = *blob };

	if (h->in_reply_to)
		strv_take(&h->references, take_ptr(h->in_reply_to));
	if (memmem(buf_str(raw), raw->len, "change-id:", 10))
		change = tag_value(raw, "change-id");
	row.change_id = change;
	return mail_index_add(u->x, u->epoch, &row, e);
}

static int on_mail(void *ctx, const struct epoch_mail *m, struct err *e)
{
	struct update *u = ctx;
	const struct buf whole = { .data = (char *)m->data, .len = m->len };
	_cleanup_buf_ struct buf copy = BUF_INIT;
	_cleanup_head_ struct head h = { 0 };
	const struct buf *raw = &whole;

	if (memchr(m->data, '\r', m->len)) {
		buf_add(&copy, m->data, m->len);
		mbox_unquote(&copy, MBOX_PLAIN);
		raw = &copy;
	}
	head_parse(raw, &h);
	if (m->removed)
		return mail_index_take_back(u->x, h.message_id, &m->blob, e);
	return add(u, raw, &m->blob, &h, e);
}

static int on_commit(void *ctx, const struct oid *commit, struct err *e)
{
	struct update *u = ctx;

	if (++u->nr % BATCH)
		return 0;
	progress_update(u->progress, "mails indexed", u->nr, 0);
	if (mail_index_set_tip(u->x, u->epoch, commit, e) < 0 ||
	    mail_index_commit(u->x, e) < 0)
		return -(int)e->code;
	return mail_index_begin(u->x, e);
}

static int update_from(struct update *u, struct epoch *ep, struct oid from,
		       const struct oid *tip, struct err *e)
{
	const struct epoch_visitor v = { on_mail, on_commit, u };
	bool found;

	if (epoch_walk(ep, &from, tip, &v, &found, e) < 0)
		return -(int)e->code;
	if (found)
		return 0;
	from = (struct oid){ 0 };
	if (mail_index_forget(u->x, u->epoch, e) < 0)
		return -(int)e->code;
	return epoch_walk(ep, &from, tip, &v, &found, e);
}

/* Inside of a transaction. */
static int update_epoch(struct update *u, const char *path, struct err *e)
{
	_cleanup_free_ char *dir = fs_path(path, u->name);
	_cleanup_epoch_ struct epoch *ep = NULL;
	struct oid tip, indexed;

	if (epoch_open(dir, &ep, e) < 0 || epoch_tip(ep, &tip, e) < 0 ||
	    mail_index_epoch(u->x, u->name, &u->epoch, &indexed, e) < 0)
		return -(int)e->code;
	if (oid_equal(&tip, &indexed))
		return 0;
	if (update_from(u, ep, indexed, &tip, e) < 0)
		return -(int)e->code;
	return mail_index_set_tip(u->x, u->epoch, &tip, e);
}

static int update_all(struct mail_index *x, const char *path,
		      const struct progress *progress, struct err *e)
{
	_cleanup_strv_ struct strv names = STRV_INIT;
	struct update u = { .x = x, .progress = progress };

	epochs_find(path, &names);
	if (mail_index_begin(x, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < names.nr; i++) {
		u.name = names.v[i];
		if (update_epoch(&u, path, e) < 0) {
			mail_index_rollback(x);
			return err_wrap(e, "cannot index archive '%s'", path);
		}
	}
	return mail_index_commit(x, e);
}

int epochs_index(const char *path, const struct progress *progress,
		 struct mail_index **ret, struct err *e)
{
	_cleanup_free_ char *file = epochs_index_path(path);
	_cleanup_free_ char *dir = xstrndup(file, (size_t)(strrchr(file, '/') - file));
	_cleanup_free_ char *lock_path = xasprintf("%s.lock", file);
	_cleanup_mail_index_ struct mail_index *x = NULL;
	_cleanup_close_ int lock = -1;
	int r;

	if (fs_mkdirs(dir, e) < 0 || fs_lock(lock_path, LOCK_MS, &lock, e) < 0 ||
	    mail_index_open(file, &x, e) < 0)
		return -(int)e->code;
	r = update_all(x, path, progress, e);
	if (r < 0 &&
	    e->code == ERR_STORE) { /* the damage was deeper than its first page */
		err_release(e);
		mail_index_free(take_ptr(x));
		if (mail_index_remove(file, e) < 0 || mail_index_open(file, &x, e) < 0)
			return -(int)e->code;
		r = update_all(x, path, progress, e);
	}
	if (r == 0)
		*ret = take_ptr(x);
	return r;
}
