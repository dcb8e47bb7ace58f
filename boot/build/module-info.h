// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a module says of itself: its name, what it needs, which build it is of. */
#include "core/base/err.h"
#include "core/base/strv.h"

/* Names have underscores where the file's name may have dashes: the kernel knows no
 * difference. Owned. */
struct module_info {
	char *name;
	struct strv depends;
	char *build_id; /* hex; NULL: it has none */
};

/*
 * Read the file of a module. ERR_TRUNCATED: it is no sound ELF file; ERR_NOT_FOUND: no
 * module, or what it says of itself cannot be.
 */
_must_check_ int module_info_read(const char *path, struct module_info *ret,
				  struct err *e);

/* The same of an open file; name is for errors. */
_must_check_ int module_info_read_fd(int fd, const char *name, struct module_info *ret,
				     struct err *e);

/* Dashes of a name become underscores. */
void module_name_fold(char *name);

void module_info_release(struct module_info *m);
#define _cleanup_module_info_ _cleanup_(module_info_release)
