// SPDX-License-Identifier: GPL-3.0-or-later
/* Files a hostile build may leave: vmlinux and its image. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/arch/arch.h"
#include "boot/build/code.h"
#include "boot/build/elf.h"
#include "core/base/cfg.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* An open one keeps libgit2, which digests, from starting anew for each of them. */
static struct cfg *held;

static __attribute__((constructor)) void hold(void)
{
	_cleanup_err_ struct err e = { 0 };

	if (cfg_open("/", NULL, &held, &e) < 0)
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_close_ int fd = memfd_create("vmlinux", MFD_CLOEXEC);
	_cleanup_free_ char *id = NULL, *code = NULL, *again = NULL;
	const struct buf none = BUF_INIT;
	struct built b = { .arch = arch_find("x86_64"),
			   .image_fd = fd,
			   .vmlinux_fd = fd };
	_cleanup_err_ struct err e = { 0 }, e2 = { 0 }, e3 = { 0 };

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return 0;
	if (elf_build_id(fd, "vmlinux", &id, &e) < 0)
		assert(e.code);
	if (code_digest(&b, &none, &code, &e2) < 0) {
		assert(e2.code && !code);
		return 0;
	}
	assert(code_digest(&b, &none, &again, &e3) == 0);
	assert(!strcmp(code, again));
	return 0;
}
