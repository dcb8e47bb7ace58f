// SPDX-License-Identifier: GPL-3.0-or-later
/* The hypercall that does nothing: 1, once a request to look for interrupts. */
#include "bench/guest/x86_64/machine.h"

#include <string.h>

PAYLOAD_CODE(hypercall, "",
	     "mov $1, %eax\n"
	     "code_hypercall_insn: vmmcall",
	     "");

extern const unsigned char code_hypercall_insn[];

/* Each vendor has its own instruction; KVM would patch the other one at every call. */
static int setup(struct vm *vm, const struct args *a)
{
	static const unsigned char vmcall[] = { 0x0f, 0x01, 0xc1 };

	(void)a;
	if (!vm_is_amd())
		memcpy(vm->mem + AT_CODE + (code_hypercall_insn - code_hypercall), vmcall,
		       sizeof(vmcall));
	return 0;
}

const struct payload payload_hypercall = { "hypercall", code_hypercall,
					   code_hypercall_end, .batch = 10,
					   .setup = setup };
