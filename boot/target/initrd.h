// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The initramfs of each role, written to a file: the agent and what the role needs. */
#include "boot/target/boot.h"
#include "core/base/err.h"

/* For the base kernel: the agent, its modules, and kexec with its libraries; with dir, in
 * whose place all files of that folder come as /boot, and kexec's system call has to do. */
_must_check_ int initrd_base(const struct boot_spec *spec, const char *dir,
			     const char *path, struct err *e);

/* For the candidate: the agent, its modules, and with dir all that is in that folder as
 * /boot. */
_must_check_ int initrd_candidate(const struct boot_spec *spec, const char *dir,
				  const char *path, struct err *e);

/* For the guest of task i and those that join it: the agent, modules, the programs, their
 * arguments, and its own kernel where one brings it. */
_must_check_ int initrd_guest(const struct boot_spec *spec, size_t i, const char *path,
			      struct err *e);
