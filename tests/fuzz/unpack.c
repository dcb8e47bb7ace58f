// SPDX-License-Identifier: GPL-3.0-or-later
/* Packed mailboxes: whatever the bytes are, unpacking ends and keeps its limit. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mail/spool.h"
#include "mail/unpack.h"

#define MAX ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_spool_ struct spool s = SPOOL_INIT;
	_cleanup_close_ int fd = memfd_create("packed", MFD_CLOEXEC);
	_cleanup_err_ struct err e = { 0 };

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET))
		return 0;
	if (unpack_fd(fd, "input", MAX, &s, &e) == 0 && e.code)
		abort();
	if (s.len > MAX)
		abort();
	return 0;
}
