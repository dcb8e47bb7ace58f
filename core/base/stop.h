// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The signal flag: SIGINT, SIGTERM and SIGHUP ask long work to end in an orderly way. */
#include <stdbool.h>

#include "core/base/err.h"

/* Install the handlers and ignore SIGPIPE; called once by main. */
void stop_install(void);

/* Whether a signal asked us to stop. */
bool stop_requested(void);

/* 0, or ERR_INTERRUPTED once a signal came; loops that wait call it after every wake-up.
 */
_must_check_ int stop_check(struct err *e);
