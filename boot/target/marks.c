// SPDX-License-Identifier: GPL-3.0-or-later
/* What the console and the machine's end mean in each phase of a boot. */
#include <stdlib.h>
#include <string.h>

#include "boot/console/keep.h"
#include "boot/target/session.h"
#include "core/base/alloc.h"

/* The end is the environment's: an error that names the base kernel. */
static int conclude_base(struct session *s, const char *what, struct err *e)
{
	if (s->armed)
		err_set(e, ERR_OLD_KERNEL,
			"the base kernel did not get as far as the jump: %s",
			s->panic ?: what);
	else
		err_set(e, ERR_TOOL_FAILED, "the base kernel failed: %s",
			s->panic ?: what);
	return err_hint(e, "its console is in '%s'", s->spec->console);
}

/* More of a hang: what was tried, and what was said last. Owned. */
static char *details(const struct session *s)
{
	_cleanup_free_ char *last = keep_last_line(s->spec->console);
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (s->title)
		buf_addf(&b, ", after '%s'", s->title);
	if (s->rescue)
		buf_addf(&b, "; %s", s->rescue);
	if (last)
		buf_addf(&b, "; last line: '%s'", last);
	return xstrdup(buf_str(&b));
}

int session_conclude(struct session *s, const char *status, const char *what,
		     struct err *e)
{
	_cleanup_free_ char *more = NULL;

	if (s->agent_lost)
		return err_set(e, ERR_AGENT, "%s", s->agent_lost);
	if (s->hardware)
		return err_set(e, ERR_HARDWARE, "the machine is broken: %s", s->hardware);
	if (s->phase == PHASE_BASE)
		return conclude_base(s, what, e);
	more = details(s);
	if (s->bitten)
		session_verdict(s, "hang", "the watchdog bit%s%s%s", s->panic ? ": " : "",
				s->panic ?: "", more);
	else if (s->rescue)
		session_verdict(s, status, "%s%s", what, more);
	else if (s->panic)
		session_verdict(s, "panic", "%s", s->panic);
	else if (!s->banner && !s->spec->direct)
		session_verdict(s, "jump-failed", "%s after the jump%s", what, more);
	else
		session_verdict(s, status, "%s%s", what, more);
	return 0;
}

static int banner(struct session *s, struct err *e)
{
	if (s->banner)
		return session_conclude(s, "silent-reset",
					"the kernel started a second time", e);
	s->banner = true;
	return 0;
}

static int firmware(struct session *s, struct err *e)
{
	/* before any kernel it is only the machine's own start */
	if (!s->banner && (s->phase == PHASE_BASE || s->spec->direct))
		return 0;
	return session_conclude(s, "silent-reset", "the machine was reset", e);
}

void session_entered(struct session *s)
{
	if (s->phase != PHASE_BASE || !s->armed)
		return;
	s->phase = PHASE_BOOT;
	s->banner = s->init = s->warned = s->bug = false;
	s->seq = 0;
	s->report = 0;
	free(take_ptr(s->title));
}

/* A report: the first one counts, the rest follows from it. */
static void report(struct session *s, const struct console_mark *m)
{
	if (!s->report) {
		s->report = m->report;
		free(s->title);
		s->title = xstrdup(m->title);
	} else if (m->event == CONSOLE_PLACE && m->report == s->report) {
		free(s->title);
		s->title = xstrdup(m->title);
	}
	s->bug |= m->event == CONSOLE_OOPS;
	s->warned |= m->event == CONSOLE_WARN;
}

static void keep_text(char **where, const struct console_mark *m)
{
	if (!*where)
		*where = xstrdup(m->text);
}

bool session_is_silence(const char *status)
{
	return !strcmp(status, "hang") || !strcmp(status, "died-early") ||
	       !strcmp(status, "jump-failed") || !strcmp(status, "silent-reset");
}

int session_late(struct session *s, struct err *e)
{
	struct boot_record *r = &s->result->record;

	for (;;) {
		_cleanup_machine_event_ struct machine_event ev = { 0 };

		if (s->type->wait(s->machine, 0, &ev, e) < 0)
			return -(int)e->code;
		if (ev.type != MACHINE_MARK)
			return 0;
		if (ev.mark.event != CONSOLE_PANIC || !session_is_silence(r->status))
			continue;
		free(take_ptr(r->status));
		free(take_ptr(r->reason));
		session_verdict(s, "panic", "%s", ev.mark.text);
		free(r->title);
		r->title = xstrdup(ev.mark.title);
		session_defang(r->title);
	}
}

/*
 * The agent's last words, where it has no port to say them. A module that the port needs
 * and that is refused is the kernel's business; what else it lost is not.
 */
static void agent_said(struct session *s, const struct console_mark *m)
{
	static const char module[] = "kiln-agent: module '";

	if (s->phase == PHASE_BOOT && !strncmp(m->text, module, sizeof(module) - 1))
		session_verdict(s, "wrong-kernel", "its %s", m->text + 12);
	else
		keep_text(&s->agent_lost, m);
}

int session_mark(struct session *s, const struct console_mark *m, struct err *e)
{
	switch (m->event) {
	case CONSOLE_BANNER:
		return banner(s, e);
	case CONSOLE_FIRMWARE:
		return firmware(s, e);
	case CONSOLE_KEXEC:
		session_entered(s);
		return 0;
	case CONSOLE_INIT:
		s->init = true;
		return 0;
	case CONSOLE_PANIC:
		keep_text(&s->panic, m);
		report(s, m);
		return 0;
	case CONSOLE_PANIC_END:
		return s->panic ? session_conclude(s, "panic", "panic", e) : 0;
	case CONSOLE_OOPS:
	case CONSOLE_WARN:
	case CONSOLE_PLACE:
		report(s, m);
		return 0;
	case CONSOLE_ENV:
		keep_text(&s->hardware, m);
		return 0;
	case CONSOLE_AGENT:
		agent_said(s, m);
		return 0;
	case CONSOLE_NOTE:
		return 0;
	}
	return 0;
}
