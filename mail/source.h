// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Where mails come from. A SOURCE is whatever the user has at hand: a message-id (bare,
 * <...>, id:...), a public-inbox URL (with /raw, /T/, /t.mbox.gz or nothing behind the
 * id), an mbox, .eml or .patch file, "-" for standard input.
 */
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/progress.h"

struct box;

#define SOURCE_MAX_BYTES ((size_t)256 << 20)

struct source_opts {
	const char *archive; /* base URL for a bare message-id, with inbox: ".../all";
				NULL = lore */
	uint64_t timeout_s;  /* for the whole transfer; 0 = 60 */
	size_t max_bytes;    /* of decoded mail; 0 = 256 MiB, of files BOX_MAX_BYTES */
	const struct progress *progress;
};

/*
 * Append the mails of the thread or file to ret; *ret_message_id is the
 * id the source names, owned by the caller, NULL for files and standard input. A file may
 * be packed with gzip. Errors: ERR_USAGE (no kind of source, or one kiln cannot read),
 * ERR_UNKNOWN_MESSAGE_ID, ERR_NETWORK, ERR_HTTP, ERR_RATE_LIMITED, ERR_NOT_MAIL (HTML
 * where gzip was due), ERR_TRUNCATED (gzip cut short or failing its checksum),
 * ERR_TOO_BIG, ERR_TIMEOUT, ERR_IO.
 */
_must_check_ int source_read(const char *source, const struct source_opts *o,
			     struct box *ret, char **ret_message_id, struct err *e);
