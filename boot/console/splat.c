// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/console/splat.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/base.h"

#define PANIC(name, pattern, title)               \
	{                                         \
		name, SPLAT_PANIC, pattern, title \
	}
#define BUG(name, pattern, title)               \
	{                                       \
		name, SPLAT_BUG, pattern, title \
	}
#define WARN(name, pattern, title)               \
	{                                        \
		name, SPLAT_WARN, pattern, title \
	}
#define NOTE(name, pattern)                     \
	{                                       \
		name, SPLAT_NOTE, pattern, NULL \
	}
#define ENV(name, pattern)                     \
	{                                      \
		name, SPLAT_ENV, pattern, NULL \
	}

/* More special rows stand before more general ones. */
static const struct splat_class rows[] = {
	PANIC("panic", "Kernel panic - not syncing", NULL),
	/* an early exception, before there is a real panic() */
	PANIC("early-exception", "PANIC: early exception", "PANIC: early exception"),
	PANIC("panic-double-fault", "PANIC: double fault", "PANIC: double fault"),
	PANIC("panic-double-fault", "traps: PANIC: double fault", "PANIC: double fault"),

	BUG("kasan-use-after-free", "BUG: KASAN: use-after-free", NULL),
	BUG("kasan-use-after-free", "BUG: KASAN: slab-use-after-free", NULL),
	BUG("kasan-out-of-bounds", "BUG: KASAN: %-out-of-bounds", NULL),
	BUG("kasan-null-ptr-deref", "BUG: KASAN: null-ptr-deref", NULL),
	BUG("kasan-wild-access", "BUG: KASAN: wild-", NULL),
	BUG("kasan-invalid-free", "BUG: KASAN: invalid-free", NULL),
	BUG("kasan-invalid-free", "BUG: KASAN: double-free", NULL),
	BUG("kasan", "BUG: KASAN: ", NULL),
	BUG("kasan", "KASAN: ", "KASAN"),
	BUG("kmsan", "BUG: KMSAN: ", NULL),
	BUG("kcsan", "BUG: KCSAN: ", NULL),
	BUG("kfence", "BUG: KFENCE: ", NULL),
	BUG("null-deref", "BUG: kernel NULL pointer dereference",
	    "BUG: kernel NULL pointer dereference"),
	BUG("null-deref", "BUG: unable to handle kernel NULL pointer",
	    "BUG: kernel NULL pointer dereference"),
	BUG("page-fault", "BUG: unable to handle page fault",
	    "BUG: unable to handle page fault"),
	BUG("page-fault", "BUG: unable to handle kernel paging request",
	    "BUG: unable to handle page fault"),
	BUG("soft-lockup", "BUG: soft lockup", "BUG: soft lockup"),
	BUG("soft-lockup", "watchdog: BUG: soft lockup", "BUG: soft lockup"),
	BUG("hard-lockup", "NMI watchdog: Watchdog detected hard LOCKUP",
	    "BUG: hard lockup"),
	BUG("hard-lockup", "watchdog: Watchdog detected hard LOCKUP", "BUG: hard lockup"),
	BUG("workqueue-lockup", "BUG: workqueue lockup", "BUG: workqueue lockup"),
	BUG("atomic-schedule", "BUG: scheduling while atomic",
	    "BUG: scheduling while atomic"),
	BUG("atomic-sleep", "BUG: sleeping function called from invalid context", NULL),
	BUG("spinlock", "BUG: spinlock ", NULL),
	BUG("spinlock", "BUG: rwlock ", NULL),
	BUG("unlock-balance", "BUG: bad unlock balance detected",
	    "bad unlock balance detected"),
	BUG("lockdep-limit", "BUG: MAX_LOCKDEP_", NULL),
	BUG("lockdep-limit", "BUG: MAX_STACK_TRACE_ENTRIES", NULL),
	BUG("stack-guard", "BUG: stack guard page was hit",
	    "BUG: stack guard page was hit"),
	BUG("stack-guard", "BUG: TASK stack guard page was hit",
	    "BUG: stack guard page was hit"),
	BUG("bug", "BUG: ", NULL),
	BUG("kernel-bug", "kernel BUG at ", NULL),
	BUG("general-protection", "general protection fault", "general protection fault"),
	BUG("general-protection", "traps: general protection fault",
	    "general protection fault"),
	BUG("stack-segment", "stack segment: ", "stack segment fault"),
	BUG("double-fault", "double fault: ", "double fault"),
	BUG("divide-error", "divide error: ", "divide error"),
	BUG("invalid-opcode", "invalid opcode: ", "invalid opcode"),
	BUG("int3", "int3: ", "int3"),
	BUG("oops", "Oops: ", "Oops"),
	BUG("arm-fault", "Unable to handle kernel ", NULL),
	BUG("arm-error", "Internal error: ", NULL),
	BUG("arm-fault", "Unhandled fault: ", NULL),
	BUG("nx", "kernel tried to execute NX-protected page", NULL),
	BUG("list-corruption", "list_add corruption", "list_add corruption"),
	BUG("list-corruption", "list_del corruption", "list_del corruption"),
	BUG("vfs-busy", "VFS: Busy inodes after unmount",
	    "VFS: busy inodes after unmount"),
	BUG("unregister-netdevice", "unregister_netdevice: waiting for ",
	    "unregister_netdevice: waiting for a device"),
	BUG("irq-nobody-cared", "irq %: nobody cared", "irq: nobody cared"),
	BUG("hung-task", "INFO: task % blocked for more than ", "INFO: task blocked"),
	BUG("rcu-stall", "INFO: rcu_%detected stall", "INFO: rcu detected stall"),
	BUG("rcu-stall", "INFO: rcu_%detected expedited stall",
	    "INFO: rcu detected expedited stall"),
	BUG("rcu-stall", "rcu: INFO: rcu_%detected expedited stall",
	    "INFO: rcu detected expedited stall"),
	BUG("rcu-stall", "rcu: INFO: rcu_%detected stall", "INFO: rcu detected stall"),
	BUG("static-key", "INFO: trying to register non-static key",
	    "INFO: trying to register non-static key"),
	BUG("kvm-spurious-fault", "kvm_spurious_fault", NULL),
	BUG("kvm-entry-failed", "KVM: entry failed, hardware error", NULL),
	BUG("kvm-internal-error", "KVM internal error. Suberror:", NULL),
	BUG("kvm-internal-error", "internal error: KVM_INTERNAL_ERROR", NULL),
	BUG("kvm-guest-state", "*** Guest State ***", "KVM: dump of the guest state"),
	BUG("kvm-guest-state", "kvm_intel: VMCS %, last attempted VM-entry",
	    "KVM: dump of the guest state"),
	BUG("kvm-guest-state", "SVM: VMCB %, last attempted VMRUN",
	    "KVM: dump of the guest state"),

	WARN("lockdep-circular", "WARNING: possible circular locking dependency",
	     "possible circular locking dependency"),
	WARN("lockdep-recursive", "WARNING: possible recursive locking",
	     "possible recursive locking"),
	WARN("lockdep-irq", "WARNING: possible irq lock inversion",
	     "possible irq lock inversion"),
	WARN("lockdep-state", "WARNING: inconsistent lock state",
	     "inconsistent lock state"),
	WARN("rcu-usage", "WARNING: suspicious RCU usage", "suspicious RCU usage"),
	WARN("unlock-balance", "WARNING: bad unlock balance",
	     "bad unlock balance detected"),
	WARN("lock-held", "WARNING: lock held when returning",
	     "lock held when returning"),
	WARN("lock-held", "WARNING: held lock freed", "held lock freed"),
	WARN("warning", "WARNING: CPU: ", "WARNING"),
	WARN("warning", "WARNING: ", NULL),
	WARN("refcount", "refcount_t: ", NULL),
	WARN("ubsan", "UBSAN: ", NULL),
	WARN("leak", "unreferenced object ", "memory leak"),
	WARN("leak", "kmemleak: % new suspected memory leaks", "memory leak"),
	WARN("msr", "unchecked MSR access error: ", "unchecked MSR access error"),

	NOTE("kvm-unhandled-msr", "kvm [%]: vcpu%unhandled rdmsr"),
	NOTE("kvm-unhandled-msr", "kvm [%]: vcpu%unhandled wrmsr"),
	NOTE("kvm-unhandled-msr", "kvm [%]: vcpu%ignored rdmsr"),
	NOTE("kvm-unhandled-msr", "kvm [%]: vcpu%ignored wrmsr"),
	NOTE("kvm-vcpu", "kvm: vcpu"),
	NOTE("kvm-vcpu", "kvm [%]: vcpu"),
	NOTE("kvm-l1tf", "L1TF CPU bug present"),
	NOTE("kvm-fixme", "SVM: kvm: FIX%"),

	ENV("hardware-error", "mce: [Hardware Error]"),
	ENV("hardware-error", "[Hardware Error]"),
	ENV("hardware-error", "{%}[Hardware Error]"),
	ENV("hardware-error", "mce: CPU%: Machine Check"),
	NOTE("kvm-not-supported", "kvm_intel: VMX not supported"),
	NOTE("kvm-not-supported", "kvm_intel: %disabled by BIOS"),
	NOTE("kvm-not-supported", "kvm_amd: SVM not supported"),
	NOTE("kvm-not-supported", "kvm_amd: %disabled by BIOS"),
	NOTE("kvm-not-supported", "kvm: no hardware support"),
	NOTE("kvm-not-supported", "kvm: support for % disabled by bios"),
	NOTE("kvm-not-supported", "kvm: disabled by bios"),
	NOTE("kvm-not-supported", "has_svm: "),
};

/* Whether s begins as the pattern says. Going back to the last '%' is enough for
 * that: what an earlier one took never has to change. */
static bool begins(const char *s, const char *p)
{
	const char *star = NULL, *again = NULL;

	while (*p) {
		if (*p == '%') {
			star = p++;
			again = s;
		} else if (*s && *s == *p) {
			s++;
			p++;
		} else if (star && *again) {
			s = ++again;
			p = star + 1;
		} else {
			return false;
		}
	}
	return true;
}

const struct splat_class *splat_row(size_t i)
{
	return i < ARRAY_SIZE(rows) ? &rows[i] : NULL;
}

const struct splat_class *splat_classify(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (begins(text, rows[i].pattern))
			return &rows[i];
	return NULL;
}
