// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/archive.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/box.h"
#include "mail/gunzip.h"
#include "mail/http.h"
#include "mail/source-kind.h"
#include "mail/text.h"

#define MAX_ID 1000
#define FETCH_ATTEMPTS 2

char *archive_escape(const char *message_id)
{
	static const char plain[] = "-._~!$&'()*+,;=:@";
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (const char *p = message_id; *p; p++) {
		if (isalnum((unsigned char)*p) || strchr(plain, *p))
			buf_addc(&b, *p);
		else
			buf_addf(&b, "%%%02X", (unsigned char)*p);
	}
	return buf_take(&b);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "+" stands for itself in a path. */
static char *unescape(const char *p, size_t len)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < len; i++) {
		int hi = p[i] == '%' && i + 2 < len ? hex_digit(p[i + 1]) : -1;
		int lo = hi >= 0 ? hex_digit(p[i + 2]) : -1;

		if (lo >= 0 && (hi || lo)) {
			buf_addc(&b, (char)(hi << 4 | lo));
			i += 2;
		} else {
			buf_addc(&b, p[i]);
		}
	}
	return buf_take(&b);
}

static bool has_at(const char *p, size_t len)
{
	return memchr(p, '@', len) || text_find_nocase(p, len, "%40");
}

/* Components that stand in front of ids of servers that hold no mails under that address.
 */
static bool is_redirector(const char *host, size_t host_len, const char *path, size_t len)
{
	static const char *const hosts[] = { "patch.msgid.link", "msgid.link",
					     "lkml.kernel.org", "patchwork.kernel.org" };

	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++)
		if (host_len == strlen(hosts[i]) &&
		    !strncasecmp(host, hosts[i], host_len))
			return true;
	return len <= 1 || (len == 3 && !memcmp(path, "/r/", 3)) ||
	       text_find_nocase(path, len, "/patch/") != NULL;
}

bool archive_split(const char *url, char **ret_base, char **ret_id)
{
	const char *host = strstr(url, "://"), *path, *end, *p;

	if (!host)
		return false;
	host += 3;
	path = host + strcspn(host, "/?#");
	end = path + strcspn(path, "?#");
	for (p = path; p < end; p += strcspn(p, "/")) {
		size_t n = strcspn(++p, "/?#");
		_cleanup_free_ char *id = NULL;

		if (!has_at(p, n))
			continue;
		id = unescape(p, n);
		if (strlen(id) > MAX_ID)
			return false;
		*ret_base = is_redirector(host, (size_t)(path - host), path,
					  (size_t)(p - path))
				    ? NULL
				    : xstrndup(url, (size_t)(p - 1 - url));
		*ret_id = take_ptr(id);
		return true;
	}
	return false;
}

static bool is_html(const struct buf *b)
{
	size_t n = b->len < 1024 ? b->len : 1024;

	return text_find_nocase(buf_str(b), n, "<!doctype html") ||
	       text_find_nocase(buf_str(b), n, "<html");
}

static int not_mail(const struct buf *b, struct err *e)
{
	static const char *const bots[] = { "not a bot", "anubis", "captcha",
					    "challenge" };

	if (!is_html(b)) {
		err_set(e, ERR_NOT_MAIL,
			"the server sends something that is no gzip data");
		return err_hint(e, "name a public-inbox server with --archive URL");
	}
	for (size_t i = 0; i < ARRAY_SIZE(bots); i++) {
		if (!text_find_nocase(buf_str(b), b->len, bots[i]))
			continue;
		err_set(e, ERR_NOT_MAIL,
			"the server sends a page that asks for proof of "
			"being no bot instead of mail");
		return err_hint(e, "use another server with --archive URL, or save the "
				   "thread's mbox by browser");
	}
	err_set(e, ERR_NOT_MAIL, "the server sends an HTML page instead of mail");
	return err_hint(e, "name a public-inbox server with --archive URL");
}

static int check_status(const struct http_answer *a, const char *id, struct err *e)
{
	if (a->status == 200)
		return 0;
	if (a->status == 404 || a->status == 300) {
		err_set(e, ERR_UNKNOWN_MESSAGE_ID, "the archive does not know '%s'", id);
		return err_hint(e, "check the message-id, or try another archive with "
				   "--archive URL");
	}
	return err_set(e, ERR_HTTP, "the server answers %ld", a->status);
}

static int fetch_once(const char *url, const char *id, const struct source_opts *o,
		      struct buf *ret, struct err *e)
{
	_cleanup_http_answer_ struct http_answer a = HTTP_ANSWER_INIT;
	struct http_opts ho = { .timeout_s = o->timeout_s,
				.max_bytes = o->max_bytes,
				.progress = o->progress };

	if (http_get(url, &ho, &a, e) < 0)
		return -(int)e->code;
	if (check_status(&a, id, e) < 0)
		return err_wrap(e, "cannot fetch '%s'", url);
	/* By its first bytes: a proxy may have unpacked it, and the type is not to be
	 * trusted. */
	if (gunzip_is_gzip(&a.body)) {
		if (gunzip(&a.body, o->max_bytes ? o->max_bytes : SOURCE_MAX_BYTES, ret,
			   e) < 0)
			return err_wrap(e, "cannot unpack '%s'", url);
		return 0;
	}
	if (a.body.len > 5 && !memcmp(a.body.data, "From ", 5)) {
		buf_add(ret, a.body.data, a.body.len);
		return 0;
	}
	not_mail(&a.body, e);
	return err_wrap(e, "cannot use the answer to '%s'", url);
}

static char *base_of(const char *archive)
{
	size_t n = strlen(archive);

	while (n && archive[n - 1] == '/')
		n--;
	return xstrndup(archive, n);
}

static int find(const char *archive, const struct lookup *l, const struct source_opts *o,
		struct box *ret, struct err *e)
{
	_cleanup_free_ char *base = base_of(archive), *id = NULL, *url = NULL;
	_cleanup_buf_ struct buf mbox = BUF_INIT;
	int r = 0;

	if (!l->message_id)
		return err_set(e, ERR_NO_RESULTS, "'%s' is not searched", archive);
	id = archive_escape(l->message_id);
	url = xasprintf("%s/%s/t.mbox.gz", base, id);
	/* A transfer cut short is often a server restarting. */
	for (int i = 0; i < FETCH_ATTEMPTS; i++) {
		err_release(e);
		r = fetch_once(url, l->message_id, o, &mbox, e);
		if (r == 0 || e->code != ERR_TRUNCATED)
			break;
	}
	return r < 0 ? r : box_split(ret, &mbox, e);
}

static bool knows(const char *archive)
{
	return !strncasecmp(archive, "http://", 7) ||
	       !strncasecmp(archive, "https://", 8);
}

const struct archive_kind archive_web = { knows, true, find };
