// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What an address holds: from the cache while that is fresh, else from the server. */
#include "core/base/buf.h"
#include "core/base/err.h"
#include "mail/http.h"
#include "mail/source.h"

struct fetch {
	const char *url;
	const char *post; /* body of a POST, NULL = GET */
	/*
	 * Take what is wanted out of an answer, appended to ret, or say why it is of no
	 * use. Only answers it takes are kept. ERR_TRUNCATED and ERR_CORRUPT are asked
	 * for once more: a server restarting often cuts a transfer short.
	 */
	int (*use)(const struct http_answer *a, const struct fetch *f, struct buf *ret,
		   struct err *e);
	const void *ctx;  /* for use() */
	size_t max_bytes; /* of what use() unpacks */
};

/*
 * Fetch. With o->offline only the cache counts: ERR_OFFLINE when it has nothing. Errors
 * of http_fetch() and of use().
 */
_must_check_ int fetch_run(const struct fetch *f, const struct source_opts *o,
			   struct buf *ret, struct err *e);

/* The part of the options that is HTTP's. */
struct http_opts fetch_http_opts(const struct source_opts *o);
