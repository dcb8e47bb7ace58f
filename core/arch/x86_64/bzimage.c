// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/arch/x86_64/bzimage.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define SECTOR 512

/* Fields of the setup header. */
enum {
	SETUP_SECTS = 0x1f1,
	MAGIC = 0x202,
	VERSION = 0x206,
	PAYLOAD_OFFSET = 0x248,
	PAYLOAD_LENGTH = 0x24c,
	HEADER_END = 0x250,
	HAS_PAYLOAD = 0x208, /* the first version with these two */
};

static uint64_t le(const unsigned char *p, size_t n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

bool bzimage_payload(int fd, struct payload *ret)
{
	unsigned char h[HEADER_END];

	if (pread(fd, h, sizeof(h), 0) != (ssize_t)sizeof(h) ||
	    memcmp(h + MAGIC, "HdrS", 4) || le(h + VERSION, 2) < HAS_PAYLOAD)
		return false;
	ret->at = (uint64_t)((h[SETUP_SECTS] ? h[SETUP_SECTS] : 4) + 1) * SECTOR +
		  le(h + PAYLOAD_OFFSET, 4);
	ret->len = le(h + PAYLOAD_LENGTH, 4);
	return true;
}
