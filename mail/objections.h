// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Replies that speak against a patch: people ask to drop it, report that it broke
 * something, say that a fix of it is on its way. */
#include "core/base/err.h"
#include "core/base/strv.h"

struct box;

/*
 * Look through the answers, direct or distant, to the mails with these ids (NULL = all
 * mails) and append a line for each that objects: who, in which mail, in which words. A
 * box without mails has none.
 */
_must_check_ int objections_find(const struct box *box, const struct strv *ids,
				 struct strv *ret, struct err *e);

/* Whether a line of a reply, without its quotes, objects. */
bool objection_is(const char *line, size_t len);
