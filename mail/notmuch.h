// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The user's mail, found by notmuch; the owner of libnotmuch. The library, Xapian and the
 * C++ runtime are loaded when the first query is made, so that other commands do not pay
 * for them at start.
 */
#include <stddef.h>

#include "core/base/err.h"

struct box;

struct notmuch_result {
	struct box *box; /* mails are appended, the caller's */
	size_t lost;	 /* mails whose files are gone */
};

/*
 * The whole threads of all mails that match, oldest thread first. database is its folder,
 * NULL for the one of $NOTMUCH_DATABASE, $NOTMUCH_CONFIG, $NOTMUCH_PROFILE and what
 * notmuch does without them. Mails with tags like spam or deleted count too. A mail that
 * came by several lists is there several times. ERR_NO_RESULTS when nothing matches,
 * ERR_USAGE for a query notmuch refuses, ERR_NOT_FOUND without database, ERR_TOO_BIG
 * above 100000 mails, ERR_TOOL_MISSING without libnotmuch.
 */
_must_check_ int notmuch_threads(const char *database, const char *query,
				 struct notmuch_result *ret, struct err *e);

/* Whether queries can be made here: 0, or the ERR_TOOL_MISSING they would end with. */
_must_check_ int notmuch_available(struct err *e);
