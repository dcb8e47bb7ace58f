// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/http-client.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <curl/curl.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/safe.h"
#include "core/base/stop.h"

#define MAX_REDIRECTS 5L
#define STALL_S 20
#define DEFAULT_MAX_BYTES ((size_t)256 << 20)

/* What is used of libcurl, with the types of its header. */
#define CURL_CALLS(X)     \
	X(global_init)    \
	X(global_cleanup) \
	X(easy_init)      \
	X(easy_cleanup)   \
	X(easy_reset)     \
	X(easy_setopt)    \
	X(easy_perform)   \
	X(easy_getinfo)   \
	X(easy_header)    \
	X(easy_strerror)  \
	X(slist_append)   \
	X(slist_free_all)

struct curl {
#define X(name) __typeof__(&curl_##name) name;
	CURL_CALLS(X)
#undef X
};

/* The request that runs. */
struct transfer {
	struct buf *body;
	size_t max;
	const struct progress *progress;
	bool too_big, stopped;
	bool proxied; /* libcurl took a proxy from the environment */
	char message[CURL_ERROR_SIZE];
};

struct http_client {
	struct curl lib;
	CURL *easy;
	CURLcode code; /* of the last run */
};

static int load(struct curl *lib, struct err *e)
{
	/* The ABI has been number 4 since 2006; Debian builds it with GnuTLS too. */
	static const char *const names[] = { "libcurl.so.4", "libcurl-gnutls.so.4" };
	void *handle = NULL;

	/* It stays: unloading would take TLS libraries away that registered exit
	 * handlers. */
	for (size_t i = 0; !handle && i < ARRAY_SIZE(names); i++)
		handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!handle) {
		err_set(e, ERR_TOOL_MISSING, "cannot load libcurl: %s", dlerror());
		return err_hint(e, "install the package libcurl4; without it kiln reads "
				   "files and local archives only");
	}
#define X(name) *(void **)&lib->name = dlsym(handle, "curl_" #name);
	CURL_CALLS(X)
#undef X
#define X(name) &&lib->name
	if (!(true CURL_CALLS(X)))
		err_set(e, ERR_TOOL_MISSING, "the installed libcurl is older than 7.84");
#undef X
	dlclose(handle);
	return -(int)e->code;
}

int http_client_open(struct http_client **ret, struct err *e)
{
	struct http_client *c = xzalloc(sizeof(*c));

	if (load(&c->lib, e) < 0) {
		free(c);
		return -(int)e->code;
	}
	if (c->lib.global_init(CURL_GLOBAL_DEFAULT) || !(c->easy = c->lib.easy_init())) {
		http_client_free(c);
		return err_set(e, ERR_INTERNAL, "cannot start libcurl");
	}
	*ret = c;
	return 0;
}

void http_client_free(struct http_client *c)
{
	if (!c)
		return;
	c->lib.easy_cleanup(c->easy);
	c->lib.global_cleanup();
	free(c);
}

static size_t on_data(char *data, size_t size, size_t nr, void *ctx)
{
	struct transfer *t = ctx;

	(void)size; /* always 1 */
	if (nr > t->max - t->body->len) {
		t->too_big = true;
		return 0;
	}
	buf_add(t->body, data, nr);
	return nr;
}

static int on_progress(void *ctx, curl_off_t total, curl_off_t now, curl_off_t up_total,
		       curl_off_t up)
{
	struct transfer *t = ctx;

	(void)up_total;
	(void)up;
	progress_update(t->progress, "fetching bytes", (uint64_t)now, (uint64_t)total);
	t->stopped |= stop_requested();
	return t->stopped;
}

/* The one way to learn that a proxy is in use before 8.7. Its address may hold a password
 * and is not kept. */
static int on_talk(CURL *easy, curl_infotype type, char *text, size_t len, void *ctx)
{
	static const char uses[] = "Uses proxy env variable ";
	static const size_t n = sizeof(uses) - 1;
	struct transfer *t = ctx;

	(void)easy;
	if (type == CURLINFO_TEXT && len > n + 8 && !memcmp(text, uses, n))
		t->proxied = strncasecmp(text + n, "no_proxy", 8) != 0;
	return 0;
}

