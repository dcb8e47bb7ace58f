// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Threads by what is known of one of their mails, from the archives the user named. */
#include "core/base/err.h"

struct box;
struct source_opts;

/*
 * What to look for: the first of these that is not NULL; subject goes with from when both
 * are known. A query is one of public-inbox, and only archives on the network take it.
 */
struct lookup {
	const char *message_id; /* without brackets */
	const char *change_id;
	const char *patch_id; /* git patch-id --stable */
	const char *subject;  /* title, without the prefix in brackets */
	const char *from;     /* with subject: name or address of the author */
	const char *query;
};

/* The same in words for messages: "message-id 'a@b'". Owned by the caller. */
_must_check_ char *lookup_text(const struct lookup *l);

/*
 * Ask the archives of o in order, those on this machine before those on the network, until
 * one has it. Appends the whole thread of every mail found to ret.
 * ERR_UNKNOWN_MESSAGE_ID or ERR_NO_RESULTS when all of them say no; when one could not
 * say, its error, the others' as further frames.
 */
_must_check_ int lookup_threads(const struct lookup *l, const struct source_opts *o,
				struct box *ret, struct err *e);
