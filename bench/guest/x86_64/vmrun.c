// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A payload that is a hypervisor itself: VMRUN of a guest that does one hypercall, and
 * back. Between L1 and L2 there is no other software, so this is what L0 makes of it.
 */
#include <stdio.h>

#include "bench/guest/x86_64/machine.h"

#define VMCB AT_FREE
#define HSAVE (AT_FREE + 0x1000)

/* Where things are in a VMCB (AMD's manual, volume 2, appendix B). */
#define INTERCEPTS (VMCB + 0x10)
#define ASID (VMCB + 0x58)
#define EXIT_CODE (VMCB + 0x70)
#define ES (VMCB + 0x400)
#define CS (VMCB + 0x410)
#define SS (VMCB + 0x420)
#define DS (VMCB + 0x430)
#define GDTR (VMCB + 0x460)
#define IDTR (VMCB + 0x480)
#define EFER (VMCB + 0x4d0)
#define CR4 (VMCB + 0x548)
#define CR3 (VMCB + 0x550)
#define CR0 (VMCB + 0x558)
#define DR7 (VMCB + 0x560)
#define DR6 (VMCB + 0x568)
#define RFLAGS (VMCB + 0x570)
#define RIP (VMCB + 0x578)
#define RSP (VMCB + 0x5d8)
#define PAT (VMCB + 0x668)

#define EXIT_VMMCALL 0x81

PAYLOAD_CODE(vmrun,
	     "mov $0xc0000080, %ecx\n" /* EFER: SVM is on */
	     "rdmsr\n"
	     "or $0x1000, %eax\n"
	     "wrmsr\n"
	     "mov $0xc0010117, %ecx\n" /* VM_HSAVE_PA */
	     "mov %r15d, %eax\n"
	     "xor %edx, %edx\n"
	     "wrmsr",
	     "mov %r14, %rax\n"
	     "vmrun %rax",
	     "code_vmrun_guest: vmmcall\n"
	     "jmp code_vmrun_guest");

extern const unsigned char code_vmrun_guest[];

static void put_segment(struct vm *vm, uint64_t at, uint64_t selector,
			uint64_t attributes)
{
	vm_put(vm, at, selector | attributes << 16 | 0xffffffffULL << 32);
	vm_put(vm, at + 8, 0);
}

/* The same 64-bit mode as that of the payload, without nested paging. */
static void fill(struct vm *vm)
{
	vm_put(vm, INTERCEPTS, 3); /* VMRUN, which must be, and VMMCALL */
	vm_put(vm, ASID, 1);
	put_segment(vm, ES, 16, 0xc93);
	put_segment(vm, CS, 8, 0xa9b);
	put_segment(vm, SS, 16, 0xc93);
	put_segment(vm, DS, 16, 0xc93);
	vm_put(vm, GDTR, 23ULL << 32);
	vm_put(vm, GDTR + 8, AT_GDT);
	vm_put(vm, IDTR, 4095ULL << 32);
	vm_put(vm, IDTR + 8, AT_IDT);
	vm_put(vm, EFER, 0x1500);
	vm_put(vm, CR4, 0x20);
	vm_put(vm, CR3, AT_PML4);
	vm_put(vm, CR0, 0x80000011);
	vm_put(vm, DR7, 0x400);
	vm_put(vm, DR6, 0xffff0ff0);
	vm_put(vm, RFLAGS, 2);
	vm_put(vm, RIP, AT_CODE + (uint64_t)(code_vmrun_guest - code_vmrun));
	vm_put(vm, RSP, AT_STACK - 0x800);
	vm_put(vm, PAT, 0x0007040600070406);
}

static int setup(struct vm *vm, const struct args *a)
{
	(void)a;
	fill(vm);
	vm->regs.r14 = VMCB;
	vm->regs.r15 = HSAVE;
	vm->regs.rsi = 1;
	vm->regs.rdi = AT_TIMES;
	/* a guest that cannot be entered comes back too, at another speed */
	if (vm_run(vm) < 0)
		return -1;
	if (vm_get(vm, EXIT_CODE) == EXIT_VMMCALL)
		return 0;
	fprintf(stderr, "guest-payload: VMRUN came back with exit code %#llx\n",
		(unsigned long long)vm_get(vm, EXIT_CODE));
	return -1;
}

const struct payload payload_vmrun = { "vmrun", code_vmrun, code_vmrun_end, .batch = 10,
				       .setup = setup };
