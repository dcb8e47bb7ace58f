// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * GET over HTTP, the owner of libcurl. Speaks as kiln/VERSION, verifies TLS, follows at
 * most five redirects and never from https to http, keeps within time and size limits,
 * and waits and retries where a server asks for it, noticing signals all the while.
 */
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/progress.h"

struct http_opts {
	uint64_t timeout_s; /* for all attempts together; 0 = 60 */
	size_t max_bytes;   /* of the body; 0 = 256 MiB */
	const struct progress *progress;
};

struct http_answer {
	long status;
	struct buf body;
	char *url; /* where the redirects ended */
};

#define HTTP_ANSWER_INIT \
	{                \
		0        \
	}

/*
 * Fetch. Statuses 429, 502, 503, 504 and broken connections are tried again, three times
 * in all and as long as the time lasts; then 429 is ERR_RATE_LIMITED, the others
 * ERR_HTTP. Every other status is the caller's to judge. ERR_NETWORK, ERR_TIMEOUT (all of
 * it, or 20 s without a byte), ERR_TOO_BIG, ERR_INTERRUPTED.
 */
_must_check_ int http_get(const char *url, const struct http_opts *o,
			  struct http_answer *ret, struct err *e);

void http_answer_release(struct http_answer *a);
#define _cleanup_http_answer_ _cleanup_(http_answer_release)
