// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Benchmarks and the cells they run in. A benchmark is a program that prints lines "metric
 * value unit": kiln's own payloads (bench/guest) make a guest through /dev/kvm and run in
 * L0, for a payload that is L1, or in L1, for one that is L2; the user's own commands come
 * from the configuration (own.h). Adding a payload is a file in bench/guest, a row in
 * registry.c and its name in the row of the architecture that has it (core/arch).
 */
#include "core/arch/arch.h"
#include "core/base/err.h"
#include "core/base/strv.h"
#include "core/store/records.h"

enum bench_param_kind {
	PARAM_NUMBER, /* decimal */
	PARAM_HEX,    /* written as hex: "0x40000000" */
	PARAM_SIZE,   /* bytes, a power of two: "64K", "4M" */
};

/* What of a payload can be chosen. Values are read in decimal, hex and with K, M or G. */
struct bench_param {
	const char *key; /* NULL ends a table */
	enum bench_param_kind kind;
	uint64_t fallback, min, max;
	const char *summary;
};

/* Levels that a payload can be: bits of struct benchmark.levels. */
enum { BENCH_L1 = 1 << 1, BENCH_L2 = 1 << 2 };

/* A row of the registry, or one with its parameters chosen (spec.h). */
struct benchmark {
	const char *name;    /* "cpuid_rate"; with parameters that are not the default
			       "cpuid_rate:leaf=0x1": what tells samples apart */
	const char *metric;  /* that its lines carry: "cpuid_rate" */
	const char *unit;    /* "/s" */
	const char *program; /* file of kiln's own, or the path of the user's command */
	const char *payload; /* first argument of kiln's own: "cpuid"; NULL: the user's */
	const struct bench_param *params;
	unsigned int levels; /* that the payload can be */
	int level;	     /* that it is: 1 or 2. The user's commands run one level
				below: in L0 or in L1 */
	unsigned int windows, count; /* defaults of every payload: windows of so many
					operations */
	const char *needs;	     /* "svm": only there; NULL: nothing */
	char **args;		     /* NULL-terminated; NULL in the registry */
	int warmup; /* first lines that are dropped: page faults of the first pass, and
		       what a kernel does differently at first */
	bool higher_is_better;
	bool brings_kernel; /* its program starts L1's own kernel as L2 */
	uint64_t timeout_s; /* host time; 0: the usual */
	const char *summary;
};

/* Find a row by its name; NULL when unknown. Iterate with bench_at(0..), NULL at the end.
 */
const struct benchmark *bench_find(const char *name);
const struct benchmark *bench_at(size_t i);

/* Parameters that every payload has: level, windows, count. */
extern const struct bench_param bench_common_params[];

/*
 * Parse "l0/l1" of an architecture, case ignored; NULL: of any. ERR_USAGE for another
 * one's cell, and for one that is impossible, with the reason; it says what there is.
 */
_must_check_ int cell_parse(const struct arch *a, const char *text,
			    const struct cell **ret, struct err *e);

/* The cells of an architecture's matrix (NULL: the first one), then NULL. */
const struct cell *cell_at(const struct arch *a, size_t i);

/* The one with this paging, of whatever architecture; NULL: there is none. */
const struct cell *cell_of(const char *l0, const char *l1);

/* The one with the same L0 and no paging of L1's; itself where L1 is the payload anyway. */
const struct cell *cell_direct(const struct cell *c);

/*
 * Lines of a program to samples appended to ret; warm-up dropped, ordinals from 0. Fields
 * other than benchmark, ordinal, value and unit are left for the caller. A foreign metric
 * is skipped; a line that does not parse, another unit, a value that is not finite and
 * positive, fewer than two samples or more than 1000 are ERR_TOOL_FAILED naming the line
 * (zero is an error, never a regression), and ret is as it was.
 */
_must_check_ int bench_parse(const struct benchmark *b, const struct strv *lines,
			     struct samples *ret, struct err *e);

/*
 * What keeps two samples of one benchmark and cell from being of one kind: "clocks",
 * "paths", "setups", "kernels of L1", "QEMUs" or "payloads"; NULL when nothing does.
 */
const char *samples_unlike(const struct sample *a, const struct sample *b);
