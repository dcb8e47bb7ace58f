// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Samples and comparisons as the JSON that docs/json.md describes. */
#include "bench/stats/compare.h"

struct json_t;

/* Array `rows` of compare. What is not known (no boots, an unbounded interval) is null. A
 * new reference, owned by the caller. */
_must_check_ struct json_t *json_comparison_rows(const struct comparison *rows,
						 size_t nr);

/* Array `samples` of bench. A new reference, owned by the caller. */
_must_check_ struct json_t *json_samples(const struct samples *s);
