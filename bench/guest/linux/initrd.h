// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stddef.h>

/* An initramfs whose /init is that program, zeroed to a multiple of 4 bytes. NULL without
 * memory; freed by the caller. /dev/console is in the one every kernel has. */
unsigned char *initrd_make(const void *program, size_t len, size_t *ret_len);
