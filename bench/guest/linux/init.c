// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * User space of L2. It times batches as the payloads do and leaves seconds to L1, which
 * knows how fast the clock is. Lines: lines.h.
 */
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <x86intrin.h>

#include "bench/guest/linux/linux.h"

#define CPUID_BATCH 10
#define SPIN_BATCH 10000

uint64_t init_batch(const char *work)
{
	if (!strcmp(work, "cpuid"))
		return CPUID_BATCH;
	return !strcmp(work, "spin") ? SPIN_BATCH : 0;
}

static void cpuid_batch(void)
{
	for (int i = 0; i < CPUID_BATCH; i++) {
		unsigned int a = 0, b, c = 0, d;

		asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	}
}

static void spin_batch(void)
{
	uint64_t counter = 0;

	for (int i = 0; i < SPIN_BATCH; i++)
		asm volatile("incq %0" : "+m"(counter));
}

static uint64_t window(void (*batch)(void), uint64_t *times, size_t batches)
{
	for (size_t i = 0; i < batches; i++) {
		uint64_t start = __rdtsc();

		batch();
		times[i] = __rdtsc() - start;
	}
	return lower_quartile(times, batches);
}

/* Said, and off the line. */
static void say(const char *text)
{
	puts(text);
	fflush(stdout);
	tcdrain(STDOUT_FILENO);
}

int init_main(const char *work, const struct args *a)
{
	static uint64_t ticks[WINDOWS_MAX], times[BATCHES_MAX];
	void (*batch)(void) = !strcmp(work, "cpuid") ? cpuid_batch : spin_batch;
	uint64_t windows = args_number(a, "windows", 0), size = init_batch(work);
	uint64_t batches = size ? args_number(a, "count", 0) / size : 0;

	say("@up");
	/* L1 asked for no more than there is room for */
	for (uint64_t i = 0; size && i < windows && i < WINDOWS_MAX; i++)
		ticks[i] = window(batch, times,
				  batches && batches < BATCHES_MAX ? batches : 1);
	say("@done");
	for (uint64_t i = 0; size && i < windows && i < WINDOWS_MAX; i++)
		printf("@ticks %llu\n", (unsigned long long)ticks[i]);
	say("@end");
	for (;;)
		pause();
}
