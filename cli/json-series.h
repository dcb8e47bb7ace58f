// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A series as the JSON of docs/json.md. */
#include "core/series/series.h"

struct json_t;

/* A new reference, the caller's. */
_must_check_ struct json_t *json_series(const struct series *s);
