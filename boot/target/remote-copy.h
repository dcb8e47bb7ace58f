// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * kiln's files on a machine of its own: agent and the boot's files are copied for every
 * boot, L1's QEMU once: it lies in a folder that is named by the digest of its content,
 * until another one takes its place.
 */
#include "boot/target/remote.h"

/* Copy whatever the boot needs and the machine has not. */
_must_check_ int remote_copy(struct machine *m, struct err *e);

/* The same; before it a command, whose output goes to out. */
_must_check_ int remote_copy_after(struct machine *m, const char *first, struct buf *out,
				   struct err *e);

/* Where QEMU of that digest is. Owned. */
_must_check_ char *remote_tools_dir(const struct target *t, const char *digest);
