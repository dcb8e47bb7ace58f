// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A trailer of a patch and what was decided about it. Owns its strings. */

enum trailer_state {
	TRAILER_KEPT,	 /* in the patch as mailed */
	TRAILER_ADDED,	 /* goes into the commit: from a reply, a Link, a sign-off */
	TRAILER_FLAGGED, /* shown to the user, not added: nack, condition, other sender,
			    quoted, advice of a robot, signature */
	TRAILER_IGNORED, /* malformed, of another patch, of a sender to be ignored */
};

struct trailer {
	char *key;    /* "Reviewed-by", as written */
	char *value;  /* "Name <address>", byte for byte */
	char *ext;    /* the line "[...]" that belongs to it, or NULL */
	char *source; /* message-id of the reply, NULL when the patch has it or kiln made
			 it */
	enum trailer_state state;
	char *reason; /* why flagged or ignored; of an added one, when it was given to an
			 older revision or is kiln's own; else NULL */
};

/* Release what it owns. */
void trailer_release(struct trailer *t);
