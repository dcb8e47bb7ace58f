// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/guest/linux/image.h"

#include <string.h>

#define SECTOR 512
#define COMMAND_MAX 1024
#define PAGE 4096

/* Fields of the setup header, at the same place in a file and in the parameters. */
enum {
	SETUP_SECTS = 0x1f1,
	JUMP_LEN = 0x201, /* from MAGIC to the end of the header */
	MAGIC = 0x202,
	VERSION = 0x206,
	LOADER = 0x210,
	INITRD_AT = 0x218,
	INITRD_LEN = 0x21c,
	COMMAND_AT = 0x228,
	XLOADFLAGS = 0x236,
	PREFERRED_AT = 0x258,
	INIT_SIZE = 0x260,
	HEADER_MIN = 0x264,
	HEADER_MAX = 0x290, /* where something else begins in the parameters */
	HAS_64BIT = 0x20c,  /* the first version that tells */
};

/* The map of memory, in the parameters alone. */
enum { E820_NR = 0x1e8, E820_AT = 0x2d0, E820_SIZE = 20, E820_RAM = 1 };

#define ENTRY_64BIT 0x200

static uint64_t get(const unsigned char *p, size_t n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

static void put(unsigned char *p, size_t n, uint64_t v)
{
	for (; n--; v >>= 8)
		*p++ = (unsigned char)v;
}

static void add_memory(unsigned char *params, uint64_t from, uint64_t to)
{
	unsigned char *entry = params + E820_AT + E820_SIZE * params[E820_NR]++;

	put(entry, 8, from);
	put(entry + 8, 8, to - from);
	put(entry + 16, 4, E820_RAM);
}

static void make_params(const unsigned char *file, size_t header, size_t initrd_at,
			size_t initrd_len, unsigned char *mem, size_t size)
{
	unsigned char *params = mem + AT_PARAMS;

	memset(params, 0, PARAMS_SIZE);
	memcpy(params + SETUP_SECTS, file + SETUP_SECTS, header - SETUP_SECTS);
	params[LOADER] = 0xff; /* one without a number */
	put(params + INITRD_AT, 4, initrd_at);
	put(params + INITRD_LEN, 4, initrd_len);
	put(params + COMMAND_AT, 4, AT_COMMAND);
	add_memory(params, 0, LOW_END);
	add_memory(params, HIGH_AT, size);
}

const char *image_place(const struct bytes *kernel, const struct bytes *initrd,
			const char *command, unsigned char *mem, size_t size,
			uint64_t *ret_entry)
{
	const unsigned char *file = kernel->data;
	size_t code, header, initrd_at, words = strlen(command) + 1;
	uint64_t at, need;

	if (kernel->len < HEADER_MIN || memcmp(file + MAGIC, "HdrS", 4) != 0)
		return "the file is no bzImage";
	header = (size_t)MAGIC + file[JUMP_LEN];
	code = ((file[SETUP_SECTS] ?: 4) + 1u) * SECTOR;
	at = get(file + PREFERRED_AT, 8);
	need = get(file + INIT_SIZE, 4);
	if (get(file + VERSION, 2) < HAS_64BIT || !(file[XLOADFLAGS] & 1))
		return "the kernel has no 64-bit entry";
	if (header < HEADER_MIN || header > HEADER_MAX || header > kernel->len ||
	    code + ENTRY_64BIT >= kernel->len)
		return "the kernel's file is damaged";
	if (size < HIGH_AT || initrd->len > size - HIGH_AT || words > COMMAND_MAX)
		return "the initramfs or the command line is too big";
	initrd_at = (size - initrd->len) & ~(size_t)(PAGE - 1);
	if (kernel->len - code > need)
		need = kernel->len - code;
	if (at < HIGH_AT || at > initrd_at || need > initrd_at - at)
		return "the kernel wants more memory";
	memcpy(mem + at, file + code, kernel->len - code);
	memcpy(mem + initrd_at, initrd->data, initrd->len);
	memcpy(mem + AT_COMMAND, command, words);
	make_params(file, header, initrd_at, initrd->len, mem, size);
	*ret_entry = at + ENTRY_64BIT;
	return NULL;
}
