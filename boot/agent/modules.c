// SPDX-License-Identifier: GPL-3.0-or-later
/* Modules that came along with the kernel: DIR/order names them, DIR/NAME.ko are they. */
#include "boot/agent/modules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "boot/cmdline.h"
#include "core/base/alloc.h"

#define LOG_RECORD 8192 /* of /dev/kmsg, whole or not at all */

bool module_is_loaded(const char *name)
{
	_cleanup_free_ char *state = xasprintf("/sys/module/%s/initstate", name);

	return access(state, F_OK) == 0;
}

/* KVM of a processor that this one is not; which of them came first is the kernel's order
 * of asking, and only one of them stays. */
static bool is_other_vendor(const char *name, int sys)
{
	bool amd = !strcmp(name, "kvm_amd"), intel = !strcmp(name, "kvm_intel");

	return (amd || intel) &&
	       (sys == EOPNOTSUPP ||
		(sys == EEXIST && module_is_loaded(amd ? "kvm_intel" : "kvm_amd")));
}

/* The kernel's log from now on; -1 without one. */
static int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* The last thing it said since, "" when it kept silent. Owned. */
static char *log_last(int fd)
{
	char record[LOG_RECORD];
	char *last = xstrdup("");
	ssize_t n;

	/* EPIPE: it wrote faster than we read, and what is left is there */
	while (fd >= 0 &&
	       ((n = read(fd, record, sizeof(record) - 1)) > 0 || errno == EPIPE)) {
		char *text;

		if (n <= 0)
			continue;
		record[n] = '\0';
		record[strcspn(record, "\n")] = '\0';
		text = strchr(record, ';');
		free(last);
		last = xstrdup(text ? text + 1 : "");
	}
	return last;
}

/* What its own loader does not do: hand a module what the command line has for it. */
static int load(const char *path, const char *name)
{
	_cleanup_free_ char *line = fact_file("/proc/cmdline");
	_cleanup_free_ char *args = cmdline_module_args(line, name);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 || syscall(SYS_finit_module, fd, args, 0) < 0 ? errno : 0;
}

/* false: *ret are the words that tell why. */
static bool load_one(struct port *p, const char *dir, const char *name, struct strv *ret)
{
	_cleanup_free_ char *path = xasprintf("%s/%s.ko", dir, name), *said = NULL;
	_cleanup_close_ int log = log_open();
	int sys = load(path, name);

	/* on a machine of its own somebody may have been faster */
	if (!sys || (sys == EEXIST && module_is_loaded(name)))
		return true;
	if (is_other_vendor(name, sys)) {
		strv_add(&p->declined, name);
		return true;
	}
	said = log_last(log);
	strv_addl(ret, "refused", name, NULL);
	strv_addf(ret, "%d", sys);
	strv_addf(ret, "%s%s%s", strerror(sys), *said ? ": " : "", said);
	return false;
}

bool modules_load(struct port *p, const char *dir, struct strv *ret)
{
	_cleanup_free_ char *path = xasprintf("%s/order", dir);
	_cleanup_free_ char *order = fact_file(path);
	char *rest = order;

	for (char *name; (name = strsep(&rest, "\n"));)
		if (*name && !load_one(p, dir, name, ret))
			return false;
	return true;
}
