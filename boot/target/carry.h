// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * A task's command on a machine that has nothing: a static program as it is, a dynamic one
 * with its loader and libraries, a script with its interpreter. Kernels need not know how
 * to start either: the command names the loader.
 */
#include "boot/target/program.h"
#include "core/base/buf.h"

struct carry {
	struct program binary; /* the program, or the script's interpreter */
	char *arg;	       /* of the interpreter, NULL: none */
	char *script;	       /* NULL: it is none */
};

/* ERR_TOOL_FAILED for what is neither a 64-bit ELF program nor a script. */
_must_check_ int carry_make(const char *path, struct carry *ret, struct err *e);

/*
 * Files to copy: from[i] on the host becomes to[i]. All names start with prefix; libraries
 * are in the folder prefix "lib".
 */
void carry_files(const struct carry *c, const char *prefix, struct strv *from,
		 struct strv *to);

/* The words of the command before its own arguments, with files at dir + prefix, each
 * ended by a NUL byte. */
void carry_words(const struct carry *c, const char *dir, const char *prefix,
		 struct buf *ret);

void carry_release(struct carry *c);
#define _cleanup_carry_ _cleanup_(carry_release)
