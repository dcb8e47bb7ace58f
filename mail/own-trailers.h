// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Trailers that are kiln's user's own: the address of the mail, and a sign-off. */
#include "core/base/err.h"
#include "core/series/series.h"

#define LINK_FORMAT_DEFAULT "https://patch.msgid.link/%s"

/* ERR_USAGE unless the format has one "%s", where the message-id goes. */
_must_check_ int link_format_check(const char *format, struct err *e);

/*
 * Add "Link: " with the patch's own message-id, unless a trailer of the patch has that
 * mail on whatever server.
 */
void patch_add_link(struct patch *p, const char *format);

/*
 * Add "Signed-off-by: who" ("Name <address>") behind all others. A sign-off of that
 * person that is the last one of the patch moves there instead, so that the order of
 * hands stays true; none is added when nothing stands behind it.
 */
void patch_add_sign_off(struct patch *p, const char *who);
