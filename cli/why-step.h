// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Why a series does not apply, and where it would: for people and for programs. */
#include "cli/base-step.h"
#include "core/git/why.h"

struct json_t;

struct cli_why {
	bool known; /* there was a failure, and it could be explained */
	struct why why;
	struct base_choice nearest; /* method NULL = not looked for */
};
void cli_why_release(struct cli_why *w);
#define _cleanup_cli_why_ _cleanup_(cli_why_release)

/*
 * Explain a failure; looks for the nearest base unless the base was looked for already.
 * What cannot be found out is left out: the failure itself is what counts.
 */
void cli_why(struct ctx *c, const struct cli_base_query *q, const struct cli_base *base,
	     const struct apply_result *a, struct cli_why *ret);

/* At most one screen. */
void cli_why_text(const struct cli_why *w, const struct series *s,
		  const struct apply_result *a, struct buf *ret);

/* Adds patches[], and to failed hunks[], files[], applied and nearest_base. */
void cli_why_json(const struct cli_why *w, const struct series *s,
		  const struct apply_result *a, struct json_t *doc);
