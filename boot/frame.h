// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The messages between kiln and its agent, over any byte stream. A message is a line
 *
 *	kiln1 TOKEN SEQ CRC WORD...
 *
 * TOKEN names the run, SEQ counts the sender's messages from 0 since its kernel started,
 * CRC is zlib's crc32 (8 hex digits) of "TOKEN SEQ WORD...". Words are separated by one
 * blank; in them '%', blanks and whatever is not printable ASCII is "%XX". The first word
 * is the type. Shared by kiln and the static agent, hence without struct err.
 */
#include <stdbool.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/strv.h"

#define FRAME_MAX (64 * 1024) /* bytes of a line; longer ones are broken */
#define FRAME_TOKEN_MAX 64

struct frame {
	char *token;
	uint64_t seq;
	struct strv words; /* at least one, not empty */
};

enum frame_status {
	FRAME_NONE,    /* more bytes are needed */
	FRAME_OK,      /* a message */
	FRAME_GARBAGE, /* a line that is no message: whatever else writes to the stream */
	FRAME_BROKEN,  /* a message that arrived damaged */
};

/* Cuts a stream into messages; caller-owned, starts zeroed. */
struct frame_parser {
	struct buf bytes;
	size_t used;   /* of bytes, already handed out */
	bool skipping; /* inside a line that was too long */
};

/* Append the message as one line. token must be 1 to FRAME_TOKEN_MAX bytes of [0-9a-z-].
 */
void frame_format(const char *token, uint64_t seq, const struct strv *words,
		  struct buf *ret);

/* Give the parser what was read. */
void frame_feed(struct frame_parser *p, const void *data, size_t len);

/*
 * The next line of what was fed. FRAME_OK fills ret (release it); for the others *ret_why
 * is a constant phrase for broken messages and ret stays untouched. A line that is not a
 * message never hides the one behind it.
 */
_must_check_ enum frame_status frame_next(struct frame_parser *p, struct frame *ret,
					  const char **ret_why);

/* Word i, or "" when there are fewer; borrowed. */
const char *frame_word(const struct frame *f, size_t i);

void frame_release(struct frame *f);
void frame_parser_release(struct frame_parser *p);
#define _cleanup_frame_ _cleanup_(frame_release)
