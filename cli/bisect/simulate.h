// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* `kiln bisect --simulate SPEC`: the engine in simulated worlds; core/bisect/simulate.h
 * has the keys of SPEC. Prints a table, or a document with json. */
#include <stdbool.h>

#include "core/base/err.h"

_must_check_ int bisect_simulate(const char *spec, bool json, struct err *e);
