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
#include "cli/steps-build.h"
#include "core/base/oid.h"
#include "core/store/run.h"

/* Options of every command that boots. */
struct stage_opts {
	struct cli_build_opts build;
	char *target, *accel, *via, *bench, *append;
	struct strv cells;
	uint64_t boots, machines, boot_timeout;
};

/* clang-format off */
/* The rows of a command's option table for its member m of that type. */
#define STAGE_MACHINE_ROWS(type, m)                                                      \
	{ "via", 0, OPT_STRING, offsetof(type, m.via), "REV",                            \
	  "known-good kernel: entered first, and L1's kernel", "kiln.via" },             \
	{ "target", 0, OPT_STRING, offsetof(type, m.target), "NAME",                     \
	  "machine to boot; only 'qemu' so far", "kiln.target" },                        \
	{ "accel", 0, OPT_STRING, offsetof(type, m.accel), "NAME",                       \
	  "auto, kvm or tcg (emulated, virtual clock)", "kiln.accel" },                  \
	{ "append", 0, OPT_STRING, offsetof(type, m.append), "TEXT",                     \
	  "added to the candidate's command line", "kiln.append" },                      \
	{ "boot-timeout", 0, OPT_DURATION, offsetof(type, m.boot_timeout), "DURATION",   \
	  "silence that counts as a hang, in host time", "kiln.bootTimeout" },           \
	CLI_BUILD_ROWS(type, m.build)
#define STAGE_BENCH_ROWS(type, m)                                                        \
	{ "bench", 0, OPT_STRING, offsetof(type, m.bench), "NAME",                       \
	  "benchmark to run", "kiln.bench" },                                            \
	{ "cell", 0, OPT_LIST, offsetof(type, m.cells), "L0/L1",                         \
	  "paging of L0 and L1; may be repeated", "kiln.cell" },                         \
	{ "boots", 0, OPT_UINT, offsetof(type, m.boots), "N",                            \
	  "boots of each commit", "kiln.boots" },                                        \
	{ "machines", 0, OPT_UINT, offsetof(type, m.machines), "N",                      \
	  "boot so many at once", "kiln.machines" }
/* clang-format on */

struct lab_ahead; /* cli/ahead.h */

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
const struct benchmark *lab_bench(const struct lab *l);
size_t lab_nr_cells(const struct lab *l);
const struct cell *lab_cell(const struct lab *l, size_t i);
/* "kvm" or "tcg"; with the latter the clock of every sample is virtual. */
const char *lab_accel(const struct lab *l);
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

/*
 * How a kernel comes up. SHOT_AUTO is kexec, and firmware where the jump itself fails;
 * only for boots that measure nothing, as figures of different paths never meet.
 */
enum shot_path { SHOT_KEXEC, SHOT_FIRMWARE, SHOT_AUTO };

/* One boot of one kernel with the cells that share its L0 paging. */
struct shot {
	const struct kernel *kernel;
	const struct cell *cells[4];
	size_t nr_cells;      /* 0: boot and prove only */
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

/* ERR_PANIC, ERR_HANG, ... for a boot whose status is not "ok"; 0 otherwise. */
_must_check_ int shot_check(const struct shot *s, struct err *e);

/* All samples of kernel in the shots, copied, appended to ret. */
void shots_samples(const struct shots *s, const struct kernel *kernel,
		   struct samples *ret);

void lab_free(struct lab *l);
DEFINE_FREEP(lab_free, struct lab *)
#define _cleanup_lab_ _cleanup_(lab_freep)
