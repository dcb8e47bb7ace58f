// SPDX-License-Identifier: GPL-3.0-or-later
/* The table of benchmarks. A new one is a file in bench/guest and a row here. */
#include "bench/bench.h"

#include <string.h>

/*
 * Samples by count, not by time: a clock that jumps while the guest idles would bend a
 * window of fixed length. 4000 exits are some 0.2 s of an emulated guest's clock.
 */
static const char *const cpuid_args[] = { "--windows", "5", "--count", "2000", NULL };

static const struct benchmark benchmarks[] = {
	{ .name = "cpuid_rate",
	  .unit = "/s",
	  .program = "guest-cpuid",
	  .args = cpuid_args,
	  .warmup = 1,
	  .higher_is_better = true,
	  .summary = "CPUID exits a second of a guest's guest: the cost of one nested "
		     "transition each way" },
};

const struct benchmark *bench_at(size_t i)
{
	return i < ARRAY_SIZE(benchmarks) ? &benchmarks[i] : NULL;
}

const struct benchmark *bench_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(benchmarks); i++)
		if (!strcmp(benchmarks[i].name, name))
			return &benchmarks[i];
	return NULL;
}
