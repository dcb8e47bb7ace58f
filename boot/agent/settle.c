// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A kernel that has just started has the clock "tsc-early" until it has refined the
 * frequency, about a second later. A benchmark does not run across the change.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "boot/agent/agent.h"

#define CLOCKS "/sys/devices/system/clocksource/clocksource0/available_clocksource"
#define TRIES \
	60 /* of 50 ms; a kernel that keeps tsc-early for longer keeps it for good */

void clock_settle(void)
{
	bool early = true;

	for (int i = 0; i < TRIES && early; i++) {
		_cleanup_free_ char *names = fact_file(CLOCKS);

		early = strstr(names, "tsc-early") != NULL;
		if (early)
			nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	}
}
