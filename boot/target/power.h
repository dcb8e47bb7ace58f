// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A target's power, by the user's own command. */
#include "boot/target/target.h"
#include "core/base/err.h"

/* "on", "off" or "reset" as the last argument of power=. ERR_CONFIG: there is none;
 * ERR_TOOL_FAILED: the command says no. */
_must_check_ int power_do(const struct target *t, const char *what, struct err *e);

/* Have the target's sysrq command send a break and that letter; the target has one. */
_must_check_ int power_sysrq(const struct target *t, const char *letter, struct err *e);
