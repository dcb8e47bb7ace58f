// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/source-net.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/archive.h"
#include "mail/text.h"
#include "mail/web-source.h"

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

/* What the configured archives other than base are, base being asked already. */
static void others(const char *base, const struct source_opts *o, struct strv *ret)
{
	for (size_t i = 0; o->archives && i < o->archives->nr; i++)
		if (strcmp(o->archives->v[i], base))
			strv_add(ret, o->archives->v[i]);
}

/*
 * The archive a URL names is the one meant. Those the user configured are asked when it
 * does not deliver; the standard one is not, as nobody asked for it.
 */
static int read_named(const char *base, const struct lookup *l,
		      const struct source_opts *o, struct source_mails *ret,
		      struct err *e)
{
	_cleanup_strv_ struct strv named = STRV_INIT, rest = STRV_INIT;
	_cleanup_err_ struct err second = { 0 };
	struct source_opts here = *o;

	strv_add(&named, base);
	others(base, o, &rest);
	here.archives = &named;
	if (lookup_threads(l, &here, ret->box, e) == 0)
		return 0;
	here.archives = &rest;
	if (e->code == ERR_INTERRUPTED || !rest.nr ||
	    lookup_threads(l, &here, ret->box, &second) < 0)
		return -(int)e->code;
	strv_addf(&ret->notes, "'%s' does not give the mails: %s; another archive does",
		  base, e->frame[0]);
	err_release(e);
	return 0;
}

static int read_from(const char *base, const struct lookup *l,
		     const struct source_opts *o, struct source_mails *ret, struct err *e)
{
	int r = base ? read_named(base, l, o, ret, e) : lookup_threads(l, o, ret->box, e);

	if (r == 0 && l->message_id) {
		free(ret->message_id);
		ret->message_id = xstrdup(l->message_id);
	}
	return r;
}

static int no_id(const char *url, struct err *e)
{
	if (archive_is_numeric_patchwork(url)) {
		err_set(e, ERR_USAGE, "'%s' has patchwork's number, not the message-id",
			url);
		return err_hint(e, "open it and copy the Message-ID it shows, or the "
				   "patch's link, which ends in /patch/MESSAGE-ID/");
	}
	err_set(e, ERR_USAGE, "no message-id in '%s'", url);
	return err_hint(e, "copy the link of one message: it has an '@' in it");
}

static int read_url(const char *url, const struct source_opts *o,
		    struct source_mails *ret, struct err *e)
{
	_cleanup_free_ char *base = NULL, *what = NULL;

	if (web_source_is_page(url))
		return web_source_url(url, o, ret, e);
	if (archive_split(url, &base, &what))
		return read_from(base, &(struct lookup){ .message_id = what }, o, ret, e);
	if (archive_split_search(url, &base, &what))
		return read_from(base, &(struct lookup){ .query = what }, o, ret, e);
	return no_id(url, e);
}

static int read_id(const char *source, const struct source_opts *o,
		   struct source_mails *ret, struct err *e)
{
	const char *p = behind_prefix(source);
	_cleanup_free_ char *id = text_trim(xstrdup(p ? p : source));
	size_t n = strlen(id);

	if (n > 2 && id[0] == '<' && id[n - 1] == '>') {
		id[n - 1] = ' ';
		id[0] = ' ';
		text_trim(id);
	}
	return read_from(NULL, &(struct lookup){ .message_id = id }, o, ret, e);
}

static int read_search(const char *source, const struct source_opts *o,
		       struct source_mails *ret, struct err *e)
{
	const char *query = strchr(source, ':') + 1;

	if (!query[strspn(query, " \t\n")]) {
		err_set(e, ERR_USAGE, "'%s' has no query", source);
		return err_hint(e, "as in lore:'s:nested AND f:author@example.org'");
	}
	return read_from(NULL, &(struct lookup){ .query = query }, o, ret, e);
}

const struct source_kind source_url = { is_url, read_url };
const struct source_kind source_search = { is_search, read_search };
const struct source_kind source_id = { is_marked_id, read_id };
const struct source_kind source_bare_id = { is_bare_id, read_id };
