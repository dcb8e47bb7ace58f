// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/watchdog.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "core/base/parse.h"

void watchdog_start(struct port *p)
{
	_cleanup_free_ char *text = fact_param("kiln.watchdog");
	int seconds;

	p->watchdog = -1;
	if (!text || !parse_int(text, 1, 2000, &seconds))
		return;
	p->watchdog = open("/dev/watchdog", O_WRONLY | O_CLOEXEC);
	if (p->watchdog < 0)
		return;
	if (ioctl(p->watchdog, WDIOC_SETTIMEOUT, &seconds) < 0) {
		port_error(p, "the watchdog takes no limit of %d s", seconds);
		return;
	}
	/* seldom enough not to show in what is measured meanwhile */
	p->watchdog_ms = seconds * 1000 / 3;
	ioctl(p->watchdog, WDIOC_KEEPALIVE, 0);
}

int watchdog_poll(struct port *p, struct pollfd *fds, nfds_t nr, int timeout_ms)
{
	bool sooner = p->watchdog >= 0 && (timeout_ms < 0 || p->watchdog_ms < timeout_ms);
	int n = poll(fds, nr, sooner ? p->watchdog_ms : timeout_ms);

	if (p->watchdog >= 0)
		ioctl(p->watchdog, WDIOC_KEEPALIVE, 0);
	return n;
}
