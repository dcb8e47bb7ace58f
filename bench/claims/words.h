// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What words around a number say of it. */
#include "bench/claims/claims.h"
#include "bench/claims/span.h"

/* What a column or a row of a table holds, by its heading. */
enum role {
	ROLE_NONE,
	ROLE_BASE,
	ROLE_PATCHED,
	ROLE_CHANGE,
	ROLE_L0,
	ROLE_L1,
	ROLE_RUNS, /* N */
	ROLE_UNIT,
	ROLE_SCATTER, /* standard deviation, extremes: of one side */
};
enum role words_role(struct span heading);

/* The heading without the words that give its role, footnotes and "[higher is better]":
 * the metric, maybe ""; and the unit in brackets, maybe empty. Owned by the caller. */
char *words_metric(struct span heading, struct span *ret_unit);

/* "higher is better", "[Lower the better]"; UNSAID without such words. */
enum claim_better words_better(struct span s);

/* What the name of a metric says for itself: throughput is better when higher, latency
 * when lower. */
enum claim_better words_better_name(struct span s);

/* "N=1", "n = 10", "average of 5 runs", "100 runs": the number, 0 without one. */
unsigned int words_runs(struct span s);

/* Whether the words are about speed: "throughput", "exits", "boot time". */
bool words_performance(struct span s);

/* Whether the words are about a setting that is no measurement: "timeout", "limit". */
bool words_setting(struct span s);

/* "npt", "shadow" or NULL for the paging a word names. */
const char *words_paging(struct span s);

/* The machine a text names ("Milan"), as written; empty when none. */
struct span words_machine(struct span s);

/* Whether the text says that it was measured under emulation. */
bool words_emulated(struct span s);
