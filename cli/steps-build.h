// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Building as a step of a run, for every command that needs kernels. */
#include "cli/cmd.h"
#include "cli/opt.h"
#include "core/base/oid.h"
#include "core/store/records.h"
#include "core/store/run.h"

/* What the user may say about builds; zeroed is a good default. */
struct cli_build_opts {
	char *config;	     /* what it goes over, as config_source() reads it; NULL =
				tinyconfig */
	char *fragment;	     /* NULL = the embedded target's, unless config is given */
	const char *overlay; /* as struct build_opts has it; no option of the user */
	char *arch;	     /* NULL = the first of core/arch/arch.c */
	bool llvm;	     /* clang and LLVM's tools */
	char *sandbox;	     /* "auto", "on", "off"; NULL = auto */
	uint64_t jobs;	     /* 0 = number of processors */
	uint64_t cache_mib;  /* the kernel cache's limit; 0 = CACHE_MIB */
};

#define CACHE_MIB 10240

/* clang-format off */
/* The rows of a command's option table for its member m of that type. */
#define CLI_BUILD_ROWS(type, m)                                                          \
	{ "kconfig", 0, OPT_STRING, offsetof(type, m.config), "SOURCE",                  \
	  "start from tinyconfig, *defconfig, FILE, running or localmodconfig",          \
	  "kiln.kconfig" },                                                              \
	{ "fragment", 0, OPT_STRING, offsetof(type, m.fragment), "FILE",                 \
	  "config fragment over it; default: kiln's own over tinyconfig",                \
	  "kiln.fragment" },                                                             \
	{ "arch", 0, OPT_STRING, offsetof(type, m.arch), "ARCH",                         \
	  "architecture: x86_64, powerpc64le or arm64", "kiln.arch" },                   \
	{ "llvm", 0, OPT_FLAG, offsetof(type, m.llvm), NULL,                             \
	  "build with clang and LLVM's tools", "kiln.llvm" },                            \
	{ "jobs", 'j', OPT_UINT, offsetof(type, m.jobs), "N",                            \
	  "compile N files at once; default: all processors", "kiln.jobs" },             \
	{ "cache-size", 0, OPT_UINT, offsetof(type, m.cache_mib), "MIB",                 \
	  "limit of the kernel cache; default: 10240", "kiln.cacheSize" },               \
	{ "sandbox", 0, OPT_STRING, offsetof(type, m.sandbox), "MODE",                   \
	  "build in bubblewrap: auto, on or off", "kiln.sandbox" }
/* clang-format on */

/*
 * Step "resolve:REV": the commit a revision means, fixed for the run, so that a branch
 * that moves meanwhile does not change what a resumed run works on.
 */
_must_check_ int step_resolve(struct ctx *c, struct run *r, const char *rev,
			      struct oid *ret, struct err *e);

/*
 * Step "build:TREE", or "build:TREE+DIGEST" with a configuration of the caller's: ret
 * (zeroed) receives the build, whatever its status. A run builds a tree and configuration
 * once; another commit with the same tree gets the same build.
 */
_must_check_ int step_build(struct ctx *c, struct run *r, const struct oid *commit,
			    const struct cli_build_opts *o, struct build_record *ret,
			    struct err *e);

/*
 * The same as a step to be done beside others with run_steps(): the step is build_step,
 * its name build_task_name(), its context the task. One of them at a time works, as
 * builds of a repository wait for each other.
 */
struct build_task;
extern const struct step build_step;
_must_check_ int build_task_new(struct ctx *c, const struct oid *commit,
				const struct cli_build_opts *o, struct build_task **ret,
				struct err *e);
const char *build_task_name(const struct build_task *s);
/* Compile at most so many files at once, and show no progress. */
void build_task_jobs(struct build_task *s, unsigned int jobs);
/* Its result once the step is done; warns of a build without sandbox, and keeps the cache
 * within its limit. */
void build_task_take(struct build_task *s, const struct ctx *c, struct build_record *ret);
/* What build_commit() is to be called with, borrowed of the task; whether the sandbox works
 * is tried. */
struct build_opts;
_must_check_ int build_task_opts(struct build_task *s, const struct build_opts **ret,
				 struct err *e);
void build_task_free(struct build_task *s);
DEFINE_FREEP(build_task_free, struct build_task *)
#define _cleanup_build_task_ _cleanup_(build_task_freep)

/* Digest of a configuration that is not the embedded target's, as steps and machines are
 * named by it; NULL without one. Owned by the caller. */
_must_check_ int build_variant(const struct cli_build_opts *o, char **ret, struct err *e);

/* Which of nr commits have their build in the cache, whatever its status. */
_must_check_ int build_cached_commits(struct ctx *c, const struct oid *commits, size_t nr,
				      const struct cli_build_opts *o, bool *ret,
				      struct err *e);

/* The error for a caller that cannot go on without this build: ERR_BUILD,
 * ERR_CONFIG_LOST; 0 when status is "ok". */
_must_check_ int build_need_ok(const struct build_record *b, struct err *e);
