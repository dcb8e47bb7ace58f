// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What L2 says on its serial line: bytes of a kernel that may be broken in any way. Of it
 * only lines of these forms count, and only whole ones:
 *
 *	@up         user space runs
 *	@done       the work is over
 *	@ticks N    one window: N > 0 in decimal, without zeros before it
 *	@end        nothing more will come
 */
#include <stddef.h>
#include <stdint.h>

enum { L2_LINE_MAX = 200 };

enum l2_said { L2_NOTHING, L2_TEXT, L2_UP, L2_DONE, L2_TICKS, L2_END };

struct l2_lines {
	char line[L2_LINE_MAX + 1]; /* what is there of it, printable ASCII */
	size_t len, bytes;	    /* bytes: longer lines are cut and count as text */
	char note[L2_LINE_MAX + 1]; /* the last text; a panic stays */
};

/* Take one byte. All but L2_NOTHING means that a line is whole; ticks come with it. */
enum l2_said l2_byte(struct l2_lines *l, unsigned char byte, uint64_t *ret_ticks);
