// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * An exit, then a look at every page of a working set: a hypervisor that flushes more of
 * the TLB than it must is found out by the walks that follow.
 */
#include "bench/guest/x86_64/machine.h"

PAYLOAD_CODE(touch, "",
	     "xor %eax, %eax\n"
	     "xor %ecx, %ecx\n"
	     "cpuid\n"
	     "mov %r14, %rax\n"
	     "mov %r15, %rcx\n"
	     "104: mov (%rax), %rdx\n"
	     "add $4096, %rax\n"
	     "dec %rcx\n"
	     "jnz 104b",
	     "");

static int setup(struct vm *vm, const struct args *a)
{
	uint64_t ws = args_number(a, "ws", 256 << 10);

	vm->regs.r14 = AT_DATA;
	vm->regs.r15 = ws >> 12;
	vm_small_pages(vm, ws);
	return 0;
}

const struct payload payload_touch = { "touch",	    code_touch,	      code_touch_end,
				       .batch = 10, .data = DATA_MAX, .setup = setup };
