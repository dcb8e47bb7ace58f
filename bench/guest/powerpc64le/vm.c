// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/platform/ppc.h>

#include "bench/guest/powerpc64le/machine.h"

#define TYPE_HV 1
#define PATB_GR 0x8000000000000000UL /* the guest pages by radix, too */
#define MSR_64BIT 0x8000000000000000UL
#define MSR_LITTLE 1UL
#define LPCR_ILE 0x02000000UL /* interrupts are little endian too */
#define H_FUNCTION (-2L)

_Static_assert(BATCHES_MAX <= (AT_FREE - AT_TIMES) / sizeof(uint64_t), "room for times");

static int make_memory(struct vm *vm)
{
	struct kvm_userspace_memory_region slot = { .memory_size = MEMORY };
	struct kvm_ppc_mmuv3_cfg mmu = {
		.flags = KVM_PPC_MMUV3_RADIX | KVM_PPC_MMUV3_GTSE,
		.process_table = PATB_GR, /* a table that real mode never looks at */
	};

	vm->size = MEMORY;
	vm->mem = mmap(NULL, vm->size, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (vm->mem == MAP_FAILED)
		return fail("memory");
	slot.userspace_addr = (uintptr_t)vm->mem;
	if (ioctl(vm->fd, KVM_SET_USER_MEMORY_REGION, &slot) < 0)
		return fail("memory of the guest");
	return ioctl(vm->fd, KVM_PPC_CONFIGURE_V3_MMU, &mmu) < 0
		       ? fail("KVM_PPC_CONFIGURE_V3_MMU")
		       : 0;
}

static int set_little_endian(struct vm *vm)
{
	uint64_t lpcr = 0;
	struct kvm_one_reg reg = { KVM_REG_PPC_LPCR_64, (uintptr_t)&lpcr };

	if (ioctl(vm->cpu, KVM_GET_ONE_REG, &reg) < 0)
		return fail("KVM_GET_ONE_REG");
	lpcr |= LPCR_ILE;
	return ioctl(vm->cpu, KVM_SET_ONE_REG, &reg) < 0 ? fail("KVM_SET_ONE_REG") : 0;
}

static int make_processor(struct vm *vm)
{
	struct kvm_enable_cap papr = { .cap = KVM_CAP_PPC_PAPR };

	if (vm_add_cpu(vm) < 0)
		return -1;
	if (ioctl(vm->cpu, KVM_ENABLE_CAP, &papr) < 0)
		return fail("KVM_CAP_PPC_PAPR");
	return set_little_endian(vm);
}

int vm_create(struct vm *vm, const struct payload *p, const struct args *a)
{
	if (vm_start(vm, TYPE_HV) < 0 || make_memory(vm) < 0 || make_processor(vm) < 0)
		return -1;
	memcpy(vm->mem + AT_CODE, p->code, (size_t)(p->end - p->code));
	if (ioctl(vm->cpu, KVM_GET_REGS, &vm->regs) < 0)
		return fail("KVM_GET_REGS");
	vm->regs.pc = AT_CODE;
	vm->regs.msr = MSR_64BIT | MSR_LITTLE;
	vm->regs.gpr[14] = p->batch;
	vm->regs.gpr[21] = AT_FREE;
	return p->setup ? p->setup(vm, a) : 0;
}

int vm_window(struct vm *vm, uint64_t batches, uint64_t **ret_times)
{
	struct kvm_run *run = vm->run;

	vm->regs.gpr[15] = AT_TIMES;
	vm->regs.gpr[20] = batches;
	if (ioctl(vm->cpu, KVM_SET_REGS, &vm->regs) < 0)
		return fail("KVM_SET_REGS");
	for (;;) {
		if (ioctl(vm->cpu, KVM_RUN, 0) < 0) {
			if (errno == EINTR)
				continue;
			return fail("KVM_RUN");
		}
		if (run->exit_reason != KVM_EXIT_PAPR_HCALL)
			break;
		if (run->papr_hcall.nr == HCALL_DONE) {
			*ret_times = (uint64_t *)(vm->mem + AT_TIMES);
			return 0;
		}
		run->papr_hcall.ret = (uint64_t)H_FUNCTION;
	}
	fprintf(stderr, "guest-payload: the guest stopped with exit reason %u\n",
		run->exit_reason);
	return -1;
}

uint64_t vm_clock_hz(const struct vm *vm)
{
	uint64_t hz = __ppc_get_timebase_freq();

	(void)vm;
	if (!hz)
		fputs("guest-payload: this processor tells no time base\n", stderr);
	return hz;
}
