// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A machine that kernels are tried on, as a `[target "NAME"]` section of the settings
 * describes it. "qemu" is there without a section. Commands (console, power, sysrq) are run
 * by the shell.
 */
#include <stdbool.h>
#include <stdint.h>

#include "core/base/cfg.h"
#include "core/base/err.h"
#include "core/base/strv.h"

enum target_kind {
	TARGET_QEMU,  /* made on the spot */
	TARGET_SSH,   /* a machine of its own, reached by OpenSSH */
	TARGET_LOCAL, /* the machine kiln runs on */
};

/* Owned strings; NULL where the section says nothing. */
struct target {
	char *name;
	enum target_kind kind;
	char *accel;		  /* "auto", "kvm" or "tcg" */
	char *cpu;		  /* QEMU's -cpu */
	uint64_t memory_mib, smp; /* 0: kiln's own choice */
	struct strv qemu_args;	  /* more of QEMU's command line */
	char *host;		  /* what ssh is told: "root@lab-1" */
	uint64_t port;		  /* 0: ssh's own choice */
	struct strv ssh_options;  /* as ssh's -o */
	char *dir;     /* folder for kiln's files there, absolute; never NULL with ssh */
	char *initrd;  /* absolute path there; NULL: the candidate needs none */
	char *cmdline; /* the candidate's; NULL: the running kernel's */
	char *console; /* command whose output is the machine's console */
	char *power;   /* command, given "on", "off" or "reset" as its last argument */
	char *sysrq;   /* command that sends a break and the letter it is given last */
	char *kexec;   /* kexec-tools' program there; NULL: on PATH */
	uint64_t watchdog_s; /* 0: none */
	uint64_t return_s;   /* how long it may take to come back after a reset */
	bool reboot;	     /* local: the user has agreed to reboots of this machine */
	char *resume;	     /* local: command that has kiln started again, in place of
				systemd */
};

/*
 * Read and check the section of that name. cfg NULL: no sections. ERR_USAGE: there is no
 * such target. ERR_CONFIG: a value will not do; the error names its key.
 */
_must_check_ int target_read(const struct cfg *cfg, const char *name, struct target **ret,
			     struct err *e);

/* The names of all targets, "qemu" among them, sorted. */
void target_names(const struct cfg *cfg, struct strv *ret);

/* "qemu", "ssh", "local". */
const char *target_kind_word(enum target_kind kind);

/* Why a target may not have that name, a constant phrase; NULL when it may. */
const char *target_name_check(const char *name);

void target_free(struct target *t);
DEFINE_FREEP(target_free, struct target *)
#define _cleanup_target_ _cleanup_(target_freep)
