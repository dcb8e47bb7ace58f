// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A machine of its own, reached by ssh. It runs its base kernel when kiln comes; the
 * candidate is entered by kexec, and left by a reset. The connection breaks at the jump,
 * and may break at any time; who answers next says which boot he is.
 */
#include "boot/target/remote.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "boot/target/power.h"
#include "boot/target/remote-copy.h"
#include "boot/target/remote-start.h"
#include "boot/target/ssh.h"
#include "boot/target/target-log.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/stop.h"

#define DIAL_MS 1000
#define STAY_MS 120000 /* for services to stop, once told to jump */

/*
 * panic=5: a candidate that is dead makes room for the base kernel by itself. The rest is
 * the machine's own, from its running command line.
 */
#define PARAMS "panic=5 oops=panic"

static char *remote_params(const struct arch *a, const char *accel)
{
	(void)a;
	(void)accel;
	return xstrdup(PARAMS);
}

static int console_read(struct machine *m, struct err *e)
{
	char block[65536];
	ssize_t n = read(m->console_fd, block, sizeof(block));

	if (n == 0) {
		base_closep(&m->console_fd);
		m->console_fd = -1;
		return keep_mark(m->kept, "the console command has ended", e);
	}
	if (n < 0)
		return 0;
	m->life = true;
	console_feed(&m->console, block, (size_t)n);
	return keep_write(m->kept, block, (size_t)n, e);
}

int remote_drain(struct machine *m, int ms, struct err *e)
{
	uint64_t deadline = clock_ms() + (uint64_t)ms;

	do {
		struct pollfd fd = { .fd = m->console_fd, .events = POLLIN };

		if (poll(&fd, 1, clock_left(deadline)) > 0 && fd.revents &&
		    console_read(m, e) < 0)
			return -(int)e->code;
		if (stop_check(e) < 0)
			return -(int)e->code;
	} while (clock_left(deadline));
	return 0;
}

/* Nobody answers on this connection any more. */
static void wire_ended(struct machine *m)
{
	wire_hang_up(&m->wire);
	m->dial_ms = clock_ms() + DIAL_MS;
	/* without a console this is all one sees of the jump */
	if (m->told_to_jump && m->console_fd < 0 && !m->entered)
		m->entered = m->say_entered = true;
}

/* What a dead kernel left is read as if its console had said it. */
static int read_remains(struct machine *m, struct err *e)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err ignored = { 0 };

	if (remote_remains(m->target, m->token, &b, &ignored) < 0 || !b.len)
		return stop_check(e);
	if (remote_remains_ours(buf_str(&b), m->token)) {
		console_feed(&m->remains, b.data, b.len);
		console_feed(&m->remains, "\n", 1);
	}
	if (keep_mark(m->kept, "pstore", e) < 0)
		return -(int)e->code;
	return keep_write(m->kept, b.data, b.len, e);
}

/* Another boot than before answers: the candidate, or what came after it. */
static int other_boot(struct machine *m, enum wire_role role, struct err *e)
{
	bool first = !strcmp(m->boot, m->base_boot);

	if (role == WIRE_CANDIDATE && first) {
		/* it counts from the start, whichever kiln talks to it */
		wire_forget(&m->wire);
		m->seq = 0;
		m->say_entered |= !m->entered;
		m->entered = true;
		return 0;
	}
	if (role == WIRE_CANDIDATE)
		m->down = xstrdup("the candidate started a second time");
	else if (role == WIRE_OTHER)
		m->down = xstrdup("the kernel of another run answers");
	else
		m->down = xasprintf("the machine is back in its base kernel%s",
				    m->console_fd < 0 && first
					    ? ", and no console showed how far the "
					      "candidate came"
					    : "");
	return role == WIRE_BASE ? read_remains(m, e) : 0;
}

static int greeting(struct machine *m, struct err *e)
{
	_cleanup_free_ char *boot = NULL;
	enum wire_role role;
	int r;

	if (!wire_greeting(&m->wire, &boot, &role))
		return 0;
	m->life = true;
	if (!m->boot) {
		m->base_boot = xstrdup(boot);
		m->boot = take_ptr(boot);
		return role == WIRE_BASE
			       ? 0
			       : err_set(e, ERR_POLICY,
					 "target '%s' runs the kernel of another run",
					 m->target->name);
	}
	if (!strcmp(boot, m->boot))
		return 0;
	r = other_boot(m, role, e);
	free(m->boot);
	m->boot = take_ptr(boot);
	return r;
}

