// SPDX-License-Identifier: GPL-3.0-or-later
/* The table of benchmarks. A new one is a file in bench/guest and a row here. */
#include "bench/bench.h"

#include <string.h>

/*
 * Samples by count, not by time: a clock that jumps while the guest idles would bend a
 * window of fixed length. 1000 nested exits are some 0.05 s of an emulated guest's clock.
 * Of those the first 6000 to 10,000 of a boot take 54 instructions more than all that come
 * after (30 windows were looked at, whatever the first payload was): they are dropped.
 */
const struct bench_param bench_common_params[] = {
	{ "level", PARAM_NUMBER, 2, 1, 2, "what the payload is: L1 or L2" },
	{ "windows", PARAM_NUMBER, 0, 2, 1000, "windows kept" },
	{ "warmup", PARAM_NUMBER, 0, 1, 1000, "windows dropped before them" },
	{ "count", PARAM_NUMBER, 0, 1, 1000000, "operations of a window" },
	{ 0 },
};

static const struct bench_param cpuid_params[] = {
	{ "leaf", PARAM_HEX, 0, 0, UINT32_MAX, "EAX of CPUID" },
	{ "subleaf", PARAM_HEX, 0, 0, UINT32_MAX, "ECX of CPUID" },
	{ 0 },
};

/* The microcode's revision: KVM has it for every guest and takes any value for it. */
static const struct bench_param msr_params[] = {
	{ "msr", PARAM_HEX, 0x8b, 0, UINT32_MAX, "which register" },
	{ 0 },
};

static const struct bench_param pio_params[] = {
	{ "port", PARAM_HEX, 0x80, 0, 0xff, "which port, not 0xf4" },
	{ 0 },
};

static const struct bench_param touch_params[] = {
	{ "ws", PARAM_SIZE, 256 << 10, 4 << 10, 64 << 20, "bytes touched, page by page" },
	{ 0 },
};

/* What every payload is; levels of those that do not care which they are. */
#define RATE(NAME, PAYLOAD)                                                     \
	.name = NAME, .metric = NAME, .unit = "/s", .program = "guest-payload", \
	.payload = PAYLOAD, .warmup = 11, .higher_is_better = true, .windows = 4
#define EITHER_LEVEL .levels = BENCH_L1 | BENCH_L2, .level = 2

/* Linux as L2: user space of the known-good kernel, started by a program in L1. */
#define LINUX(NAME, PAYLOAD)                                                        \
	.name = NAME, .metric = NAME, .program = "guest-linux", .payload = PAYLOAD, \
	.levels = BENCH_L2, .level = 2, .brings_kernel = true, .timeout_s = 900

static const struct benchmark benchmarks[] = {
	{ RATE("cpuid_rate", "cpuid"), EITHER_LEVEL, .count = 1000,
	  .params = cpuid_params,
	  .summary = "CPUID exits: one transition to the hypervisor and back" },
	{ RATE("hypercall_rate", "hypercall"), EITHER_LEVEL, .count = 1000,
	  .summary = "hypercalls that do nothing" },
	{ RATE("rdmsr_rate", "rdmsr"), EITHER_LEVEL, .count = 1000, .params = msr_params,
	  .summary = "reads of a model-specific register" },
	{ RATE("wrmsr_rate", "wrmsr"), EITHER_LEVEL, .count = 1000, .params = msr_params,
	  .summary = "writes of a model-specific register" },
	{ RATE("pio_rate", "pio"), EITHER_LEVEL, .count = 500, .params = pio_params,
	  .summary = "port writes that reach user space" },
	{ RATE("mmio_rate", "mmio"), EITHER_LEVEL, .count = 500,
	  .summary = "reads of memory that is none, emulated and sent to user space" },
	{ RATE("irq_rate", "irq"), EITHER_LEVEL, .count = 250,
	  .summary = "interrupts a processor sends itself, taken and ended" },
	{ RATE("vmrun_rate", "vmrun"), .count = 1000, .levels = BENCH_L1, .level = 1,
	  .needs = "svm",
	  .summary = "VMRUN and back by a payload that is a hypervisor itself" },
	{ RATE("touch_rate", "touch"), EITHER_LEVEL, .count = 250, .params = touch_params,
	  .summary = "an exit, then every page of a working set: what TLB flushes cost" },
	{ RATE("fault_rate", "fault"), EITHER_LEVEL, .count = 1000,
	  .summary = "page faults of the guest's own, each mapping a page" },
	{ RATE("switch_rate", "switch"), EITHER_LEVEL, .count = 1000,
	  .summary = "switches between two address spaces, eight pages touched in each" },
	{ RATE("spin_rate", "spin"), EITHER_LEVEL, .count = 200000,
	  .summary = "counting in memory: how much of the processor a guest gets" },
	{ RATE("hypercall_user_rate", "hypercall_user"), .levels = BENCH_L1, .level = 1,
	  .count = 1000, .summary = "hypercalls that go on to user space" },
	{ RATE("dec_rate", "dec"), .levels = BENCH_L1, .level = 1, .count = 1000,
	  .summary = "waits of a guest that its decrementer ends" },
	{ LINUX("linux_boot", "boot"), .unit = "ms", .warmup = 1, .windows = 3,
	  .count = 1, .summary = "Linux from its first instruction to user space" },
	{ LINUX("linux_cpuid_rate", "cpuid"), .unit = "/s", .warmup = 11, .windows = 4,
	  .count = 1000, .higher_is_better = true,
	  .summary = "CPUID exits from user space of Linux" },
	{ LINUX("linux_spin_rate", "spin"), .unit = "/s", .warmup = 11, .windows = 4,
	  .count = 100000, .higher_is_better = true,
	  .summary = "counting in memory by a process of Linux" },
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
