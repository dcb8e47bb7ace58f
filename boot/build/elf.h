// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Reading ELF files a build left behind; their bytes are as untrusted as its sources. */
#include "core/base/err.h"

/* build_id_of_elf() of an open file; name is for errors. */
_must_check_ int elf_build_id(int fd, const char *name, char **ret, struct err *e);
