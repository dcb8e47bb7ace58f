// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A page of a mail archive to the text a browser shows, and the facts archivers leave in
 * comments and form fields. Pure: bytes in, text out, linear in their number.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/strv.h"

struct web_html {
	struct buf text;       /* UTF-8 as in the page; entities decoded */
	size_t body, body_end; /* the mail's text in it, where the page marks it */
	bool has_body;
	struct strv keys, values; /* facts in the order of the page, keys in lower case:
				     "x-message-id" (MHonArc), "id" (Hypermail), "msgid"
				     (a form field), "title" */
};

/* Whether the bytes begin as a page. */
bool web_html_is(const char *p, size_t len);

void web_html_read(const char *p, size_t len, struct web_html *ret);

/* The first value of a key, borrowed; NULL when the page does not have it. */
const char *web_html_fact(const struct web_html *h, const char *key);

void web_html_release(struct web_html *h);
#define _cleanup_web_html_ _cleanup_(web_html_release)
