// SPDX-License-Identifier: GPL-3.0-or-later
/* The kernel's Documentation/driver-api/early-userspace/buffer-format.rst, "newc". */
#include "bench/guest/linux/initrd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER 110
#define NAME_MAX_LEN 16
#define RECORD(len) (HEADER + NAME_MAX_LEN + ((len) + 3) / 4 * 4)

/* One record; returns its end. */
static unsigned char *add(unsigned char *at, const char *name, unsigned int mode,
			  const void *data, size_t len)
{
	size_t name_len = strlen(name) + 1;
	char header[HEADER + 1];

	snprintf(header, sizeof(header),
		 "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x", 1, mode, 0,
		 0, 1, 0, (unsigned int)len, 0, 0, 0, 0, (unsigned int)name_len, 0);
	memcpy(at, header, HEADER);
	memcpy(at + HEADER, name, name_len);
	at += (HEADER + name_len + 3) / 4 * 4;
	if (len)
		memcpy(at, data, len);
	return at + (len + 3) / 4 * 4;
}

unsigned char *initrd_make(const void *program, size_t len, size_t *ret_len)
{
	unsigned char *all = calloc(1, RECORD(len) + RECORD(0)), *end;

	if (!all)
		return NULL;
	end = add(all, "init", 0100755, program, len);
	end = add(end, "TRAILER!!!", 0, NULL, 0);
	*ret_len = (size_t)(end - all);
	return all;
}
