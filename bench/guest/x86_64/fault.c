// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Page faults of the guest's own: a page is taken away and looked at, its handler maps it
 * again. With nested paging the hypervisor sees none of it; shadow paging sees it all.
 */
#include "bench/guest/x86_64/machine.h"

#define PAGES 64
#define PAGE_FAULT 14

PAYLOAD_CODE(fault, "",
	     "mov %r12, %rax\n"
	     "and $63, %eax\n"
	     "inc %r12\n"
	     "lea (%r13,%rax,8), %rbx\n" /* its entry in the page table */
	     "shl $12, %rax\n"
	     "add %r14, %rax\n"
	     "andq $-2, (%rbx)\n"
	     "invlpg (%rax)\n"
	     "mov (%rax), %edx",
	     "code_fault_handler:\n"
	     "orq $1, (%rbx)\n"
	     "add $8, %rsp\n" /* the error code */
	     "iretq");

extern const unsigned char code_fault_handler[];

static int setup(struct vm *vm, const struct args *a)
{
	(void)a;
	vm->regs.r13 = AT_TABLES;
	vm->regs.r14 = AT_DATA;
	vm_small_pages(vm, PAGES << 12);
	vm_handler(vm, PAGE_FAULT, code_fault, code_fault_handler);
	return 0;
}

const struct payload payload_fault = { "fault",	    code_fault,		 code_fault_end,
				       .batch = 10, .data = PAGES << 12, .setup = setup };
