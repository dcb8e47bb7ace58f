// SPDX-License-Identifier: GPL-3.0-or-later
/* The file of a module, as a hostile build may leave it. */
#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "boot/build/module-info.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_close_ int fd = memfd_create("module", MFD_CLOEXEC);
	_cleanup_module_info_ struct module_info m = { 0 };
	_cleanup_err_ struct err e = { 0 };

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return 0;
	if (module_info_read_fd(fd, "module", &m, &e) < 0) {
		assert(e.code && !m.name && !m.depends.nr && !m.build_id);
		return 0;
	}
	/* both become names of files */
	assert(*m.name && !strpbrk(m.name, "/.-\n "));
	for (size_t i = 0; i < m.depends.nr; i++)
		assert(*m.depends.v[i] && !strpbrk(m.depends.v[i], "/.-\n "));
	return 0;
}
