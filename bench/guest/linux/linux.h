// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A machine that runs Linux, from its first entry until its init has said all. */
#include "bench/guest/linux/image.h"
#include "bench/guest/x86_64/machine.h"

enum { WINDOWS_MAX = 2000, L2_MEMORY = 64 << 20, L2_SECONDS = 60 };

struct linux_spec {
	struct bytes kernel, initrd;
	const char *work; /* words for init: "cpuid windows=11 count=1000" */
	size_t windows;	  /* that init is to measure */
	bool marks;	  /* around its work */
};

struct linux_result {
	uint64_t khz; /* of the clock that ticks */
	uint64_t up;  /* ticks from the first entry to the first byte of user space's */
	uint64_t ticks[WINDOWS_MAX];
};

/* Negative with a message: L2 stopped, said something else, or not all of it within
 * L2_SECONDS. */
int linux_run(const struct linux_spec *spec, struct linux_result *ret);

/* L2's init: do what the words say and tell. Returns only when there is nothing to do. */
int init_main(const char *work, const struct args *a);

/* Operations init does between two looks at the clock; 0 for unknown work. */
uint64_t init_batch(const char *work);
