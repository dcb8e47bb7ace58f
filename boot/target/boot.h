// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Boot a candidate kernel on a target, prove which kernel runs, let it do tasks, and call
 * every failure by its name. The machine starts with the base kernel; the candidate is
 * entered by kexec from it; a reset always leads back to the base.
 */
#include "boot/target/target.h"
#include "core/arch/arch.h"
#include "core/base/err.h"
#include "core/base/progress.h"
#include "core/base/strv.h"
#include "core/store/records.h"

/* A kernel and what proves it. Borrowed strings. */
struct boot_kernel {
	const char *image;    /* bzImage */
	const char *build_id; /* hex */
	const char *modules;  /* KVM modules it loads, "kvm=BUILD-ID kvm_amd=BUILD-ID";
				 NULL: KVM is built in. Not looked at of a base kernel */
	const char
		*module_dir; /* the modules of its build, of which it gets what it needs
				   (module-plan.h); NULL: there are none */
};

/*
 * Work for the agent once L0 is proven: start one L1 guest (QEMU with KVM) with the fixed
 * L1 kernel and run a program there. level 0 runs the program in L0 itself, without a
 * guest. One that joins runs in the guest of the task before it, when that one's program
 * has ended, however it did.
 */
struct boot_task {
	const char *name;    /* "[a-z0-9-]+", unique in the boot */
	int level;	     /* 0 or 1 */
	bool joins;	     /* both are of level 1; append is that of the first */
	const char *append;  /* added to L1's kernel command line, may be "" */
	const char *program; /* path on the host: a program, or a script whose interpreter
				comes along */
	struct strv args;
	bool brings_kernel; /* level 1: L1's own image is there too, as /kiln/kernel */
	uint64_t timeout_s; /* host time */
};

/* What the machines are like; zeroed is nothing special. */
struct boot_shape {
	unsigned int vcpus; /* of L0 and of L1; 0: the target's smp, and 1 */
	bool pin;	    /* L1, and the program in it, stay on the first processor */
	bool huge_pages;    /* L1's memory comes in huge pages of L0 */
	bool mitigations;   /* those of the kernels are on */
};

/*
 * What to boot, where, and what to do there. append is added to the candidate's command
 * line only. The whole console, of base and candidate, is kept in the file console (up to
 * 64 MiB; an existing file is replaced). boot_timeout_s is host time from one sign of
 * life to the next, console bytes or messages, until the candidate is proven; 0 = 120.
 */
struct boot_spec {
	const struct arch *arch; /* of all kernels and programs; NULL: the first row */
	const struct target *target;
	const char *accel;	 /* "auto", "kvm", "tcg" */
	struct boot_kernel base; /* first-stage kernel; build_id NULL = not checked */
	struct boot_kernel candidate;
	struct boot_kernel guest; /* L1's kernel; image NULL when no task has level 1 */
	const char *append;	  /* "kvm_amd.npt=0", may be NULL */
	const char *base_append;  /* for the base kernel, may be NULL */
	const char *agent;	  /* path of the static agent program, kiln-agent */
	const char *console;	  /* path */
	bool direct;		  /* start the candidate by firmware instead of kexec */
	uint64_t boot_timeout_s;
	struct boot_shape shape;
	const struct task_list *tasks; /* may be NULL */
	const struct strv *counters;   /* events to count where programs mark their work
					  (counting.h); NULL: nothing is counted */
	const struct progress *progress;
	/* Called just before the machine kiln runs on is told to jump, which kiln does not
	 * survive. NULL: nobody wants to know. */
	int (*before_jump)(void *ctx, struct err *e);
	void *before_jump_ctx;
};

struct task_list {
	struct boot_task *v;
	size_t nr;
};

/* How many tasks share a guest from task i on: itself and those that join it. */
size_t task_group(const struct task_list *tasks, size_t i);

enum { BOOT_MARKS = 3 };

/* What a task left: lines the program printed, in order, and its end. */
struct task_result {
	char *name;
	struct strv lines;
	/* Of a boot that counts: name and value by turns, at each mark; and operations
	 * between the last two. */
	struct strv marks[BOOT_MARKS];
	unsigned int nr_marks;
	uint64_t ops;
	int status; /* exit status of the program, 128 + signal */
	bool ended; /* it reported its end over the channel */
	/* Of L1, NULL at level 0; KVM that is modules follows: "ID kvm=ID kvm_amd=ID". */
	char *guest_boot_id, *guest_build_id;
	bool proven;  /* L1's token and build-id match, L0's boot unchanged at the end */
	char *reason; /* why it did not end or is not proven, else NULL */
};

struct boot_result {
	struct boot_record record; /* without commit and tree: the caller knows */
	struct task_result *tasks;
	size_t nr_tasks;
	char *qemu; /* digest of the QEMU that ran the guests; NULL without one */
};

/*
 * Run it. 0 when the kernel gave an answer, good or bad: see record.status. Errors are
 * the environment's: no QEMU, no kexec, disk full, the base kernel itself did not come
 * up, a damaged message of the agent (ERR_AGENT). Never blocks longer than the limits;
 * QEMU is gone when it returns. May run in several threads at once; QEMU dies with the
 * thread that called.
 */
_must_check_ int boot_run(const struct boot_spec *spec, struct boot_result **ret,
			  struct err *e);

/* Whether "auto" means "kvm" or "tcg" here, for machines of an architecture (NULL: the
 * first row); constant string. */
const char *boot_accel(const struct arch *a);

void boot_result_free(struct boot_result *b);
DEFINE_FREEP(boot_result_free, struct boot_result *)
#define _cleanup_boot_ _cleanup_(boot_result_freep)
