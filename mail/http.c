// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/http.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "mail/http-client.h"
#include "mail/http-turn.h"

#define MAX_ATTEMPTS 4
#define DEFAULT_TIMEOUT_S 60
#define MAX_TIMEOUT_S 86400
#define FIRST_PAUSE_MS 500
#define GAP_MS 100

/* Answers that may be different a moment later. */
static bool is_busy(long status)
{
	return status == 429 || status == 502 || status == 503 || status == 504;
}

static int busy(const struct http_answer *a, int attempts, struct err *e)
{
	if (a->status == 429) {
		err_set(e, ERR_RATE_LIMITED, "the server asks for fewer requests");
		if (a->retry_after_s)
			return err_hint(e, "it wants a pause of %llu s",
					(unsigned long long)a->retry_after_s);
		return err_hint(e, "wait some minutes");
	}
	err_set(e, ERR_BUSY, "the server is busy: it answers %ld, %d times in a row",
		a->status, attempts);
	if (a->retry_after_s)
		return err_hint(e, "it wants a pause of %llu s",
				(unsigned long long)a->retry_after_s);
	return err_hint(e, "try again later, or name another archive with --archive");
}

static int attempt(struct http_client *c, const char *url, const struct http_opts *o,
		   uint64_t deadline_ms, struct http_answer *ret, struct err *e)
{
	int gap = o->retry_ms && o->retry_ms < GAP_MS ? (int)o->retry_ms : GAP_MS;
	int turn, r;

	if (http_turn_take(url, gap, deadline_ms, &turn, e) < 0)
		return -(int)e->code;
	r = http_client_run(c, url, o, deadline_ms, ret, e);
	http_turn_end(turn);
	return r;
}

/* Jitter keeps clients apart that a busy server turned away together. */
static uint64_t with_jitter(uint64_t ms)
{
	return ms + arc4random_uniform((uint32_t)(ms / 2 + 1));
}

static int run(struct http_client *c, const char *url, const struct http_opts *o,
	       uint64_t deadline_ms, struct http_answer *ret, struct err *e)
{
	uint64_t pause = o->retry_ms ? o->retry_ms : FIRST_PAUSE_MS;

	for (int nr = 1;; nr++, pause *= 2) {
		int r = attempt(c, url, o, deadline_ms, ret, e);
		bool again = r < 0 ? e->code != ERR_TIMEOUT && http_client_may_retry(c)
				   : is_busy(ret->status);
		uint64_t wait = r == 0 && ret->retry_after_s ? ret->retry_after_s * 1000
							     : with_jitter(pause);

		if (again && nr < MAX_ATTEMPTS &&
		    wait < (uint64_t)clock_left(deadline_ms)) {
			err_release(e);
			if (http_wait(clock_ms() + wait, e) < 0)
				return -(int)e->code;
			continue;
		}
		if (r < 0)
			return r;
		if (again)
			return busy(ret, nr, e);
		if (ret->status == 407) {
			err_set(e, ERR_PROXY, "the proxy wants a name and password");
			return err_hint(e, "give them in the proxy's address: "
					   "http://USER:PASSWORD@HOST:PORT");
		}
		return 0;
	}
}

int http_fetch(const char *url, const struct http_opts *o, struct http_answer *ret,
	       struct err *e)
{
	uint64_t seconds = o->timeout_s ? o->timeout_s : DEFAULT_TIMEOUT_S;
	uint64_t deadline_ms = clock_ms();
	_cleanup_http_client_ struct http_client *c = NULL;
	_cleanup_http_answer_ struct http_answer a = HTTP_ANSWER_INIT;

	deadline_ms += (seconds < MAX_TIMEOUT_S ? seconds : MAX_TIMEOUT_S) * 1000;
	if (http_client_open(&c, e) < 0 || run(c, url, o, deadline_ms, &a, e) < 0)
		return err_wrap(e, "cannot fetch '%s'", url);
	*ret = a;
	a = (struct http_answer)HTTP_ANSWER_INIT;
	return 0;
}

void http_answer_release(struct http_answer *a)
{
	buf_release(&a->body);
	free(a->url);
	free(a->etag);
	free(a->modified);
	*a = (struct http_answer)HTTP_ANSWER_INIT;
}
