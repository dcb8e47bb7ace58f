// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Inside core/store only: the journal of a run. Records are "begin", "done", "failed" of
 * a step and "end" of the run; "done" exists at most once for a step.
 */
#include "core/base/err.h"
#include "core/base/strv.h"

struct store;

/* Write one record, in the transaction under way if there is one. The kill point of
 * KILN_KILL_AT. */
_must_check_ int journal_add(struct store *s, const char *run, const char *state,
			     const char *step, const char *detail, struct err *e);

/* Whether the step is done: 1 with its detail (owned by the caller), 0 when it is not. */
_must_check_ int journal_done(struct store *s, const char *run, const char *step,
			      char **ret_detail, struct err *e);

/* An error as the detail of a "failed" record: its word, then its frames. */
_must_check_ char *journal_error(const struct err *failure);

/* All records as lines, see run_journal(). */
_must_check_ int journal_list(struct store *s, const char *run, struct strv *ret,
			      struct err *e);
