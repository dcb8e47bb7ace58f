// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Where mails come from. A SOURCE is whatever the user has at hand: a message-id (bare,
 * <...>, id:...), a URL with one in it (public-inbox with /raw, /T/, /t.mbox.gz or nothing
 * behind the id, redirectors, patchwork) or of a page of another archive, lore:QUERY, an
 * mbox, .eml or .patch file, a saved page, "-" for standard input.
 */
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/strv.h"

#define SOURCE_MAX_BYTES ((size_t)256 << 20)

struct box;

struct source_opts {
	const struct strv *archives; /* where message-ids are looked up, in this order;
					NULL or empty = lore */
	uint64_t timeout_s;	     /* for each request, waits included; 0 = 60 */
	size_t max_bytes;	     /* of decoded mail; 0 = 256 MiB */
	bool offline;		     /* no request: cache and local archives only */
	bool refresh;		     /* ask even where the cache is fresh */
	uint64_t cache_age_s;	     /* how long a kept answer is fresh; 0 = 600 */
	uint64_t retry_ms;	     /* first pause before asking again; 0 = 500 */
	const char *contact; /* URL or address sent with the user agent, or NULL */
	const struct progress *progress;
};

/* What a source gave. */
struct source_mails {
	struct box *box;   /* the mails are appended here; the caller's */
	char *message_id;  /* the mail the source names; NULL for files */
	struct strv notes; /* what the user should know of how it was found */
};

/*
 * Read the whole thread or file. A file may be packed with gzip. Errors: ERR_USAGE (no
 * kind of source, or one kiln cannot read), ERR_UNKNOWN_MESSAGE_ID, ERR_NO_RESULTS, those
 * of fetch.h, ERR_TRUNCATED and ERR_CORRUPT (gzip cut short, damaged), ERR_DECOMPRESSION_BOMB,
 * ERR_TOO_BIG, ERR_IO.
 */
_must_check_ int source_read(const char *source, const struct source_opts *o,
			     struct source_mails *ret, struct err *e);

/* Releases what source_read() filled in; the box stays. */
void source_mails_release(struct source_mails *m);
#define _cleanup_source_mails_ _cleanup_(source_mails_release)
