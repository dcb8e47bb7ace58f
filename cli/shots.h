// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Boots of a campaign: planned, done as steps, and what they gave. */
#include "bench/bench.h"
#include "bench/environment.h"
#include "cli/kernel.h"
#include "core/store/records.h"

struct lab;
struct lab_ahead; /* cli/ahead.h */

/*
 * How a kernel comes up. SHOT_AUTO is kexec, and firmware where the jump itself fails;
 * only for boots that measure nothing, as figures of different paths never meet.
 */
enum shot_path { SHOT_KEXEC, SHOT_FIRMWARE, SHOT_AUTO };

/* One boot of one kernel with the cells that share its L0 paging. */
struct shot {
	const struct kernel *kernel;
	const struct cell *cells[4];
	size_t nr_cells; /* 0: boot and prove only */
	bool counted;	 /* events are counted: its samples are counters */
	bool all; /* every benchmark of the lab in these cells, not only the first */
	unsigned int ordinal; /* of this kernel and L0 paging, within the run */
	unsigned int layout;  /* of the kernel's build */
	unsigned int attempt; /* 1: the boot before it ran another kernel */
	enum shot_path path;
	/* results; first has a status when that boot fell silent and was repeated */
	struct boot_record first, boot;
	struct samples samples;
};
void shot_release(struct shot *s);

/* A growing list of shots. */
struct shots {
	struct shot *v;
	size_t nr;
};
void shots_release(struct shots *s);

/* Append the shots that give `kernel` one boot (number `ordinal`) in every cell of the
 * lab. */
void shots_plan(struct shots *s, const struct lab *l, const struct kernel *kernel,
		unsigned int ordinal);

/* The same with events counted: for each L0 paging one boot. */
void shots_plan_counted(struct shots *s, const struct lab *l,
			const struct kernel *kernel);

/* Append one shot that only boots kernel and proves it. */
void shots_plan_boot(struct shots *s, const struct kernel *kernel, enum shot_path path);

/*
 * Do the shots, several at once where the lab allows. A kernel that panics, hangs, resets
 * or gives no result is an answer: see boot.status of each. Only the environment's
 * failures are errors; shots done by then are kept and loaded by `kiln resume`. ahead is
 * built meanwhile; NULL: nothing is.
 */
_must_check_ int lab_measure(struct lab *l, struct shots *s, struct lab_ahead *ahead,
			     struct err *e);

/* How many at once. */
unsigned int lab_machines(const struct lab *l);

/* ERR_PANIC, ERR_HANG, ... for a boot whose status is not "ok"; 0 otherwise. */
_must_check_ int shot_check(const struct shot *s, struct err *e);

/* All samples of kernel in the shots, copied, appended to ret. */
void shots_samples(const struct shots *s, const struct kernel *kernel,
		   struct samples *ret);

/* Whether all shots measured in alike environments, cell by cell; *ret_why, owned, says what
 * differs and calls the boots of base "base", the others "patched". */
enum likeness shots_likeness(const struct shots *s, const struct kernel *base,
			     char **ret_why);
