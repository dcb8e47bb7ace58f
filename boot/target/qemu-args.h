// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* QEMU's command lines: the machine that is L0, and L1 as QEMU inside L0 runs it. */
#include "boot/target/boot.h"
#include "boot/target/machine.h"
#include "core/arch/arch.h"
#include "core/base/strv.h"

/* Append the whole command line of L0; 3, 4 and 5 are channel, control and console. */
void qemu_args(const struct machine_opts *o, struct strv *ret);

/*
 * Append L1's, to be run in L0; kernel and initrd are names in the folder of the boot's
 * files; 3 and 4 are channel and console. place, tools and huge_pages are folders there,
 * as struct machine_type names them.
 */
struct qemu_guest {
	const struct arch *arch; /* NULL: the first row */
	const char *kernel, *initrd, *append;
	const char *place, *tools, *huge_pages;
	const struct boot_shape *shape;
};
void qemu_guest_args(const struct qemu_guest *g, struct strv *ret);

/* Kernel parameters for L0 under an accelerator, owned by the caller, and for L1; NULL is
 * the first row. */
char *qemu_params(const struct arch *a, const char *accel);
const char *qemu_guest_params(const struct arch *a);

/* More of them for the shape of L0, or of a guest; each behind a blank. Owned by the
 * caller. */
char *qemu_shape_params(const struct boot_shape *s, bool guest);
