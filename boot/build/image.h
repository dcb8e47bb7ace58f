// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Whether the image a build left holds the vmlinux it left. Between the two stands an
 * assembler file that takes the packed kernel in by .incbin, which no dependency list
 * names: what remembers compiled objects by their sources answers with another kernel of
 * the same length.
 */
#include "boot/build/worktree.h"

/*
 * *ret for an x86 bzImage (the payload its header points to, boot protocol 2.08 of the
 * kernel's Documentation/x86/boot.rst, equals a packed vmlinux.bin not older than
 * vmlinux) or an ELF file (equal build-ids). Other images are true: make copies them out
 * of vmlinux. Errors of reading only.
 */
_must_check_ int image_is_of(struct worktree *w, int image_fd, int vmlinux_fd,
			     const char *build_id, bool *ret, struct err *e);
