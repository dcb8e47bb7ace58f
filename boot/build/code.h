// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What of a build runs: equal digests are equal code. Left out is what differs between
 * kernels that behave alike: debug information, symbol tables, the build-id.
 */
#include "boot/build/image.h"

/*
 * Digest, hex and owned by the caller, of vmlinux's loaded sections (address, size, bytes)
 * and of the image around a packed vmlinux, which unpacks it, and the text modules. Two builds of one code may
 * differ in it where the packed file changed its length; never the other way round.
 */
_must_check_ int code_digest(const struct built *b, const struct buf *modules, char **ret,
			     struct err *e);

/* The same for the loaded sections of one ELF file, appended to ret as text. */
_must_check_ int code_add_sections(int fd, const char *name, struct buf *ret,
				   struct err *e);
