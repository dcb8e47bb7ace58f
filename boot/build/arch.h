// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What kiln builds kernels for: one row an architecture, and no other place names one. */
#include <stdbool.h>
#include <stdint.h>

/* Where in an image the packed vmlinux lies, in bytes. */
struct payload {
	uint64_t at, len;
};

struct arch {
	const char *name;     /* as users say it: "x86_64" */
	const char *kbuild;   /* make's ARCH= */
	const char *machine;  /* `uname -m` where its own compiler is called gcc */
	const char *tools;    /* elsewhere: what its tools' names begin with */
	const char *packages; /* Debian's, with those tools */
	const char *check;    /* the doctor's name for its compiler */
	const char *target;   /* what make is to make ... */
	const char *image;    /* ... and where that lies in the output folder */
	const char *fragment; /* kiln's own configuration, a data file */
	unsigned int elf;     /* e_machine of its vmlinux */

	/* Of an image with a packed vmlinux in it: the packed file in the output folder
	 * without its suffix, and the place it has in the image; false when it has none.
	 * NULL: make copies the image out of vmlinux. */
	const char *packed;
	bool (*payload)(int image_fd, struct payload *ret);
};

/* By name, NULL = the first row; NULL when unknown. */
const struct arch *arch_find(const char *name);

/* The i-th row, NULL behind the last one. */
const struct arch *arch_at(unsigned int i);

/* Prefix of the compiler's and binutils' names here: "" or "aarch64-linux-gnu-". */
const char *arch_prefix(const struct arch *a);
