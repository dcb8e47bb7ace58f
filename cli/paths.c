// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/paths.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"

static char *if_exists(char *path)
{
	if (fs_exists(path))
		return path;
	free(path);
	return NULL;
}

char *paths_data(const char *name)
{
	const char *libexec = getenv("KILN_LIBEXEC");
	_cleanup_free_ char *exe = realpath("/proc/self/exe", NULL);
	char *slash = exe ? strrchr(exe, '/') : NULL, *path = NULL;

	if (libexec && *libexec)
		path = if_exists(fs_path(libexec, name));
	if (path || !slash)
		return path;
	*slash = '\0';
	path = if_exists(fs_path(exe, name));
	return path ? path : if_exists(xasprintf("%s/../libexec/kiln/%s", exe, name));
}

int paths_need(const char *name, char **ret, struct err *e)
{
	char *path = paths_data(name);

	if (!path) {
		err_set(e, ERR_NOT_FOUND, "kiln's own file '%s' is missing", name);
		return err_hint(e, "install kiln as a whole, or set KILN_LIBEXEC to the "
				   "folder that has it");
	}
	*ret = path;
	return 0;
}
