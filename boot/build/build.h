// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Kernel images from commits. Builds run out of tree, from a worktree kiln owns, under
 * bubblewrap when it works (no network, read-only system), reproducibly, and end in a
 * cache keyed by tree, configuration, toolchain and architecture.
 */
#include "core/base/progress.h"
#include "core/git/repo.h"
#include "core/store/records.h"

enum build_sandbox { BUILD_SANDBOX_AUTO, BUILD_SANDBOX_ON, BUILD_SANDBOX_OFF };

struct build_opts {
	const char *base;      /* target of make whose configuration everything goes over;
				 NULL = "tinyconfig" */
	const char *base_file; /* path of a whole configuration in place of it; may be
				  NULL */
	const char *lsmod; /* path of what lsmod printed: other modules are dropped from
				 the configuration; may be NULL */
	const char *fragment; /* path of a config fragment over the base; may be NULL */
	const char *require;  /* path of a list of further symbols that must survive, as
				 a fragment; may be NULL */
	const char *overlay;  /* path of a fragment over the fragment: with one, symbols
				 may fall to unmet dependencies; may be NULL */
	const char *arch;   /* name of a row of core/arch/arch.c; NULL = the first one */
	bool llvm;	    /* clang and LLVM's tools instead of gcc and binutils */
	unsigned int jobs;  /* 0 = number of processors */
	bool sandbox;	    /* as build_sandbox_decide() said */
	uint64_t timeout_s; /* 0 = 2 hours */
	const struct progress *progress;
};

/*
 * Whether builds here run in the sandbox: on and off are obeyed, auto is yes when
 * bubblewrap works. ON where it does not is ERR_TOOL_MISSING or ERR_TOOL_FAILED. With
 * AUTO and no sandbox, *ret_why tells the cause (owned by the caller), else it is NULL.
 */
_must_check_ int build_sandbox_decide(enum build_sandbox wanted, bool *ret,
				      char **ret_why, struct err *e);

/* Name of the data file with kiln's own fragment for an architecture (NULL = the first
 * one); NULL for an unknown one. */
const char *build_fragment(const char *arch);

/* The row of that name (NULL = the first one), or ERR_USAGE naming all. */
struct arch;
_must_check_ int build_arch(const char *name, const struct arch **ret, struct err *e);

/*
 * Build one commit, or find it in the cache. Returns 0 when there is an answer:
 * ret->status is "ok", "failed" (the kernel's fault: reason is the compiler's first error
 * with file:line) or "config-lost" (reason names the symbol). Environment failures (no
 * compiler, disk full, compiler killed for memory, time limit) are errors and are never
 * cached. One build at a time per repository: others wait on its lock.
 */
_must_check_ int build_commit(struct repo *r, const struct oid *commit,
			      const struct build_opts *o, struct build_record *ret,
			      struct err *e);

/* Which of nr commits build_commit() would find in the cache, whatever their status. */
_must_check_ int build_cached(struct repo *r, const struct oid *commits, size_t nr,
			      const struct build_opts *o, bool *ret, struct err *e);

/* GNU build-id note (type 3, "GNU") of an ELF file, as hex, owned by the caller. */
_must_check_ int build_id_of_elf(const char *path, char **ret, struct err *e);

/* The same from the raw notes of /sys/kernel/notes. */
_must_check_ int build_id_of_notes(const void *notes, size_t len, char **ret,
				   struct err *e);
