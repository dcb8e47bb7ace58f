// SPDX-License-Identifier: GPL-3.0-or-later
/* x86-64: a q35 machine whose SVM or VMX nests; under emulation it is TCG's SVM. */
#include <elf.h>

#include "core/arch/rows.h"
#include "core/arch/x86_64/bzimage.h"
#include "core/arch/x86_64/kvm.h"

/*
 * An emulated processor that is the same for every QEMU version: what 7.2's TCG cannot do
 * is taken out by name, and enforce makes anything else missing an error instead of a
 * warning.
 */
#define TCG_CPU                                                                 \
	"EPYC,+svm,+npt,-rdseed,-sha-ni,-fxsr-opt,-misalignsse,-3dnowprefetch," \
	"-osvw,-topoext,-nrip-save,-xsavec,enforce"

/*
 * oops=panic: whatever an oops leaves behind is not worth measuring. panic=-1 resets at
 * once, and a reset is an end. reboot=t needs no device to do it.
 */
#define COMMON "console=ttyS0 panic=-1 oops=panic reboot=t mitigations=off rdinit=/init"

/*
 * L0 has a watchdog, which the agent feeds; what it does to a machine that hangs is to
 * send an interrupt that cannot be masked, so that the kernel shows where it is.
 */
#define WATCHDOG " unknown_nmi_panic kiln.watchdog=60"

/*
 * Calibrating the APIC timer and checking the PIT's takes 100 ms of virtual time spent in
 * reading the time, several seconds of the host's. The frequency given is exactly that of
 * the virtual clock; measured, it differs from boot to boot. And it is right by definition:
 * a host that is slow for a while makes the kernel distrust it, and count time by jiffies.
 */
#define VIRTUAL_CLOCK " nolapic_timer no_timer_check tsc_early_khz=1000000 tsc=reliable"

/* Whatever stops L0 before it has a console still shows. */
#define EARLY " earlycon=uart8250,io,0x3f8,115200n8"

static const char *const devices[] = { "-device", "i6300esb", "-action",
				       "watchdog=inject-nmi", NULL };

static const struct arch_qemu qemu = {
	.program = "qemu-system-x86_64",
	.package = "qemu-system-x86",
	.check = "qemu",
	.machine = "q35",
	.icount = "shift=1", /* virtual time is the number of instructions: 2^1 ns each */
	.tcg_cpu = TCG_CPU,
	.memory_mib = 1024,
	.devices = devices,
	.params = COMMON,
	.l0_params = WATCHDOG EARLY,
	.virtual_params = VIRTUAL_CLOCK,
	/* quiet: every byte of L1's console is an exit through all levels. A panic shows
	 * anyway. */
	.guest_params = COMMON " quiet",
	.kvm_nests = kvm_nests,
	.shares = true,
};

#define NPT_ON "kvm_amd.npt=1 kvm_intel.ept=1"
#define NPT_OFF "kvm_amd.npt=0 kvm_intel.ept=0"

/* Three of four: KVM offers nested paging to L1 only while it uses it itself. */
static const struct cell cells[] = {
	{ "npt/npt", "npt", "npt", NPT_ON, NPT_ON },
	{ "npt/shadow", "npt", "shadow", NPT_ON, NPT_OFF },
	{ "shadow/shadow", "shadow", "shadow", NPT_OFF, NPT_OFF },
	{ 0 },
};

/* L1 is the payload itself and pages nobody. */
static const struct cell direct[] = {
	{ "npt/-", "npt", "-", NPT_ON, "" },
	{ "shadow/-", "shadow", "-", NPT_OFF, "" },
	{ 0 },
};

static const struct paging_word paging[] = {
	{ "npt", "npt", "NPT" },
	{ "ept", "npt", "NPT" },
	{ "shadow", "shadow", "Shadow" },
	{ "-", "-", "-" },
	{ 0 },
};

static const struct counter_row counters[] = {
	{ "kvm:kvm_exit", NULL, "exits to L0, of L1 and of L2" },
	/* renamed when it came to serve VMX too */
	{ "kvm:kvm_nested_vmenter", "kvm:kvm_nested_vmrun", "entries of L2 for L1" },
	{ "kvm:kvm_nested_vmexit", NULL, "exits of L2" },
	{ "kvm:kvm_nested_vmexit_inject", NULL, "exits of L2 handed to L1" },
	{ "kvm:kvm_userspace_exit", NULL, "exits that go on to user space" },
	{ "kvm:kvm_page_fault", NULL, "page faults that exit" },
	{ "kvm:kvm_inj_virq", NULL, "interrupts injected" },
	{ "kvm:kvm_mmio", NULL, "accesses emulated" },
	{ "stat:exits", NULL, "exits, by KVM's statistics" },
	{ "stat:nested_run", NULL, "entries of L2, likewise" },
	{ "stat:tlb_flush", NULL, "TLB flushes" },
	{ "stat:pf_taken", NULL, "page faults taken" },
	{ "stat:insn_emulation", NULL, "instructions emulated" },
	{ 0 },
};

static const char *const benchmarks[] = {
	"cpuid_rate", "hypercall_rate",	  "rdmsr_rate",	     "wrmsr_rate",
	"pio_rate",   "mmio_rate",	  "irq_rate",	     "vmrun_rate",
	"touch_rate", "fault_rate",	  "switch_rate",     "spin_rate",
	"linux_boot", "linux_cpuid_rate", "linux_spin_rate", NULL
};

static const char *const hot_paths[] = {
	"arch/x86/kvm/*",
	"virt/kvm/*",
	"arch/x86/include/asm/kvm*",
	"arch/x86/include/asm/svm*",
	"arch/x86/include/asm/vmx*",
	"arch/x86/include/uapi/asm/kvm*",
	"arch/x86/include/uapi/asm/svm*",
	"arch/x86/include/uapi/asm/vmx*",
	"include/linux/kvm*",
	NULL,
};

const struct arch arch_x86_64 = {
	.name = "x86_64",
	.kbuild = "x86_64",
	.source = "x86",
	.machine = "x86_64",
	.tools = "x86_64-linux-gnu-",
	.packages = "gcc-x86-64-linux-gnu",
	.check = "compiler-x86_64",
	.target = "bzImage",
	.image = "arch/x86/boot/bzImage",
	.fragment = "embedded.config",
	.elf = EM_X86_64,
	.packed = "arch/x86/boot/compressed/vmlinux.bin",
	.payload = bzimage_payload,
	.qemu = &qemu,
	.libexec = "",
	.agent_check = "agent",
	.cells = cells,
	.direct = direct,
	.paging = paging,
	.cell_words = "cells are npt/npt, npt/shadow and shadow/shadow",
	.impossible = "shadow/npt",
	.impossible_why = "L1 gets nested paging only from an L0 that uses it",
	.impossible_hint = "measure shadow/shadow or npt/npt instead",
	.counters = counters,
	.benchmarks = benchmarks,
	.levels = 1 << 1 | 1 << 2,
	.hot_paths = hot_paths,
};
