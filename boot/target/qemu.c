// SPDX-License-Identifier: GPL-3.0-or-later
/* The embedded target: a machine made on the spot by QEMU. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "boot/console/keep.h"
#include "boot/target/arrivals.h"
#include "boot/target/machine.h"
#include "boot/target/qemu-args.h"
#include "boot/target/qmp.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"
#include "core/base/stop.h"

#define START_MS 30000 /* until QEMU has answered on its control connection */
#define STOP_MS 5000
#define NUDGE_MS 1000
#define GATHER_MS 4

/* Our ends of the three connections, in the order of QEMU's descriptors 3, 4 and 5. */
enum { CHANNEL, CONTROL, CONSOLE, NR_LINKS };

struct machine {
	struct proc *proc;
	int links[NR_LINKS];
	int log;
	struct keep *kept; /* the console */
	struct arrivals in;
	struct qmp qmp;
	struct buf out; /* to the agent */
	uint64_t seq;
	bool life;   /* bytes came that have not been reported yet */
	bool bitten; /* by the watchdog, not reported yet */
	bool ended;  /* the process is gone */
	char *down;  /* why the machine is gone, NULL while it runs */
};

static void qemu_free(struct machine *m)
{
	if (!m)
		return;
	proc_free(m->proc);
	for (int i = 0; i < NR_LINKS; i++)
		base_closep(&m->links[i]);
	keep_free(m->kept);
	base_closep(&m->log);
	arrivals_release(&m->in);
	qmp_release(&m->qmp);
	buf_release(&m->out);
	free(m->down);
	free(m);
}
DEFINE_FREEP(qemu_free, struct machine *)

/* The last line QEMU itself said, or what to say when it said nothing. Owned. */
static char *last_words(struct machine *m)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err ignored = { 0 };
	char *nl;

	lseek(m->log, 0, SEEK_SET);
	if (fs_read_fd(m->log, "log", 1 << 20, &b, &ignored) < 0 || !b.len)
		return xstrdup("it said nothing");
	while (b.len && b.data[b.len - 1] == '\n')
		b.data[--b.len] = '\0';
	nl = strrchr(b.data, '\n');
	return xstrdup(nl ? nl + 1 : b.data);
}

static int feed(struct machine *m, int link, const char *data, size_t len, struct err *e)
{
	if (link == CONTROL)
		return qmp_feed(&m->qmp, data, len, e);
	m->life = true;
	if (link == CHANNEL) {
		frame_feed(&m->in.parser, data, len);
		return 0;
	}
	console_feed(&m->in.console, data, len);
	return keep_write(m->kept, data, len, e);
}

/* Read what one connection has. At its end the descriptor is closed. */
static int link_read(struct machine *m, int link, struct err *e)
{
	char block[65536];
	ssize_t n = read(m->links[link], block, sizeof(block));

	if (n > 0)
		return feed(m, link, block, (size_t)n, e);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	close(m->links[link]);
	m->links[link] = -1;
	return 0;
}

static void link_write(int fd, struct buf *out)
{
	ssize_t n = send(fd, out->data, out->len, MSG_NOSIGNAL | MSG_DONTWAIT);

	if (n <= 0)
		return; /* full: poll tells when; gone: the machine's end tells */
	memmove(out->data, out->data + n, out->len - (size_t)n);
	out->len -= (size_t)n;
}

static int take_qmp(struct machine *m, struct err *e)
{
	enum qmp_news news;

	do {
		if (qmp_next(&m->qmp, &news, e) < 0)
			return -(int)e->code;
		if (news == QMP_DOWN && !m->down)
			m->down = xstrdup(m->qmp.text);
		m->bitten |= news == QMP_WATCHDOG;
	} while (news != QMP_NOTHING);
	return 0;
}

/*
 * poll(). A serial line comes by the byte: when it alone has something, more of it is
 * waited for, unless anything else happens. Reading each byte would cost more than the
 * rest of kiln's part in a boot.
 */
