// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/strv.h"
#include "mail/archive.h"
#include "mail/source-kind.h"

static const struct archive_kind *const kinds[] = {
	&archive_web,
	&archive_notmuch,
	&archive_epoch,
};

char *lookup_text(const struct lookup *l)
{
	if (l->message_id)
		return xasprintf("message-id '%s'", l->message_id);
	if (l->change_id)
		return xasprintf("change-id '%s'", l->change_id);
	if (l->patch_id)
		return xasprintf("patch-id '%s'", l->patch_id);
	if (l->subject)
		return xasprintf("subject '%s'%s%s%s", l->subject, l->from ? " of '" : "",
				 l->from ?: "", l->from ? "'" : "");
	return xasprintf("query '%s'", l->query ?: "");
}

static const struct archive_kind *kind_of(const char *archive)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i]->knows(archive))
			return kinds[i];
	return NULL;
}

/* Archives that could not say whether they have the mail. */
struct failures {
	enum err_code code; /* of the first one */
	char *hint;
	struct strv texts;
};

static void failures_release(struct failures *f)
{
	free(f->hint);
	strv_release(&f->texts);
}

static void failures_add(struct failures *f, const char *archive, struct err *e)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_addf(&b, "'%s': ", archive);
	for (unsigned int i = e->nr; i-- > 0;)
		buf_addf(&b, "%s%s", e->frame[i], i ? ": " : "");
	strv_add(&f->texts, buf_str(&b));
	if (f->texts.nr == 1) {
		f->code = e->code;
		f->hint = take_ptr(e->hint);
	}
	err_release(e);
}

/* Innermost the first archive's failure, in the order they were asked. */
static int tell(const struct failures *f, const struct lookup *l, size_t asked,
		struct err *e)
{
	_cleanup_free_ char *what = lookup_text(l);
	bool unknown = l->message_id != NULL;

	if (!f->texts.nr) {
		err_set(e, unknown ? ERR_UNKNOWN_MESSAGE_ID : ERR_NO_RESULTS,
			"none of the %zu archives has %s", asked, what);
		return err_hint(e, "check it, or name another archive with --archive");
	}
	err_set(e, f->code, "%s", f->texts.v[0]);
	for (size_t i = 1; i < f->texts.nr; i++)
		err_wrap(e, "%s", f->texts.v[i]);
	if (f->hint)
		err_hint(e, "%s", f->hint);
	return err_wrap(e, "no archive gives %s", what);
}

static bool is_no(const struct err *e)
{
	return e->code == ERR_UNKNOWN_MESSAGE_ID || e->code == ERR_NO_RESULTS;
}

/* What no other archive can mend. */
static bool is_final(const struct err *e)
{
	return e->code == ERR_INTERRUPTED || e->code == ERR_USAGE ||
	       e->code == ERR_INTERNAL;
}

/* Ask the archives of one side: 1 when one had it, 0 when none, negative to stop. */
static int ask(const struct strv *archives, bool network, const struct lookup *l,
	       const struct source_opts *o, struct box *ret, struct failures *f,
	       struct err *e)
{
	for (size_t i = 0; i < archives->nr; i++) {
		const char *archive = archives->v[i];
		const struct archive_kind *kind = kind_of(archive);

		if (kind->network != network)
			continue;
		err_release(e);
		if (kind->find(archive, l, o, ret, e) == 0)
			return 1;
		if (is_final(e) || archives->nr == 1)
			return -(int)e->code;
		if (!is_no(e))
			failures_add(f, archive, e);
	}
	return 0;
}

static int check_kinds(const struct strv *archives, struct err *e)
{
	for (size_t i = 0; i < archives->nr; i++)
		if (!kind_of(archives->v[i])) {
			err_set(e, ERR_CONFIG, "'%s' is no archive kiln can read",
				archives->v[i]);
			return err_hint(e,
					"archives are URLs of public-inbox servers with "
					"the inbox, as in %s",
					ARCHIVE_DEFAULT);
		}
	return 0;
}

int lookup_threads(const struct lookup *l, const struct source_opts *o, struct box *ret,
		   struct err *e)
{
	_cleanup_(failures_release) struct failures f = { 0 };
	_cleanup_strv_ struct strv standard = STRV_INIT;
	const struct strv *archives = o->archives;
	int r;

	if (!archives || !archives->nr) {
		strv_add(&standard, ARCHIVE_DEFAULT);
		archives = &standard;
	}
	if (check_kinds(archives, e) < 0)
		return -(int)e->code;
	r = ask(archives, false, l, o, ret, &f, e);
	if (r == 0)
		r = ask(archives, true, l, o, ret, &f, e);
	if (r)
		return r > 0 ? 0 : r;
	err_release(e);
	return tell(&f, l, archives->nr, e);
}
