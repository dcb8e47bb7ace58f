// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/running.h"

#include <sys/utsname.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

#define CONFIG_MAX (4 << 20)

static int unpack(const char *path, struct buf *ret, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;

	strv_addl(&argv, "gzip", "-dc", path, NULL);
	return spawn_check(&(struct spawn){ .argv = &argv,
					    .timeout_ms = 60000,
					    .out = ret,
					    .out_max = CONFIG_MAX },
			   e);
}

int running_config(const char *root, struct buf *ret, struct err *e)
{
	_cleanup_free_ char *packed = xasprintf("%s/proc/config.gz", root), *plain = NULL;
	struct utsname u;

	if (fs_exists(packed))
		return unpack(packed, ret, e);
	if (uname(&u) < 0)
		return err_set(e, ERR_NOT_FOUND, "the running kernel has no name");
	plain = xasprintf("%s/boot/config-%s", root, u.release);
	if (fs_exists(plain))
		return fs_read(plain, CONFIG_MAX, ret, e);
	err_set(e, ERR_NOT_FOUND,
		"the running kernel %s does not show its configuration: no "
		"/proc/config.gz, no /boot/config-%s",
		u.release, u.release);
	return err_hint(e, "copy its .config here and name the file");
}

int running_modules(const char *root, struct buf *ret, struct err *e)
{
	_cleanup_free_ char *path = xasprintf("%s/proc/modules", root);

	/* a kernel without modules has no such file */
	return fs_exists(path) ? fs_read(path, CONFIG_MAX, ret, e) : 0;
}
