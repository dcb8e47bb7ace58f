// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Child processes: argument vector, never a shell; mandatory time limit; standard input
 * from memory or /dev/null; the tail of standard error ends up in the error. A child runs
 * in a process group of its own, which is killed on a time limit and on SIGINT, and it
 * gets SIGKILL from the kernel when kiln dies.
 */
#include <stdint.h>
#include <sys/types.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/strv.h"

struct spawn {
	const struct strv *argv; /* argv[0] is searched with fs_find_program() */
	const struct strv *env;	 /* "NAME=value" added to ours, may be NULL */
	const char *dir;	 /* working folder, NULL = ours */
	uint64_t timeout_ms;	 /* must not be 0 */
	const void *in;		 /* bytes for standard input */
	size_t in_len;
	struct buf *out; /* collects standard output; NULL discards it */
	size_t out_max;	 /* ERR_TOO_BIG above it; 0 = 64 MiB */
	int log_fd;	 /* > 0: both outputs are also written here */
	void (*line)(void *ctx,
		     const char *line); /* called for each line of standard output */
	void *line_ctx;
};

/*
 * Run to the end. 0 when the child ran and was reaped: *ret_status is its exit status, or
 * 128 + signal. ERR_TOOL_MISSING (with the program's name) when there is no such program,
 * ERR_TIMEOUT, ERR_INTERRUPTED, ERR_TOO_BIG after killing it. tail, when given, receives
 * the last 4 KiB of standard error.
 */
_must_check_ int spawn_run(const struct spawn *s, int *ret_status, struct buf *tail,
			   struct err *e);

/* As spawn_run(), and a status other than 0 is ERR_TOOL_FAILED with the last line of
 * stderr. */
_must_check_ int spawn_check(const struct spawn *s, struct err *e);

/* A child that runs beside kiln: QEMU. Owned; proc_free() kills and reaps it. */
struct proc;

/*
 * Start argv with both outputs going to log_fd and standard input /dev/null. fds[0..nr)
 * are passed on under the numbers 3, 4, ...
 */
_must_check_ int proc_start(const struct strv *argv, int log_fd, const int *fds,
			    size_t nr, struct proc **ret, struct err *e);

/* The same with the caller's own descriptors for standard input, output and error; a
 * negative one is /dev/null. */
_must_check_ int proc_start_talk(const struct strv *argv, const int stdio[3],
				 struct proc **ret, struct err *e);

/* A pidfd that polls readable when the child has ended; owned by proc. */
int proc_fd(const struct proc *p);
pid_t proc_pid(const struct proc *p);

/* Wait up to timeout_ms for the end; ERR_TIMEOUT leaves it running. Status as in
 * spawn_run(). */
_must_check_ int proc_wait(struct proc *p, int timeout_ms, int *ret_status,
			   struct err *e);

void proc_free(struct proc *p);
DEFINE_FREEP(proc_free, struct proc *)
#define _cleanup_proc_ _cleanup_(proc_freep)