static int links_poll(struct pollfd *fds, nfds_t nr, int timeout_ms)
{
	int ready = poll(fds, nr, timeout_ms), fd = fds[CONSOLE].fd;

	if (ready != 1 || fds[CONSOLE].revents != POLLIN)
		return ready;
	fds[CONSOLE].fd = -1;
	ready = poll(fds, nr, GATHER_MS);
	fds[CONSOLE].fd = fd;
	fds[CONSOLE].revents = POLLIN;
	return ready > 0 ? ready + 1 : 1;
}

/*
 * One round of poll() over everything. When the process has ended the connections are
 * read to their ends first: what a dying machine said last is what matters.
 */
static int pump(struct machine *m, int timeout_ms, struct err *e)
{
	struct pollfd fds[NR_LINKS + 1];
	int nr;

	for (int i = 0; i < NR_LINKS; i++)
		fds[i] = (struct pollfd){ .fd = m->links[i], .events = POLLIN };
	fds[CHANNEL].events |= m->out.len ? POLLOUT : 0;
	fds[CONTROL].events |= m->qmp.out.len ? POLLOUT : 0;
	fds[NR_LINKS] = (struct pollfd){ .fd = m->ended ? -1 : proc_fd(m->proc),
					 .events = POLLIN };
	nr = links_poll(fds, NR_LINKS + 1, timeout_ms);
	if (stop_check(e) < 0)
		return -(int)e->code;
	if (nr <= 0)
		return 0;
	for (int i = 0; i < NR_LINKS; i++) {
		struct buf *out = i == CHANNEL ? &m->out : &m->qmp.out;

		if ((fds[i].revents & POLLOUT) && i != CONSOLE)
			link_write(m->links[i], out);
		if ((fds[i].revents & (POLLIN | POLLHUP | POLLERR)) &&
		    link_read(m, i, e) < 0)
			return -(int)e->code;
	}
	/* what the agent said before the console's last line may have come since poll() */
	if (fds[CONSOLE].revents && m->links[CHANNEL] >= 0 &&
	    link_read(m, CHANNEL, e) < 0)
		return -(int)e->code;
	if (fds[NR_LINKS].revents)
		m->ended = true;
	return take_qmp(m, e);
}

/* After the news of the end: nothing more can come than what the connections hold. */
static int drain(struct machine *m, struct err *e)
{
	do {
		m->life = false;
		if (pump(m, 0, e) < 0)
			return -(int)e->code;
	} while (m->life);
	return 0;
}

static int links_open(struct machine *m, int *theirs, struct err *e)
{
	for (int i = 0; i < NR_LINKS; i++) {
		int two[2];

		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, two) < 0)
			return err_sys(e, errno, "cannot make a socket pair");
		m->links[i] = two[0];
		theirs[i] = two[1];
		fcntl(two[0], F_SETFL, O_NONBLOCK);
	}
	return 0;
}

static int launch(struct machine *m, const struct machine_opts *o, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	int theirs[NR_LINKS] = { -1, -1, -1 };
	int r = links_open(m, theirs, e);

	qemu_args(o, &argv);
	if (!r)
		r = proc_start(&argv, m->log, theirs, NR_LINKS, &m->proc, e);
	for (int i = 0; i < NR_LINKS; i++)
		base_closep(&theirs[i]);
	return r;
}

/* Until QEMU has said what runs the machine; with kvm asked for, anything else is wrong.
 */
static int check_accel(struct machine *m, const struct machine_opts *o, struct err *e)
{
	uint64_t deadline = clock_ms() + START_MS;
	_cleanup_free_ char *words = NULL;

	while (!m->qmp.kvm_known && !m->ended && clock_left(deadline))
		if (pump(m, clock_left(deadline), e) < 0)
			return -(int)e->code;
	if (!m->qmp.kvm_known) {
		words = last_words(m);
		return err_set(e, m->ended ? ERR_TOOL_FAILED : ERR_TIMEOUT, "QEMU %s: %s",
			       m->ended ? "did not start" : "does not answer", words);
	}
	if (m->qmp.kvm != !strcmp(o->accel, "kvm"))
		return err_set(e, ERR_TOOL_FAILED, "QEMU runs with %s instead of %s",
			       m->qmp.kvm ? "kvm" : "tcg", o->accel);
	return 0;
}

