// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What kiln bench shows: samples, counters beside them, what could not be had. */
#include "cli/cmd.h"
#include "cli/stages.h"

/* The samples, then counters per operation and what is n/a; and the same as the one document
 * of --json. */
void bench_print(const struct lab *l, const struct shots *shots);
void bench_print_json(const struct lab *l, const struct shots *shots);

/* All benchmarks, the user's too, with their parameters. */
_must_check_ int bench_print_list(const struct ctx *c, struct err *e);
