// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A kernel in the memory of a machine, ready to be entered in 64-bit mode: the kernel's
 * Documentation/x86/boot.rst, "64-bit Boot Protocol". Below 1 MiB are the page tables of
 * payload.h, the command line and the boot parameters; initrd is at the end of memory.
 */
#include <stddef.h>
#include <stdint.h>

#define AT_COMMAND 0x20000
#define AT_PARAMS 0x21000
#define LOW_END 0x9fc00	 /* of memory below the BIOS's hole */
#define HIGH_AT 0x100000 /* of memory above it */
#define PARAMS_SIZE 0x1000

struct bytes {
	const unsigned char *data;
	size_t len;
};

/*
 * Put a bzImage, an initramfs and a command line (shorter than 1024 bytes) into size bytes
 * of zeroed memory. Returns NULL and the address to enter, with RSI = AT_PARAMS; or what
 * keeps the file from being started, and memory may have been written to.
 */
const char *image_place(const struct bytes *kernel, const struct bytes *initrd,
			const char *command, unsigned char *mem, size_t size,
			uint64_t *ret_entry);
