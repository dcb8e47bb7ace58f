// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Counting in memory. There is no exit in it: what it shows is how much of the processor
 * a guest gets, which is all that UnixBench's loop without arithmetic measures.
 */
#include "bench/guest/powerpc64le/machine.h"

PAYLOAD_CODE(spin, "",
	     "ld 5, 0(21)\n"
	     "addi 5, 5, 1\n"
	     "std 5, 0(21)");

const struct payload payload_spin = { "spin", code_spin, code_spin_end, .batch = 10000 };
