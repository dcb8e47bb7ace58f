// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * One HTTP request, tried once: the owner of libcurl. The library and the thirty it pulls
 * in are loaded when the first client is opened, so that commands that stay off the
 * network do not pay for them at start.
 */
#include "mail/http.h"

struct http_client;

/* ERR_TOOL_MISSING when libcurl is not installed. The connection is kept between runs. */
_must_check_ int http_client_open(struct http_client **ret, struct err *e);

/*
 * Ask once, until deadline_ms of clock_ms(). Every status is success; errors as
 * http_fetch(). ret is for the caller to release in any case; what stands in it after a
 * failure says nothing.
 */
_must_check_ int http_client_run(struct http_client *c, const char *url,
				 const struct http_opts *o, uint64_t deadline_ms,
				 struct http_answer *ret, struct err *e);

/* Whether the last failure may be gone a moment later. */
bool http_client_may_retry(const struct http_client *c);

void http_client_free(struct http_client *c);
DEFINE_FREEP(http_client_free, struct http_client *)
#define _cleanup_http_client_ _cleanup_(http_client_freep)
