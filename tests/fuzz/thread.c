// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Hostile threads: each three bytes of the input are a mail of few ids, parents, counters
 * and senders. Whatever the graph, a series comes out that holds each mail once.
 */
#include <stdlib.h>
#include <string.h>

#include "mail/assemble.h"
#include "mail/box.h"

#define MAX_MAILS 200

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void add(struct box *box, const unsigned char *p, size_t nr)
{
	static const char *const prefixes[] = { "PATCH",     "PATCH v2", "PATCH v3",
						"PATCH 6.1", "RFC",	 "PATCH RESEND" };
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	buf_addf(&b, "From: A <a%d@x>\nDate: Wed, 1 May 2024 12:%02d:00 +0000\n",
		 p[0] & 1, p[0] % 60);
	if (p[0] & 2)
		buf_addf(&b, "Message-ID: <%d@x>\n", p[1] % 16);
	buf_addf(&b, "In-Reply-To: <%d@x>\nReferences: <%d@x> <%d@x>\n", p[2] % 16,
		 (p[1] + p[2]) % 16, p[0] % 16);
	buf_addf(&b, "Subject: %s[%s", p[0] & 4 ? "Re: " : "",
		 prefixes[(p[0] >> 3) % ARRAY_SIZE(prefixes)]);
	if (p[1] & 16)
		buf_addf(&b, " %d/%d", p[1] >> 5, p[2] >> 5);
	buf_addf(&b, "] t%d\n\nText\n", p[2] & 3);
	if (p[2] & 16)
		buf_adds(&b, "Obsoleted-by: <3@x>\nchange-id: c\n");
	if (p[0] & 8)
		buf_addf(&b,
			 "---\ndiff --git a/f b/f\n--- a/f\n+++ b/f%zu\n@@ -1 +1 "
			 "@@\n-a\n+b\n",
			 nr % 3);
	if (box_add(box, b.data, b.len, &e) < 0)
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_box_ struct box *box = box_new();
	_cleanup_series_ struct series *s = NULL;
	_cleanup_err_ struct err e = { 0 };
	struct assemble_opts o = { .message_id = size & 1 ? "1@x" : NULL,
				   .revision = size % 5 == 0 ? 2 : 0,
				   .no_partial = size % 7 == 0 };

	for (size_t i = 0; i + 3 <= size && i / 3 < MAX_MAILS; i += 3)
		add(box, data + i, i);
	if (assemble_mails(box, &o, &s, &e) < 0)
		return 0;
	for (size_t i = 0; i < s->nr_patches; i++)
		for (size_t k = i + 1; k < s->nr_patches; k++)
			if (s->patches[i].number >= s->patches[k].number ||
			    !strcmp(s->patches[i].message_id, s->patches[k].message_id))
				abort();
	return 0;
}