/* A field name and value in one header of the request. */
static void add_header(const struct curl *lib, struct curl_slist **list, const char *name,
		       const char *value)
{
	_cleanup_free_ char *line = NULL;
	struct curl_slist *longer;

	if (!value)
		return;
	line = safe_text(xasprintf("%s: %s", name, value), false);
	longer = lib->slist_append(*list, line);
	if (longer)
		*list = longer;
}

static void set_request(struct http_client *c, const char *url, const struct http_opts *o,
			struct curl_slist *headers)
{
	_cleanup_free_ char *agent = safe_text(
		xasprintf("kiln/%s%s%s%s", KILN_VERSION, o->contact ? " (+" : "",
			  o->contact ?: "", o->contact ? ")" : ""),
		false);
	__typeof__(&curl_easy_setopt) set = c->lib.easy_setopt;
	bool https = !strncasecmp(url, "https:", 6);

	set(c->easy, CURLOPT_URL, url);
	set(c->easy, CURLOPT_PROTOCOLS_STR, "http,https");
	set(c->easy, CURLOPT_REDIR_PROTOCOLS_STR, https ? "https" : "http,https");
	set(c->easy, CURLOPT_FOLLOWLOCATION, 1L);
	set(c->easy, CURLOPT_MAXREDIRS, MAX_REDIRECTS);
	set(c->easy, CURLOPT_USERAGENT, agent);
	set(c->easy, CURLOPT_HTTPHEADER, headers);
	if (o->post) {
		set(c->easy, CURLOPT_POSTREDIR, (long)CURL_REDIR_POST_ALL);
		set(c->easy, CURLOPT_POSTFIELDSIZE, (long)strlen(o->post));
		set(c->easy, CURLOPT_COPYPOSTFIELDS, o->post);
	} else if (o->head) {
		set(c->easy, CURLOPT_NOBODY, 1L);
	}
}

