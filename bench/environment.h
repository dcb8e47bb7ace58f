// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Whether two boots measured with the same things. Environments are the text of struct
 * boot_record: sorted "KEY=VALUE" lines, host.* of the machine kiln runs on, l0.* as the
 * kernel under test said.
 */
#include <stddef.h>

#include "core/base/base.h"

enum likeness {
	ENVIRONMENT_ALIKE,
	ENVIRONMENT_FLAGGED, /* comparable, and something should be said about it */
	ENVIRONMENT_UNLIKE,  /* a difference is not the kernel's: not to be compared */
};

/*
 * Unlike is a key both have with different values: processor, microcode, governor, boost,
 * SMT, clocksource, a mitigation, a parameter of KVM, QEMU. Flagged are keys only one
 * side has (a kernel may bring a new one), memory that differs by more than 1 %, load by
 * more than one processor, and sides of which nothing was recorded.
 * Of the host only QEMU counts under emulation (accel "tcg"): its clock is virtual.
 *
 * *ret_why, owned by the caller, is NULL when alike, else one phrase a difference, joined
 * by "; ", the worst kind first and no more than five: "l0.microcode is '0x1', then
 * '0x2'".
 */
enum likeness environment_alike(const char *a, const char *b, const char *accel,
				char **ret_why);

/* A boot among those that will be compared. All borrowed; environment may be NULL. */
struct measured_with {
	const char *environment, *accel;
	const char *group; /* its cell: only boots of one group are held together */
	const char *side;  /* "base" */
};

/*
 * The same for many boots, each against the first of its group: the worst likeness met,
 * and the reasons of the first pair that has it, led by the sides.
 */
enum likeness environments_alike(const struct measured_with *v, size_t nr,
				 char **ret_why);
