// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Claims as the JSON that docs/json.md describes; new references, owned by the caller. */
#include "bench/claims/compare.h"
#include "core/series/series.h"

struct json_t;

/* Array `claims` of claims. */
_must_check_ struct json_t *json_claims(const struct claims *c, const struct series *s);

/* Array `claims` of triage. */
_must_check_ struct json_t *json_claim_checks(const struct claim_check *v, size_t nr);
