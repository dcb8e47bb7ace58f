// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * What a machine measures with besides its kernel: processor, microcode, frequency
 * policy, mitigations, KVM's parameters, memory, load. The same code runs on the host and
 * in the agent; the host keeps both as "KEY=VALUE" words.
 */
#include "boot/frame.h"
#include "core/base/strv.h"

/*
 * Append "PREFIX.KEY=VALUE" for what /proc and /sys below root ("" for the machine's own)
 * show; what they do not show is left out. Keys:
 *
 *	cpu, microcode	as the first processor of /proc/cpuinfo says
 *	cpus, memory	processors online, "0-7"; MemTotal in KiB
 *	governor, boost, smt, clocksource, thp
 *	load		of the last minute
 *	vulnerability.NAME	/sys/devices/system/cpu/vulnerabilities
 *	MODULE.NAME		parameters of kvm, kvm_amd, kvm_intel and kvm_hv
 */
void environment_gather(const char *root, const char *prefix, struct strv *ret);

/*
 * Append the words of a message from `first` on: at most 256, each of them KEY=VALUE with
 * a key of [a-z0-9_.-], both bounded, the value made printable. Others are passed over:
 * a kernel that lies here spoils its own comparison only.
 */
void environment_read(const struct frame *f, size_t first, struct strv *ret);

/* The words sorted, one a line; what the store keeps. Owned by the caller. */
_must_check_ char *environment_text(const struct strv *words);
