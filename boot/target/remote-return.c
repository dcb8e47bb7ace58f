// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Getting a machine back to the kernel that its firmware starts. Whoever answers is
 * asked politely first; who does not is left to panic= and his watchdog; then comes a break
 * on the console, and the power is the last rung.
 */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "boot/cmdline.h"
#include "boot/target/power.h"
#include "boot/target/remote.h"
#include "boot/target/ssh.h"
#include "boot/target/target-log.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/stop.h"

#define ASK_MS 30000
#define PUSH_MS 60000 /* from one rung to the next, while it answers */
#define PATIENCE_S 60 /* with a machine that can be reset from outside */

/* One climb of the ladder. */
struct climb {
	const struct target *t;
	const char *not_boot;
	uint64_t push_ms;  /* when to push again */
	uint64_t limit_ms; /* when to give up waiting */
	unsigned int pushes;
	bool broken, powered; /* the last two rungs */
};

static bool is_back(const struct climb *c, const struct remote_facts *f)
{
	_cleanup_free_ char *token = cmdline_value(f->cmdline, "kiln.token");

	return !token && (!c->not_boot || strcmp(f->boot_id, c->not_boot) != 0);
}

/* It answers, but with the wrong kernel: have it reset itself. */
static void push(struct climb *c)
{
	_cleanup_free_ char *command =
		c->pushes ? xasprintf("sync; echo 1 >/proc/sys/kernel/sysrq; "
				      "(sleep 1; echo b >/proc/sysrq-trigger) "
				      ">/dev/null 2>&1 </dev/null &")
			  : xasprintf("'%s/agent' leave '%s'", c->t->dir, c->t->dir);
	struct ssh_call call = { .command = command, .timeout_ms = ASK_MS };
	_cleanup_err_ struct err e = { 0 };

	if (clock_ms() < c->push_ms)
		return;
	log_debug("target %s: %s", c->t->name, c->pushes ? "sysrq b" : "leave");
	c->pushes++;
	c->push_ms = clock_ms() + PUSH_MS;
	if (c->limit_ms < clock_ms() + c->t->return_s * 1000)
		c->limit_ms = clock_ms() + c->t->return_s * 1000;
	/* an agent that is not there, or a connection that dies with the machine */
	if (ssh_run(c->t, &call, &e) < 0 && e.code == ERR_TOOL_FAILED)
		c->push_ms = 0;
}

/* Time is up: a break on the console, the power, or nothing. false: give up. */
static bool last_rung(struct climb *c, struct err *e)
{
	_cleanup_err_ struct err no_break = { 0 };

	if (c->t->sysrq && !c->broken) {
		log_debug("target %s: sysrq b over the console", c->t->name);
		c->broken = true;
		c->limit_ms = clock_ms() + c->t->return_s * 1000;
		if (power_sysrq(c->t, "b", &no_break) == 0)
			return true;
	}
	if (!c->t->power || c->powered)
		return false;
	log_debug("target %s: power reset", c->t->name);
	c->powered = true;
	c->limit_ms = clock_ms() + c->t->return_s * 1000;
	return power_do(c->t, "reset", e) == 0;
}

static int away(const struct climb *c, const char *console, struct err *e)
{
	_cleanup_free_ char *last = console ? keep_last_line(console) : NULL;
	_cleanup_err_ struct err why = *e;

	*e = (struct err){ 0 };
	if (target_log_away(c->t, last, e) < 0)
		return -(int)e->code;
	err_set(e, ERR_TIMEOUT, "target '%s' does not come back%s%s%s%s%s", c->t->name,
		why.nr ? ": " : "", why.nr ? why.frame[0] : "",
		last ? "; last console line: '" : "", last ?: "", last ? "'" : "");
	return err_hint(e, "bring it up by hand, then `kiln target check %s`",
			c->t->name);
}

/* How long it may come back by itself before something is done to it. */
static uint64_t patience_s(const struct target *t)
{
	uint64_t own = t->watchdog_s + PATIENCE_S;

	return (t->power || t->sysrq) && own < t->return_s ? own : t->return_s;
}

/* The candidate that was not heard any more, or never. */
static bool still_runs(const struct machine *m, const struct remote_facts *f)
{
	_cleanup_free_ char *token = cmdline_value(f->cmdline, "kiln.token");

	return m->unheard && token && !strcmp(token, m->token) &&
	       strcmp(f->boot_id, m->base_boot) != 0;
}

/* It was the way to it that was gone. It is left as it is. */
static int was_away(const struct target *t, struct err *e)
{
	err_set(e, ERR_NETWORK,
		"target '%s' could not be reached for a while, but its kernel still runs",
		t->name);
	return err_hint(e, "`kiln resume` goes on, or boots it again");
}

int remote_return(struct machine *m, const char *not_boot, struct err *e)
{
	const struct target *t = m->target;
	struct climb c = { .t = t, .not_boot = not_boot };

	c.limit_ms = clock_ms() + 1000 * patience_s(t);
	for (;;) {
		_cleanup_(remote_facts_release) struct remote_facts f = { 0 };
		_cleanup_err_ struct err unreachable = { 0 };
		int r = remote_facts(t, ASK_MS, &f, &unreachable);

		if (stop_check(e) < 0 || remote_drain(m, 1000, e) < 0)
			return -(int)e->code;
		if (r == 0 && !c.pushes && !c.broken && !c.powered && still_runs(m, &f))
			return was_away(t, e);
		if (r == 0 && is_back(&c, &f)) {
			target_log_back(t);
			return 0;
		}
		if (r == 0)
			push(&c);
		if (clock_ms() >= c.limit_ms && !last_rung(&c, e))
			return away(&c, m->console_path, e);
	}
}
