// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Fetching a series as a step of a run. */
#include "cli/source.h"
#include "core/store/run.h"

/*
 * Step "fetch", or "fetch vN" where a revision is asked for: read the source once; the
 * mails are kept as thread.mbox or thread-vN.mbox in the run's folder, so that a resumed
 * run works on what was fetched, not on what the archive holds by then.
 */
_must_check_ int step_fetch(struct ctx *c, struct run *r, const struct cli_source_opts *o,
			    const char *source, struct series **ret, struct err *e);
