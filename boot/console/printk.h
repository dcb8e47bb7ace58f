// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The prefix of a kernel's console line: "<6>[   12.345678][  T123] text", level, time
 * and caller (CONFIG_PRINTK_CALLER: T and a thread id, or C and a processor) each
 * optional.
 */
#include <stdbool.h>

struct printk {
	const char *text; /* behind the prefix, borrowed from the line */
	bool stamped;	  /* it had a time: a kernel wrote this, not a program */
	long caller;	  /* the same for lines of one caller; -1 when unknown */
};

/*
 * Take a line apart. A time stamp in the middle begins a kernel's line behind what a
 * program left unfinished; what stands before it is passed over.
 */
void printk_split(const char *line, struct printk *ret);
