// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cpuid_rate: how often a second a guest of this kernel can execute CPUID, which always
 * exits to the hypervisor. Runs in L1 and makes L2 itself, through /dev/kvm.
 *
 *	guest-cpuid [--windows N] [--count M]
 *
 * Each window is M CPUIDs in batches of ten, which L2 times itself by its time stamp
 * counter: fixed work, so that a clock which jumps while the machine idles cannot cut a
 * window short. A window's rate is that of the lower quartile of its batches. Timer ticks
 * of L0 and L1 fall into one batch of three or so, and whether a window gets one more of
 * them is chance: their share of a mean differs by 0.1 % between boots of the same kernel,
 * the quartile does not. Results are printed at the end, as printing would run on the
 * processor being measured.
 *
 * L2 is in 64-bit mode: KVM enters a real-mode guest under shadow paging through another
 * path, or not at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define MEM_SIZE (2UL << 20)
#define CODE 0x1000
#define PML4 0x10000
#define PDPT 0x11000
#define PD 0x12000
#define WINDOWS_MAX 1000

#define BATCH 10
#define TIMES 0x20000 /* where L2 puts the ticks of each batch */
#define BATCHES_MAX ((MEM_SIZE - TIMES) / sizeof(uint64_t))

/* clang-format off */
/* rsi batches; the ticks of each go to [rdi]. Then hlt, which exits to user space. */
static const unsigned char code[] = {
	0x0f, 0x31,			   /* outer: rdtsc */
	0x48, 0xc1, 0xe2, 0x20,		   /* shl rdx, 32 */
	0x48, 0x09, 0xd0,		   /* or rax, rdx */
	0x49, 0x89, 0xc0,		   /* mov r8, rax */
	0x41, 0xb9, BATCH, 0x00, 0x00, 0x00, /* mov r9d, BATCH */
	0x31, 0xc0,			   /* inner: xor eax, eax */
	0x0f, 0xa2,			   /* cpuid */
	0x41, 0xff, 0xc9,		   /* dec r9d */
	0x75, 0xf7,			   /* jnz inner */
	0x0f, 0x31,			   /* rdtsc */
	0x48, 0xc1, 0xe2, 0x20,		   /* shl rdx, 32 */
	0x48, 0x09, 0xd0,		   /* or rax, rdx */
	0x4c, 0x29, 0xc0,		   /* sub rax, r8 */
	0x48, 0x89, 0x07,		   /* mov [rdi], rax */
	0x48, 0x83, 0xc7, 0x08,		   /* add rdi, 8 */
	0x48, 0xff, 0xce,		   /* dec rsi */
	0x75, 0xcd,			   /* jnz outer */
	0xf4,				   /* hlt */
};
/* clang-format on */

struct l2 {
	int kvm, vm, cpu;
	unsigned char *mem;
	struct kvm_run *run;
};

static int fail(const char *what)
{
	fprintf(stderr, "guest-cpuid: %s: %s\n", what, strerror(errno));
	return -1;
}

