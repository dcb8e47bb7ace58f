// SPDX-License-Identifier: GPL-3.0-or-later
#include <cpuid.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/guest/x86_64/machine.h"

_Static_assert(BATCHES_MAX <= (AT_FREE - AT_TIMES) / sizeof(uint64_t), "room for times");

#define PRESENT 0x3 /* and writable */
#define LARGE 0x80

#define CPUID_MAX 256

bool vm_is_amd(void)
{
	unsigned int a, b, c, d;

	/* "Auth" of AuthenticAMD */
	return __get_cpuid(0, &a, &b, &c, &d) && b == 0x68747541;
}

void vm_put(struct vm *vm, uint64_t at, uint64_t value)
{
	memcpy(vm->mem + at, &value, sizeof(value));
}

uint64_t vm_get(const struct vm *vm, uint64_t at)
{
	uint64_t value;

	memcpy(&value, vm->mem + at, sizeof(value));
	return value;
}

/* Whether this kernel has huge pages set aside for L1. */
static bool wants_huge_pages(void)
{
	char line[4096] = "";
	int fd = open("/proc/cmdline", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, line, sizeof(line) - 1) < 0)
		line[0] = '\0';
	if (fd >= 0)
		close(fd);
	return strstr(line, " hugepages=");
}

static int make_memory(struct vm *vm, size_t size)
{
	struct kvm_userspace_memory_region slot = { 0 };
	int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE;

	vm->size = size;
	if (wants_huge_pages())
		flags |= MAP_HUGETLB;
	vm->mem = mmap(NULL, vm->size, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (vm->mem == MAP_FAILED)
		return fail("memory");
	slot.memory_size = vm->size;
	slot.userspace_addr = (uintptr_t)vm->mem;
	/* where VMX keeps its task state segment for real mode; nothing on SVM */
	if (ioctl(vm->fd, KVM_SET_TSS_ADDR, 0xfffbd000UL) < 0 ||
	    ioctl(vm->fd, KVM_SET_USER_MEMORY_REGION, &slot) < 0)
		return fail("memory of the guest");
	return 0;
}

/*
 * The number of the processor that happened to be asked is not the guest's, and that it
 * is one is for the program to say: the guest would not look for KVM's clock.
 */
static void correct_cpuid(struct kvm_cpuid2 *table)
{
	for (__u32 i = 0; i < table->nent; i++) {
		struct kvm_cpuid_entry2 *entry = &table->entries[i];

		if (entry->function != 1)
			continue;
		entry->ebx &= 0xffffff;
		entry->ecx |= 1u << 31;
	}
}

/* The guest gets what KVM offers: what CPUID costs depends on the table. */
static int copy_cpuid(struct vm *vm)
{
	size_t size = sizeof(struct kvm_cpuid2) +
		      CPUID_MAX * sizeof(struct kvm_cpuid_entry2);
	struct kvm_cpuid2 *table = calloc(1, size);
	int r;

	if (!table)
		return fail("memory");
	table->nent = CPUID_MAX;
	r = ioctl(vm->kvm, KVM_GET_SUPPORTED_CPUID, table);
	if (r == 0) {
		correct_cpuid(table);
		r = ioctl(vm->cpu, KVM_SET_CPUID2, table);
	}
	if (r < 0)
		r = fail("CPUID of the guest");
	free(table);
	return r;
}

static void make_tables(struct vm *vm)
{
	vm_put(vm, AT_PML4, AT_PDPT | PRESENT);
	for (uint64_t i = 0; i < 4; i++)
		vm_put(vm, AT_PDPT + 8 * i, (AT_PD + 0x1000 * i) | PRESENT);
	for (uint64_t i = 0; i < 4 * 512; i++)
		vm_put(vm, AT_PD + 8 * i, i << 21 | LARGE | PRESENT);
	vm_put(vm, AT_GDT + 8, 0x00af9b000000ffff);
	vm_put(vm, AT_GDT + 16, 0x00cf93000000ffff);
}

void vm_small_pages(struct vm *vm, size_t bytes)
{
	for (uint64_t i = 0; i << 12 < bytes; i++) {
		vm_put(vm, AT_TABLES + 8 * i, (AT_DATA + (i << 12)) | PRESENT);
		if (i % 512 == 0)
			vm_put(vm, AT_PD + 8 * ((AT_DATA >> 21) + i / 512),
			       (AT_TABLES + 8 * i) | PRESENT);
	}
}

void vm_handler(struct vm *vm, unsigned int vector, const unsigned char *code,
		const unsigned char *label)
{
	uint64_t at = AT_CODE + (uint64_t)(label - code);

	/* an interrupt gate of segment 8; the address is below 64 KiB */
	vm_put(vm, AT_IDT + 16 * vector, at | 8 << 16 | 0x8eULL << 40);
	vm_put(vm, AT_IDT + 16 * vector + 8, 0);
}

/* 64-bit mode. */
static int set_mode(struct vm *vm)
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

	if (ioctl(vm->cpu, KVM_GET_SREGS, &s) < 0)
		return fail("KVM_GET_SREGS");
	s.cs = cs;
	s.ds = s.es = s.fs = s.gs = s.ss = ds;
	s.gdt.base = AT_GDT;
	s.gdt.limit = 23;
	s.idt.base = AT_IDT;
	s.idt.limit = 4095;
	s.cr3 = AT_PML4;
	s.cr4 = 0x20;	    /* PAE */
	s.efer = 0x500;	    /* LME, LMA */
	s.cr0 = 0x80000011; /* PG, ET, PE */
	return ioctl(vm->cpu, KVM_SET_SREGS, &s) < 0 ? fail("KVM_SET_SREGS") : 0;
}

