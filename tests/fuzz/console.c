// SPDX-License-Identifier: GPL-3.0-or-later
/* A console's bytes, in two pieces. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "boot/console/console.h"
#include "boot/console/title.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_console_ struct console c = { 0 };
	size_t cut = size / 3;

	for (int part = 0; part < 2; part++) {
		console_feed(&c, (const char *)data + (part ? cut : 0),
			     part ? size - cut : cut);
		for (const struct console_mark *m; (m = console_next(&c));) {
			for (const char *s = m->text; *s; s++)
				assert((unsigned char)*s >= ' ' && *s != 0x7f);
			for (const char *s = m->title ?: ""; *s; s++)
				assert(*s >= ' ' && *s <= '~');
			assert(!m->title || strlen(m->title) <= TITLE_MAX * 2);
		}
	}
	return 0;
}
