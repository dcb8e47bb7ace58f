// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* One number over commits and releases, from whichever runs measured it. */
#include "cli/cmd.h"

struct history_query {
	const char *benchmark;
	const struct strv *cells; /* "npt/npt"; empty: all */
	const struct strv *revs;  /* empty: every commit, as first measured */
};

/* Print it as a table or a document. ERR_NOT_FOUND when nothing was measured. */
_must_check_ int show_history(struct ctx *c, const struct history_query *q,
			      struct err *e);
