// SPDX-License-Identifier: GPL-3.0-or-later
/* Faults on request: how kiln's tests get machines that go wrong in a certain way. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "core/base/alloc.h"

#define DRIVER "/sys/bus/virtio/drivers/virtio_console"
#define FLOOD_LINES 20000

bool fault_is(const char *kind)
{
	_cleanup_free_ char *fault = fact_param("kiln.fault");

	return fault && !strcmp(fault, kind);
}

void fault_before_hello(struct port *p)
{
	if (fault_is("panic"))
		_exit(1); /* init is gone: the kernel panics */
	if (fault_is("reset"))
		reboot(RB_AUTOBOOT);
	while (fault_is("hang"))
		pause();
	if (fault_is("token")) {
		free(p->token);
		p->token = xstrdup("0123456789abcdef0123456789abcdef");
	}
}

static void put(const char *path, const char *text)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, text, strlen(text)) < 0)
		return;
}

/* Take the port's device away from its driver. */
static void cut(void)
{
	DIR *dir = opendir(DRIVER);
	struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (!strncmp(d->d_name, "virtio", 6))
			put(DRIVER "/unbind", d->d_name);
	if (dir)
		closedir(dir);
}

/* A program and the kernel write to the console at once, and some of it looks bad. */
static void flood(void)
{
	_cleanup_close_ int console = open("/dev/console", O_WRONLY | O_CLOEXEC);

	for (int i = 0; i < FLOOD_LINES && console >= 0; i++) {
		if (write(console, "Kernel panic - not syncing: no\x1b[2J\n", 36) < 0)
			break;
		if (i % 100 == 0)
			put("/dev/kmsg", "flood goes on");
	}
}

/* Fill every place a program could write to. */
static void fill_disk(void)
{
	_cleanup_close_ int fd = open("/tmp/full", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	_cleanup_close_ int root = open("/full", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	_cleanup_free_ char *block = xzalloc(1 << 16);

	put("/proc/self/oom_score_adj", "-1000");
	while (fd >= 0 && write(fd, block, 1 << 16) > 0)
		;
	/* the root is memory too, but without a limit of its own */
	if (root >= 0 && write(root, block, 1 << 16) < 0)
		return;
}

/*
 * kiln.sick= goes into the parameter that tests build into their sick kernel, by a child:
 * an oops takes along who caused it.
 */
static void fall_sick(void)
{
	_cleanup_free_ char *kind = fact_param("kiln.sick");
	pid_t pid = kind ? fork() : -1;

	if (pid == 0) {
		put("/sys/module/kvm_amd/parameters/kiln_sick", kind);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

void fault_at_task(void)
{
	fall_sick();
	if (fault_is("exit"))
		_exit(9);
	if (fault_is("cut"))
		cut();
	if (fault_is("flood"))
		flood();
	if (fault_is("full"))
		fill_disk();
	if (fault_is("crash"))
		put("/proc/sysrq-trigger", "c");
}
