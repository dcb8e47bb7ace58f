// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench.h"

#include <string.h>

const char *samples_unlike(const struct sample *a, const struct sample *b)
{
	const struct {
		const char *a, *b, *what;
	} table[] = {
		{ a->clock, b->clock, "clocks" }, { a->path, b->path, "paths" },
		{ a->setup, b->setup, "setups" }, { a->guest, b->guest, "kernels of L1" },
		{ a->qemu, b->qemu, "QEMUs" },	  { a->payload, b->payload, "payloads" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (!table[i].a != !table[i].b ||
		    (table[i].a && strcmp(table[i].a, table[i].b)))
			return table[i].what;
	}
	return NULL;
}
