// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What kiln builds, boots and measures kernels for: one row and one folder an
 * architecture, and no other place names one. Payloads alone are elsewhere, in
 * bench/guest/NAME. Functions take NULL for the first row where they take a row.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arch/cell.h"

/* Where in an image the packed vmlinux lies, in bytes. */
struct payload {
	uint64_t at, len;
};

/* The machine that QEMU makes. All constant. */
struct arch_qemu {
	const char *program, *package,
		*check; /* package is Debian's; the doctor's name */
	const char *machine, *icount;
	const char *tcg_cpu;
	uint64_t memory_mib;	    /* of L0, unless the target says */
	const char *const *devices; /* words that only this machine wants; NULL-ended */

	/* Of every kernel; more of L0; of L0 when it is emulated; of L1. */
	const char *params, *l0_params, *virtual_params, *guest_params;

	/* Whether the machine may run on this host's KVM, given /dev/kvm: guests must
	 * get it themselves. NULL: it is emulated always. */
	bool (*kvm_nests)(int kvm);

	/* Its kernels mount 9p. If not, everything comes in the initramfs. */
	bool shares;

	/* NULL: L1 can be a QEMU of its own. Else the phrase that says why L1 is only
	 * ever the payload. */
	const char *no_guests;
};

struct arch {
	const char *name;     /* as users say it: "x86_64" */
	const char *kbuild;   /* make's ARCH= */
	const char *source;   /* its folder in the kernel's arch/ */
	const char *machine;  /* `uname -m` where its own compiler is called gcc */
	const char *tools;    /* elsewhere: what its tools' names begin with */
	const char *packages; /* Debian's, with those tools */
	const char *check;    /* the doctor's name for its compiler */
	const char *target;   /* what make is to make ... */
	const char *image;    /* ... and where that lies in the output folder */
	const char *fragment; /* kiln's own configuration, a data file */
	unsigned int elf;     /* e_machine of its vmlinux */

	/* Symbols that no configuration may set, and why; NULL: none. */
	const char *refused, *refused_why;

	/* Of an image with a packed vmlinux in it: the packed file in the output folder
	 * without its suffix, and the place it has in the image; false when it has none.
	 * NULL: make copies the image out of vmlinux. */
	const char *packed;
	bool (*payload)(int image_fd, struct payload *ret);

	const struct arch_qemu *qemu; /* NULL: its kernels are built and not booted */

	/* Folder of kiln's static programs for it, under the one of the host's own;
	 * Debian's packages they are built with; the doctor's name for its agent. */
	const char *libexec, *libexec_packages, *agent_check;

	/* The matrix, and the cells in which L1 is the payload. Ended by a zeroed row. */
	const struct cell *cells, *direct;
	const struct paging_word *paging;
	const char *cell_words; /* "cells are npt/npt, npt/shadow and shadow/shadow" */
	/* A cell that cannot be, and a phrase why. NULL: none is asked for. */
	const char *impossible, *impossible_why, *impossible_hint;

	const struct counter_row *counters; /* ended by a zeroed row */

	/* Benchmarks of kiln's own that it has payloads for, NULL-ended; the first is what
	 * is measured unless one is named. */
	const char *const *benchmarks;
	unsigned int levels; /* that payloads can be: 1 << 1, 1 << 2 */

	/* Files of the kernel that decide what a nested guest costs, as patterns of
	 * fnmatch(3); NULL-ended. */
	const char *const *hot_paths;
};

/* By name, NULL = the first row; NULL when unknown. */
const struct arch *arch_find(const char *name);

/* The i-th row, NULL behind the last one. */
const struct arch *arch_at(unsigned int i);

/* Prefix of the compiler's and binutils' names here: "" or "aarch64-linux-gnu-". */
const char *arch_prefix(const struct arch *a);

/* The one whose source a path of the kernel tree is part of: "arch/powerpc/kvm/x.c";
 * NULL: no row's. */
const struct arch *arch_of_path(const char *path);

/* The row that a cell is of. */
const struct arch *arch_of_cell(const struct cell *c);

/* Whether it has a benchmark of kiln's own. */
bool arch_has_benchmark(const struct arch *a, const char *name);
