// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The mails of one input with the relation "replies to". Of a large mailbox only the
 * headers are kept; a mail is read whole when somebody wants its text or patch.
 */
#include <stddef.h>

#include "core/base/err.h"
#include "mail/mime.h"

struct box;

struct thread_mail {
	struct mail m;	  /* header fields; text, info and the rest once loaded */
	bool loaded;	  /* by thread_load() */
	bool maybe_patch; /* exact once loaded */
	size_t size;	  /* bytes of the mail */
	size_t box;	  /* its place in the box */
	int title;   /* equal for equal titles, letters of either case being the same */
	int parent;  /* index of the mail this one answers, -1 when it is not here */
	int posting; /* for postings.c: which one it is part of, -1 = none */
};

struct thread {
	struct thread_mail *v; /* in the order of the input, each message-id once */
	size_t nr;
	int *by_id;	       /* indices sorted by message-id */
	struct strv disputed;  /* ids of several mails with different patches */
	const struct box *box; /* borrowed */
	struct mail_opts opts;
	struct err e; /* the first failure of thread_load() */
};

#define THREAD_INIT \
	{           \
		0   \
	}

/*
 * Read the header of every mail of a box, which must outlive the thread. A mail with
 * several patches attached stands for them: each becomes an answer to it. No mail at all
 * is ERR_NO_PATCHES.
 */
_must_check_ int thread_read(const struct box *box, const struct mail_opts *o,
			     struct thread *ret, struct err *e);

/*
 * Mail i with text and patch. A mail that can no longer be read has none, and thread.e
 * says why.
 */
const struct mail *thread_load(struct thread *t, int i);

/* Whether mail i carries a patch, read whole only when its lines look like it. */
bool thread_has_patch(struct thread *t, int i);

/* Index of the mail with that id, -1 when it is not here. */
int thread_find(const struct thread *t, const char *message_id);

/* Whether mail i is a direct or distant answer to mail ancestor; a mail is not to itself.
 */
bool thread_descends(const struct thread *t, int i, int ancestor);

void thread_release(struct thread *t);
#define _cleanup_thread_ _cleanup_(thread_release)
