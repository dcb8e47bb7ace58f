// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/guest/x86_64/machine.h"

const struct payload *const payloads[] = {
	&payload_cpuid, &payload_hypercall, &payload_rdmsr,  &payload_wrmsr,
	&payload_pio,	&payload_mmio,	    &payload_irq,    &payload_vmrun,
	&payload_touch, &payload_fault,	    &payload_switch, &payload_spin,
	NULL,
};
