// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "boot/build/diagnose.h"
#include "boot/build/make.h"
#include "core/base/buf.h"

struct kase {
	const char *log;
	enum err_code code;
	const char *reason;
	bool vague;
};

static void check(const struct kase *c)
{
	_cleanup_diagnosis_ struct diagnosis d = { 0 };

	diagnose_log(c->log, "/kiln/src", &d);
	assert_int_equal(d.code, c->code);
	assert_string_equal(d.reason, c->reason);
	assert_int_equal(d.vague, c->vague);
}

static void test_kernel_fault(void **state)
{
	static const struct kase cases[] = {
		{ "  CC      a.o\n/kiln/src/arch/x86/kvm/svm/nested.c: In function 'f':\n"
		  "/kiln/src/arch/x86/kvm/svm/nested.c:12:3: error: 'x' undeclared\n"
		  "   12 |   x = 1;\n      |   ^\n"
		  "/kiln/src/b.c:1:1: error: second\n"
		  "make[3]: *** [/kiln/src/scripts/Makefile.build:250: a.o] Error 1\n",
		  ERR_NONE, "arch/x86/kvm/svm/nested.c:12:3: error: 'x' undeclared",
		  false },
		{ "/kiln/src/a.c:5:10: fatal error: foo.h: No such file or directory\n",
		  ERR_NONE, "a.c:5:10: fatal error: foo.h: No such file or directory",
		  false },
		{ "ld: vmlinux.o: in function `f':\nld: a.c:(.text+0x1): undefined "
		  "reference "
		  "to `g'\n",
		  ERR_NONE, "ld: a.c:(.text+0x1): undefined reference to `g'", false },
		{ "arch/x86/kvm/Kconfig:10: syntax error\nmake[1]: *** [x] Error 1\n",
		  ERR_NONE, "arch/x86/kvm/Kconfig:10: syntax error", false },
		{ "make[1]: *** No rule to make target 'x.c', needed by 'x.o'.  Stop.\n",
		  ERR_NONE,
		  "make[1]: *** No rule to make target 'x.c', needed by 'x.o'.  Stop.",
		  false },
		{ "a.c:1: internal compiler error: Segmentation fault\n", ERR_NONE,
		  "a.c:1: internal compiler error: Segmentation fault", false },
		{ "/kiln/src/a.S:3: Error: no such instruction: `foo'\n", ERR_NONE,
		  "a.S:3: Error: no such instruction: `foo'", false },
		/* a patch may write what a full disk writes */
		{ "/kiln/src/a.c:1:2: error: #error \"No space left on device\"\n"
		  "    1 | #error \"No space left on device\"\n",
		  ERR_NONE, "a.c:1:2: error: #error \"No space left on device\"", false },
		/* a tool of the tree is no tool of the host */
		{ "/bin/sh: 1: scripts/gone.sh: not found\nmake: *** [x] Error 127\n",
		  ERR_NONE, "make: *** [x] Error 127", true },
		{ "make: *** [Makefile:1: x] Error 1\n", ERR_NONE,
		  "make: *** [Makefile:1: x] Error 1", true },
		{ "ccache: error: strange\nmake: *** [x] Error 1\n", ERR_NONE,
		  "make: *** [x] Error 1", true },
		{ "", ERR_NONE, "make failed without a message", true },
		{ "a.c:1:1: error: \033[31mred\a\n", ERR_NONE,
		  "a.c:1:1: error:  [31mred ", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&cases[i]);
}

static void test_machine_fault(void **state)
{
	static const struct {
		const char *line;
		enum err_code code;
	} cases[] = {
		{ "gcc: fatal error: Killed signal terminated program cc1",
		  ERR_TOOL_FAILED },
		{ "make[2]: *** [scripts/Makefile.build:250: a.o] Killed",
		  ERR_TOOL_FAILED },
		{ "make[2]: *** [scripts/Makefile.build:250: a.o] Error 137",
		  ERR_TOOL_FAILED },
		{ "collect2: fatal error: ld terminated with signal 9 [Killed]",
		  ERR_TOOL_FAILED },
		{ "cc1: out of memory allocating 65536 bytes after a total of 1 bytes",
		  ERR_TOOL_FAILED },
		{ "make: fork: Cannot allocate memory", ERR_TOOL_FAILED },
		{ "ld: final link failed: No space left on device", ERR_DISK_FULL },
		{ "x.s: Fatal error: can't write 4 bytes to section .text of a.o: 'No "
		  "space "
		  "left on device'",
		  ERR_DISK_FULL },
		{ "fatal: unable to write file: Disk quota exceeded", ERR_DISK_FULL },
		{ "/bin/sh: 1: flex: not found", ERR_TOOL_MISSING },
		{ "make[1]: lz4: No such file or directory", ERR_TOOL_MISSING },
		{ "/kiln/src/tools/objtool/elf.h:10:10: fatal error: gelf.h: No such "
		  "file or "
		  "directory",
		  ERR_TOOL_MISSING },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_diagnosis_ struct diagnosis d = { 0 };
		_cleanup_buf_ struct buf log = BUF_INIT;

		/* An error of another job before it makes no difference. */
		buf_addf(&log, "a.c:1:1: error: broken\n%s\nmake: *** [x] Error 2\n",
			 cases[i].line);
		diagnose_log(buf_str(&log), NULL, &d);
		assert_int_equal(d.code, cases[i].code);
		assert_true(strlen(d.reason) > 0);
	}
}

static void test_bounded(void **state)
{
	_cleanup_diagnosis_ struct diagnosis d = { 0 };
	_cleanup_buf_ struct buf log = BUF_INIT;

	(void)state;
	buf_adds(&log, "a.c:1:1: error: ");
	for (int i = 0; i < 100000; i++)
		buf_addc(&log, 'x');
	diagnose_log(buf_str(&log), NULL, &d);
	assert_true(strlen(d.reason) < 1000);
}

static void test_objects(void **state)
{
	(void)state;
	assert_true(make_line_is_object("  CC      arch/x86/kvm/svm/nested.o"));
	assert_true(make_line_is_object("  AS      arch/x86/entry/entry.o"));
	assert_false(make_line_is_object("  LD      vmlinux"));
	assert_false(make_line_is_object("CC "));
	assert_false(make_line_is_object(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernel_fault),
		cmocka_unit_test(test_machine_fault),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_objects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
