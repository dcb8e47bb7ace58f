// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A git repository of public-inbox, read only. In version 2 ("epochs", N.git) every commit
 * adds one mail, as the file "m" of its tree, or takes one back, as "d"; in version 1 the
 * tree holds all mails, in folders named by two hex digits. History is linear; it may be
 * shallow, and rewritten to purge a mail.
 */
#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/oid.h"

struct epoch;

struct epoch_mail {
	struct oid blob;
	const char *data; /* the mail, as it was received, borrowed */
	size_t len;
	bool removed;
};

/* ERR_NO_TREE when there is no repository, ERR_CONFIG when it does not hold mails. */
_must_check_ int epoch_open(const char *path, struct epoch **ret, struct err *e);

/* The newest commit; an empty id when there is none yet. */
_must_check_ int epoch_tip(struct epoch *ep, struct oid *ret, struct err *e);

/* What epoch_walk() calls: for each mail, and for each commit when it is done. */
struct epoch_visitor {
	int (*mail)(void *ctx, const struct epoch_mail *m, struct err *e);
	int (*commit)(void *ctx, const struct oid *commit, struct err *e);
	void *ctx;
};

/*
 * Visit the commits behind from (an empty id: all) up to tip, oldest first. *ret_found is
 * false when from is not among the ancestors of tip: history was rewritten, and nothing
 * has been visited.
 */
_must_check_ int epoch_walk(struct epoch *ep, const struct oid *from,
			    const struct oid *tip, const struct epoch_visitor *v,
			    bool *ret_found, struct err *e);

/* Append the bytes of a mail to ret. ERR_NO_FILE when the blob is not there (any more). */
_must_check_ int epoch_read(struct epoch *ep, const struct oid *blob, struct buf *ret,
			    struct err *e);

void epoch_free(struct epoch *ep);
DEFINE_FREEP(epoch_free, struct epoch *)
#define _cleanup_epoch_ _cleanup_(epoch_freep)
