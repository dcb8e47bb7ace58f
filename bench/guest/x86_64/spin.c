// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Counting in memory. There is no exit in it: what it shows is how much of the processor
 * a guest gets, which is all that UnixBench's loop without arithmetic measures.
 */
#include "bench/guest/x86_64/machine.h"

PAYLOAD_CODE(spin, "", "incq (%r14)", "");

static int setup(struct vm *vm, const struct args *a)
{
	(void)a;
	vm->regs.r14 = AT_FREE;
	return 0;
}

const struct payload payload_spin = { "spin", code_spin, code_spin_end, .batch = 10000,
				      .setup = setup };
