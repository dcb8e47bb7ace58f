// SPDX-License-Identifier: GPL-3.0-or-later
/* What a server answers to a search, and the addresses it is asked under. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "mail/answer.h"
#include "mail/archive.h"
#include "mail/lookup.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void addresses(const char *url)
{
	_cleanup_free_ char *base = NULL, *query = NULL;

	(void)!archive_is_numeric_patchwork(url);
	if (archive_split_search(url, &base, &query))
		free(archive_escape_query(query));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_buf_ struct buf in = BUF_INIT, out = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	buf_add(&in, data, size);
	addresses(buf_str(&in));
	if (answer_mails(size % 3 ? 200 : 404, &in, &(struct lookup){ .query = "s:x" },
			 1 << 20, &out, &e) < 0)
		return 0;
	if (out.len > 1 << 20 || memcmp(buf_str(&out), "From ", 5))
		abort();
	return 0;
}
