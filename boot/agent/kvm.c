// SPDX-License-Identifier: GPL-3.0-or-later
/* KVM before a jump: the next kernel cannot start processors that are in VMX mode. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "boot/agent/modules.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"

#define TRIES 100 /* of 50 ms */

/* Whether a process has a virtual machine open. */
static bool runs_guest(const char *pid)
{
	_cleanup_free_ char *path = xasprintf("/proc/%s/fd", pid);
	DIR *dir = opendir(path);
	bool found = false;
	struct dirent *d;

	while (dir && !found && (d = readdir(dir))) {
		char target[64];
		ssize_t n = readlinkat(dirfd(dir), d->d_name, target, sizeof(target) - 1);

		target[n > 0 ? n : 0] = '\0';
		found = !strcmp(target, "anon_inode:kvm-vm");
	}
	if (dir)
		closedir(dir);
	return found;
}

/* Kill whoever runs guests; how many were found. */
static int kill_guests(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;
	int nr = 0, pid;

	while (dir && (d = readdir(dir))) {
		if (!parse_int(d->d_name, 2, 1 << 22, &pid) || !runs_guest(d->d_name))
			continue;
		kill(pid, SIGKILL);
		nr++;
	}
	if (dir)
		closedir(dir);
	return nr;
}

static void rest(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
}

static bool unload(struct port *p, const char *name)
{
	/* a process that is just dying holds it for a moment longer */
	for (int i = 0; i < TRIES && module_is_loaded(name); i++) {
		if (syscall(SYS_delete_module, name, O_NONBLOCK) == 0)
			continue;
		/* such a kernel keeps it as if it were built in, and leaves the
		 * processors' mode by itself */
		if (errno == ENOSYS)
			return true;
		rest();
	}
	if (!module_is_loaded(name))
		return true;
	port_error(p, "kvm busy: the module %s cannot be unloaded", name);
	return false;
}

bool kvm_leave(struct port *p)
{
	static const char *const modules[] = { "kvm_intel", "kvm_amd", "kvm_hv", "kvm" };

	for (int i = 0; kill_guests(); i++) {
		if (i == TRIES) {
			port_error(p, "kvm busy: a guest does not die");
			return false;
		}
		rest();
	}
	for (size_t i = 0; i < ARRAY_SIZE(modules); i++)
		if (!unload(p, modules[i]))
			return false;
	return true;
}
