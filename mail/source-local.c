// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/source-local.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "mail/box.h"
#include "mail/epochs.h"
#include "mail/head.h"
#include "mail/mime.h"
#include "mail/notmuch.h"
#include "mail/web-source.h"

static int read_file(const char *path, const struct source_opts *o,
		     struct source_mails *ret, struct err *e)
{
	_cleanup_strv_ struct strv epochs = STRV_INIT;
	_cleanup_box_ struct box *b = box_new();

	if (fs_is_dir(path))
		epochs_find(path, &epochs);
	if (epochs.nr) {
		err_set(e, ERR_USAGE, "'%s' is an archive of many threads", path);
		return err_hint(e, "name a mail of one: --archive %s MESSAGE-ID", path);
	}
	if (box_read(b, path, o->max_bytes, e) < 0)
		return -(int)e->code;
	return web_source_box(b, o, ret, e);
}

const struct source_kind source_file = { fs_exists, read_file };

static bool is_stdin(const char *s)
{
	return !strcmp(s, "-") || !strcasecmp(s, "id:-");
}

/* What came through the pipe when it is one mail. */
struct piped {
	char *id;	/* NULL when it has none */
	bool has_patch; /* and is not an answer */
	bool whole;	/* one patch of one */
};

static int look_at(const struct box *box, struct piped *ret, struct err *e)
{
	_cleanup_mail_ struct mail m = { 0 };
	_cleanup_buf_ struct buf raw = BUF_INIT;
	_cleanup_free_ char *made = NULL;

	if (box_mail(box, 0, &raw, e) < 0)
		return -(int)e->code;
	mail_parse(&raw, &(struct mail_opts){ 0 }, &m);
	made = head_made_id(&raw);
	if (strcmp(made, m.message_id))
		ret->id = take_ptr(m.message_id);
	ret->has_patch = mail_has_patch(&m) && !m.subject.reply;
	ret->whole = ret->has_patch && (!m.subject.counted || m.subject.total == 1);
	return 0;
}

/* The thread instead of the one mail of it that came. */
static int read_thread(const struct piped *p, bool wanted, const struct source_opts *o,
		       struct source_mails *ret, struct err *e)
{
	if (lookup_threads(&(struct lookup){ .message_id = p->id }, o, ret->box, e) < 0) {
		if (wanted || !p->has_patch || e->code == ERR_INTERRUPTED)
			return err_wrap(e, "cannot find the thread of the mail on "
					   "standard input");
		strv_addf(&ret->notes, "only the mail on standard input was read: %s",
			  e->frame[0]);
		err_release(e);
		return 0;
	}
	free(ret->message_id);
	ret->message_id = xstrdup(p->id);
	return 0;
}

/*
 * A mailbox, or a patch that is a series of its own, is what the user means. One mail of
 * a longer series, a cover letter or an answer, as a mail reader pipes it, stands for its
 * thread.
 */
static int read_stdin(const char *source, const struct source_opts *o,
		      struct source_mails *ret, struct err *e)
{
	bool wanted = strcmp(source, "-") != 0;
	_cleanup_box_ struct box *box = box_new();
	struct piped p = { 0 };
	int r = 0;

	if (box_read(box, "-", o->max_bytes, e) < 0)
		return -(int)e->code;
	if (box_nr(box) == 1 && look_at(box, &p, e) < 0)
		return -(int)e->code;
	if (wanted && !p.id) {
		err_set(e, ERR_USAGE,
			"what stands on standard input is not one mail "
			"with a message-id");
		r = err_hint(e, "use - to read it as it is");
	} else if (p.id && (wanted || !p.whole)) {
		r = read_thread(&p, wanted, o, ret, e);
	}
	free(p.id);
	return r < 0 ? r : web_source_box(box, o, ret, e);
}

const struct source_kind source_stdin = { is_stdin, read_stdin };

static bool is_notmuch(const char *s)
{
	return !strncasecmp(s, "notmuch:", 8);
}

static int read_notmuch(const char *source, const struct source_opts *o,
			struct source_mails *ret, struct err *e)
{
	struct notmuch_result n = { .box = ret->box };

	(void)o;
	if (notmuch_threads(NULL, source + 8, &n, e) < 0)
		return -(int)e->code;
	if (n.lost)
		strv_addf(&ret->notes,
			  "%zu mails of notmuch have no file any more; `notmuch new` "
			  "tells it",
			  n.lost);
	return 0;
}

const struct source_kind source_notmuch = { is_notmuch, read_notmuch };
