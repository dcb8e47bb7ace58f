// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One build under way; shared by the files of this folder only. */
#include "core/arch/arch.h"
#include "boot/build/build.h"
#include "boot/build/make.h"
#include "boot/build/worktree.h"

struct build_job {
	const struct build_opts *opts;
	struct build_record rec; /* filled on the way; has a status once answered */
	const struct arch *arch;
	struct buf base, lsmod, fragment, overlay, require, config;
	struct oid inputs; /* configuration, toolchain and architecture */
	struct oid key;	   /* inputs and tree */
	struct sandbox box;
	struct worktree *wt;
	struct make_job make;
	char *variant; /* of the output folder, NULL for the usual one */
	char *ccache, *what;
	int log_fd, image_fd;
	size_t nr_modules;
	bool fresh; /* out was empty when make began */
	bool vague; /* it failed and nobody named a cause */
};

/* What goes before the work, once inputs_read() has named the build: worktree, lock, log. */
_must_check_ int job_open(struct build_job *j, struct repo *r, struct err *e);
void job_release(struct build_job *j);

/* The answer is not "ok"; takes reason over. */
void job_answer(struct build_job *j, const char *status, char *reason);

/* The log as text; false when it is longer than anybody reads. */
bool job_log(const struct build_job *j, struct buf *ret);

/* Bring the warnings kept beside the output folder up to the log; ret gets them as text. */
_must_check_ int job_warnings(struct build_job *j, struct buf *ret, struct err *e);

/*
 * Run make for a target, or several with blanks between. 1 when it succeeded. 0 when it
 * did not and the answer is "failed" with the log's first error. An error when the machine
 * is to blame.
 */
_must_check_ int job_target(struct build_job *j, const char *target, struct err *e);
