// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Benchmarks and the cells they run in. A benchmark is a static program that runs in L1
 * (and makes L2 itself) and prints lines "metric value unit"; adding one is a file in
 * bench/guest and a row in registry.c.
 */
#include "core/base/err.h"
#include "core/base/strv.h"
#include "core/store/records.h"

struct benchmark {
	const char *name;	 /* "cpuid_rate", also the metric its lines carry */
	const char *unit;	 /* "/s" */
	const char *program;	 /* file name of the static program: "guest-cpuid" */
	const char *const *args; /* NULL-terminated defaults */
	int warmup; /* first lines of a boot that are dropped: page faults of the first
		       pass */
	bool higher_is_better;
	const char *summary;
};

/* Find by name; NULL when unknown. Iterate with bench_at(0..), NULL at the end. */
const struct benchmark *bench_find(const char *name);
const struct benchmark *bench_at(size_t i);

/* Paging of L0 and of L1: "npt" or "shadow" (EPT counts as npt: hardware-assisted). */
struct cell {
	const char *name; /* "npt/npt" */
	const char *l0, *l1;
	const char *l0_append; /* of L0: "kvm_amd.npt=1 kvm_intel.ept=1" */
	const char *l1_append;
};

/* Parse "l0/l1", case ignored; shadow/npt is ERR_USAGE with the reason (impossible). */
_must_check_ int cell_parse(const char *text, const struct cell **ret, struct err *e);
const struct cell *cell_at(size_t i);

/*
 * Lines of a program to samples appended to ret; warm-up dropped, ordinals from 0. Fields
 * other than benchmark, ordinal, value and unit are left for the caller. A foreign metric
 * is skipped; a line that does not parse, another unit, a value that is not finite and
 * positive, or no sample at all is ERR_TOOL_FAILED naming the line (zero is an error,
 * never a regression), and ret is as it was.
 */
_must_check_ int bench_parse(const struct benchmark *b, const struct strv *lines,
			     struct samples *ret, struct err *e);
