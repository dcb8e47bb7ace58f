// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "boot/agent/modules.h"
#include "core/base/alloc.h"

static void mounts(void)
{
	static const struct {
		const char *type, *where;
	} table[] = {
		{ "proc", "/proc" },	 { "sysfs", "/sys" }, { "devtmpfs", "/dev" },
		{ "tmpfs", "/dev/shm" }, { "tmpfs", "/tmp" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		mkdir(table[i].where, 0755);
		if (mount(table[i].type, table[i].where, table[i].type, 0, NULL) < 0)
			perror(table[i].where);
	}
}

/* On the console, where a port is no longer needed. */
static void say(const char *text)
{
	_cleanup_close_ int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, text, strlen(text)) < 0)
		return;
}

/* The modules, and the port; false with why on the console. */
static bool prepare(struct port *port, struct strv *refused)
{
	_cleanup_free_ char *why = NULL;
	bool loaded = modules_load(port, "/modules", refused);

	if (port_open(port))
		return true;
	if (!loaded) {
		why = xasprintf("kiln-agent: module '%s' is refused: %s", refused->v[1],
				refused->v[3]);
		say(why);
	}
	fputs("kiln-agent: no port to the host\n", stderr);
	return false;
}

static void serve(struct port *port, const char *role)
{
	if (strcmp(role, "base") != 0)
		fault_before_hello(port);
	if (!strcmp(role, "base"))
		role_base(port);
	else if (!strcmp(role, "candidate"))
		role_candidate(port);
	else
		role_guest(port);
}

int main(int argc, char **argv)
{
	struct port port = { .fd = -1, .watchdog = -1 };
	_cleanup_strv_ struct strv refused = STRV_INIT;
	_cleanup_free_ char *role = NULL;

	/* the kernel hands init what it does not know itself; init is never asked */
	if (getpid() != 1)
		return agent_command(argc, argv);
	signal(SIGPIPE, SIG_IGN);
	mounts();
	role = fact_param("kiln.role");
	port.token = fact_param("kiln.token");
	if (!role || !port.token || !*port.token ||
	    strlen(port.token) > FRAME_TOKEN_MAX) {
		fputs("kiln-agent: no role or token on the command line\n", stderr);
		return 1;
	}
	if (!prepare(&port, &refused))
		return 1;
	if (refused.nr)
		port_send_words(&port, &refused);
	else
		serve(&port, role);
	/* Whoever started this machine ends it; a guest ends by itself, with a reset that
	 * its QEMU takes for the end, and so does what nobody listens to any more. */
	if (port.lost)
		say("kiln-agent: the port to the host is gone");
	if (port.lost || !strcmp(role, "guest")) {
		sync();
		reboot(RB_AUTOBOOT);
	}
	for (;;)
		pause();
}
