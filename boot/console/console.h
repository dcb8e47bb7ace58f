// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What a kernel's console says about its fate, read as the bytes come. A scanner sees
 * text only: it neither waits nor judges whose fault something is.
 */
#include <stddef.h>

#include "core/base/buf.h"

enum console_event {
	CONSOLE_BANNER,	  /* "Linux version ...": a kernel starts */
	CONSOLE_PANIC,	  /* "Kernel panic - not syncing: ..." */
	CONSOLE_OOPS,	  /* BUG, oops, warning: first line of a report */
	CONSOLE_KEXEC,	  /* "Starting new kernel": the old kernel's last words */
	CONSOLE_FIRMWARE, /* firmware or boot loader talks: the machine was reset */
};

struct console_mark {
	enum console_event event;
	char *text; /* the line without its time stamp, control characters as '?', owned
		     */
};

/* The state between two calls; caller-owned, starts zeroed. Marks are in their order. */
struct console {
	struct buf line;
	struct console_mark *marks;
	size_t nr, taken;
	char *last; /* last line that said something, owned, may be NULL */
};

/* Scan what came. Only the first 1000 bytes of a line are looked at. */
void console_feed(struct console *c, const char *data, size_t len);

/* The oldest mark not yet taken, borrowed until the next feed; NULL when there is none.
 */
const struct console_mark *console_next(struct console *c);

void console_release(struct console *c);
#define _cleanup_console_ _cleanup_(console_release)
