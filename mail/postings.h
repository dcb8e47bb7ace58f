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
	int revision, subrevision, total;
	bool versioned; /* a mail says vN; else revision is 1 by default */
	bool counted;	/* the mails say N/M */
	bool rfc, resend;
	bool joined;  /* a mail shows no relation but sender, count and time */
	int cover;    /* index of the mail, -1 when there is none */
	int *mails;   /* indices of patch mails by number, ascending */
	int *numbers; /* and their numbers */
	size_t nr;
	char *change_id; /* by posting_change_id() */
	bool change_id_read;
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

/*
 * Sort the thread's patches and covers into postings; sets thread_mail.posting. Mails not
 * loaded count as patches when they look like one. only >= 0: that mail alone is one,
 * whatever it answers.
 */
void postings_find(struct thread *t, int only, struct postings *ret);

/* The change-id its cover or first patch states, NULL when there is none. Borrowed. */
const char *posting_change_id(struct thread *t, struct posting *p);

/*
 * The posting meant: around the named mail (NULL: the one with most patches), then of its
 * revisions the one asked for (0: the newest). ERR_NO_PATCHES, ERR_NOT_FOUND for a
 * revision that is not there, ERR_AMBIGUOUS when nothing is named and several series of
 * different threads have equally many patches.
 */
struct choose_opts {
	const char *message_id;
	int revision;
	bool no_partial; /* a revision of some patches only is not filled up */
};

struct posting_choice {
	int posting;
	int start;     /* where the choice began */
	bool *related; /* by posting: a revision of the same series, itself included */
};
_must_check_ int postings_choose(struct thread *t, struct postings *ps,
				 const struct choose_opts *o, struct posting_choice *ret,
				 struct err *e);

void postings_release(struct postings *ps);
#define _cleanup_postings_ _cleanup_(postings_release)
