// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Kernel command lines that kexec hands on. Shared by kiln and the agent, hence without
 * struct err.
 */
#include <stdbool.h>

#include "core/base/base.h"
#include "core/base/buf.h"

#define CMDLINE_MAX 2047 /* x86's COMMAND_LINE_SIZE without its NUL */

/*
 * Append what a running kernel's line gives to the next kernel: all words but those of
 * kiln, of the boot loader (BOOT_IMAGE=, initrd=) and of an earlier kexec (acpi_rsdp=,
 * elfcorehdr=), which would pile up from jump to jump.
 */
void cmdline_carry(const char *running, struct buf *ret);

/* Append one word. */
void cmdline_add(struct buf *line, const char *word);

/* Value of the last key=, the one that counts, owned by the caller; NULL when absent. */
_must_check_ char *cmdline_value(const char *line, const char *key);

/*
 * What a line has for a module, "npt=0 sev=1" of "kvm_amd.npt=0 kvm-amd.sev=1": the kernel
 * gives it to what is built in only, and leaves modules to who loads them. Words behind
 * "--" are init's. Owned; "" when there is nothing.
 */
_must_check_ char *cmdline_module_args(const char *line, const char *module);

/* NULL when a kernel takes the line as it is, else why not, a constant phrase. */
_must_check_ const char *cmdline_check(const char *line);

/*
 * The address of ACPI's root pointer in the text of /sys/firmware/efi/systab, "0x...":
 * a kernel entered by kexec without EFI finds no ACPI otherwise. Owned; NULL when the
 * text has none.
 */
_must_check_ char *cmdline_rsdp(const char *systab);
