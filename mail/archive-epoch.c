// SPDX-License-Identifier: GPL-3.0-or-later
/* Git repositories of public-inbox on this machine as an archive: the folder's path. */
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/fs.h"
#include "core/git/epoch.h"
#include "core/store/mail-index.h"
#include "mail/box.h"
#include "mail/epochs.h"
#include "mail/mbox.h"
#include "mail/source-kind.h"

/* Mails of a place, read from the epoch that is open; ones that are gone are left out. */
struct reader {
	const char *path, *name;
	struct epoch *ep;
};

static int read_place(struct reader *rd, const struct mail_place *p, struct box *ret,
		      struct err *e)
{
	_cleanup_buf_ struct buf mail = BUF_INIT;
	_cleanup_err_ struct err gone = { 0 };

	if (!rd->name || strcmp(rd->name, p->epoch)) {
		_cleanup_free_ char *dir = fs_path(rd->path, p->epoch);

		epoch_free(take_ptr(rd->ep));
		rd->name = p->epoch;
		if (epoch_open(dir, &rd->ep, &gone) < 0)
			return 0;
	}
	if (!rd->ep || epoch_read(rd->ep, &p->blob, &mail, &gone) < 0)
		return 0;
	mbox_unquote(&mail, MBOX_PLAIN);
	return box_add(ret, buf_str(&mail), mail.len, e);
}

static int read_places(const char *path, const struct mail_places *places,
		       struct box *ret, struct err *e)
{
	struct reader rd = { .path = path };
	int r = 0;

	for (size_t i = 0; r == 0 && i < places->nr; i++)
		r = read_place(&rd, &places->v[i], ret, e);
	epoch_free(rd.ep);
	return r;
}

static int query(struct mail_index *x, const struct lookup *l, struct mail_places *ret,
		 struct err *e)
{
	if (l->message_id)
		return mail_index_by_id(x, l->message_id, ret, e);
	if (l->change_id)
		return mail_index_by_change(x, l->change_id, ret, e);
	if (!l->patch_id && l->subject)
		return mail_index_by_subject(x, l->subject, l->from, ret, e);
	return 0;
}

/* The index may turn out damaged only now; then it is made anew, once. */
static int search(const char *path, const struct lookup *l, const struct source_opts *o,
		  struct mail_places *ret, struct err *e)
{
	_cleanup_free_ char *file = epochs_index_path(path);

	for (int i = 0;; i++) {
		_cleanup_mail_index_ struct mail_index *x = NULL;

		if (epochs_index(path, o->progress, &x, e) < 0)
			return -(int)e->code;
		if (query(x, l, ret, e) == 0)
			return 0;
		if (i || e->code != ERR_STORE)
			return -(int)e->code;
		mail_places_release(ret);
		err_release(e);
		mail_index_free(take_ptr(x));
		if (mail_index_remove(file, e) < 0)
			return -(int)e->code;
	}
}

static int find(const char *archive, const struct lookup *l, const struct source_opts *o,
		struct box *ret, struct err *e)
{
	_cleanup_mail_places_ struct mail_places places = { 0 };
	_cleanup_free_ char *what = lookup_text(l);
	_cleanup_strv_ struct strv names = STRV_INIT;
	size_t before = box_nr(ret);

	epochs_find(archive, &names);
	if (!names.nr) {
		err_set(e, ERR_CONFIG, "folder '%s' holds no public-inbox archive",
			archive);
		return err_hint(e,
				"name an inbox, its git folder, one N.git, or a mirror "
				"of them");
	}
	if (search(archive, l, o, &places, e) < 0 ||
	    read_places(archive, &places, ret, e) < 0)
		return -(int)e->code;
	if (box_nr(ret) > before)
		return 0;
	return err_set(e, l->message_id ? ERR_UNKNOWN_MESSAGE_ID : ERR_NO_RESULTS,
		       "archive '%s' has no mail of %s", archive, what);
}

const struct archive_kind archive_epoch = { fs_is_dir, false, find };
