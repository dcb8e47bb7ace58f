// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/archive.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/text.h"

#define MAX_ID 1000

static void escape(const char *text, const char *plain, struct buf *b)
{
	for (const char *p = text; *p; p++) {
		if (isalnum((unsigned char)*p) || strchr(plain, *p))
			buf_addc(b, *p);
		else
			buf_addf(b, "%%%02X", (unsigned char)*p);
	}
}

char *archive_escape(const char *message_id)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	escape(message_id, "-._~!$&'()*+,;=:@", &b);
	return buf_take(&b);
}

char *archive_escape_query(const char *query)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	escape(query, "-._~", &b);
	return buf_take(&b);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "+" stands for itself in a path, for a blank in a query. */
static char *unescape(const char *p, size_t len, char plus)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < len; i++) {
		int hi = p[i] == '%' && i + 2 < len ? hex_digit(p[i + 1]) : -1;
		int lo = hi >= 0 ? hex_digit(p[i + 2]) : -1;

		if (lo >= 0 && (hi || lo)) {
			buf_addc(&b, (char)(hi << 4 | lo));
			i += 2;
		} else {
			buf_addc(&b, p[i] == '+' ? plus : p[i]);
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
		id = unescape(p, n, '+');
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

bool archive_split_search(const char *url, char **ret_base, char **ret_query)
{
	const char *host = strstr(url, "://"), *question, *end, *p;

	if (!host)
		return false;
	question = strchr(host, '?');
	if (!question || question[-1] != '/' ||
	    memchr(host, '#', (size_t)(question - host)))
		return false;
	end = question + strcspn(question, "#");
	for (p = question; p < end; p += strcspn(p, "&#")) {
		size_t n = strcspn(++p, "&#");

		if (n < 3 || memcmp(p, "q=", 2))
			continue;
		*ret_base = xstrndup(url, (size_t)(question - 1 - url));
		*ret_query = unescape(p + 2, n - 2, ' ');
		return true;
	}
	return false;
}

bool archive_is_numeric_patchwork(const char *url)
{
	static const char *const parts[] = { "/patch/", "/series/", "/cover/",
					     "/bundle/" };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const char *p = strstr(url, parts[i]);

		if (p && isdigit((unsigned char)p[strlen(parts[i])]))
			return true;
	}
	return text_find_nocase(url, strlen(url), "/patchwork.") &&
	       strstr(url, "?series=");
}
