// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The result of a bisection as a command prints it. */
#include "bench/bench.h"
#include "cli/bisect/search.h"
#include "cli/bisect/watch.h"
#include "cli/cmd.h"

/* What was asked and in which words. bench and cell are NULL unless it was a number. */
struct bisect_asked {
	const char *question, *old, *new;
	const struct benchmark *bench;
	const struct cell *cell;
	const struct watch *watch;   /* NULL: nothing else was looked at */
	const struct series *series; /* with apply: the points are its patches */
	const struct apply_result *apply;
};

/* Fill bench and cell from a question "number BENCH CELL"; others leave them NULL.
 * *ret_bench is the benchmark, the caller's. */
_must_check_ int bisect_asked_read(const char *question, struct bisect_asked *ret,
				   struct benchmark **ret_bench, struct err *e);

/*
 * Print, and return the exit code. Without --json ends that do not differ are an error
 * that says so: ERR_NO_DIFFERENCE.
 */
_must_check_ int bisect_print(const struct ctx *c, const struct bisection *b,
			      const struct bisect_asked *asked, struct err *e);