static int wire_news(struct machine *m, short revents, struct err *e)
{
	bool more = true;

	if (revents & POLLOUT)
		wire_write(&m->wire);
	if (revents & (POLLIN | POLLHUP | POLLERR))
		more = wire_read(&m->wire);
	m->life |= m->wire.greeted;
	if (greeting(m, e) < 0)
		return -(int)e->code;
	if (more)
		return 0;
	if (m->wire.missing && remote_copy(m, e) < 0) {
		/* it may have gone down meanwhile: then it is dialled again */
		if (e->code != ERR_NETWORK && e->code != ERR_TIMEOUT)
			return -(int)e->code;
		err_release(e);
	}
	wire_ended(m);
	if (m->wire.missing)
		m->dial_ms = clock_ms();
	return 0;
}

static int pump(struct machine *m, uint64_t deadline_ms, struct err *e)
{
	bool idle = m->wire.fd < 0;
	uint64_t until = idle && m->dial_ms < deadline_ms ? m->dial_ms : deadline_ms;
	struct pollfd fds[] = {
		{ .fd = m->console_fd, .events = POLLIN },
		{ .fd = m->wire.fd,
		  .events = POLLIN | (wire_wants(&m->wire) ? POLLOUT : 0) },
	};

	if (idle && !m->down && clock_ms() >= m->dial_ms)
		return wire_dial(&m->wire, m->target, m->token, m->boot, e);
	poll(fds, 2, clock_left(until));
	if (stop_check(e) < 0)
		return -(int)e->code;
	if (fds[0].revents && console_read(m, e) < 0)
		return -(int)e->code;
	return fds[1].revents ? wire_news(m, fds[1].revents, e) : 0;
}

/* Of what a dead kernel left, only how it died counts: it started long before. */
static bool next_mark(struct machine *m, struct machine_event *ret)
{
	const struct console_mark *mark = console_next(&m->console);

	while (!mark && (mark = console_next(&m->remains)))
		if (mark->event == CONSOLE_BANNER || mark->event == CONSOLE_FIRMWARE ||
		    mark->event == CONSOLE_KEXEC || mark->event == CONSOLE_INIT ||
		    mark->event == CONSOLE_PANIC_END)
			mark = NULL;
	if (!mark)
		return false;
	ret->type = MACHINE_MARK;
	ret->mark = console_mark_copy(mark);
	return true;
}

static bool next_message(struct machine *m, struct machine_event *ret)
{
	const char *why;
	enum frame_status status = frame_next(&m->wire.parser, &ret->frame, &why);

	if (status == FRAME_NONE)
		return false;
	m->wire.next++;
	ret->type = status == FRAME_OK ? MACHINE_FRAME : MACHINE_BROKEN;
	ret->text = xstrdup(status == FRAME_GARBAGE ? "it is no message" : why);
	return true;
}

static bool next_event(struct machine *m, struct machine_event *ret)
{
	if (next_mark(m, ret))
		return true;
	if (m->say_entered) {
		m->say_entered = false;
		ret->type = MACHINE_ENTERED;
		return true;
	}
	if (next_message(m, ret))
		return true;
	if (m->down) {
		ret->type = MACHINE_DOWN;
		ret->text = xstrdup(m->down);
		return true;
	}
	if (m->life) {
		m->life = false;
		ret->type = MACHINE_LIFE;
		return true;
	}
	return false;
}

/* A base kernel that was told to jump and still answers. */
static int check_stay(const struct machine *m, struct err *e)
{
	if (!m->told_to_jump || m->wire.fd < 0 || !m->wire.greeted ||
	    strcmp(m->boot, m->base_boot) != 0 || clock_ms() < m->stay_ms)
		return 0;
	err_set(e, ERR_OLD_KERNEL, "the base kernel of target '%s' does not jump",
		m->target->name);
	return err_hint(e, "what hinders it is in its journal: `systemctl list-jobs`, "
			   "`dmesg`");
}

