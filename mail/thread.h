// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The mails of one input with the relation "replies to". */
#include <stddef.h>

#include "core/base/err.h"
#include "mail/mime.h"

struct box;

struct thread_mail {
	struct mail m;
	int parent;  /* index of the mail this one answers, -1 when it is not here */
	int posting; /* for postings.c: which one it is part of, -1 = none */
};

struct thread {
	struct thread_mail *v; /* in the order of the input, each message-id once */
	size_t nr;
	int *by_id; /* indices sorted by message-id */
};

#define THREAD_INIT \
	{           \
		0   \
	}

/* Parse all mails of a box. No mail at all is ERR_NO_PATCHES. */
_must_check_ int thread_read(const struct box *box, struct thread *ret, struct err *e);

/* Index of the mail with that id, -1 when it is not here. */
int thread_find(const struct thread *t, const char *message_id);

/* Whether mail i is a direct or distant answer to mail ancestor; a mail is not to itself.
 */
bool thread_descends(const struct thread *t, int i, int ancestor);

void thread_release(struct thread *t);
#define _cleanup_thread_ _cleanup_(thread_release)
