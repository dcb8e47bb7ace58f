// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Hypercalls: H_PROD to itself, which the kernel answers at once, and one that it does not
 * know and hands to user space.
 */
#include "bench/guest/powerpc64le/machine.h"

PAYLOAD_CODE(hypercall, "",
	     "li 3, 0xe4\n"
	     "li 4, 0\n"
	     "sc 1");
PAYLOAD_CODE(hypercall_user, "",
	     "li 3, 0x7ff4\n" /* HCALL_NOTHING */
	     "sc 1");

const struct payload payload_hypercall = { "hypercall", code_hypercall,
					   code_hypercall_end, .batch = 10 };
const struct payload payload_hypercall_user = { "hypercall_user", code_hypercall_user,
						code_hypercall_user_end, .batch = 10 };