static int remote_wait(struct machine *m, uint64_t deadline_ms, struct machine_event *ret,
		       struct err *e)
{
	while (!next_event(m, ret)) {
		if (!clock_left(deadline_ms)) {
			ret->type = MACHINE_TIMEOUT;
			return 0;
		}
		if (check_stay(m, e) < 0 || pump(m, deadline_ms, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

static void remote_send(struct machine *m, const char *token, const struct strv *words)
{
	if (!strcmp(words->v[0], "jump")) {
		m->told_to_jump = true;
		m->stay_ms = clock_ms() + STAY_MS;
	}
	wire_send(&m->wire, token, m->seq++, words);
	if (wire_wants(&m->wire))
		wire_write(&m->wire);
}

/* Over the console a kernel is reached that has no network and no processes any more. */
static bool remote_nudge(struct machine *m, enum machine_nudge how)
{
	struct ssh_call call = { .command = "echo 1 >/proc/sys/kernel/sysrq; "
					    "echo l >/proc/sysrq-trigger",
				 .timeout_ms = 20000 };
	_cleanup_err_ struct err ignored = { 0 };

	if (how != MACHINE_SYSRQ)
		return false;
	if (m->target->sysrq && power_sysrq(m->target, "l", &ignored) == 0)
		return true;
	err_release(&ignored);
	return ssh_run(m->target, &call, &ignored) == 0;
}

static int remote_stop(struct machine *m, bool silent, struct err *e)
{
	bool jumped = m->told_to_jump;

	m->unheard = silent && (m->wire.fd < 0 || !m->wire.greeted);
	wire_hang_up(&m->wire);
	if (!jumped)
		return 0;
	if (keep_mark(m->kept, "return", e) < 0)
		return -(int)e->code;
	if (remote_return(m, m->base_boot, e) < 0)
		return -(int)e->code;
	return m->down ? 0 : read_remains(m, e);
}

static char *remote_place(const struct target *t)
{
	return xstrdup(t->dir);
}

static char *remote_huge_pages(const struct target *t)
{
	return fs_path(t->dir, "hugepages");
}

static void remote_free(struct machine *m)
{
	if (!m)
		return;
	wire_release(&m->wire);
	proc_free(m->console_proc);
	base_closep(&m->console_fd);
	base_closep(&m->lock);
	keep_free(m->kept);
	console_release(&m->console);
	console_release(&m->remains);
	free(m->token);
	free(m->share);
	free(m->tools_dir);
	free(m->tools);
	free(m->console_path);
	free(m->base_boot);
	free(m->boot);
	free(m->down);
	free(m);
}
DEFINE_FREEP(remote_free, struct machine *)

static int remote_start(const struct machine_opts *o, struct machine **ret, struct err *e)
{
	_cleanup_(remote_freep) struct machine *m = xzalloc(sizeof(*m));

	m->target = o->target;
	m->wire = (struct wire)WIRE_INIT;
	m->console_fd = m->lock = -1;
	m->token = xstrdup(o->token);
	m->share = xstrdup(o->boot_dir);
	m->tools_dir = xstrdup(o->tools_dir);
	m->tools = xstrdup(o->tools);
	m->console_path = xstrdup(o->console);
	if (target_log_lock(m->target, &m->lock, e) < 0)
		return -(int)e->code;
	if (o->base_boot_id) {
		if (keep_reopen(o->console, &m->kept, e) < 0 ||
		    remote_rejoin(m, o, e) < 0)
			return -(int)e->code;
	} else if (keep_open(o->console, &m->kept, e) < 0 ||
		   keep_mark(m->kept, "attempt", e) < 0 || remote_prepare(m, e) < 0) {
		return -(int)e->code;
	}
	*ret = take_ptr(m);
	return 0;
}

/* The candidate is left when its result is kept, by what started kiln in it. */
static int local_stop(struct machine *m, bool silent, struct err *e)
{
	(void)silent;
	(void)e;
	wire_hang_up(&m->wire);
	return 0;
}

const struct machine_type machine_remote = {
	.name = "ssh",
	.own_base = true,
	.params = remote_params,
	.place = remote_place,
	.tools = remote_tools_dir,
	.huge_pages = remote_huge_pages,
	.runs = remote_runs,
	.start = remote_start,
	.wait = remote_wait,
	.send = remote_send,
	.nudge = remote_nudge,
	.stop = remote_stop,
	.free = remote_free,
};

const struct machine_type machine_local = {
	.name = "local",
	.own_base = true,
	.blind = true,
	.params = remote_params,
	.place = remote_place,
	.tools = remote_tools_dir,
	.huge_pages = remote_huge_pages,
	.runs = local_runs,
	.start = remote_start,
	.wait = remote_wait,
	.send = remote_send,
	.nudge = remote_nudge,
	.stop = local_stop,
	.free = remote_free,
};
