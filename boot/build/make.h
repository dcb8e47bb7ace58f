// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* make in a kernel tree: one target, its output kept and counted. */
#include "core/arch/arch.h"
#include "boot/build/sandbox.h"
#include "core/base/progress.h"

struct make_job {
	const struct sandbox *box;
	const struct arch *arch;
	bool llvm;	      /* clang and LLVM's tools instead of gcc */
	const char *what;     /* short name of the build for progress */
	const char *extra[5]; /* more words for make, may be NULL */
	const char *answers;  /* standard input, may be NULL */
	unsigned int jobs;    /* 0 = number of processors this process may use */
	uint64_t started_ms, deadline_ms; /* clock_ms() */
	int log_fd;			  /* all output goes here */
	const struct progress *progress;
	uint64_t objects; /* compiled so far; counted by make_run() */
};

/*
 * Run make for one target, or several with blanks between. 0 when make ended by itself: *ret_status is its exit status.
 * A make that was killed is ERR_TOOL_FAILED.
 */
_must_check_ int make_run(struct make_job *j, const char *target, int *ret_status,
			  struct err *e);

/* Whether a line of a quiet kernel build says that an object is compiled. */
bool make_line_is_object(const char *line);
