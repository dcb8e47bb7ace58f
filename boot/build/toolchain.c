// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/toolchain.h"

#include <string.h>

#include "core/base/alloc.h"
#include "core/base/spawn.h"
#include "core/git/repo.h"

/* Append the first line of `TOOL --version`. */
static int add_version(const struct sandbox *s, const char *tool, struct buf *ret,
		       struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;
	struct spawn p = { .argv = &argv, .timeout_ms = 60000, .out = &out };
	int status;

	sandbox_argv(s, &argv);
	strv_addl(&argv, tool, "--version", NULL);
	if (spawn_run(&p, &status, NULL, e) < 0)
		return -(int)e->code;
	if (status == 127)
		return err_set(e, ERR_TOOL_MISSING, "program '%s' not found", tool);
	if (status)
		return err_set(e, ERR_TOOL_FAILED, "'%s --version' ended with status %d",
			       tool, status);
	buf_add(ret, buf_str(&out), strcspn(buf_str(&out), "\n"));
	buf_addc(ret, '\n');
	return 0;
}

static int missing(const struct arch *a, bool llvm, struct err *e)
{
	if (e->code == ERR_TOOL_MISSING && llvm)
		err_hint(e, "install clang, lld and llvm, or build without --llvm");
	else if (e->code == ERR_TOOL_MISSING && *arch_prefix(a))
		err_hint(e, "install %s", a->packages);
	else if (e->code == ERR_TOOL_MISSING)
		err_hint(e, "install what builds a kernel: gcc make flex bison bc "
			    "libelf-dev libssl-dev lz4");
	return err_wrap(e, "cannot tell which toolchain builds");
}

int toolchain_digest(const struct sandbox *s, const struct arch *a, bool llvm,
		     struct oid *ret, struct err *e)
{
	const char *prefix = llvm ? "" : arch_prefix(a);
	_cleanup_free_ char *cc = xasprintf("%s%s", prefix, llvm ? "clang" : "gcc");
	_cleanup_free_ char *ld = xasprintf("%s%s", prefix, llvm ? "ld.lld" : "ld");
	const char *const tools[] = { cc, ld, "make" };
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		if (add_version(s, tools[i], &b, e) < 0)
			return missing(a, llvm, e);
	repo_digest(b.data, b.len, ret);
	return 0;
}
