// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Debug talk on standard error, for -v. Results and errors never go this way. */
#include "core/base/base.h"

/* 0: silent, 1: steps (-v), 2: everything (-vv). Set once by main. */
void log_set_level(int level);
int log_level(void);

/* One line, prefixed "kiln: ", when the level is at least 1; control characters are
 * replaced. */
void log_debug(const char *fmt, ...) _printf_(1, 2);
