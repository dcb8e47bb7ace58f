// SPDX-License-Identifier: GPL-3.0-or-later
/* Bytes as a commit message with claims of an upstream commit, and as a stable note. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/series/upstream.h"
#include "mail/mime.h"
#include "mail/stable-mail.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check_hash(const char *h)
{
	size_t n = h ? strlen(h) : 7;

	if (n < 7 || n > 64 || (h && !parse_is_hex(h, n)))
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_upstream_claims_ struct upstream_claims c = UPSTREAM_CLAIMS_INIT;
	_cleanup_stable_note_ struct stable_note *n = NULL;
	_cleanup_buf_ struct buf raw = BUF_INIT;
	_cleanup_mail_ struct mail m = { 0 };
	_cleanup_free_ char *text = xstrndup((const char *)data, size);

	upstream_claims_read(text, &c);
	for (size_t i = 0; i < c.nr; i++) {
		check_hash(c.v[i].commit);
		check_hash(c.v[i].reverted);
	}
	if (upstream_claims_main(&c) && !upstream_claims_main(&c)->commit)
		abort();
	buf_add(&raw, data, size);
	mail_parse(&raw, &(struct mail_opts){ 0 }, &m);
	n = stable_note_read(&m);
	if (n && (!n->version || (n->file && strchr(n->file, '/'))))
		abort();
	return 0;
}
