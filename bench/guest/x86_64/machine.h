// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The machine that payloads of x86-64 run on. */
#include "bench/guest/run/payload.h"

/*
 * Guest-physical memory. All of the first 4 GiB is mapped to itself by pages of 2 MiB,
 * but for what a payload asks to be mapped by small ones (vm_small_pages()).
 */
#define AT_CODE 0x1000
#define AT_GDT 0x3000
#define AT_IDT 0x4000
#define AT_STACK 0x6000 /* its end */
#define AT_PML4 0x10000
#define AT_PDPT 0x11000
#define AT_PD 0x12000 /* four of them */
#define AT_TIMES 0x20000
#define AT_FREE 0x80000	  /* of the payload's own, to AT_TABLES */
#define AT_TABLES 0xa0000 /* of small pages */
#define AT_DATA 0x200000
#define DATA_MAX (64UL << 20)
#define AT_NOTHING 0xd0000000UL /* no memory there */
#define AT_APIC 0xfee00000UL

#define PORT_DONE 0xf4

/*
 * The code of a payload. FIRST runs once a window, OP is one operation. They may use rax,
 * rbx, rcx, rdx, rbp and r11 to r15; what setup() put into registers is there at the
 * start. LAST is code that nothing falls into, handlers for example.
 */
#define PAYLOAD_CODE(name, first, op, last)               \
	asm(".pushsection .rodata\n"                      \
	    ".globl code_" #name ", code_" #name "_end\n" \
	    "code_" #name ":\n" first "\n"                \
	    "101: rdtsc\n"                                \
	    "shl $32, %rdx\n"                             \
	    "or %rdx, %rax\n"                             \
	    "mov %rax, %r8\n"                             \
	    "mov %r10, %r9\n"                             \
	    "102:\n" op "\n"                              \
	    "dec %r9\n"                                   \
	    "jnz 102b\n"                                  \
	    "rdtsc\n"                                     \
	    "shl $32, %rdx\n"                             \
	    "or %rdx, %rax\n"                             \
	    "sub %r8, %rax\n"                             \
	    "mov %rax, (%rdi)\n"                          \
	    "add $8, %rdi\n"                              \
	    "dec %rsi\n"                                  \
	    "jnz 101b\n"                                  \
	    "103: out %al, $0xf4\n"                       \
	    "jmp 103b\n" last "\n"                        \
	    "code_" #name "_end:\n"                       \
	    ".popsection\n");                             \
	extern const unsigned char code_##name[], code_##name##_end[]

extern const struct payload payload_cpuid, payload_hypercall, payload_rdmsr,
	payload_wrmsr, payload_pio, payload_mmio, payload_irq, payload_vmrun,
	payload_touch, payload_fault, payload_switch, payload_spin;

/*
 * A machine with that many bytes of memory, a multiple of 2 MiB, in 64-bit mode: KVM enters
 * a real-mode guest under shadow paging through another path, or not at all. Negative with
 * a message.
 */
int vm_open(struct vm *vm, size_t size, bool irqchip);

/* One KVM_RUN: its result, with errno; a signal ends it. */
int vm_enter(struct vm *vm);

/* Run from the start to the end of the code; exits to user space on the way are the
 * payload's work. Negative with a message. */
int vm_run(struct vm *vm);

/* Store a number in guest memory. */
void vm_put(struct vm *vm, uint64_t at, uint64_t value);
uint64_t vm_get(const struct vm *vm, uint64_t at);

/* Map bytes from AT_DATA on by pages of 4 KiB. */
void vm_small_pages(struct vm *vm, size_t bytes);

/* Take exceptions and interrupts of that number at the label of the code. */
void vm_handler(struct vm *vm, unsigned int vector, const unsigned char *code,
		const unsigned char *label);

/* Whether this processor is AMD's. */
bool vm_is_amd(void);
