// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/source.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/archive.h"
#include "mail/source-local.h"
#include "mail/text.h"

static bool is_url(const char *s)
{
	return !strncasecmp(s, "http://", 7) || !strncasecmp(s, "https://", 8);
}

/* The id behind a prefix that says it is one, NULL when there is none. */
static const char *behind_prefix(const char *s)
{
	static const char *const prefixes[] = { "id:", "mid:", "rfc822msgid:" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncasecmp(s, prefixes[i], strlen(prefixes[i])))
			return s + strlen(prefixes[i]);
	return NULL;
}

static bool is_marked_id(const char *s)
{
	size_t n = strlen(s);

	return behind_prefix(s) || (n > 2 && s[0] == '<' && s[n - 1] == '>');
}

static bool is_bare_id(const char *s)
{
	const char *at = strchr(s, '@');

	return at && at != s && at[1] && !strpbrk(s, " \t\n");
}

static bool is_search(const char *s)
{
	return !strncasecmp(s, "lore:", 5);
}

static bool is_anything(const char *s)
{
	(void)s;
	return true;
}

/* From one archive when the source names it, else from those of the user. */
static int read_thread(const char *base, char *id, const struct source_opts *o,
		       struct source_mails *ret, struct err *e)
{
	_cleanup_strv_ struct strv named = STRV_INIT;
	_cleanup_free_ char *owned = id;
	struct source_opts here = *o;

	if (base) {
		strv_add(&named, base);
		here.archives = &named;
	}
	if (lookup_threads(&(struct lookup){ .message_id = id }, &here, ret->box, e) < 0)
		return -(int)e->code;
	free(ret->message_id);
	ret->message_id = take_ptr(owned);
	return 0;
}

static int read_url(const char *url, const struct source_opts *o,
		    struct source_mails *ret, struct err *e)
{
	_cleanup_free_ char *base = NULL;
	char *id = NULL;

	if (!archive_split(url, &base, &id)) {
		err_set(e, ERR_USAGE, "no message-id in '%s'", url);
		return err_hint(e, "copy the link of one message: it has an '@' in it");
	}
	return read_thread(base, id, o, ret, e);
}

static int read_id(const char *source, const struct source_opts *o,
		   struct source_mails *ret, struct err *e)
{
	const char *p = behind_prefix(source);
	char *id = text_trim(xstrdup(p ? p : source));
	size_t n = strlen(id);

	if (n > 2 && id[0] == '<' && id[n - 1] == '>') {
		id[n - 1] = ' ';
		id[0] = ' ';
		text_trim(id);
	}
	return read_thread(NULL, id, o, ret, e);
}

static int refuse_search(const char *source, const struct source_opts *o,
			 struct source_mails *ret, struct err *e)
{
	(void)o;
	(void)ret;
	err_set(e, ERR_USAGE, "searches like '%s' are not supported", source);
	return err_hint(e, "name a message-id, a URL or a file");
}

static int refuse(const char *source, const struct source_opts *o,
		  struct source_mails *ret, struct err *e)
{
	(void)o;
	(void)ret;
	err_set(e, ERR_NOT_FOUND, "'%s' is neither a file nor a message-id", source);
	return err_hint(e,
			"name a message-id, a public-inbox URL, an mbox file, or - for "
			"standard input");
}

static const struct source_kind source_url = { is_url, read_url };
static const struct source_kind source_id = { is_marked_id, read_id };
static const struct source_kind source_search = { is_search, refuse_search };
static const struct source_kind source_bare_id = { is_bare_id, read_id };
static const struct source_kind source_unknown = { is_anything, refuse };

static const struct source_kind *const kinds[] = {
	&source_stdin,	&source_url,	 &source_id,	  &source_file,
	&source_search, &source_notmuch, &source_bare_id, &source_unknown,
};

int source_read(const char *source, const struct source_opts *o, struct source_mails *ret,
		struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i]->knows(source))
			return kinds[i]->read(source, o, ret, e);
	return err_set(e, ERR_USAGE, "no source given");
}

void source_mails_release(struct source_mails *m)
{
	free(m->message_id);
	strv_release(&m->notes);
	*m = (struct source_mails){ .box = m->box };
}
