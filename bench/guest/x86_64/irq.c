// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * An interrupt the processor sends itself through its local APIC, taken by a handler that
 * ends it: two writes to the APIC, one delivery.
 */
#include "bench/guest/x86_64/machine.h"

#define VECTOR 0x30

PAYLOAD_CODE(irq,
	     "movl $0x1ff, 0xf0(%rbx)\n" /* the APIC is on */
	     "sti",
	     "mov %r13, %r12\n"
	     "movl $0x44030, 0x300(%rbx)\n" /* to itself, vector 0x30 */
	     "104: cmp %r12, %r13\n"
	     "je 104b",
	     "code_irq_handler:\n"
	     "inc %r13\n"
	     "movl $0, 0xb0(%rbx)\n"
	     "iretq");

extern const unsigned char code_irq_handler[];

static int setup(struct vm *vm, const struct args *a)
{
	(void)a;
	vm->regs.rbx = AT_APIC;
	vm_handler(vm, VECTOR, code_irq, code_irq_handler);
	return 0;
}

const struct payload payload_irq = { "irq",	  code_irq,	   code_irq_end,
				     .batch = 10, .irqchip = true, .setup = setup };
