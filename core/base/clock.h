// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Host time. Limits and durations use the monotonic clock, which no NTP step can move. */
#include <stdint.h>

#include "core/base/base.h"

/* Milliseconds of CLOCK_MONOTONIC. */
uint64_t clock_ms(void);

/* Milliseconds from now to a clock_ms() deadline for poll(), 0 when it has passed. */
int clock_left(uint64_t deadline_ms);

/* Seconds since the epoch, and the same as "2026-05-04T12:00:00Z" (owned by the caller).
 */
int64_t clock_epoch(void);
_must_check_ char *clock_iso(int64_t epoch);
