// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A mail as an archive for people to read shows it (openwall, spinics, lkml.iu.edu, marc,
 * mail-archive and kin), as page or as text saved from it: what identifies the mail, its
 * text, and what the archive did to it. Pure functions from bytes to a struct.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"

struct web_page {
	const char *site; /* host of the archive, static; "a saved page" when unknown */
	char *message_id; /* whole and unmasked, else NULL */
	char *subject;	  /* as shown, with its prefix; NULL when not found */
	char *title;	  /* of the patch it is about: the subject's, or in notes of the
			     stable queue that of the patch added; NULL likewise */
	char *from;	  /* "Name <address>" or a name; may be NULL */
	char *author;	  /* name alone, fit to search for; may be NULL */
	char *date;	  /* as shown, may be NULL */
	struct buf text;  /* the mail's text, LF line ends */
	char *damage;	  /* what was done to it; NULL when nothing shows */
};

/* Host of the archive when the URL is of one that damages mail, else NULL. Static. */
const char *web_page_site(const char *url);

/*
 * Whether the bytes are such a page or text rather than a mail or a patch. A mail whose
 * own From address is cut or masked is one too. Looks at the first 64 KiB.
 */
bool web_page_looks(const char *p, size_t len);

/* Read it; url may be NULL for saved files. Any bytes are accepted. */
void web_page_read(const char *p, size_t len, const char *url, struct web_page *ret);

void web_page_release(struct web_page *w);
#define _cleanup_web_page_ _cleanup_(web_page_release)

/* The first address made unusable in the text, as shown; NULL when there is none. Owned
 * by the caller. */
_must_check_ char *web_damage_address(const char *p, size_t len);

/* All that shows of damage in a mail's text, in words; NULL when nothing does. Owned by
 * the caller. */
_must_check_ char *web_damage_find(const char *p, size_t len);
