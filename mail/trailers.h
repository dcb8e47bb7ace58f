// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Trailers: those a commit message ends with, and those reviewers send in replies. A
 * reply's trailer is added only when its sender gives it without condition in text of his
 * own.
 */
#include "core/series/series.h"
#include "mail/mime.h"

/* Fill p->trailers with the ones of p->message, state kept. */
void trailers_of_message(struct patch *p);

/* The trailers of one reply, judged; key, value, state and reason set, source is its id.
 */
struct trailer_list {
	struct trailer *v;
	size_t nr;
};
void trailers_of_reply(const struct mail *reply, struct trailer_list *ret);
void trailer_list_release(struct trailer_list *l);

/*
 * Take a reply's trailers over to a patch: what the patch already has (same key, same
 * address) is skipped. The message is not touched.
 */
void trailers_add(struct patch *p, const struct trailer_list *l);

/* Rewrite p->message with the added trailers behind its last trailer block. */
void trailers_apply(struct patch *p);
