// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The trailers of a whole thread, brought to the patches they were given to. */
#include "core/series/series.h"
#include "mail/assemble.h"
#include "mail/postings.h"
#include "mail/thread.h"

struct collect {
	const struct thread *thread;
	const struct postings *postings;
	const struct posting_choice *choice;
	const int *mails; /* of series->patches, in their order */
	int cover;	  /* mail of the cover letter, -1 = none */
};

/*
 * Judge the trailers of all replies and add them to the patches and their messages: first
 * those given to the patch itself, then those given to it in an older revision, which
 * count only where the diff is the same (git patch-id), then those on the cover letter.
 * What is flagged gets a note; so does an author who did not sign off.
 */
void collect_trailers(const struct collect *c, const struct assemble_opts *o,
		      struct series *s);