static int qemu_start(const struct machine_opts *o, struct machine **ret, struct err *e)
{
	_cleanup_(qemu_freep) struct machine *m = xzalloc(sizeof(*m));

	for (int i = 0; i < NR_LINKS; i++)
		m->links[i] = -1;
	m->log = memfd_create("qemu-log", MFD_CLOEXEC);
	if (m->log < 0)
		return err_sys(e, errno, "cannot create a log");
	if (keep_open(o->console, &m->kept, e) < 0 ||
	    keep_mark(m->kept, "attempt", e) < 0)
		return -(int)e->code;
	if (launch(m, o, e) < 0 || check_accel(m, o, e) < 0)
		return -(int)e->code;
	*ret = take_ptr(m);
	return 0;
}

static int qemu_wait(struct machine *m, uint64_t deadline_ms, struct machine_event *ret,
		     struct err *e)
{
	for (;;) {
		if ((m->down || m->ended) && drain(m, e) < 0)
			return -(int)e->code;
		if (arrivals_next(&m->in, ret))
			return 0;
		if (m->bitten) {
			m->bitten = false;
			ret->type = MACHINE_WATCHDOG;
			return 0;
		}
		if (m->down || m->ended) {
			ret->type = m->down ? MACHINE_DOWN : MACHINE_GONE;
			ret->text = m->down ? xstrdup(m->down) : last_words(m);
			return 0;
		}
		if (m->life) {
			m->life = false;
			ret->type = MACHINE_LIFE;
			return 0;
		}
		if (!clock_left(deadline_ms)) {
			ret->type = MACHINE_TIMEOUT;
			return 0;
		}
		if (pump(m, clock_left(deadline_ms), e) < 0)
			return -(int)e->code;
	}
}

static void qemu_send(struct machine *m, const char *token, const struct strv *words)
{
	frame_format(token, m->seq++, words, &m->out);
	if (m->links[CHANNEL] >= 0)
		link_write(m->links[CHANNEL], &m->out);
}

/* Have what was queued for QEMU written, and its answer read. */
static bool flush_control(struct machine *m)
{
	_cleanup_err_ struct err ignored = { 0 };
	uint64_t deadline = clock_ms() + NUDGE_MS;

	while (m->qmp.out.len && !m->ended && clock_left(deadline))
		if (pump(m, clock_left(deadline), &ignored) < 0)
			return false;
	return !m->ended;
}

static bool qemu_nudge(struct machine *m, enum machine_nudge how)
{
	if (how == MACHINE_NMI)
		qmp_nmi(&m->qmp);
	else
		qmp_break(&m->qmp, "console");
	if (!flush_control(m) || m->links[CONSOLE] < 0)
		return false;
	return how == MACHINE_NMI ||
	       send(m->links[CONSOLE], "l", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

static int qemu_stop(struct machine *m, bool silent, struct err *e)
{
	_cleanup_err_ struct err ignored = { 0 };
	uint64_t deadline = clock_ms() + STOP_MS;

	qmp_quit(&m->qmp);
	while (!m->ended && clock_left(deadline))
		if (pump(m, clock_left(deadline), &ignored) < 0)
			break; /* asked to stop, or nothing to talk to: free() kills it */
	(void)silent;	       /* no network is between */
	(void)e;
	return 0;
}

static char *qemu_place(const struct target *t)
{
	(void)t;
	return xstrdup("/boot");
}

static char *qemu_tools(const struct target *t, const char *digest)
{
	(void)t;
	(void)digest;
	return xstrdup("/tools");
}

static char *qemu_huge_pages(const struct target *t)
{
	(void)t;
	return xstrdup("/hugepages");
}

static const char *qemu_version(const struct machine *m)
{
	return m->qmp.version;
}

const struct machine_type machine_qemu = {
	.name = "qemu",
	.params = qemu_params,
	.place = qemu_place,
	.tools = qemu_tools,
	.huge_pages = qemu_huge_pages,
	.start = qemu_start,
	.wait = qemu_wait,
	.send = qemu_send,
	.nudge = qemu_nudge,
	.version = qemu_version,
	.stop = qemu_stop,
	.free = qemu_free,
};
