// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What the stable maintainers wrote of patches that failed to apply: the mails FAILED:
 * patch "[PATCH] TITLE" failed to apply to X.Y-stable tree, with the commit in their
 * recipe and "Possible dependencies:" below.
 */
#include "core/stable/missing.h"
#include "mail/box.h"

struct failed_list {
	struct missing_failed *v; /* in the order of the mails */
	size_t nr;
};
void failed_list_release(struct failed_list *l);
#define _cleanup_failed_list_ _cleanup_(failed_list_release)

/* Append those of a box that are about a version ("6.1"); other mails are passed over. */
_must_check_ int failed_list_read(const struct box *b, const char *version,
				  struct failed_list *ret, struct err *e);
