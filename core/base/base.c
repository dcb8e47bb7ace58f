// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/base.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void base_freep(void *p)
{
	free(*(void **)p);
}

void base_closep(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	errno = saved;
}
