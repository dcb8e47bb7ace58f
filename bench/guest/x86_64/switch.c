// SPDX-License-Identifier: GPL-3.0-or-later
/* Switches between two address spaces, as a guest's processes do; each looks at pages. */
#include "bench/guest/x86_64/machine.h"

#define PAGES 8

PAYLOAD_CODE(switch, "",
	     "mov %r14, %cr3\n"
	     "xchg %r14, %r15\n"
	     "mov %r12, %rax\n"
	     "mov $8, %ecx\n"
	     "104: mov (%rax), %rdx\n"
	     "add $4096, %rax\n"
	     "dec %ecx\n"
	     "jnz 104b",
	     "");

static int setup(struct vm *vm, const struct args *a)
{
	(void)a;
	/* the other space has a top of its own and shares what is below */
	vm_put(vm, AT_FREE, vm_get(vm, AT_PML4));
	vm->regs.r14 = AT_FREE;
	vm->regs.r15 = AT_PML4;
	vm->regs.r12 = AT_DATA;
	vm_small_pages(vm, PAGES << 12);
	return 0;
}

const struct payload payload_switch = {
	"switch",    code_switch,	  code_switch_end,
	.batch = 10, .data = PAGES << 12, .setup = setup
};
