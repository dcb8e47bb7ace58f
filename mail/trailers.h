// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Trailers: those a commit message ends with, and those reviewers send in replies. A
 * reply's trailer is added only when its sender gives it without condition in text of his
 * own.
 */
#include "core/base/strv.h"
#include "core/series/series.h"
#include "mail/mime.h"

/* Fill p->trailers with the ones of p->message, state kept. */
void trailers_of_message(struct patch *p);

struct trailer_list {
	struct trailer *v;
	size_t nr;
};

/*
 * The trailers of one reply, judged; source is its id. sloppy takes what one person sends
 * for another; ignore_from (may be NULL) are addresses whose trailers and mails do not
 * count. to_cover: the reply is to a cover letter, where words that name patches limit
 * it.
 */
struct trailer_rules {
	bool sloppy, to_cover;
	const struct strv *ignore_from;
};
void trailers_of_reply(const struct mail *reply, const struct trailer_rules *rules,
		       struct trailer_list *ret);

/* Append a copy with another state and reason to a list. */
void trailer_list_add(struct trailer_list *l, const struct trailer *t,
		      enum trailer_state state, const char *reason);
void trailer_list_release(struct trailer_list *l);

/* The reason of a trailer becomes a copy of reason, its state state. */
void trailer_judge(struct trailer *t, enum trailer_state state, const char *reason);

/* Whether both are one trailer: the key, and the person, commit, mail or text. */
bool trailer_is_same(const struct trailer *a, const struct trailer *b);

/*
 * Take trailers over to a patch, but none the patch has: one that is kept or added hides
 * all later ones of its kind, and those flagged before. The message is not touched.
 */
void trailers_add(struct patch *p, const struct trailer_list *l);

/* Rewrite p->message with the added trailers behind its last trailer block. */
void trailers_apply(struct patch *p);
