// SPDX-License-Identifier: GPL-3.0-or-later
/* Model-specific registers. What is written is what was there. */
#include "bench/guest/x86_64/machine.h"

PAYLOAD_CODE(rdmsr, "",
	     "mov %r14d, %ecx\n"
	     "rdmsr",
	     "");

PAYLOAD_CODE(wrmsr,
	     "mov %r14d, %ecx\n"
	     "rdmsr\n"
	     "mov %eax, %r12d\n"
	     "mov %edx, %r13d",
	     "mov %r14d, %ecx\n"
	     "mov %r12d, %eax\n"
	     "mov %r13d, %edx\n"
	     "wrmsr",
	     "");

static int setup(struct vm *vm, const struct args *a)
{
	vm->regs.r14 = args_number(a, "msr", 0x8b);
	return 0;
}

const struct payload payload_rdmsr = { "rdmsr", code_rdmsr, code_rdmsr_end, .batch = 10,
				       .setup = setup };

const struct payload payload_wrmsr = { "wrmsr", code_wrmsr, code_wrmsr_end, .batch = 10,
				       .setup = setup };