int vm_open(struct vm *vm, size_t size, bool irqchip)
{
	if (vm_start(vm, 0) < 0 || make_memory(vm, size) < 0)
		return -1;
	if (irqchip && ioctl(vm->fd, KVM_CREATE_IRQCHIP, 0) < 0)
		return fail("KVM_CREATE_IRQCHIP");
	if (vm_add_cpu(vm) < 0)
		return -1;
	make_tables(vm);
	return copy_cpuid(vm) < 0 || set_mode(vm) < 0 ? -1 : 0;
}

int vm_create(struct vm *vm, const struct payload *p, const struct args *a)
{
	size_t data = (p->data + AT_DATA - 1) & ~(AT_DATA - 1);

	if (vm_open(vm, AT_DATA + data, p->irqchip) < 0)
		return -1;
	memcpy(vm->mem + AT_CODE, p->code, (size_t)(p->end - p->code));
	vm->regs = (struct kvm_regs){
		.rip = AT_CODE, .rflags = 2, .rsp = AT_STACK, .r10 = p->batch
	};
	return p->setup ? p->setup(vm, a) : 0;
}

int vm_enter(struct vm *vm)
{
	return ioctl(vm->cpu, KVM_RUN, 0);
}

/* One KVM_RUN that a signal does not cut short. */
static int enter(struct vm *vm)
{
	int r;

	do
		r = vm_enter(vm);
	while (r < 0 && errno == EINTR && !vm->run->immediate_exit);
	return r;
}

/* Have the last exit's instruction finished, as only the next entry does that. */
static int complete(struct vm *vm)
{
	int r;

	vm->run->immediate_exit = 1;
	r = enter(vm);
	vm->run->immediate_exit = 0;
	return r < 0 && errno == EINTR ? 0 : -1;
}

int vm_run(struct vm *vm)
{
	const struct kvm_run *run = vm->run;

	if (ioctl(vm->cpu, KVM_SET_REGS, &vm->regs) < 0)
		return fail("KVM_SET_REGS");
	for (;;) {
		if (enter(vm) < 0)
			return fail("KVM_RUN");
		if (run->exit_reason == KVM_EXIT_IO && run->io.port == PORT_DONE)
			return complete(vm) < 0 ? fail("KVM_RUN") : 0;
		if (run->exit_reason == KVM_EXIT_IO || run->exit_reason == KVM_EXIT_MMIO)
			continue;
		fprintf(stderr, "guest-payload: the guest stopped with exit reason %u\n",
			run->exit_reason);
		return -1;
	}
}

int vm_window(struct vm *vm, uint64_t batches, uint64_t **ret_times)
{
	vm->regs.rsi = batches;
	vm->regs.rdi = AT_TIMES;
	*ret_times = (uint64_t *)(vm->mem + AT_TIMES);
	return vm_run(vm);
}

uint64_t vm_clock_hz(const struct vm *vm)
{
	int khz = ioctl(vm->cpu, KVM_GET_TSC_KHZ, 0);

	if (khz <= 0)
		fail("KVM_GET_TSC_KHZ");
	return khz > 0 ? (uint64_t)khz * 1000 : 0;
}
