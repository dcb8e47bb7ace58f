// SPDX-License-Identifier: GPL-3.0-or-later
/* The base kernel's part: load what the host names, say so, and jump when told to. */
#include <errno.h>
#include <fcntl.h>
#include <linux/reboot.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "boot/agent/agent.h"

#define DRAIN_MS 3000

static void rest(int ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000L }, NULL);
}

/* Let everybody go who would not notice that the machine is gone. */
static void hang_up(struct port *p)
{
	pid_t keeper = getppid();

	base_closep(&p->fd);
	p->fd = -1;
	for (int i = 0; i < DRAIN_MS / 10 && getppid() == keeper; i++)
		rest(10);
	rest(300); /* sshd, to say good-bye */
}

/* Have the old kernel's last words on its console, whatever it is set to show. */
static void speak_up(void)
{
	_cleanup_close_ int fd = open("/proc/sys/kernel/printk", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, "8", 1) < 0)
		return;
}

static void jump(struct port *p)
{
	speak_up();
	if (p->attached)
		hang_up(p);
	else
		umount2("/boot", MNT_DETACH);
	sync();
	/* services want to be stopped, and disks unmounted */
	if (p->attached && access("/run/systemd/system", F_OK) == 0)
		execlp("systemctl", "systemctl", "kexec", NULL);
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2,
		LINUX_REBOOT_CMD_KEXEC, NULL);
	if (!p->attached)
		port_error(p, "the kernel refused the jump: %s", strerror(errno));
}

/* Carry out what the host asked for. false: it said good-bye. */
static bool command(struct port *p, const struct frame *f, bool *armed)
{
	struct command c;
	const char *why = command_parse(f, &c), *method;

	if (why) {
		port_error(p, "a command is malformed: %s", why);
		return true;
	}
	if (c.type == COMMAND_PING)
		port_send(p, "pong", NULL);
	else if (c.type == COMMAND_EXEC && kvm_leave(p) && kernel_load(p, &c, &method)) {
		*armed = true;
		port_send(p, "armed", method, NULL);
	} else if (c.type == COMMAND_JUMP && *armed)
		jump(p);
	else if (c.type == COMMAND_JUMP)
		port_error(p, "nothing is loaded to jump to");
	return c.type != COMMAND_BYE;
}

void role_base(struct port *p)
{
	struct frame f = { 0 };
	bool armed = false, more = true;

	hello(p, "base");
	if (!share_mount(p, "kiln.boot", "/boot"))
		return;
	while (more && port_wait(p, &f)) {
		more = command(p, &f, &armed);
		frame_release(&f);
	}
}
