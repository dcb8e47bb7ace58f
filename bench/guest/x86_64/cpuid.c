// SPDX-License-Identifier: GPL-3.0-or-later
/* CPUID always exits to the hypervisor, and hardly anything is done there. */
#include "bench/guest/x86_64/machine.h"

PAYLOAD_CODE(cpuid, "",
	     "mov %r14d, %eax\n"
	     "mov %r15d, %ecx\n"
	     "cpuid",
	     "");

static int setup(struct vm *vm, const struct args *a)
{
	vm->regs.r14 = args_number(a, "leaf", 0);
	vm->regs.r15 = args_number(a, "subleaf", 0);
	return 0;
}

const struct payload payload_cpuid = { "cpuid", code_cpuid, code_cpuid_end, .batch = 10,
				       .setup = setup };
