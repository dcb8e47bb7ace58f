// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Whether the image a build left holds the vmlinux it left. Between the two may stand an
 * assembler file that takes the packed kernel in by .incbin, which no dependency list
 * names: what remembers compiled objects by their sources answers with another kernel of
 * the same length.
 */
#include "core/arch/arch.h"
#include "boot/build/worktree.h"

/* What a build left. Borrowed. */
struct built {
	const struct arch *arch;
	struct worktree *wt;
	int image_fd, vmlinux_fd;
	const char *build_id; /* of vmlinux */
};

/*
 * *ret for an image with a packed vmlinux (it equals a packed file not older than
 * vmlinux) or an ELF file (equal build-ids). Other images are true: make copies them out
 * of vmlinux. Errors of reading only.
 */
_must_check_ int image_is_whole(const struct built *b, bool *ret, struct err *e);
