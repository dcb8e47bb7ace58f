// SPDX-License-Identifier: GPL-3.0-or-later
/* A kernel's file as L1 starts it, and what such a kernel says on its serial line. */
#include <stdlib.h>
#include <string.h>

#include "bench/guest/linux/image.h"
#include "bench/guest/linux/lines.h"
#include "core/base/alloc.h"

enum { MEMORY = 4 << 20 };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void place(const unsigned char *data, size_t size)
{
	/* the last part of the file is the initramfs, too */
	struct bytes kernel = { data, size }, initrd = { data + size / 2, size / 2 };
	_cleanup_free_ unsigned char *mem = xzalloc(MEMORY);
	uint64_t entry = 0;

	if (image_place(&kernel, &initrd, "quiet", mem, MEMORY, &entry))
		return;
	if (entry < HIGH_AT || entry >= MEMORY ||
	    memcmp(mem + AT_PARAMS + 0x202, "HdrS", 4) != 0)
		abort();
}

static void listen(const unsigned char *data, size_t size)
{
	struct l2_lines l = { 0 };

	for (size_t i = 0; i < size; i++) {
		uint64_t ticks = 0;
		enum l2_said said = l2_byte(&l, data[i], &ticks);

		if ((said == L2_TICKS) != (ticks > 0) || strlen(l.note) > L2_LINE_MAX)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	place(data, size);
	listen(data, size);
	return 0;
}
