// SPDX-License-Identifier: GPL-3.0-or-later
/* The base kernel's part: load what the host names, say so, jump. */
#include <errno.h>
#include <linux/reboot.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "boot/agent/agent.h"

static void jump(struct port *p, const char *method)
{
	port_send(p, "armed", method, NULL);
	umount2("/boot", MNT_DETACH);
	sync();
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2,
		LINUX_REBOOT_CMD_KEXEC, NULL);
	port_error(p, "the kernel refused the jump: %s", strerror(errno));
}

static void command(struct port *p, const struct frame *f)
{
	struct command c;
	const char *why = command_parse(f, &c), *method;

	if (why)
		port_error(p, "a command is malformed: %s", why);
	else if (c.type == COMMAND_PING)
		port_send(p, "pong", NULL);
	else if (c.type == COMMAND_EXEC && kvm_leave(p) && kernel_load(p, &c, &method))
		jump(p, method);
}

void role_base(struct port *p)
{
	struct frame f = { 0 };

	hello(p, "base");
	if (!share_mount(p, "kiln.boot", "/boot"))
		return;
	while (port_wait(p, &f)) {
		command(p, &f);
		frame_release(&f);
	}
}
