// SPDX-License-Identifier: GPL-3.0-or-later
/* Devices that are not there: exits that go on to user space and come back. */
#include <stdio.h>

#include "bench/guest/x86_64/machine.h"

PAYLOAD_CODE(pio, "",
	     "mov %r14d, %edx\n"
	     "out %al, %dx",
	     "");

PAYLOAD_CODE(mmio, "", "mov (%r14), %eax", "");

static int setup_pio(struct vm *vm, const struct args *a)
{
	vm->regs.r14 = args_number(a, "port", 0x80);
	if (vm->regs.r14 != PORT_DONE)
		return 0;
	fputs("guest-payload: port 0xf4 ends a window\n", stderr);
	return -1;
}

static int setup_mmio(struct vm *vm, const struct args *a)
{
	(void)a;
	vm->regs.r14 = AT_NOTHING;
	return 0;
}

const struct payload payload_pio = { "pio", code_pio, code_pio_end, .batch = 10,
				     .setup = setup_pio };

const struct payload payload_mmio = { "mmio", code_mmio, code_mmio_end, .batch = 10,
				      .setup = setup_mmio };
