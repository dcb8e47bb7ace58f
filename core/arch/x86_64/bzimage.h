// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/arch/arch.h"

/*
 * The packed vmlinux in an x86 bzImage, by the header of boot protocol 2.08 and later
 * (the kernel's Documentation/x86/boot.rst). False for other files.
 */
bool bzimage_payload(int fd, struct payload *ret);
