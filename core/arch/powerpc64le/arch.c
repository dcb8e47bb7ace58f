// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Little-endian POWER on QEMU's pseries machine, which is itself the lowest hypervisor:
 * the kernel under test runs guests through its nested hypercalls, and a guest of theirs
 * gets none of its own. Emulated always: KVM on a POWER host would have to nest twice.
 */
#include <elf.h>

#include "core/arch/rows.h"

/* What the machine offers against speculation differs by QEMU; TCG has nothing of it. */
#define MACHINE                                                                    \
	"pseries,cap-nested-hv=on,cap-cfpc=broken,cap-sbbc=broken,cap-ibs=broken," \
	"cap-ccf-assist=off"

/* rdinit and the rest as on any machine. The firmware has no other console. */
#define COMMON "console=hvc0 panic=-1 oops=panic mitigations=off rdinit=/init"

static const struct arch_qemu qemu = {
	.program = "qemu-system-ppc64",
	.package = "qemu-system-ppc",
	.check = "qemu-powerpc64le",
	.machine = MACHINE,
	.icount = "shift=1",
	.tcg_cpu = "POWER9",
	.memory_mib = 1024,
	.params = COMMON,
	.l0_params = "",
	.virtual_params = "",
	.guest_params = COMMON,
	/* 9p wants INET: some hundred objects more */
	.shares = false,
	.no_guests = "guests nest once, and the payload is that guest",
};

/* The only one. Hash paging has no nested guests. */
static const struct cell cells[] = { { "radix/-", "radix", "-", "", "" }, { 0 } };

static const struct paging_word paging[] = {
	{ "radix", "radix", "Radix" },
	{ "-", "-", "-" },
	{ 0 },
};

static const struct counter_row counters[] = {
	{ "kvm_hv:kvm_guest_exit", NULL, "exits of the guest" },
	{ "kvm_hv:kvm_guest_enter", NULL, "entries of the guest" },
	{ "kvm_hv:kvm_hcall_enter", NULL, "hypercalls of the guest" },
	{ "kvm_hv:kvm_hcall_exit", NULL, "hypercalls that the kernel answered" },
	{ "kvm_hv:kvm_page_fault_enter", NULL, "page faults that exit" },
	{ "stat:sum_exits", NULL, "exits, by KVM's statistics" },
	{ "stat:dec_exits", NULL, "exits for the host's own timers" },
	{ 0 },
};

static const char *const benchmarks[] = { "hypercall_rate", "hypercall_user_rate",
					  "dec_rate", "spin_rate", NULL };

static const char *const hot_paths[] = {
	"arch/powerpc/kvm/*",
	"virt/kvm/*",
	"arch/powerpc/include/asm/kvm*",
	"arch/powerpc/include/uapi/asm/kvm*",
	"include/linux/kvm*",
	NULL,
};

const struct arch arch_powerpc64le = {
	.name = "powerpc64le",
	.kbuild = "powerpc",
	.source = "powerpc",
	.machine = "ppc64le",
	.tools = "powerpc64le-linux-gnu-",
	.packages = "gcc-powerpc64le-linux-gnu",
	.check = "compiler-powerpc64le",
	.target = "vmlinux",
	.image = "vmlinux",
	.fragment = "powerpc64le.config",
	.elf = EM_PPC64,
	.refused = "CPU_BIG_ENDIAN",
	.refused_why = "kiln's powerpc64le is little endian",
	.qemu = &qemu,
	.libexec = "powerpc64le/",
	.agent_check = "agent-powerpc64le",
	.libexec_packages = "gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross",
	.cells = cells,
	.paging = paging,
	.cell_words =
		"the only cell of powerpc64le is radix/-: guests nest once, and the "
		"payload is that guest",
	.counters = counters,
	.benchmarks = benchmarks,
	.levels = 1 << 1,
	.hot_paths = hot_paths,
};
