// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * HTTP as a polite client speaks it: an honest user agent, TLS verified, at most five
 * redirects and never from https to http, one request at a time to a server (also over
 * several kilns), time and size limits, and pauses that grow, or are as long as the server
 * asks, before a failed request is tried again. Signals are noticed all the while.
 * Proxies come from the environment as curl(1) reads it.
 */
#include <stdbool.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/progress.h"

struct http_opts {
	uint64_t timeout_s;	     /* for all attempts and pauses together; 0 = 60 */
	size_t max_bytes;	     /* of the body; 0 = 256 MiB */
	uint64_t retry_ms;	     /* first pause, doubled each time; 0 = 500 */
	const char *contact;	     /* appended to the user agent, or NULL */
	const char *post;	     /* body of a POST, NULL = GET */
	bool head;		     /* HEAD: no body wanted */
	const char *etag, *modified; /* of what is at hand: 304 when it still holds */
	const struct progress *progress;
};

struct http_answer {
	long status;
	struct buf body;
	char *url;		/* where the redirects ended */
	char *etag, *modified;	/* validators for later, or NULL */
	uint64_t retry_after_s; /* what a busy server asked for, 0 = nothing */
};

#define HTTP_ANSWER_INIT \
	{                \
		0        \
	}

/*
 * Ask. Statuses 429, 502, 503, 504 and broken connections are tried again, four times in
 * all and as long as the time lasts; then 429 is ERR_RATE_LIMITED, the others ERR_BUSY.
 * 407 is ERR_PROXY. Every other status is the caller's to judge. ERR_NETWORK,
 * ERR_TIMEOUT (all of it, or 20 s without a byte), ERR_TLS, ERR_PROXY, ERR_REDIRECT,
 * ERR_TRUNCATED, ERR_TOO_BIG, ERR_INTERRUPTED, ERR_TOOL_MISSING (no libcurl).
 */
_must_check_ int http_fetch(const char *url, const struct http_opts *o,
			    struct http_answer *ret, struct err *e);

void http_answer_release(struct http_answer *a);
#define _cleanup_http_answer_ _cleanup_(http_answer_release)
