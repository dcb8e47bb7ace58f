// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The machine that payloads of POWER run on: a guest of KVM-HV in real mode, little
 * endian, whose memory its host maps by radix tables.
 */
#include "bench/guest/run/payload.h"

#define AT_DECREMENTER 0x900 /* where the processor takes that interrupt */
#define AT_CODE 0x4000
#define AT_TIMES 0x20000
#define AT_FREE 0x100000
#define MEMORY (16UL << 20)

/* Hypercalls that no firmware has: they go to user space. */
#define HCALL_DONE 0x7ff0
#define HCALL_NOTHING 0x7ff4 /* any but HCALL_DONE */

/*
 * The code of a payload. FIRST runs once a window, OP is one operation. They may use r3 to
 * r12 and r21 on, which a hypercall may change but for the latter; r21 is the address of
 * AT_FREE. The time base is read before and behind each batch.
 */
#define PAYLOAD_CODE(name, first, op)                     \
	asm(".pushsection .rodata\n"                      \
	    ".balign 4\n"                                 \
	    ".globl code_" #name ", code_" #name "_end\n" \
	    "code_" #name ":\n" first "\n"                \
	    "101: mfspr 16, 268\n"                        \
	    "mr 17, 14\n"                                 \
	    "102:\n" op "\n"                              \
	    "addic. 17, 17, -1\n"                         \
	    "bne 102b\n"                                  \
	    "mfspr 18, 268\n"                             \
	    "subf 18, 16, 18\n"                           \
	    "std 18, 0(15)\n"                             \
	    "addi 15, 15, 8\n"                            \
	    "addic. 20, 20, -1\n"                         \
	    "bne 101b\n"                                  \
	    "103: li 3, 0x7ff0\n" /* HCALL_DONE */        \
	    "sc 1\n"                                      \
	    "b 103b\n"                                    \
	    "code_" #name "_end:\n"                       \
	    ".popsection\n");                             \
	extern const unsigned char code_##name[], code_##name##_end[]

extern const struct payload payload_hypercall, payload_hypercall_user, payload_dec,
	payload_spin;
