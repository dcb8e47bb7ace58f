// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* How a build's modules come to the machine that runs its kernel: as files, and "order",
 * which names them in the order to load them in. */
#include <stdbool.h>

#include "boot/cpio.h"
#include "core/base/err.h"

/* Into an initramfs, as /modules; dir is the build's folder, NULL: it has none. */
_must_check_ int modules_pack(struct cpio *c, const char *dir, bool guest, struct err *e);

/* Into a folder that is copied to a machine of its own. The order is there even when it is
 * empty: it takes the place of an earlier boot's. */
_must_check_ int modules_share(const char *share, const char *dir, struct err *e);
