// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What the kernel that runs on this machine was configured with. */
#include "core/base/buf.h"
#include "core/base/err.h"

/*
 * The text of its .config, from proc/config.gz or boot/config-RELEASE below root ("/").
 * ERR_NOT_FOUND when it shows neither.
 */
_must_check_ int running_config(const char *root, struct buf *ret, struct err *e);

/* The modules it has loaded, a line each that begins with the name. */
_must_check_ int running_modules(const char *root, struct buf *ret, struct err *e);
