// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What one boot is asked to do, and what its answers are as samples. */
#include "boot/target/boot.h"
#include "cli/lab-internal.h"
#include "cli/shots.h"

/* One benchmark in one cell of the boot. */
struct shot_item {
	const struct lab_bench *bench;
	const struct cell *cell;
};

struct shot_items {
	struct shot_item *v;
	size_t nr;
};

/* The boot's work in order: cell by cell, so that one L1 serves all of a cell. */
void shot_items(const struct lab *l, const struct shot *s, struct shot_items *ret);
void shot_items_release(struct shot_items *items);

/* The same as tasks of the boot. counted: programs mark where they measure. */
void shot_tasks(const struct shot_items *items, bool counted, struct task_list *ret);
void shot_tasks_release(struct task_list *tasks);

/*
 * Samples of the boot's tasks, appended to the shot's. A program that ended badly makes
 * the boot's status "no-result"; output that does not parse is an error.
 */
_must_check_ int shot_samples(const struct lab *l, const struct shot_items *items,
			      const struct boot_result *result, struct shot *s,
			      struct err *e);
