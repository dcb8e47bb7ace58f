// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Waits that the decrementer ends. It has expired already when the guest says it waits
 * (H_CEDE): the hypervisor has to see that, give the interrupt and go on, and nobody
 * sleeps, so that only the path is measured. The handler sets the decrementer far away
 * and returns with interrupts off, which H_CEDE had turned on.
 */
#include "bench/guest/powerpc64le/machine.h"

#include <string.h>

PAYLOAD_CODE(dec, "",
	     "li 5, -1\n"
	     "mtspr 22, 5\n"
	     "li 3, 0xe0\n"
	     "sc 1");

asm(".pushsection .rodata\n"
    ".balign 4\n"
    ".globl handler_dec, handler_dec_end\n"
    "handler_dec:\n"
    "lis 6, 0x7fff\n"
    "mtspr 22, 6\n"
    "mfspr 7, 27\n" /* SRR1 ... */
    "lis 8, -1\n"
    "ori 8, 8, 0x7fff\n" /* ... without MSR_EE, 0x8000 */
    "and 7, 7, 8\n"
    "mtspr 27, 7\n"
    "rfid\n"
    "handler_dec_end:\n"
    ".popsection\n");
extern const unsigned char handler_dec[], handler_dec_end[];

static int setup(struct vm *vm, const struct args *a)
{
	(void)a;
	memcpy(vm->mem + AT_DECREMENTER, handler_dec,
	       (size_t)(handler_dec_end - handler_dec));
	return 0;
}

const struct payload payload_dec = { "dec", code_dec, code_dec_end, .batch = 10,
				     .setup = setup };
