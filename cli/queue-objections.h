// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What was said against patches: in the thread the queue came from, and in archives. */
#include "cli/source.h"
#include "core/stable/check.h"
#include "core/store/run.h"

struct queue_objections {
	struct ctx *c;
	const struct cli_source_opts *source; /* NULL = ask no archive */
	struct box *thread;		      /* NULL = the queue is no thread */
};

/* The mails step "read" kept, if it did. */
_must_check_ int queue_objections_open(struct ctx *c, struct run *r,
				       const struct cli_source_opts *source,
				       struct queue_objections *ret, struct err *e);
void queue_objections_release(struct queue_objections *o);
#define _cleanup_queue_objections_ _cleanup_(queue_objections_release)

/* For objection_source; ctx is the struct. */
_must_check_ int queue_objections_find(void *ctx, const struct patch *p,
				       const struct strv *links, struct strv *ret,
				       struct err *e);
