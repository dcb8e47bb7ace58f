// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The text parts of a mail, by GMime: transfer encodings and flowed lines undone. */
#include <stdbool.h>
#include <stddef.h>

#include "core/base/strv.h"
#include "mail/mailinfo.h"

struct parts {
	struct mail_part *v; /* those that can hold message or patch, in order */
	size_t nr;
	bool flowed; /* one of them was format=flowed */
	/* Decoded headers that name the sender where a list rewrote From; may be NULL. */
	char *original_from, *reply_to;
	struct strv kernel_test; /* X-KernelTest headers, "Version: 6.6.1-rc1" */
	bool stable_review;	 /* marked as such, or sent by quilt mail */
};

/*
 * Read a mail from its header on; ret is zeroed by the caller. HTML, pictures and
 * signatures are left out; of alternatives the first with text counts. Nothing fails:
 * what cannot be read is not there.
 */
void parts_read(const char *at, const char *end, struct parts *ret);

void parts_release(struct parts *ps);
#define _cleanup_parts_ _cleanup_(parts_release)
