// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Answers of servers kept on disk, by URL and body of the request. What cannot be read or
 * written is as if it were not there: a cache is never a reason to fail.
 */
#include <stdbool.h>
#include <stdint.h>

#include "mail/http.h"

/* Fill ret (to be released) and the age in seconds; false when nothing is kept. */
_must_check_ bool http_cache_get(const char *url, const char *post,
				 struct http_answer *ret, uint64_t *ret_age_s);

/* Keep an answer that proved usable; the oldest go where there are too many. */
void http_cache_put(const char *url, const char *post, const struct http_answer *a);

/* The server said that what is kept still holds: its age starts again. */
void http_cache_renew(const char *url, const char *post);
