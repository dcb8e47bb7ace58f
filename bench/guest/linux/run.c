// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <x86intrin.h>

#include "bench/guest/linux/lines.h"
#include "bench/guest/linux/linux.h"
#include "bench/guest/linux/serial.h"

/*
 * As L0 and L1 are told when emulated: calibrating the timer of the local APIC would be
 * 100 ms of reading the time. quiet: every byte is an exit through all levels.
 */
#define COMMAND                                                                     \
	"console=ttyS0 quiet panic=-1 oops=panic reboot=t mitigations=off pci=off " \
	"8250.nr_uarts=1 nolapic_timer no_timer_check tsc=reliable rdinit=/init -- %s"

struct linux_vm {
	struct vm vm;
	struct serial serial;
	struct l2_lines lines;
	const struct linux_spec *spec;
	struct linux_result *ret;
	uint64_t entered, began; /* the first entry, the line's first byte */
	size_t nr;		 /* windows that were told */
	enum l2_said last;	 /* line that counted */
};

static void on_alarm(int nr)
{
	(void)nr;
}

/* Have KVM_RUN interrupted every second: one signal could fall before the entry. */
static int set_alarm(time_t seconds)
{
	struct sigaction sa = { .sa_handler = on_alarm };
	struct itimerval t = { { seconds, 0 }, { seconds, 0 } };

	if (sigaction(SIGALRM, &sa, NULL) < 0 || setitimer(ITIMER_REAL, &t, NULL) < 0)
		return fail("alarm");
	return 0;
}

static int64_t now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* End it with what L2 said last. */
static int stopped(const struct linux_vm *l, const char *how)
{
	fprintf(stderr, "guest-linux: L2 %s%s%s\n", how, *l->lines.note ? ": " : "",
		l->lines.note);
	return -1;
}

static int make(struct linux_vm *l)
{
	struct kvm_pit_config pit = { .flags = KVM_PIT_SPEAKER_DUMMY };
	struct kvm_regs regs = { .rflags = 2, .rsi = AT_PARAMS };
	char command[1024];
	const char *why;
	uint64_t entry = 0;
	int khz;

	snprintf(command, sizeof(command), COMMAND, l->spec->work);
	if (vm_open(&l->vm, L2_MEMORY, true) < 0)
		return -1;
	if (ioctl(l->vm.fd, KVM_CREATE_PIT2, &pit) < 0)
		return fail("KVM_CREATE_PIT2");
	khz = ioctl(l->vm.cpu, KVM_GET_TSC_KHZ, 0);
	if (khz <= 0)
		return fail("KVM_GET_TSC_KHZ");
	l->ret->khz = (uint64_t)khz;
	why = image_place(&l->spec->kernel, &l->spec->initrd, command, l->vm.mem,
			  l->vm.size, &entry);
	if (why)
		return fprintf(stderr, "guest-linux: %s\n", why), -1;
	regs.rip = entry;
	return ioctl(l->vm.cpu, KVM_SET_REGS, &regs) < 0 ? fail("KVM_SET_REGS") : 0;
}

static int take_ticks(struct linux_vm *l, uint64_t ticks)
{
	if (l->last != L2_DONE || l->nr >= l->spec->windows)
		return stopped(l, "told a window that is none");
	if (ticks > __rdtsc() - l->entered)
		return stopped(l, "told more time than there was");
	l->ret->ticks[l->nr++] = ticks;
	return 0;
}

/* A line that counts, in its turn. 1: it was the last. */
static int take_line(struct linux_vm *l, enum l2_said said, uint64_t ticks)
{
	if (said == L2_TICKS)
		return take_ticks(l, ticks);
	if (said == L2_UP && l->last == L2_NOTHING) {
		l->ret->up = l->began - l->entered;
		if (l->spec->marks && (mark(0) < 0 || mark(1) < 0))
			return -1;
	} else if (said == L2_DONE && l->last == L2_UP) {
		if (l->spec->marks && mark(2) < 0)
			return -1;
	} else if (said != L2_END || l->last != L2_DONE || l->nr != l->spec->windows) {
		return stopped(l, "left something out");
	}
	l->last = said;
	return said == L2_END;
}

static int take_byte(struct linux_vm *l, uint8_t byte)
{
	enum l2_said said;
	uint64_t ticks = 0;

	if (!l->lines.bytes)
		l->began = __rdtsc();
	said = l2_byte(&l->lines, byte, &ticks);
	return said == L2_NOTHING || said == L2_TEXT ? 0 : take_line(l, said, ticks);
}

/* An edge on the line of the serial port. */
static int interrupt(struct linux_vm *l)
{
	for (int level = 1; level >= 0; level--) {
		struct kvm_irq_level irq = { { SERIAL_IRQ }, (__u32)level };

		if (ioctl(l->vm.fd, KVM_IRQ_LINE, &irq) < 0)
			return fail("KVM_IRQ_LINE");
	}
	return 0;
}

static int port(struct linux_vm *l)
{
	const struct kvm_run *run = l->vm.run;
	unsigned char *data = (unsigned char *)run + run->io.data_offset;
	unsigned int reg = run->io.port - (unsigned int)SERIAL_PORT;
	bool ours = reg < SERIAL_PORTS && run->io.size == 1;
	int r = 0;

	if (run->io.direction == KVM_EXIT_IO_IN) {
		memset(data, 0xff, (size_t)run->io.size * run->io.count);
		for (__u32 i = 0; ours && i < run->io.count; i++)
			data[i] = serial_read(&l->serial, reg);
		return 0;
	}
	for (__u32 i = 0; ours && !r && i < run->io.count; i++) {
		enum serial_event event = serial_write(&l->serial, reg, data[i]);

		if (event == SERIAL_BYTE)
			r = take_byte(l, data[i]);
		else if (event == SERIAL_INTERRUPT)
			r = interrupt(l);
	}
	return r;
}

/* Until its last line. */
static int run(struct linux_vm *l)
{
	int64_t limit = now_s() + L2_SECONDS;
	struct kvm_run *state = l->vm.run;
	int r = 0;

	l->entered = __rdtsc();
	while (r == 0) {
		if (vm_enter(&l->vm) < 0 && errno != EINTR)
			return fail("KVM_RUN");
		if (now_s() > limit)
			return stopped(l, "did not end within its time limit");
		if (state->exit_reason == KVM_EXIT_IO)
			r = port(l);
		else if (state->exit_reason == KVM_EXIT_MMIO && !state->mmio.is_write)
			memset(state->mmio.data, 0xff, sizeof(state->mmio.data));
		else if (state->exit_reason == KVM_EXIT_SHUTDOWN)
			return stopped(l, "reset itself");
		else if (state->exit_reason != KVM_EXIT_MMIO &&
			 state->exit_reason != KVM_EXIT_INTR)
			return fprintf(stderr,
				       "guest-linux: L2 stopped with exit reason "
				       "%u\n",
				       state->exit_reason),
			       -1;
	}
	return r < 0 ? -1 : 0;
}

int linux_run(const struct linux_spec *spec, struct linux_result *ret)
{
	struct linux_vm l = { .spec = spec, .ret = ret };

	if (make(&l) < 0 || set_alarm(1) < 0 || run(&l) < 0 || set_alarm(0) < 0)
		return -1;
	vm_close(&l.vm);
	return 0;
}
