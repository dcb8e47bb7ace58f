// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The stages commands share, as steps of a run: build a commit, boot and measure it. Here
 * core's runner meets boot and bench; commands only say which commits and cells they
 * want.
 */
#include "bench/bench.h"
#include "boot/target/boot.h"
#include "cli/cmd.h"
#include "cli/kernel.h"
#include "cli/shots.h"
#include "cli/steps-build.h"
#include "core/base/oid.h"
#include "core/store/run.h"

/* Options of every command that boots. */
struct stage_opts {
	struct cli_build_opts build;
	char *target, *accel, *via, *append, *mitigations;
	struct strv benches, cells;
	uint64_t boots, machines, boot_timeout, vcpus;
	bool pin, huge_pages;
	bool boots_only; /* set by commands that measure nothing */
};

/* clang-format off */
/* The rows of a command's option table for its member m of that type. */
#define STAGE_MACHINE_ROWS(type, m)                                                      \
	{ "via", 0, OPT_STRING, offsetof(type, m.via), "REV",                            \
	  "known-good kernel: entered first, and L1's kernel", "kiln.via" },             \
	{ "target", 0, OPT_STRING, offsetof(type, m.target), "NAME",                     \
	  "machine to boot, see kiln-target(1); default: qemu", "kiln.target" },         \
	{ "accel", 0, OPT_STRING, offsetof(type, m.accel), "NAME",                       \
	  "auto, kvm or tcg (emulated, virtual clock)", "kiln.accel" },                  \
	{ "append", 0, OPT_STRING, offsetof(type, m.append), "TEXT",                     \
	  "added to the candidate's command line", "kiln.append" },                      \
	{ "boot-timeout", 0, OPT_DURATION, offsetof(type, m.boot_timeout), "DURATION",   \
	  "silence that counts as a hang, in host time", "kiln.bootTimeout" },           \
	CLI_BUILD_ROWS(type, m.build)
#define STAGE_BENCH_ROWS(type, m)                                                        \
	{ "bench", 0, OPT_LIST, offsetof(type, m.benches), "NAME[:KEY=VALUE,...]",       \
	  "benchmark to run, with its parameters", "kiln.bench" },                       \
	{ "cell", 0, OPT_LIST, offsetof(type, m.cells), "L0/L1",                         \
	  "paging of L0 and L1; may be repeated", "kiln.cell" },                         \
	{ "boots", 0, OPT_UINT, offsetof(type, m.boots), "N",                            \
	  "boots of each commit", "kiln.boots" },                                        \
	{ "machines", 0, OPT_UINT, offsetof(type, m.machines), "N",                      \
	  "boot so many at once", "kiln.machines" },                                     \
	{ "vcpus", 0, OPT_UINT, offsetof(type, m.vcpus), "N",                            \
	  "processors of L0 and of L1", "kiln.vcpus" },                                  \
	{ "pin", 0, OPT_FLAG, offsetof(type, m.pin), NULL,                               \
	  "L1 and L2 on one processor of L0", "kiln.pin" },                              \
	{ "huge-pages", 0, OPT_FLAG, offsetof(type, m.huge_pages), NULL,                 \
	  "memory of L1 in huge pages of L0", "kiln.hugePages" },                        \
	{ "mitigations", 0, OPT_STRING, offsetof(type, m.mitigations), "MODE",           \
	  "auto or off, at L0 and L1", "kiln.mitigations" }
/* clang-format on */

/* Everything a campaign holds fixed: target, known-good kernel, benchmark, cells. */
struct lab;

/*
 * Check the options and build the known-good kernel: opts->via, else via (a revision;
 * NULL = HEAD). ERR_USAGE for bad names, the build's error when the known-good kernel
 * does not build. c, run and opts are borrowed for the life of the lab.
 */
_must_check_ int lab_open(struct ctx *c, struct run *run, const struct stage_opts *opts,
			  const char *via, struct lab **ret, struct err *e);

/*
 * As lab_open() without machine and known-good kernel: only to build. What needs a
 * machine must not be called on it.
 */
_must_check_ int lab_open_builder(struct ctx *c, struct run *run,
				  const struct stage_opts *opts, struct lab **ret,
				  struct err *e);

struct repo *lab_repo(const struct lab *l);
struct run *lab_run(const struct lab *l);
bool lab_quiet(const struct lab *l);
const struct progress *lab_progress(const struct lab *l);
/* The run's folder. */
const char *lab_dir(const struct lab *l);

/* A benchmark in a cell: what has samples, and is compared with itself only. */
struct lab_point {
	const struct benchmark *bench;
	const struct cell *cell;
};

/* All that the lab measures, ordered by benchmark. */
size_t lab_nr_points(const struct lab *l);
const struct lab_point *lab_point(const struct lab *l, size_t i);

/* ERR_USAGE when more than one benchmark was asked for: the caller looks at one number.
 */
_must_check_ int lab_one_bench(const struct stage_opts *opts, struct err *e);

/* The first benchmark, and the cells it is measured in. */
const struct benchmark *lab_bench(const struct lab *l);
size_t lab_nr_cells(const struct lab *l);
const struct cell *lab_cell(const struct lab *l, size_t i);
/* What its kernels and machines are. */
const struct arch *lab_arch(const struct lab *l);
/* "kvm" or "tcg"; with the latter the clock of every sample is virtual. */
const char *lab_accel(const struct lab *l);
/* "virtual" (path length, not time) or "host": of every sample. */
const char *lab_clock(const struct lab *l);
/* Whether it is "virtual". */
bool lab_is_emulated(const struct lab *l);
unsigned int lab_boots(const struct lab *l);

/* Build a commit as a step. 0 with build.status "failed" is the kernel's fault. */
_must_check_ int lab_build(struct lab *l, const struct oid *commit, struct kernel *ret,
			   struct err *e);

/* As lab_build(), with an overlay (struct build_opts) that may be NULL. */
_must_check_ int lab_build_over(struct lab *l, const struct oid *commit,
				const char *overlay, struct kernel *ret, struct err *e);

/* As lab_build(), but a kernel that does not build is ERR_BUILD or ERR_CONFIG_LOST. */
_must_check_ int lab_build_ok(struct lab *l, const struct oid *commit, struct kernel *ret,
			      struct err *e);

/* Which of nr commits are built already, in whichever run. */
_must_check_ int lab_cached(struct lab *l, const struct oid *commits, size_t nr,
			    bool *ret, struct err *e);

void lab_free(struct lab *l);
DEFINE_FREEP(lab_free, struct lab *)
#define _cleanup_lab_ _cleanup_(lab_freep)
