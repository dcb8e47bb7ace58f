// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Which mails an archive holds, and what hangs together: an SQLite file that can be made
 * anew from the archive at any time. Mails are of one thread when one names another in
 * its references, whether or not that one is there. Not for use by two threads at once.
 */
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/oid.h"
#include "core/base/strv.h"

struct mail_index;

struct mail_row {
	const char *message_id;
	const struct strv *references; /* In-Reply-To among them */
	const char *subject, *sender;  /* title; "Name <address>" */
	const char *change_id;	       /* may be NULL */
	int64_t date;
	struct oid blob;
};

/* Where a mail of a thread is. */
struct mail_place {
	char *epoch;
	struct oid blob;
};

struct mail_places {
	struct mail_place *v; /* by date */
	size_t nr;
};

/*
 * Open or create. A file that is damaged, or of another version, is removed and made
 * anew; errors of the file system are ERR_STORE, ERR_IO, ERR_DISK_FULL. Later calls say
 * ERR_STORE when damage shows only then: mail_index_remove() and start again.
 */
_must_check_ int mail_index_open(const char *path, struct mail_index **ret,
				 struct err *e);
_must_check_ int mail_index_remove(const char *path, struct err *e);

/* What is changed between the two is there as a whole or not at all. */
_must_check_ int mail_index_begin(struct mail_index *x, struct err *e);
_must_check_ int mail_index_commit(struct mail_index *x, struct err *e);
void mail_index_rollback(struct mail_index *x);

/* The number of an epoch, and the commit up to which it is indexed; empty when new. */
_must_check_ int mail_index_epoch(struct mail_index *x, const char *epoch,
				  int64_t *ret_id, struct oid *ret_tip, struct err *e);
_must_check_ int mail_index_set_tip(struct mail_index *x, int64_t epoch,
				    const struct oid *tip, struct err *e);

/* Add a mail; forget one, in whatever epoch it is; forget all of an epoch. */
_must_check_ int mail_index_add(struct mail_index *x, int64_t epoch,
				const struct mail_row *m, struct err *e);
_must_check_ int mail_index_take_back(struct mail_index *x, const char *message_id,
				      const struct oid *blob, struct err *e);
_must_check_ int mail_index_forget(struct mail_index *x, int64_t epoch, struct err *e);

/*
 * All mails of the threads in which a mail has that message-id, or change-id, or the
 * title and, when it is not NULL, the sender (a part of name or address). ret stays empty
 * when there is none.
 */
_must_check_ int mail_index_by_id(struct mail_index *x, const char *message_id,
				  struct mail_places *ret, struct err *e);
_must_check_ int mail_index_by_change(struct mail_index *x, const char *change_id,
				      struct mail_places *ret, struct err *e);
_must_check_ int mail_index_by_subject(struct mail_index *x, const char *subject,
				       const char *sender, struct mail_places *ret,
				       struct err *e);
void mail_places_release(struct mail_places *p);
#define _cleanup_mail_places_ _cleanup_(mail_places_release)

void mail_index_free(struct mail_index *x);
DEFINE_FREEP(mail_index_free, struct mail_index *)
#define _cleanup_mail_index_ _cleanup_(mail_index_freep)
