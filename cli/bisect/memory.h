// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What a bisection has found out, kept in its run: facts "bisect.*" and the points in the
 * run's folder. A resumed run tells the engine all of it again before it asks anything,
 * so it goes on where it was, and so does one to which a person added data.
 */
#include "cli/bisect/log.h"
#include "core/store/run.h"

/* The head and the entries; space is the file's and comes with memory_log() only. */
struct memory {
	struct run *run; /* borrowed */
	struct bisect_log log;
	size_t nr_notes; /* facts with entries written so far */
	bool fresh;	 /* nothing was there */
};

/* What the run remembers; with a run that has no bisection yet, fresh is set. */
_must_check_ int memory_load(struct run *r, struct memory *ret, struct err *e);

/* Begin: keep question, terms, engine options and points. */
_must_check_ int memory_begin(struct memory *m, const struct bisect_log *head,
			      const struct space *space, struct err *e);

/* Keep entries, all of them or none, whatever kills kiln. */
_must_check_ int memory_add(struct memory *m, const struct log_entry *v, size_t nr,
			    struct err *e);

/* The whole log of a run with its points; ERR_NOT_FOUND when it bisected nothing. */
_must_check_ int memory_log(struct run *r, struct bisect_log *ret, struct err *e);

void memory_release(struct memory *m);
#define _cleanup_memory_ _cleanup_(memory_release)
