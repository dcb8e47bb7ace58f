// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "boot/build/sandbox.h"
#include "core/base/oid.h"

/*
 * Digest of what compiler and linker say they are, asked where builds run.
 * ERR_TOOL_MISSING names the one that is absent.
 */
_must_check_ int toolchain_digest(const struct sandbox *s, struct oid *ret,
				  struct err *e);
