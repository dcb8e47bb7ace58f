// SPDX-License-Identifier: GPL-3.0-or-later
/* Bytes as the notes of a kernel, and as its vmlinux. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "boot/build/build.h"
#include "boot/build/elf.h"
#include "core/base/fs.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *id = NULL, *elf_id = NULL;
	_cleanup_close_ int fd = memfd_create("vmlinux", MFD_CLOEXEC);

	if (build_id_of_notes(data, size, &id, &e) < 0)
		err_release(&e);
	if (fd >= 0 && fs_write_fd(fd, data, size, &e) == 0 &&
	    elf_build_id(fd, "vmlinux", &elf_id, &e) < 0)
		err_release(&e);
	return 0;
}