static int l2_memory(struct l2 *l)
{
	struct kvm_userspace_memory_region slot = { .memory_size = MEM_SIZE };

	l->mem = mmap(NULL, MEM_SIZE, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (l->mem == MAP_FAILED)
		return fail("memory");
	slot.userspace_addr = (uintptr_t)l->mem;
	/* where VMX keeps its task state segment for real mode; nothing on SVM */
	if (ioctl(l->vm, KVM_SET_TSS_ADDR, 0xfffbd000UL) < 0 ||
	    ioctl(l->vm, KVM_SET_USER_MEMORY_REGION, &slot) < 0)
		return fail("memory of L2");
	return 0;
}

static int l2_create(struct l2 *l)
{
	int size;

	l->kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (l->kvm < 0)
		return fail("/dev/kvm");
	l->vm = ioctl(l->kvm, KVM_CREATE_VM, 0);
	if (l->vm < 0)
		return fail("KVM_CREATE_VM");
	if (l2_memory(l) < 0)
		return -1;
	l->cpu = ioctl(l->vm, KVM_CREATE_VCPU, 0);
	size = ioctl(l->kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	if (l->cpu < 0 || size < 0)
		return fail("KVM_CREATE_VCPU");
	l->run = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, l->cpu, 0);
	return l->run == MAP_FAILED ? fail("state of L2") : 0;
}

static void put_u64(struct l2 *l, size_t at, uint64_t value)
{
	memcpy(l->mem + at, &value, sizeof(value));
}

/* Long mode, one 2 MiB page mapped to itself. */
static int l2_long_mode(struct l2 *l)
{
	struct kvm_segment cs = { .limit = ~0u,
				  .selector = 8,
				  .type = 11,
				  .present = 1,
				  .s = 1,
				  .l = 1,
				  .g = 1 };
	struct kvm_segment ds = { .limit = ~0u,
				  .selector = 16,
				  .type = 3,
				  .present = 1,
				  .s = 1,
				  .db = 1,
				  .g = 1 };
	struct kvm_sregs s;

	memcpy(l->mem + CODE, code, sizeof(code));
	put_u64(l, PML4, PDPT | 3);
	put_u64(l, PDPT, PD | 3);
	put_u64(l, PD, 0x83);
	if (ioctl(l->cpu, KVM_GET_SREGS, &s) < 0)
		return fail("KVM_GET_SREGS");
	s.cs = cs;
	s.ds = s.es = s.fs = s.gs = s.ss = ds;
	s.cr3 = PML4;
	s.cr4 = 0x20;	    /* PAE */
	s.efer = 0x500;	    /* LME, LMA */
	s.cr0 = 0x80000011; /* PG, ET, PE */
	return ioctl(l->cpu, KVM_SET_SREGS, &s) < 0 ? fail("KVM_SET_SREGS") : 0;
}

static int by_ticks(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* One window; ticks of the lower quartile of its batches, 0 on failure. */
static uint64_t l2_window(struct l2 *l, uint64_t batches)
{
	struct kvm_regs regs = { .rip = CODE, .rflags = 2, .rsi = batches, .rdi = TIMES };
	uint64_t *times = (uint64_t *)(l->mem + TIMES);
	int r;

	if (ioctl(l->cpu, KVM_SET_REGS, &regs) < 0) {
		fail("KVM_SET_REGS");
		return 0;
	}
	do
		r = ioctl(l->cpu, KVM_RUN, 0);
	while (r < 0 && errno == EINTR);
	if (r < 0) {
		fail("KVM_RUN");
		return 0;
	}
	if (l->run->exit_reason != KVM_EXIT_HLT) {
		fprintf(stderr, "guest-cpuid: L2 stopped with exit reason %u\n",
			l->run->exit_reason);
		return 0;
	}
	qsort(times, batches, sizeof(*times), by_ticks);
	return times[batches / 4];
}

static int measure(unsigned long windows, uint64_t count)
{
	uint64_t ticks[WINDOWS_MAX], batches = (count + BATCH - 1) / BATCH;
	struct l2 l = { 0 };
	int khz;

	if (l2_create(&l) < 0 || l2_long_mode(&l) < 0)
		return 1;
	khz = ioctl(l.cpu, KVM_GET_TSC_KHZ, 0);
	if (khz <= 0) {
		fail("KVM_GET_TSC_KHZ");
		return 1;
	}
	for (unsigned long i = 0; i < windows; i++) {
		ticks[i] = l2_window(&l, batches);
		if (!ticks[i])
			return 1;
	}
	for (unsigned long i = 0; i < windows; i++)
		printf("cpuid_rate %.3f /s\n", BATCH * 1000.0 * khz / (double)ticks[i]);
	return 0;
}

/* A decimal number of 1 to max; 0 when it is none. */
static uint64_t number(const char *s, uint64_t max)
{
	uint64_t n = 0;

	for (; s && *s; s++) {
		if (*s < '0' || *s > '9' || n > max)
			return 0;
		n = n * 10 + (uint64_t)(*s - '0');
	}
	return n <= max ? n : 0;
}

int main(int argc, char **argv)
{
	uint64_t windows = 6, count = 5000;

	for (int i = 1; i < argc; i += 2) {
		if (!strcmp(argv[i], "--windows"))
			windows = number(argv[i + 1], WINDOWS_MAX);
		else if (!strcmp(argv[i], "--count"))
			count = number(argv[i + 1], BATCH * BATCHES_MAX);
		else
			windows = 0;
	}
	if (!windows || !count) {
		fputs("usage: guest-cpuid [--windows N] [--count M]\n", stderr);
		return 2;
	}
	return measure((unsigned long)windows, count);
}
