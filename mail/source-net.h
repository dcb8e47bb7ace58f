// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside mail: sources that are looked up in archives; rows for source.c. */
#include "mail/source-kind.h"

extern const struct source_kind source_url;	/* http:// and https:// */
extern const struct source_kind source_search;	/* lore:QUERY */
extern const struct source_kind source_id;	/* <...>, id:, mid:, rfc822msgid: */
extern const struct source_kind source_bare_id; /* anything@anything */
