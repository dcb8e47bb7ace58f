// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/agent/agent.h"
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

int main(void)
{
	struct port port = { .fd = -1 };
	_cleanup_free_ char *role = NULL;

	signal(SIGPIPE, SIG_IGN);
	mounts();
	role = fact_param("kiln.role");
	port.token = fact_param("kiln.token");
	if (!role || !port.token || !*port.token ||
	    strlen(port.token) > FRAME_TOKEN_MAX) {
		fputs("kiln-agent: no role or token on the command line\n", stderr);
		return 1;
	}
	if (!port_open(&port)) {
		fputs("kiln-agent: no port to the host\n", stderr);
		return 1;
	}
	if (strcmp(role, "base") != 0)
		fault_before_hello(&port);
	if (!strcmp(role, "base"))
		role_base(&port);
	else if (!strcmp(role, "candidate"))
		role_candidate(&port);
	else
		role_guest(&port);
	/* Whoever started this machine ends it; a guest ends by itself, with a reset that
	 * its QEMU takes for the end. */
	if (!strcmp(role, "guest"))
		reboot(RB_AUTOBOOT);
	for (;;)
		pause();
}
