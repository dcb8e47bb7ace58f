// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/arch/arch.h"
#include "boot/build/sandbox.h"
#include "core/base/oid.h"

/*
 * Digest of what compiler and linker say they are, asked where builds run: gcc and ld, or
 * with llvm clang and ld.lld. ERR_TOOL_MISSING names the one that is absent and the
 * package that has it.
 */
_must_check_ int toolchain_digest(const struct sandbox *s, const struct arch *a,
				  bool llvm, struct oid *ret, struct err *e);
