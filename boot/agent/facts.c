// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "core/base/alloc.h"

#define FACT_MAX 16384

static void read_file(const char *path, struct buf *ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	while (fd >= 0 && ret->len < FACT_MAX &&
	       (n = read(fd, buf_room(ret, 4096), 4096)) > 0)
		buf_grew(ret, (size_t)n);
}

char *fact_file(const char *path)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	read_file(path, &b);
	while (b.len && b.data[b.len - 1] == '\n')
		b.data[--b.len] = '\0';
	return buf_take(&b);
}

char *fact_notes(void)
{
	_cleanup_buf_ struct buf b = BUF_INIT, hex = BUF_INIT;

	read_file("/sys/kernel/notes", &b);
	for (size_t i = 0; i < b.len; i++)
		buf_addf(&hex, "%02x", (unsigned char)b.data[i]);
	return buf_take(&hex);
}

char *fact_param(const char *key)
{
	_cleanup_free_ char *line = fact_file("/proc/cmdline");
	size_t len = strlen(key);
	char *found = NULL, *rest = line;

	/* the last one counts, as for the kernel itself */
	for (char *w; (w = strsep(&rest, " "));) {
		if (strncmp(w, key, len) != 0 || w[len] != '=')
			continue;
		free(found);
		found = xstrdup(w + len + 1);
	}
	return found;
}

void hello(struct port *p, const char *role)
{
	_cleanup_free_ char *boot_id = fact_file("/proc/sys/kernel/random/boot_id");
	_cleanup_free_ char *notes = fact_notes();
	_cleanup_free_ char *cmdline = fact_file("/proc/cmdline");
	_cleanup_free_ char *oops = fact_file("/sys/kernel/oops_count");
	_cleanup_free_ char *warn = fact_file("/sys/kernel/warn_count");
	struct utsname u;

	uname(&u);
	port_send(p, "hello", role, boot_id, notes, u.release, u.version, cmdline, oops,
		  warn, NULL);
}
