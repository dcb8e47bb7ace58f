// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a lab measures, out of its options: benchmarks, cells, the shape of machines. */
#include "cli/stages.h"

/* A benchmark with its program. */
struct lab_bench {
	struct benchmark *bench;
	char *program; /* full path; NULL on a lab that only builds */
	char *digest;  /* of the program */
};

/* What was asked for and cannot be: "shadow/npt", and the reason. */
struct lab_absent {
	char *what;
	const char *why;
};

struct lab_choice {
	const struct arch *arch;
	struct lab_bench *benches;
	size_t nr_benches;
	const struct cell *cells[8]; /* as asked for, each once */
	size_t nr_cells;
	struct lab_point *points;
	size_t nr_points;
	struct lab_absent *absent;
	size_t nr_absent;
	struct boot_shape shape;
	char *setup; /* the shape as a sample keeps it; "" = the default */
};

/*
 * Read the options. machine tells what the processor can: "tcg" and "svm" are AMD's, "kvm"
 * is this machine, "none" is not known. Without a point left to measure it is ERR_USAGE
 * with the first reason. ret is released by the caller.
 */
_must_check_ int lab_choose(const struct cfg *cfg, const struct stage_opts *o,
			    const char *machine, struct lab_choice *ret, struct err *e);

/* One of kiln's own programs for machines of an architecture: its path, owned by the
 * caller. ERR_TOOL_MISSING, with what to install. */
_must_check_ int lab_program(const struct arch *a, const char *name, char **ret,
			     struct err *e);

/* Find the programs and their digests; ERR_TOOL_MISSING. */
_must_check_ int lab_choose_programs(struct lab_choice *c, struct err *e);

void lab_choice_release(struct lab_choice *c);
