// SPDX-License-Identifier: GPL-3.0-or-later
/* A series file and a patch file of a quilt folder, parted by a NUL byte. */
#include <stdlib.h>
#include <string.h>

#include "mail/quilt.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void read_patch(const struct buf *text, const struct quilt_entry *q)
{
	_cleanup_series_ struct series *s = series_new();
	struct patch *p = series_add_patch(s);

	quilt_patch_read(text, q, p);
	if (!p->subject || !p->message)
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	const unsigned char *nul = size ? memchr(data, 0, size) : NULL;
	size_t n = nul ? (size_t)(nul - data) : size;
	_cleanup_buf_ struct buf list = BUF_INIT, text = BUF_INIT;
	_cleanup_quilt_list_ struct quilt_list l = { 0 };
	_cleanup_err_ struct err e = { 0 };
	char name[] = "x.patch";
	struct quilt_entry q = { .name = name, .strip = (int)(size % 4) };

	buf_add(&list, data, n);
	if (nul)
		buf_add(&text, nul + 1, size - n - 1);
	(void)!quilt_list_read(&list, &l, &e);
	for (size_t i = 0; i < l.nr; i++)
		if (!*l.v[i].name)
			abort();
	read_patch(&text, &q);
	return 0;
}
