// SPDX-License-Identifier: GPL-3.0-or-later
/* The user's notmuch database as an archive: "notmuch", or "notmuch:FOLDER". */
#include <string.h>

#include "core/base/buf.h"
#include "mail/notmuch.h"
#include "mail/source-kind.h"

static bool knows(const char *archive)
{
	return !strcmp(archive, "notmuch") || !strncmp(archive, "notmuch:", 8);
}

/* A term of Xapian between quotes; quotes inside are doubled. */
static void add_term(struct buf *query, const char *prefix, const char *value)
{
	if (query->len)
		buf_adds(query, " and ");
	buf_adds(query, prefix);
	buf_addc(query, '"');
	for (; *value; value++) {
		buf_addc(query, *value);
		if (*value == '"')
			buf_addc(query, '"');
	}
	buf_addc(query, '"');
}

static int find(const char *archive, const struct lookup *l, const struct source_opts *o,
		struct box *ret, struct err *e)
{
	const char *folder = strchr(archive, ':');
	_cleanup_buf_ struct buf query = BUF_INIT;
	struct notmuch_result n = { .box = ret };

	(void)o;
	if (l->message_id) {
		add_term(&query, "id:", l->message_id);
	} else if (l->change_id) {
		add_term(&query, "", l->change_id);
	} else if (!l->patch_id && l->subject) {
		add_term(&query, "subject:", l->subject);
		if (l->from)
			add_term(&query, "from:", l->from);
	}
	if (!query.len)
		return err_set(e, ERR_NO_RESULTS, "notmuch cannot look for that");
	if (notmuch_threads(folder && folder[1] ? folder + 1 : NULL, buf_str(&query), &n,
			    e) == 0)
		return 0;
	if (e->code == ERR_NO_RESULTS && l->message_id)
		return err_set(e, ERR_UNKNOWN_MESSAGE_ID,
			       "notmuch knows no message-id '%s'", l->message_id);
	return -(int)e->code;
}

const struct archive_kind archive_notmuch = { knows, false, find };
