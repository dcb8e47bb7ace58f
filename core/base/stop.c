// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/stop.h"

#include <signal.h>

static volatile sig_atomic_t stop_signal;

static void on_signal(int sig)
{
	stop_signal = sig;
}

void stop_install(void)
{
	/* No SA_RESTART: a blocking call returns EINTR and its loop sees the flag. */
	struct sigaction sa = { .sa_handler = on_signal };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	sa.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &sa, NULL);
}

bool stop_requested(void)
{
	return stop_signal != 0;
}

int stop_check(struct err *e)
{
	if (!stop_signal)
		return 0;
	err_set(e, ERR_INTERRUPTED, "interrupted by signal %d", (int)stop_signal);
	return err_hint(e, "`kiln resume` continues where this stopped");
}
