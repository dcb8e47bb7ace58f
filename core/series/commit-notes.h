// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What the message of a mainline commit says of other commits and of the stable trees:
 * Fixes:, reverts, Link:, Cc: stable. Pure text. Forms as
 * Documentation/process/submitting-patches.rst and stable-kernel-rules.rst give them and
 * as the history has them, in letters of either case.
 */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/base.h"
#include "core/base/strv.h"

/* A commit as a message names it. At least one of the two is set. */
struct commit_name {
	char *hex;    /* 7 to 64 hex digits, lower case, NULL when none */
	char *title;  /* without its brackets and quotes, NULL when none */
	bool partial; /* of a revert: only in part */
};

struct commit_names {
	struct commit_name *v; /* in the order of the text */
	size_t nr;
};

void commit_names_release(struct commit_names *v);

struct commit_notes {
	struct commit_names fixes;
	/*
	 * "This reverts commit SHA (\"title\")", also of several; "Reverts: SHA"; and by title
	 * alone what the subject takes back: Revert "title". Reapply "title" takes back the
	 * commit titled Revert "title".
	 */
	struct commit_names reverts;
	struct strv links; /* message-ids of Link: and Message-ID: lines, each once */
	struct strv
		stable;	 /* what stands behind '#' of each Cc: stable, "" when nothing */
	bool no_autosel; /* Cc: stable+noautosel@kernel.org: for no stable tree */
};

/* Read a whole message; the subject is its first paragraph. */
void commit_notes_read(const char *message, struct commit_notes *ret);
void commit_notes_release(struct commit_notes *n);
#define _cleanup_commit_notes_ _cleanup_(commit_notes_release)

/*
 * What the mails of one series have in common in their message-ids, as git format-patch,
 * git send-email and b4 make them: the id without the number of the mail. Owned by the
 * caller; NULL for an id that does not tell.
 */
_must_check_ char *message_id_series(const char *message_id);
