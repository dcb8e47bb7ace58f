// SPDX-License-Identifier: GPL-3.0-or-later
/* Reports of trouble: every class, titles that repeat, callers, self-tests, hostile bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/console/console.h"
#include "boot/console/splat.h"
#include "boot/console/title.h"
#include "core/base/alloc.h"

/* One line as kernels write it, its class and its title. */
static const struct {
	const char *line, *class, *title;
} samples[] = {
	{ "Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b",
	  "panic", "Kernel panic - not syncing: Attempted to kill init" },
	{ "PANIC: early exception 0x0e IP 10:ffffffff81a3c2f1 error 0 cr2 0x8",
	  "early-exception", "PANIC: early exception" },
	{ "PANIC: double fault, error_code: 0x0", "panic-double-fault",
	  "PANIC: double fault" },
	{ "traps: PANIC: double fault, error_code: 0x0", "panic-double-fault",
	  "PANIC: double fault" },
	{ "BUG: KASAN: use-after-free in svm_leave_nested+0x1f/0x90 [kvm_amd]",
	  "kasan-use-after-free",
	  "BUG: KASAN: use-after-free in svm_leave_nested [kvm_amd]" },
	{ "BUG: KASAN: slab-use-after-free in f+0x1/0x2", "kasan-use-after-free",
	  "BUG: KASAN: slab-use-after-free in f" },
	{ "BUG: KASAN: slab-out-of-bounds in f.constprop.0+0x1/0x2",
	  "kasan-out-of-bounds", "BUG: KASAN: slab-out-of-bounds in f" },
	{ "BUG: KASAN: null-ptr-deref in f+0x1/0x2", "kasan-null-ptr-deref",
	  "BUG: KASAN: null-ptr-deref in f" },
	{ "BUG: KASAN: wild-memory-access in f+0x1/0x2", "kasan-wild-access",
	  "BUG: KASAN: wild-memory-access in f" },
	{ "BUG: KASAN: invalid-free in f+0x1/0x2", "kasan-invalid-free",
	  "BUG: KASAN: invalid-free in f" },
	{ "BUG: KASAN: double-free in f+0x1/0x2", "kasan-invalid-free",
	  "BUG: KASAN: double-free in f" },
	{ "BUG: KASAN: something-new in f+0x1/0x2", "kasan",
	  "BUG: KASAN: something-new in f" },
	{ "KASAN: null-ptr-deref in range [0x0000000000000008-0x000000000000000f]",
	  "kasan", "KASAN" },
	{ "BUG: KMSAN: uninit-value in f+0x1/0x2", "kmsan",
	  "BUG: KMSAN: uninit-value in f" },
	{ "BUG: KCSAN: data-race in f / g", "kcsan", "BUG: KCSAN: data-race in f / g" },
	{ "BUG: KFENCE: memory corruption in f+0x1/0x2", "kfence",
	  "BUG: KFENCE: memory corruption in f" },
	{ "BUG: kernel NULL pointer dereference, address: 0000000000000008", "null-deref",
	  "BUG: kernel NULL pointer dereference" },
	{ "BUG: unable to handle kernel NULL pointer dereference at 0008", "null-deref",
	  "BUG: kernel NULL pointer dereference" },
	{ "BUG: unable to handle page fault for address: ffffc90000b51000", "page-fault",
	  "BUG: unable to handle page fault" },
	{ "BUG: unable to handle kernel paging request at ffffc90000b51000", "page-fault",
	  "BUG: unable to handle page fault" },
	{ "BUG: soft lockup - CPU#1 stuck for 22s! [kiln:1]", "soft-lockup",
	  "BUG: soft lockup" },
	{ "watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [swapper/0:1]",
	  "soft-lockup", "BUG: soft lockup" },
	{ "NMI watchdog: Watchdog detected hard LOCKUP on cpu 3", "hard-lockup",
	  "BUG: hard lockup" },
	{ "watchdog: Watchdog detected hard LOCKUP on cpu 0", "hard-lockup",
	  "BUG: hard lockup" },
	{ "BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 43s!",
	  "workqueue-lockup", "BUG: workqueue lockup" },
	{ "BUG: scheduling while atomic: kiln/123/0x00000002", "atomic-schedule",
	  "BUG: scheduling while atomic" },
	{ "BUG: sleeping function called from invalid context at mm/page_alloc.c:5123",
	  "atomic-sleep",
	  "BUG: sleeping function called from invalid context at mm/page_alloc.c" },
	{ "BUG: spinlock bad magic on CPU#0, swapper/1", "spinlock",
	  "BUG: spinlock bad magic" },
	{ "BUG: rwlock recursion on CPU#0, swapper/1", "spinlock",
	  "BUG: rwlock recursion" },
	{ "BUG: bad unlock balance detected!", "unlock-balance",
	  "bad unlock balance detected" },
	{ "BUG: MAX_LOCKDEP_CHAINS too low!", "lockdep-limit",
	  "BUG: MAX_LOCKDEP_CHAINS too low" },
	{ "BUG: MAX_STACK_TRACE_ENTRIES too low!", "lockdep-limit",
	  "BUG: MAX_STACK_TRACE_ENTRIES too low" },
	{ "BUG: stack guard page was hit at 00000000c1b2 (stack is 0000..0000)",
	  "stack-guard", "BUG: stack guard page was hit" },
	{ "BUG: TASK stack guard page was hit at 00000000c1b2", "stack-guard",
	  "BUG: stack guard page was hit" },
	{ "BUG: Bad page state in process kiln  pfn:12345", "bug",
	  "BUG: Bad page state in process kiln pfn:N" },
	{ "kernel BUG at arch/x86/kvm/mmu/mmu.c:99!", "kernel-bug",
	  "kernel BUG at arch/x86/kvm/mmu/mmu.c" },
	{ "general protection fault, probably for non-canonical address 0xdead: 0000 "
	  "[#1]",
	  "general-protection", "general protection fault" },
	{ "traps: general protection fault in f+0x1/0x2", "general-protection",
	  "general protection fault in f" },
	{ "stack segment: 0000 [#1] SMP", "stack-segment", "stack segment fault" },
	{ "double fault: 0000 [#1] SMP", "double-fault", "double fault" },
	{ "divide error: 0000 [#1] SMP", "divide-error", "divide error" },
	{ "invalid opcode: 0000 [#1] SMP", "invalid-opcode", "invalid opcode" },
	{ "int3: 0000 [#1] SMP", "int3", "int3" },
	{ "Oops: 0002 [#1] SMP NOPTI", "oops", "Oops" },
	{ "Unable to handle kernel paging request at virtual address ffff800012345678",
	  "arm-fault", "Unable to handle kernel paging request at virtual address N" },
	{ "Internal error: Oops: 0000000096000004 [#1] SMP", "arm-error",
	  "Internal error: Oops: N" },
	{ "Unhandled fault: external abort on non-linefetch (0x808) at 0xb6f00000",
	  "arm-fault", "Unhandled fault: external abort on non-linefetch (N) at N" },
	{ "kernel tried to execute NX-protected page - exploit attempt? (uid: 0)", "nx",
	  "kernel tried to execute NX-protected page - exploit attempt? (uid: N)" },
	{ "list_add corruption. prev->next should be next (ffff8880), but was 0.",
	  "list-corruption", "list_add corruption" },
	{ "list_del corruption, ffff888012345678->next is NULL", "list-corruption",
	  "list_del corruption" },
	{ "VFS: Busy inodes after unmount of loop0. Self-destruct in 5 seconds.",
	  "vfs-busy", "VFS: busy inodes after unmount" },
	{ "unregister_netdevice: waiting for lo to become free. Usage count = 2",
	  "unregister-netdevice", "unregister_netdevice: waiting for a device" },
	{ "irq 16: nobody cared (try booting with the \"irqpoll\" option)",
	  "irq-nobody-cared", "irq: nobody cared" },
	{ "INFO: task kworker/0:1:12 blocked for more than 120 seconds.", "hung-task",
	  "INFO: task blocked" },
	{ "INFO: rcu_preempt detected stalls on CPUs/tasks:", "rcu-stall",
	  "INFO: rcu detected stall" },
	{ "INFO: rcu_sched self-detected stall on CPU", "rcu-stall",
	  "INFO: rcu detected stall" },
	{ "rcu: INFO: rcu_preempt self-detected stall on CPU", "rcu-stall",
	  "INFO: rcu detected stall" },
	{ "rcu: INFO: rcu_sched detected stalls on CPUs/tasks:", "rcu-stall",
	  "INFO: rcu detected stall" },
	{ "rcu: INFO: rcu_sched detected expedited stalls on CPUs/tasks: { 1-... }",
	  "rcu-stall", "INFO: rcu detected expedited stall" },
	{ "INFO: rcu_sched detected expedited stalls on CPUs/tasks: { 1-... }",
	  "rcu-stall", "INFO: rcu detected expedited stall" },
	{ "INFO: trying to register non-static key.", "static-key",
	  "INFO: trying to register non-static key" },
	{ "kvm_spurious_fault+0x5/0x10", "kvm-spurious-fault", "kvm_spurious_fault" },
	{ "KVM: entry failed, hardware error 0x80000021", "kvm-entry-failed",
	  "KVM: entry failed, hardware error N" },
	{ "KVM internal error. Suberror: 1", "kvm-internal-error",
	  "KVM internal error. Suberror: N" },
	{ "internal error: KVM_INTERNAL_ERROR_EMULATION", "kvm-internal-error",
	  "internal error: KVM_INTERNAL_ERROR_EMULATION" },
	{ "*** Guest State ***", "kvm-guest-state", "KVM: dump of the guest state" },
	{ "kvm_intel: VMCS 00000000ab, last attempted VM-entry on CPU 0",
	  "kvm-guest-state", "KVM: dump of the guest state" },
	{ "SVM: VMCB 00000000ab, last attempted VMRUN on CPU 0", "kvm-guest-state",
	  "KVM: dump of the guest state" },
	{ "WARNING: possible circular locking dependency detected", "lockdep-circular",
	  "possible circular locking dependency" },
	{ "WARNING: possible recursive locking detected", "lockdep-recursive",
	  "possible recursive locking" },
	{ "WARNING: possible irq lock inversion dependency detected", "lockdep-irq",
	  "possible irq lock inversion" },
	{ "WARNING: inconsistent lock state", "lockdep-state",
	  "inconsistent lock state" },
	{ "WARNING: suspicious RCU usage", "rcu-usage", "suspicious RCU usage" },
	{ "WARNING: bad unlock balance detected!", "unlock-balance",
	  "bad unlock balance detected" },
	{ "WARNING: lock held when returning to user space!", "lock-held",
	  "lock held when returning" },
	{ "WARNING: held lock freed!", "lock-held", "held lock freed" },
	{ "WARNING: CPU: 0 PID: 1 at arch/x86/kvm/svm/nested.c:123 f.isra.0+0x1/0x2",
	  "warning", "WARNING in f" },
	{ "WARNING: CPU: 0 PID: 39 at arch/x86/kvm/x86.c:12 0xffffffff81012345",
	  "warning", "WARNING at arch/x86/kvm/x86.c" },
	{ "WARNING: can't dereference registers at 00000000 for ip f+0x1/0x2", "warning",
	  "WARNING: can't dereference registers at N for ip f" },
	{ "refcount_t: underflow; use-after-free.", "refcount",
	  "refcount_t: underflow; use-after-free." },
	{ "UBSAN: array-index-out-of-bounds in fs/f.c:12:3", "ubsan",
	  "UBSAN: array-index-out-of-bounds in fs/f.c:N" },
	{ "unreferenced object 0xffff888012345678 (size 64):", "leak", "memory leak" },
	{ "kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)",
	  "leak", "memory leak" },
	{ "unchecked MSR access error: RDMSR from 0x123 at rIP: 0xffffffff (f+0x1/0x2)",
	  "msr", "unchecked MSR access error in f" },
	{ "kvm [123]: vcpu0, guest rIP: 0xfff0 unhandled rdmsr: 0x140",
	  "kvm-unhandled-msr", "kvm [N]: vcpu0, guest rIP: N unhandled rdmsr: N" },
	{ "kvm [123]: vcpu1, guest rIP: 0xfff0 unhandled wrmsr: 0x140 data 0x0",
	  "kvm-unhandled-msr", NULL },
	{ "kvm [123]: vcpu0, guest rIP: 0xfff0 ignored rdmsr: 0x140", "kvm-unhandled-msr",
	  NULL },
	{ "kvm [123]: vcpu0, guest rIP: 0xfff0 ignored wrmsr: 0x140", "kvm-unhandled-msr",
	  NULL },
	{ "kvm: vcpu 0: requested 128 ns lapic timer period limited to 500000 ns",
	  "kvm-vcpu", NULL },
	{ "kvm [9]: vcpu0 hit something", "kvm-vcpu", NULL },
	{ "L1TF CPU bug present and SMT on, data leak possible.", "kvm-l1tf", NULL },
	{ "SVM: kvm: FIXME: unhandled", "kvm-fixme", NULL },
	{ "mce: [Hardware Error]: Machine check events logged", "hardware-error", NULL },
	{ "[Hardware Error]: CPU 3: Machine Check Exception: 5", "hardware-error", NULL },
	{ "{1}[Hardware Error]: event severity: fatal", "hardware-error", NULL },
	{ "mce: CPU3: Machine Check", "hardware-error", NULL },
	{ "kvm_intel: VMX not supported by CPU 0", "kvm-not-supported", NULL },
	{ "kvm_intel: VMX disabled by BIOS", "kvm-not-supported", NULL },
	{ "kvm_amd: SVM not supported by CPU 0, not amd or hygon", "kvm-not-supported",
	  NULL },
	{ "kvm_amd: SVM disabled by BIOS", "kvm-not-supported", NULL },
	{ "kvm: no hardware support for 'kvm_intel'", "kvm-not-supported", NULL },
	{ "kvm: support for 'kvm_amd' disabled by bios", "kvm-not-supported", NULL },
	{ "kvm: disabled by bios", "kvm-not-supported", NULL },
	{ "has_svm: not amd or hygon", "kvm-not-supported", NULL },
};

