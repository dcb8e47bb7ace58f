// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What a kernel's console says about its fate, read as the bytes come. A scanner sees
 * text only: it neither waits nor judges whose fault something is. Memory is bounded and
 * time linear, whatever the bytes are.
 */
#include <stdbool.h>
#include <stddef.h>

#include "boot/console/printk.h"
#include "boot/console/selftest.h"
#include "core/base/buf.h"

#define CONSOLE_LINE_MAX 1000  /* bytes of a line that are looked at */
#define CONSOLE_MARKS_MAX 4096 /* marks waiting to be taken; later ones are lost */
#define CONSOLE_CALLERS 8      /* reports that may be open at once */

enum console_event {
	CONSOLE_BANNER,	   /* "Linux version ...": a kernel starts */
	CONSOLE_PANIC,	   /* "Kernel panic - not syncing: ..." */
	CONSOLE_OOPS,	   /* BUG, oops, lockup: a line of a report's head */
	CONSOLE_KEXEC,	   /* "Starting new kernel": the old kernel's last words */
	CONSOLE_FIRMWARE,  /* firmware or boot loader talks: the machine was reset */
	CONSOLE_WARN,	   /* a warning: first line of a report */
	CONSOLE_PLACE,	   /* a report found out where: its title has become better */
	CONSOLE_PANIC_END, /* the panic's report is complete */
	CONSOLE_INIT,	   /* user space starts */
	CONSOLE_AGENT,	   /* the agent has nobody to talk to any more, and says so */
	CONSOLE_NOTE,	   /* something to know, no fault */
	CONSOLE_ENV,	   /* the hardware reports an error of its own */
};

struct console_mark {
	enum console_event event;
	const char *class;   /* splat_class's name, NULL for markers; constant */
	unsigned int report; /* from 1; lines of one report share it; 0 for markers */
	char *text;  /* the line without its prefix, control characters as '?', owned */
	char *title; /* normalised, the same in every boot; NULL for markers; owned */
};

/* A report that goes on, by the caller that prints it. */
struct console_report {
	long caller;
	unsigned int nr;    /* 0: free */
	unsigned int lines; /* of the caller since its head */
	bool open;	    /* more of it may come */
	char *title;	    /* until the place is known, owned */
};

/* The state between two calls; caller-owned, starts zeroed. Marks are in their order. */
struct console {
	struct buf line;
	struct console_mark *marks;
	size_t nr, taken;
	char *last;   /* last line that said something, owned, may be NULL */
	bool stamped; /* this kernel writes time stamps: lines without are programs' */
	unsigned int nr_reports;
	struct console_report reports[CONSOLE_CALLERS];
	struct selftest selftest;
};

/* Scan what came. */
void console_feed(struct console *c, const char *data, size_t len);

/* The oldest mark not yet taken, borrowed until the next feed; NULL when there is none.
 */
const struct console_mark *console_next(struct console *c);

/* The same without taking it. */
const struct console_mark *console_peek(const struct console *c);

void console_release(struct console *c);
#define _cleanup_console_ _cleanup_(console_release)

/* A copy whose strings the caller owns and releases. */
struct console_mark console_mark_copy(const struct console_mark *m);
void console_mark_release(struct console_mark *m);
