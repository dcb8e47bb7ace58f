// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/http.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <curl/curl.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/parse.h"
#include "core/base/stop.h"

#define MAX_ATTEMPTS 3
#define MAX_REDIRECTS 5L
#define STALL_S 20
#define DEFAULT_TIMEOUT_S 60
#define DEFAULT_MAX_BYTES ((size_t)256 << 20)
#define FIRST_WAIT_MS 250

/* One request while it runs. */
struct transfer {
	CURL *curl;
	const char *url;
	const struct progress *progress;
	struct http_answer answer;
	size_t max;
	bool too_big, stopped;
	uint64_t deadline_ms;
	uint64_t retry_after_ms; /* what the server asked for, 0 = nothing */
	char message[CURL_ERROR_SIZE];
};

static size_t on_data(char *data, size_t size, size_t nr, void *ctx)
{
	struct transfer *t = ctx;

	(void)size; /* always 1 */
	if (nr > t->max - t->answer.body.len) {
		t->too_big = true;
		return 0;
	}
	buf_add(&t->answer.body, data, nr);
	return nr;
}

/* Only the form in seconds is read; a date is as good as no wish. */
static size_t on_header(char *data, size_t size, size_t nr, void *ctx)
{
	static const char name[] = "retry-after:";
	struct transfer *t = ctx;
	uint64_t seconds;

	(void)size;
	if (nr > sizeof(name) && !strncasecmp(data, name, sizeof(name) - 1)) {
		_cleanup_free_ char *v =
			xstrndup(data + sizeof(name) - 1, nr - sizeof(name) + 1);
		char *digits = v + strspn(v, " \t");

		digits[strcspn(digits, "\r\n \t")] = '\0';
		if (parse_u64(digits, &seconds) && seconds < 1000000)
			t->retry_after_ms = seconds ? seconds * 1000 : 1;
	}
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

static void set_options(struct transfer *t)
{
	bool https = !strncasecmp(t->url, "https:", 6);
	CURL *c = t->curl;

	curl_easy_setopt(c, CURLOPT_URL, t->url);
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(c, CURLOPT_REDIR_PROTOCOLS_STR, https ? "https" : "http,https");
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
	curl_easy_setopt(c, CURLOPT_MAXREDIRS, MAX_REDIRECTS);
	curl_easy_setopt(c, CURLOPT_USERAGENT, "kiln/" KILN_VERSION);
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)clock_left(t->deadline_ms));
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)clock_left(t->deadline_ms));
	curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, (long)STALL_S);
	curl_easy_setopt(c, CURLOPT_ERRORBUFFER, t->message);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_data);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(c, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(c, CURLOPT_XFERINFODATA, t);
}

static int connection_failed(const struct transfer *t, CURLcode code, struct err *e)
{
	const char *why = *t->message ? t->message : curl_easy_strerror(code);

	if (t->stopped && stop_check(e) < 0)
		return -(int)e->code;
	if (t->too_big)
		return err_set(e, ERR_TOO_BIG, "the answer is larger than %zu bytes",
			       t->max);
	switch (code) {
	case CURLE_OPERATION_TIMEDOUT:
		err_set(e, ERR_TIMEOUT, "the server does not answer in time: %s", why);
		return err_hint(e, "try again later, or give more time with --timeout");
	case CURLE_TOO_MANY_REDIRECTS:
		return err_set(e, ERR_HTTP, "the server redirects in a circle");
	case CURLE_PARTIAL_FILE:
		return err_set(e, ERR_TRUNCATED, "the connection broke off: %s", why);
	case CURLE_URL_MALFORMAT:
	case CURLE_UNSUPPORTED_PROTOCOL:
		return err_set(e, ERR_NETWORK, "not a web address kiln can use: %s", why);
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
		err_set(e, ERR_NETWORK, "cannot connect: %s", why);
		return err_hint(
			e,
			"check the network, or name another server with --archive URL");
	default:
		return err_set(e, ERR_NETWORK, "the transfer failed: %s", why);
	}
}