static void feed(struct console *c, const char *s)
{
	console_feed(c, s, strlen(s));
}

/* B7: each line is its class, alone and behind a prefix, and its title repeats. */
static void b7_classes(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		_cleanup_console_ struct console c = { 0 };
		const struct splat_class *class = splat_classify(samples[i].line);
		const struct console_mark *m;

		if (!class)
			fail_msg("no class: %s", samples[i].line);
		assert_string_equal(class->name, samples[i].class);
		feed(&c, "<4>[   12.345678][  T123] ");
		feed(&c, samples[i].line);
		feed(&c, "\n");
		m = console_next(&c);
		assert_non_null(m);
		assert_string_equal(m->class, samples[i].class);
		assert_string_equal(m->text, samples[i].line);
		if (samples[i].title)
			assert_string_equal(m->title, samples[i].title);
	}
}

/* B7: no row of the table is without its line above, and none is hidden by another. */
static void b7_every_row_is_reached(void **state)
{
	const struct splat_class *row;

	(void)state;
	for (size_t i = 0; (row = splat_row(i)); i++) {
		bool reached = false;

		for (size_t k = 0; k < ARRAY_SIZE(samples) && !reached; k++)
			reached = splat_classify(samples[k].line) == row;
		if (!reached)
			fail_msg("no sample reaches '%s'", row->pattern);
	}
}

