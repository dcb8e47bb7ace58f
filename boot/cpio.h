// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Initramfs archives (cpio "newc") made in memory, owned by root and with time 0, so that
 * the same contents give the same bytes. Names are relative paths; a file's folders come
 * before it.
 */
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"

struct cpio {
	struct buf out; /* the archive so far */
	uint32_t inode;
};

#define CPIO_INIT \
	{         \
		0 \
	}

/* Add a folder, a file from memory, a symbolic link, or a character device. Names of more
 * than 4095 bytes and files of 4 GiB or more are ERR_TOO_BIG. mode holds permission bits.
 */
_must_check_ int cpio_dir(struct cpio *c, const char *name, struct err *e);
_must_check_ int cpio_data(struct cpio *c, const char *name, unsigned int mode,
			   const struct buf *data, struct err *e);
_must_check_ int cpio_link(struct cpio *c, const char *name, const char *target,
			   struct err *e);
_must_check_ int cpio_chardev(struct cpio *c, const char *name, unsigned int major,
			      unsigned int minor, struct err *e);

/* Add the file at path, with its permission bits. */
_must_check_ int cpio_file(struct cpio *c, const char *name, const char *path,
			   struct err *e);

/* Write the trailer; the archive is then complete in c->out. */
void cpio_finish(struct cpio *c);

void cpio_release(struct cpio *c);
#define _cleanup_cpio_ _cleanup_(cpio_release)
