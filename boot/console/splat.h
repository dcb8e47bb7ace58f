// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What a kernel prints when something is wrong, one row a class. The phrases are those
 * of Linux 4.x to 6.x (lib/dump_stack.c's callers, mm/kasan, kernel/locking, arch/x86,
 * virt/kvm and so on).
 */
#include <stddef.h>

enum splat_kind {
	SPLAT_PANIC, /* the kernel ends here */
	SPLAT_BUG,   /* it goes on, but nothing it does is worth anything any more */
	SPLAT_WARN,  /* something that must not happen did */
	SPLAT_NOTE,  /* worth knowing, no fault */
	SPLAT_ENV,   /* the machine's own fault: hardware */
};

struct splat_class {
	const char *name; /* "kasan-use-after-free": stable word */
	enum splat_kind kind;
	/* How the line begins, behind its prefix; '%' stands for anything. */
	const char *pattern;
	/* Fixed title, which gets the place added; NULL: the line itself, normalised. */
	const char *title;
};

/* The class of a line without its prefix; NULL when it is nothing special. The table's
 * first matching row counts. */
const struct splat_class *splat_classify(const char *text);

/* Row i of the table, NULL behind the last. For tests. */
const struct splat_class *splat_row(size_t i);
