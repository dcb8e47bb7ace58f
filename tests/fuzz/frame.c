// SPDX-License-Identifier: GPL-3.0-or-later
/* Messages as a hostile kernel could send them, read in two pieces. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "boot/frame.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct frame_parser p = { 0 };
	size_t cut = size / 3;

	for (int part = 0; part < 2; part++) {
		enum frame_status status = FRAME_OK;

		frame_feed(&p, data + (part ? cut : 0), part ? size - cut : cut);
		while (status != FRAME_NONE) {
			_cleanup_frame_ struct frame f = { 0 };
			_cleanup_buf_ struct buf again = BUF_INIT;
			const char *why;

			status = frame_next(&p, &f, &why);
			assert((status == FRAME_BROKEN) == (why != NULL) ||
			       status == FRAME_NONE);
			if (status != FRAME_OK)
				continue;
			/* what was accepted can be said again */
			assert(f.words.nr && *frame_word(&f, 0));
			frame_format(f.token, f.seq, &f.words, &again);
			assert(again.len > strlen(f.token));
		}
	}
	frame_parser_release(&p);
	return 0;
}
