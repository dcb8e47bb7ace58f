// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Payloads: guests of a few instructions that this program makes through /dev/kvm. Each is
 * a file in the folder of its architecture, with its code between two labels,
 * position-independent, and a row in the list there. What differs between architectures
 * is behind vm_create(), vm_window() and vm_clock_hz().
 *
 * A window is fixed work, so that a clock which jumps while the machine idles cannot cut
 * it short: batches of operations which the guest times itself by the clock its processor has.
 * A window's rate is that of the lower quartile of its batches. Timer ticks of the levels
 * below fall into one batch of three or so, and whether a window gets one more of them is
 * chance: their share of a mean differs by 0.1 % between boots of the same kernel, the
 * quartile does not.
 */
#include <linux/kvm.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BATCHES_MAX 49152

struct vm {
	int kvm, fd, cpu;
	unsigned char *mem;
	size_t size;
	struct kvm_run *run;
	size_t run_size;
	struct kvm_regs regs; /* of the start of each window */
};

/* "key=value" words of the command line. */
struct args {
	char **v;
	int nr;
};

/* The number of a key, fallback when it is not there. Values are checked by kiln. */
uint64_t args_number(const struct args *a, const char *key, uint64_t fallback);

/* The lower quartile of n > 0 times, which are sorted by that. */
uint64_t lower_quartile(uint64_t *times, size_t n);

/* Say "@mark N" and wait until who counts has looked. Negative with a message. */
int mark(int nr);

struct payload {
	const char *name;
	const unsigned char *code, *end;
	uint64_t batch; /* operations between two looks at the clock */
	size_t data;	/* bytes of memory from AT_DATA on */
	bool irqchip;
	/* Finish the machine: arguments of the code in registers, tables. NULL: nothing.
	 * Negative with a message on standard error. */
	int (*setup)(struct vm *vm, const struct args *a);
};

/* All payloads, ended by NULL; in the folder of the architecture. */
extern const struct payload *const payloads[];

/* Say what failed, with errno. Returns -1. */
int fail(const char *what);

/* The machine of a payload, and its end. Negative with a message. */
int vm_create(struct vm *vm, const struct payload *p, const struct args *a);
void vm_close(struct vm *vm);

/* What vm_create() begins with: a machine of a type of KVM's, 0 being the usual one, without
 * memory; and then its only processor. Negative with a message. */
int vm_start(struct vm *vm, unsigned long type);
int vm_add_cpu(struct vm *vm);

/*
 * Run the code once: so many batches, at most BATCHES_MAX, whose times the guest takes and
 * *ret_times points to. Exits to user space on the way are the payload's work. Negative
 * with a message.
 */
int vm_window(struct vm *vm, uint64_t batches, uint64_t **ret_times);

/*
 * Ticks a second of the clock that batches are timed by; 0 with a message. A whole number:
 * a nested host of POWER (Linux 6.1, QEMU 7.2) was seen to come back from KVM_RUN with
 * other floating-point registers.
 */
uint64_t vm_clock_hz(const struct vm *vm);
