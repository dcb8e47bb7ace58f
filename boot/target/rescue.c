// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A machine that has fallen silent: ask its agent, then the kernel by sysrq, then the
 * processor by a non-maskable interrupt. Whatever answers shows on the console where it
 * hangs; what answers to nothing is only good for power off.
 */
#include <stdlib.h>

#include "boot/target/session.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"

#define RUNG_MS 2000

static const struct {
	enum machine_nudge how;
	const char *answer;
} ladder[] = {
	{ MACHINE_SYSRQ, "sysrq still works" },
	{ MACHINE_NMI, "only a non-maskable interrupt gets through" },
};

/* Wait for an answer. The panic that ends the machine is part of one. */
static int listen(struct session *s, bool *ret, struct err *e)
{
	uint64_t deadline = clock_ms() + RUNG_MS;

	for (*ret = false;;) {
		_cleanup_machine_event_ struct machine_event ev = { 0 };

		if (s->type->wait(s->machine, deadline, &ev, e) < 0)
			return -(int)e->code;
		if (ev.type == MACHINE_TIMEOUT)
			return 0;
		*ret |= ev.type == MACHINE_LIFE || ev.type == MACHINE_MARK ||
			ev.type == MACHINE_FRAME || ev.type == MACHINE_DOWN;
		if (ev.type == MACHINE_MARK && ev.mark.event == CONSOLE_PANIC &&
		    !s->panic)
			s->panic = xstrdup(ev.mark.text);
		if (ev.type == MACHINE_DOWN || ev.type == MACHINE_GONE)
			return 0;
	}
}

static int ask_agent(struct session *s, bool *ret, struct err *e)
{
	*ret = false;
	if (s->phase != PHASE_TASKS)
		return 0;
	session_send(s, "ping", NULL);
	return listen(s, ret, e);
}

int session_rescue(struct session *s, struct err *e)
{
	bool answered;

	if (s->rescue)
		return 0;
	if (ask_agent(s, &answered, e) < 0)
		return -(int)e->code;
	if (answered) {
		s->rescue = xstrdup("its agent still answers");
		return 0;
	}
	for (size_t i = 0; s->type->nudge && i < ARRAY_SIZE(ladder); i++) {
		if (!s->type->nudge(s->machine, ladder[i].how))
			continue;
		if (listen(s, &answered, e) < 0)
			return -(int)e->code;
		if (!answered)
			continue;
		s->rescue = xasprintf("%s%s%s", ladder[i].answer, s->panic ? ": " : "",
				      s->panic ?: "");
		return 0;
	}
	s->rescue = xstrdup("it answers to nothing and is powered off");
	return 0;
}
