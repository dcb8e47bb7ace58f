// SPDX-License-Identifier: GPL-3.0-or-later
/*
 *	guest-payload NAME [windows=N] [count=M] [marks=1] [KEY=VALUE...]
 *
 * Prints a line "NAME_rate VALUE /s" a window, at the end, as printing would run on the
 * processor being measured. With marks it says "@mark N" before, and waits for a line on
 * standard input: 0 and 1 with nothing in between, so that what a mark costs is known, 2
 * after all windows; then "@ops N", operations between 1 and 2.
 */
#include <stdio.h>
#include <string.h>

#include "bench/guest/run/payload.h"

#define WINDOWS_MAX 2000

/* One window; ticks of the lower quartile of its batches, 0 on failure. */
static uint64_t window(struct vm *vm, uint64_t batches)
{
	uint64_t *times, ticks;

	if (vm_window(vm, batches, &times) < 0)
		return 0;
	ticks = lower_quartile(times, batches);
	if (!ticks)
		fputs("guest-payload: the guest's clock stands still\n", stderr);
	return ticks;
}

static int measure(const struct payload *p, const struct args *a)
{
	uint64_t ticks[WINDOWS_MAX], windows = args_number(a, "windows", 15);
	uint64_t count = args_number(a, "count", 1000);
	uint64_t batches = count / p->batch ? count / p->batch : 1;
	uint64_t marks = args_number(a, "marks", 0);
	struct vm vm = { 0 };
	uint64_t hz;

	if (!windows || windows > WINDOWS_MAX || !count || batches > BATCHES_MAX) {
		fputs("guest-payload: too many or too few windows or operations\n",
		      stderr);
		return 2;
	}
	if (vm_create(&vm, p, a) < 0)
		return 1;
	hz = vm_clock_hz(&vm);
	if (!hz)
		return 1;
	/* with marks the first pass's page faults stay outside */
	if (marks && (!window(&vm, batches) || mark(0) < 0 || mark(1) < 0))
		return 1;
	for (uint64_t i = 0; i < windows; i++) {
		ticks[i] = window(&vm, batches);
		if (!ticks[i])
			return 1;
	}
	if (marks && mark(2) < 0)
		return 1;
	for (uint64_t i = 0; i < windows; i++)
		printf("%s_rate %.3f /s\n", p->name,
		       (double)p->batch * (double)hz / (double)ticks[i]);
	if (marks)
		printf("@ops %llu\n", (unsigned long long)(windows * batches * p->batch));
	return 0;
}

int main(int argc, char **argv)
{
	struct args a = { argv + 2, argc - 2 };

	for (size_t i = 0; payloads[i]; i++)
		if (argc > 1 && !strcmp(argv[1], payloads[i]->name))
			return measure(payloads[i], &a);
	fputs("usage: guest-payload NAME [KEY=VALUE...]\n", stderr);
	return 2;
}
