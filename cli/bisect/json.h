// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A bisection as the JSON of design.md's contract. */
#include "cli/bisect/search.h"

struct json_t;

/* A new reference. */
struct json_t *json_bisection(const struct bisection *b);