/* Answers and failures that may be different a moment later. */
static bool is_worth_retrying(CURLcode code, long status)
{
	switch (code) {
	case CURLE_OK:
		return status == 429 || status == 502 || status == 503 || status == 504;
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

static int busy(const struct transfer *t, struct err *e)
{
	if (t->answer.status != 429)
		return err_set(e, ERR_HTTP, "the server answers %ld, %d times in a row",
			       t->answer.status, MAX_ATTEMPTS);
	err_set(e, ERR_RATE_LIMITED, "the server asks for fewer requests");
	if (t->retry_after_ms)
		return err_hint(e, "it wants a pause of %llu s",
				(unsigned long long)(t->retry_after_ms + 999) / 1000);
	return err_hint(e, "wait some minutes");
}

/* Sleep in slices short enough that a signal is noticed at once for a person. */
static int wait_ms(uint64_t ms, struct err *e)
{
	uint64_t deadline = clock_ms() + ms;
	int left;

	while ((left = clock_left(deadline)) > 0) {
		if (stop_check(e) < 0)
			return -(int)e->code;
		if (poll(NULL, 0, left < 100 ? left : 100) < 0 && errno != EINTR)
			return err_sys(e, errno, "cannot wait");
	}
	return stop_check(e);
}

static CURLcode attempt(struct transfer *t)
{
	CURLcode code;
	char *url = NULL;

	buf_clear(&t->answer.body);
	t->answer.status = 0;
	t->retry_after_ms = 0;
	t->message[0] = '\0';
	set_options(t);
	code = curl_easy_perform(t->curl);
	curl_easy_getinfo(t->curl, CURLINFO_RESPONSE_CODE, &t->answer.status);
	curl_easy_getinfo(t->curl, CURLINFO_EFFECTIVE_URL, &url);
	free(t->answer.url);
	t->answer.url = xstrdup(url ? url : t->url);
	log_debug("GET %s: %ld, %zu bytes%s%s", t->url, t->answer.status,
		  t->answer.body.len, code ? ", " : "",
		  code ? curl_easy_strerror(code) : "");
	return code;
}

static int run(struct transfer *t, struct err *e)
{
	uint64_t pause = FIRST_WAIT_MS;

	for (int nr = 1;; nr++) {
		CURLcode code = attempt(t);
		uint64_t ms = t->retry_after_ms ? t->retry_after_ms
						: pause + clock_ms() % (pause / 2);
		bool retry = is_worth_retrying(code, t->answer.status);

		if (retry && nr < MAX_ATTEMPTS &&
		    ms < (uint64_t)clock_left(t->deadline_ms)) {
			if (wait_ms(ms, e) < 0)
				return -(int)e->code;
			pause *= 2;
			continue;
		}
		if (code != CURLE_OK)
			return connection_failed(t, code, e);
		return retry ? busy(t, e) : 0;
	}
}

int http_get(const char *url, const struct http_opts *o, struct http_answer *ret,
	     struct err *e)
{
	uint64_t seconds = o->timeout_s ? o->timeout_s : DEFAULT_TIMEOUT_S;
	struct transfer t = {
		.url = url,
		.progress = o->progress,
		.max = o->max_bytes ? o->max_bytes : DEFAULT_MAX_BYTES,
		.deadline_ms = clock_ms() + (seconds < 86400 ? seconds : 86400) * 1000,
	};
	int r;

	if (curl_global_init(CURL_GLOBAL_DEFAULT) || !(t.curl = curl_easy_init()))
		return err_set(e, ERR_INTERNAL, "cannot start libcurl");
	r = run(&t, e);
	curl_easy_cleanup(t.curl);
	curl_global_cleanup();
	if (r < 0) {
		http_answer_release(&t.answer);
		return err_wrap(e, "cannot fetch '%s'", url);
	}
	*ret = t.answer;
	return 0;
}

void http_answer_release(struct http_answer *a)
{
	buf_release(&a->body);
	free(a->url);
	*a = (struct http_answer)HTTP_ANSWER_INIT;
}
