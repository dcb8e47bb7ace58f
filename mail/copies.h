// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Several mails with one message-id: one mail that came by several lists, or a lie. */
#include <stdbool.h>
#include <stddef.h>

struct box;
struct mail_opts;
struct series;
struct strv;

struct copies {
	bool second_is_better;
	bool patches_differ; /* both have one, and not the same */
};

/*
 * Compare mails a and b of the box. A copy with a patch is better than one that lost it,
 * then one with the author's own From than one with a list's, then the shorter one: lists
 * add footers. Where that leaves a choice, or the patches differ, the first one stays.
 */
struct copies copies_compare(const struct box *box, size_t a, size_t b,
			     const struct mail_opts *o);

/* Warn of the patches of the series whose copies, by message-id, differ. */
void copies_note(const struct strv *disputed, struct series *s);