/* Addresses, numbers, processors and builds differ; titles do not. */
static void titles_repeat(void **state)
{
	static const char *const pairs[][2] = {
		{ "WARNING: CPU: 0 PID: 1 at a/b.c:10 f+0x1/0x2",
		  "WARNING: CPU: 3 PID: 999 at a/b.c:12 f.isra.7+0x9/0x20" },
		{ "BUG: KASAN: use-after-free in f+0x1/0x2 [kvm]",
		  "BUG: KASAN: use-after-free in f.part.1+0x123/0x456 [kvm]" },
		{ "BUG: scheduling while atomic: a/1/0x2",
		  "BUG: scheduling while atomic: b/2/0x3" },
		{ "kernel BUG at mm/slub.c:305!", "kernel BUG at mm/slub.c:379!" },
		{ "BUG: Bad page state in process a  pfn:12345",
		  "BUG: Bad page state in process a  pfn:99" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		const char *one = pairs[i][0], *two = pairs[i][1];
		_cleanup_free_ char *a = title_of(splat_classify(one), one);
		_cleanup_free_ char *b = title_of(splat_classify(two), two);

		assert_string_equal(a, b);
	}
}

static void expect(struct console *c, enum console_event event, unsigned int report,
		   const char *title)
{
	const struct console_mark *m = console_next(c);

	assert_non_null(m);
	assert_int_equal(m->event, event);
	assert_int_equal(m->report, report);
	assert_string_equal(m->title, title);
}

/* A report's head has several lines; its place comes later and makes the title better. */
static void one_report(void **state)
{
	_cleanup_console_ struct console c = { 0 };

	(void)state;
	feed(&c,
	     "[    2.000001][   T55] BUG: kernel NULL pointer dereference, address: 08\n"
	     "[    2.000002][   T55] #PF: supervisor read access in kernel mode\n"
	     "[    2.000003][   T55] Oops: 0000 [#1] SMP\n"
	     "[    2.000004][   T55] RIP: 0010:nested_svm_vmexit+0x10/0x200\n"
	     "[    2.000005][   T55] RIP: 0010:other+0x10/0x200\n"
	     "[    2.000006][   T55] ---[ end trace 0000000000000000 ]---\n"
	     "[    2.000007][   T55] WARNING: CPU: 0 PID: 55 at a/b.c:1 g+0x1/0x2\n");
	expect(&c, CONSOLE_OOPS, 1, "BUG: kernel NULL pointer dereference");
	expect(&c, CONSOLE_OOPS, 1, "Oops");
	expect(&c, CONSOLE_PLACE, 1,
	       "BUG: kernel NULL pointer dereference in nested_svm_vmexit");
	expect(&c, CONSOLE_WARN, 2, "WARNING in g");
	assert_null(console_next(&c));
}

/* Two processors report at once: PRINTK_CALLER tells whose line is whose. */
static void interleaved_callers(void **state)
{
	_cleanup_console_ struct console c = { 0 };

	(void)state;
	feed(&c, "[    2.0][   T10] general protection fault: 0000 [#1] SMP\n"
		 "[    2.0][    C1] watchdog: BUG: soft lockup - CPU#1 stuck for 22s!\n"
		 "[    2.0][    C1] RIP: 0010:spinner+0x1/0x2\n"
		 "[    2.0][   T10] RIP: 0010:faulter+0x1/0x2\n");
	expect(&c, CONSOLE_OOPS, 1, "general protection fault");
	expect(&c, CONSOLE_OOPS, 2, "BUG: soft lockup");
	expect(&c, CONSOLE_PLACE, 2, "BUG: soft lockup in spinner");
	expect(&c, CONSOLE_PLACE, 1, "general protection fault in faulter");
	assert_null(console_next(&c));
}

/* Reports a kernel provokes to test itself are none, but a panic always is one. */
static void self_tests_are_left_out(void **state)
{
	_cleanup_console_ struct console c = { 0 };

	(void)state;
	feed(&c,
	     "[    0.1] | Locking API testsuite:\n"
	     "[    0.1] WARNING: possible recursive locking detected\n"
	     "[    0.1] Good, all 358 testcases passed! |\n"
	     "[    0.2] ====[ backtrace testing ]===========\n"
	     "[    0.2] WARNING: CPU: 0 PID: 1 at kernel/backtracetest.c:1 f+0x1/0x2\n"
	     "[    0.2] ====[ end of backtrace testing ]====\n"
	     "[    0.3]     # Subtest: kasan\n"
	     "[    0.3] BUG: KASAN: slab-out-of-bounds in kmalloc_oob_right+0x1/0x2\n"
	     "[    0.3]     ok 1 - kmalloc_oob_right\n"
	     "[    0.3] BUG: KASAN: double-free in kfree_twice+0x1/0x2\n"
	     "[    0.3] ok 1 - kasan\n");
	assert_null(console_next(&c));
	feed(&c, "[    0.4] BUG: KASAN: double-free in real+0x1/0x2\n");
	expect(&c, CONSOLE_OOPS, 1, "BUG: KASAN: double-free in real");
	feed(&c, "[    0.5]     # Subtest: kfence\n"
		 "[    0.5] BUG: KFENCE: out-of-bounds read in test+0x1/0x2\n"
		 "[    0.5] Kernel panic - not syncing: panic_on_warn set ...\n");
	expect(&c, CONSOLE_PANIC, 1, "Kernel panic - not syncing: panic_on_warn set ...");
}

/* D: a self-test that is never over does not hide the next kernel's trouble. */
static void unfinished_self_test(void **state)
{
	_cleanup_console_ struct console c = { 0 };

	(void)state;
	feed(&c, "[    0.1] | Locking API testsuite:\n"
		 "[    0.0] Linux version 6.1\n"
		 "[    0.4] BUG: Bad page map\n");
	assert_int_equal(console_next(&c)->event, CONSOLE_BANNER);
	expect(&c, CONSOLE_OOPS, 1, "BUG: Bad page map");
}

/* What programs print is no report, once the kernel is known to stamp its lines. */
static void user_text_is_no_report(void **state)
{
	_cleanup_console_ struct console c = { 0 };

	(void)state;
	feed(&c, "[    0.000000][    T0] Linux version 6.1\n"
		 "BUG: I am a program\n"
		 "Kernel panic - not syncing: so am I\n"
		 "Linux version 7\n"
		 "# [    3.000000][   T77] BUG: behind a prompt\n");
	assert_int_equal(console_next(&c)->event, CONSOLE_BANNER);
	expect(&c, CONSOLE_OOPS, 1, "BUG: behind a prompt");
	assert_null(console_next(&c));
}

/* 16 MiB of each kind of flood: bounded marks, bounded memory, and it ends. */
static void floods(void **state)
{
	static const char *const units[] = {
		"BUG: flood\n",
		"\n",
		"[",
		"[ 1.0] [",
		"\x1b[31m",
		"%",
		"kvm [kvm [kvm [vcpu vcpu",
		"[    1.000000][    C1] WARNING: CPU: 0 PID: 1 at a.c:1 f+0x1/0x2\n",
	};
	_cleanup_free_ char *block = xzalloc(65536);

	(void)state;
	for (size_t u = 0; u < ARRAY_SIZE(units); u++) {
		_cleanup_console_ struct console c = { 0 };
		size_t n = strlen(units[u]);

		for (size_t i = 0; i < 65536; i++)
			block[i] = units[u][i % n];
		for (int i = 0; i < 256; i++)
			console_feed(&c, block, 65536);
		assert_true(c.nr <= CONSOLE_MARKS_MAX);
		assert_true(c.line.len <= CONSOLE_LINE_MAX && c.line.cap < 65536);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(b7_classes),
		cmocka_unit_test(b7_every_row_is_reached),
		cmocka_unit_test(titles_repeat),
		cmocka_unit_test(one_report),
		cmocka_unit_test(interleaved_callers),
		cmocka_unit_test(self_tests_are_left_out),
		cmocka_unit_test(unfinished_self_test),
		cmocka_unit_test(user_text_is_no_report),
		cmocka_unit_test(floods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
