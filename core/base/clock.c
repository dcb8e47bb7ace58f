// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"

#include <limits.h>
#include <time.h>

#include "core/base/alloc.h"

uint64_t clock_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

int clock_left(uint64_t deadline_ms)
{
	uint64_t now = clock_ms();

	if (now >= deadline_ms)
		return 0;
	return deadline_ms - now > INT_MAX ? INT_MAX : (int)(deadline_ms - now);
}

int64_t clock_epoch(void)
{
	return time(NULL);
}

char *clock_iso(int64_t epoch)
{
	time_t t = epoch;
	struct tm tm = { 0 };

	gmtime_r(&t, &tm);
	return xasprintf("%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900,
			 tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}
