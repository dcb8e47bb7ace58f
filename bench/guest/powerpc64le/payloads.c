// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/guest/powerpc64le/machine.h"

const struct payload *const payloads[] = {
	&payload_hypercall, &payload_hypercall_user, &payload_dec, &payload_spin, NULL,
};
