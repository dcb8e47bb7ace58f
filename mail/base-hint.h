// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What people write, rather than tools, about the commit a series applies to. */
#include "core/base/buf.h"
#include "core/series/series.h"
#include "mail/subject.h"

/*
 * Hints of the sender's own words in front of the first diff: the hashes, tags, branches
 * and trees named within a sentence behind "based on", "on top of", "applies to" and the
 * like. Only what has the form of such a name counts; whether it exists is for the
 * repository to say.
 */
void base_hints_of_prose(const struct buf *text, const char *message_id,
			 struct series *s);

/* Tags of a subject prefix that may name a tree or a version: "[PATCH net-next]". */
void base_hints_of_subject(const struct subject *subject, const char *message_id,
			   struct series *s);
