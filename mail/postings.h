// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Postings: what one author sent at one time as one series or single patch. A thread may
 * hold several: older and newer revisions, replacements of one patch, series of other
 * people.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "mail/thread.h"

struct posting {
	int revision, total;
	bool counted; /* the mails say N/M */
	bool rfc, resend;
	int cover;    /* index of the mail, -1 when there is none */
	int *mails;   /* indices of patch mails by number, ascending */
	int *numbers; /* and their numbers */
	size_t nr;
	char *change_id;   /* NULL when not given */
	int replaced_from; /* posting whose patches fill this one up, -1 = none */
};

struct postings {
	struct posting *v;
	size_t nr;
};

#define POSTINGS_INIT \
	{             \
		0     \
	}

/* Sort the thread's patches and covers into postings; sets thread_mail.posting. */
void postings_find(struct thread *t, struct postings *ret);

/*
 * The posting meant: around the named mail (NULL: the one with most patches), then of its
 * revisions the one asked for (0: the newest). *ret_start is the posting the choice began
 * at. ERR_NO_PATCHES, ERR_NOT_FOUND for a revision that is not there.
 */
struct posting_choice {
	int posting;
	int start;
	bool *related; /* by posting: a revision of the same series, itself included */
};
_must_check_ int postings_choose(const struct thread *t, struct postings *ps,
				 const char *message_id, int revision,
				 struct posting_choice *ret, struct err *e);

void postings_release(struct postings *ps);
#define _cleanup_postings_ _cleanup_(postings_release)
