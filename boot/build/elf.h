// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Reading ELF files a build left behind; their bytes are as untrusted as its sources. */
#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"

/* All n bytes at an offset, or ERR_TRUNCATED: a file cut short is no kernel. */
_must_check_ int elf_read_at(int fd, const char *name, void *p, size_t n, uint64_t at,
			     struct err *e);

/* The header of a 64-bit little-endian file with sane program headers. */
_must_check_ int elf_read_header(int fd, const char *name, Elf64_Ehdr *ret,
				 struct err *e);

/* Replace ret by the bytes of the first section of that name, at most 1 MiB.
 * ERR_NOT_FOUND: there is none. */
_must_check_ int elf_section(int fd, const char *name, const char *section,
			     struct buf *ret, struct err *e);

/* build_id_of_elf() of an open file; name is for errors. */
_must_check_ int elf_build_id(int fd, const char *name, char **ret, struct err *e);

/* ERR_NOT_FOUND when the file is no program of that e_machine. */
_must_check_ int elf_check_machine(int fd, const char *name, unsigned int machine,
				   struct err *e);
