// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/doctor-tool.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/safe.h"
#include "core/base/spawn.h"

#define TOO_LONG 100

static const struct tool tools[] = {
	{ "kexec", "kexec", "--version", "kexec-tools", "no kernel is entered by kexec",
	  true },
	{ "git", "git", "--version", "git", "no tree is unpacked", true },
	{ "make", "make", "--version", "make", "nothing is built", true },
	{ "flex", "flex", "--version", "flex", "no kernel is configured", true },
	{ "bison", "bison", "--version", "bison", "no kernel is configured", true },
	{ "bc", "bc", "--version", "bc", "no kernel is built", true },
	{ "lz4", "lz4", "--version", "lz4", "kiln's own configuration is not packed",
	  true },
	{ "ccache", "ccache", "--version", "ccache",
	  "what was compiled is compiled again", false },
	{ "clang", "clang", "--version", "clang", "no --llvm", false },
	{ "lld", "ld.lld", "--version", "lld", "no --llvm", false },
	{ "ssh", "ssh", "-V", "openssh-client", "no targets over ssh", false },
};

const struct tool *tool_at(unsigned int i)
{
	return i < ARRAY_SIZE(tools) ? &tools[i] : NULL;
}

char *tool_version(const char *program, const char *option)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT, tail = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct spawn s = { .argv = &argv, .timeout_ms = 20000, .out = &out };
	const char *text;
	int status;

	strv_addl(&argv, program, option, NULL);
	if (spawn_run(&s, &status, &tail, &e) < 0 || status)
		return NULL;
	text = out.len ? buf_str(&out) : buf_str(&tail);
	text += strspn(text, "\n* ");
	return safe_text(xasprintf("%.*s",
				   (int)(strcspn(text, "\n") < TOO_LONG
						 ? strcspn(text, "\n")
						 : TOO_LONG),
				   text),
			 false);
}