static void set_limits(struct http_client *c, uint64_t deadline_ms, struct transfer *t)
{
	__typeof__(&curl_easy_setopt) set = c->lib.easy_setopt;
	long left = clock_left(deadline_ms);

	/* 0 would mean the library's own limits. */
	set(c->easy, CURLOPT_CONNECTTIMEOUT_MS, left ? left : 1L);
	set(c->easy, CURLOPT_TIMEOUT_MS, left ? left : 1L);
	set(c->easy, CURLOPT_NOSIGNAL, 1L);
	set(c->easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
	set(c->easy, CURLOPT_LOW_SPEED_TIME, (long)STALL_S);
	set(c->easy, CURLOPT_ERRORBUFFER, t->message);
	set(c->easy, CURLOPT_WRITEFUNCTION, on_data);
	set(c->easy, CURLOPT_WRITEDATA, t);
	set(c->easy, CURLOPT_NOPROGRESS, 0L);
	set(c->easy, CURLOPT_XFERINFOFUNCTION, on_progress);
	set(c->easy, CURLOPT_XFERINFODATA, t);
	set(c->easy, CURLOPT_VERBOSE, 1L);
	set(c->easy, CURLOPT_DEBUGFUNCTION, on_talk);
	set(c->easy, CURLOPT_DEBUGDATA, t);
}

static char *header_of(struct http_client *c, const char *name)
{
	struct curl_header *h = NULL;

	if (c->lib.easy_header(c->easy, name, 0, CURLH_HEADER, -1, &h) != CURLHE_OK)
		return NULL;
	return safe_text(xstrdup(h->value), false);
}

static void read_answer(struct http_client *c, struct http_answer *ret)
{
	curl_off_t wait = 0;
	char *url = NULL;

	c->lib.easy_getinfo(c->easy, CURLINFO_RESPONSE_CODE, &ret->status);
	c->lib.easy_getinfo(c->easy, CURLINFO_EFFECTIVE_URL, &url);
	/* Seconds, also where the server named a date. */
	c->lib.easy_getinfo(c->easy, CURLINFO_RETRY_AFTER, &wait);
	ret->url = xstrdup(url ? url : "");
	ret->retry_after_s = wait > 0 ? (uint64_t)wait : 0;
	ret->etag = header_of(c, "ETag");
	ret->modified = header_of(c, "Last-Modified");
}

static int proxy_failed(const char *why, struct err *e)
{
	err_set(e, ERR_PROXY, "the proxy of the environment does not serve: %s", why);
	return err_hint(e, "check http_proxy, https_proxy, all_proxy and no_proxy");
}

static int redirect_failed(CURLcode code, const char *why, struct err *e)
{
	if (code == CURLE_TOO_MANY_REDIRECTS)
		return err_set(e, ERR_REDIRECT, "the server redirects in a circle");
	return err_set(e, ERR_REDIRECT,
		       "the server redirects to where kiln does not follow: %s", why);
}

static int connect_failed(const char *why, struct err *e)
{
	err_set(e, ERR_NETWORK, "cannot connect: %s", why);
	return err_hint(e, "check the network, or name another archive with --archive");
}

static int failed(const struct http_client *c, const struct transfer *t, struct err *e)
{
	const char *why = *t->message ? t->message : c->lib.easy_strerror(c->code);
	long connect_status = 0, redirects = 0;

	c->lib.easy_getinfo(c->easy, CURLINFO_HTTP_CONNECTCODE, &connect_status);
	c->lib.easy_getinfo(c->easy, CURLINFO_REDIRECT_COUNT, &redirects);
	if (t->stopped && stop_check(e) < 0)
		return -(int)e->code;
	if (t->too_big)
		return err_set(e, ERR_TOO_BIG, "the answer is larger than %zu bytes",
			       t->max);
	if (connect_status >= 300)
		return proxy_failed(why, e);
	switch (c->code) {
	case CURLE_OPERATION_TIMEDOUT:
		err_set(e, ERR_TIMEOUT, "the server does not answer in time: %s", why);
		return err_hint(e, "try again later, or give more time with --timeout");
	case CURLE_TOO_MANY_REDIRECTS:
		return redirect_failed(c->code, why, e);
	case CURLE_PARTIAL_FILE:
		return err_set(e, ERR_TRUNCATED, "the connection broke off: %s", why);
	case CURLE_URL_MALFORMAT:
	case CURLE_UNSUPPORTED_PROTOCOL:
		if (redirects)
			return redirect_failed(c->code, why, e);
		return err_set(e, ERR_NETWORK, "not a web address kiln can use: %s", why);
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_PROXY:
		return proxy_failed(why, e);
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
		return t->proxied ? proxy_failed(why, e) : connect_failed(why, e);
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_CACERT_BADFILE:
		err_set(e, ERR_TLS, "the server's identity is not proven: %s", why);
		return err_hint(e, "check the clock and the certificates of this machine "
				   "(package ca-certificates)");
	default:
		return err_set(e, ERR_NETWORK, "the transfer failed: %s", why);
	}
}

int http_client_run(struct http_client *c, const char *url, const struct http_opts *o,
		    uint64_t deadline_ms, struct http_answer *ret, struct err *e)
{
	struct transfer t = {
		.body = &ret->body,
		.max = o->max_bytes ? o->max_bytes : DEFAULT_MAX_BYTES,
		.progress = o->progress,
	};
	struct curl_slist *headers = NULL;
	int r = 0;

	http_answer_release(ret);
	c->lib.easy_reset(c->easy); /* options only; the connection stays */
	add_header(&c->lib, &headers, "If-None-Match", o->etag);
	add_header(&c->lib, &headers, "If-Modified-Since", o->modified);
	set_request(c, url, o, headers);
	set_limits(c, deadline_ms, &t);
	c->code = c->lib.easy_perform(c->easy);
	read_answer(c, ret);
	log_debug("%s %s: %ld, %zu bytes%s%s",
		  o->post   ? "POST"
		  : o->head ? "HEAD"
			    : "GET",
		  url, ret->status, ret->body.len, c->code ? ", " : "",
		  c->code ? c->lib.easy_strerror(c->code) : "");
	if (c->code != CURLE_OK)
		r = failed(c, &t, e);
	c->lib.slist_free_all(headers);
	return r;
}

bool http_client_may_retry(const struct http_client *c)
{
	switch (c->code) {
	case CURLE_COULDNT_CONNECT:
	case CURLE_GOT_NOTHING:
	case CURLE_PARTIAL_FILE:
	case CURLE_RECV_ERROR:
	case CURLE_SEND_ERROR:
		return true;
	default:
		return false;
	}
}
