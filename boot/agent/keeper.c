// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * On a machine that is reached by a connection, the agent must outlive it. A keeper holds
 * one end of the role's port and all it ever said; whoever attaches gets what he has not
 * seen yet, and what follows. The newest one wins: an older connection may be dead
 * without knowing it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "boot/agent/keeper.h"
#include "boot/agent/modules.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"

#define SAID_MAX ((size_t)64 << 20) /* then the role has to wait, for ever */
#define IDLE_MS (10 * 60 * 1000)
#define FIRST_LINE 32

struct keeper {
	int listen, worker, client, journal;
	bool base;	 /* nothing is lost when nobody asks for it any more */
	struct buf said; /* by the role, since it started */
	struct buf in;	 /* for the role, whole lines */
	struct buf part; /* of the client's line: dies with its connection */
	size_t given;	 /* of said, to the client */
	bool hungry;	 /* the client has not said yet where to go on */
	struct buf first;
};

/* Where line nr begins; the end of what was said when there are fewer. */
static size_t line_start(const struct buf *b, uint64_t nr)
{
	const char *p = buf_str(b), *end = p + b->len;

	for (; nr && p < end; nr--) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		p = nl ? nl + 1 : end;
	}
	return (size_t)(p - buf_str(b));
}

static void client_gone(struct keeper *k)
{
	base_closep(&k->client);
	k->client = -1;
	buf_clear(&k->first);
	buf_clear(&k->part);
}

static void client_new(struct keeper *k)
{
	int fd = accept4(k->listen, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	client_gone(k);
	k->client = fd;
	k->hungry = true;
}

/* A message for the role. A line without end is no message. */
static void client_said(struct keeper *k, const char *data, size_t len)
{
	const char *last = memrchr(data, '\n', len);
	size_t whole = last ? (size_t)(last - data) + 1 : 0;

	if (last) {
		buf_add(&k->in, buf_str(&k->part), k->part.len);
		buf_clear(&k->part);
		buf_add(&k->in, data, whole);
	}
	buf_add(&k->part, data + whole, len - whole);
	if (k->part.len > FRAME_MAX)
		client_gone(k);
}

/* The first line of a client: the number of the message it wants next. */
static void client_first(struct keeper *k, const char *data, size_t len)
{
	const char *nl = memchr(data, '\n', len);
	size_t n = nl ? (size_t)(nl - data) : len;
	uint64_t nr;

	buf_add(&k->first, data, n);
	if (k->first.len > FIRST_LINE || (nl && !parse_u64(buf_str(&k->first), &nr))) {
		client_gone(k);
	} else if (nl) {
		k->hungry = false;
		k->given = line_start(&k->said, nr);
		client_said(k, nl + 1, len - n - 1);
	}
}

static void client_read(struct keeper *k)
{
	char block[8192];
	ssize_t n = read(k->client, block, sizeof(block));

	if (n > 0 && k->hungry)
		client_first(k, block, (size_t)n);
	else if (n > 0)
		client_said(k, block, (size_t)n);
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		client_gone(k);
}

static void client_write(struct keeper *k)
{
	ssize_t n = send(k->client, k->said.data + k->given, k->said.len - k->given,
			 MSG_NOSIGNAL | MSG_DONTWAIT);

	if (n > 0)
		k->given += (size_t)n;
	else if (n < 0 && errno != EINTR && errno != EAGAIN)
		client_gone(k);
}

static void worker_read(struct keeper *k)
{
	char block[65536];
	ssize_t n = read(k->worker, block, sizeof(block));

	if (n > 0) {
		buf_add(&k->said, block, (size_t)n);
		/* a full disk costs the copy on disk, not the run */
		if (k->journal >= 0 && write(k->journal, block, (size_t)n) != n)
			base_closep(&k->journal);
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		base_closep(&k->worker);
		k->worker = -1;
	}
}

static void worker_write(struct keeper *k)
{
	ssize_t n = send(k->worker, k->in.data, k->in.len, MSG_NOSIGNAL | MSG_DONTWAIT);

	if (n <= 0)
		return;
	memmove(k->in.data, k->in.data + n, k->in.len - (size_t)n);
	k->in.len -= (size_t)n;
}

static bool has_more(const struct keeper *k)
{
	return k->client >= 0 && !k->hungry && k->given < k->said.len;
}

/* Until the role has ended and what it said was taken, or nobody wants it. */
static void relay(struct keeper *k)
{
	while (k->worker >= 0 || has_more(k)) {
		struct pollfd fds[] = {
			{ .fd = k->listen, .events = POLLIN },
			{ .fd = k->client,
			  .events = POLLIN | (has_more(k) ? POLLOUT : 0) },
			{ .fd = k->worker, .events = k->in.len ? POLLOUT : 0 },
		};
		int n;

		if (k->said.len < SAID_MAX)
			fds[2].events |= POLLIN;
		n = poll(fds, ARRAY_SIZE(fds), k->base && k->client < 0 ? IDLE_MS : -1);
		if (n == 0)
			return;
		if (n < 0)
			continue;
		if (fds[2].revents & POLLOUT)
			worker_write(k);
		if (fds[2].revents & (POLLIN | POLLHUP | POLLERR))
			worker_read(k);
		if (fds[1].revents & POLLOUT)
			client_write(k);
		if (k->client >= 0 && (fds[1].revents & (POLLIN | POLLHUP | POLLERR)))
			client_read(k);
		if (fds[0].revents)
			client_new(k);
	}
}

static void work(const char *token, bool base, int fd, const char *dir)
{
	_cleanup_free_ char *modules = xasprintf("%s/modules", dir);
	struct port p = { .fd = fd, .watchdog = -1, .attached = dir };
	_cleanup_strv_ struct strv refused = STRV_INIT;

	p.token = xstrdup(token);
	if (base) {
		role_base(&p);
	} else if (!modules_load(&p, modules, &refused)) {
		port_send_words(&p, &refused);
	} else {
		fault_before_hello(&p);
		role_candidate(&p);
	}
	_exit(0);
}

void keeper_run(const struct keeper_opts *o)
{
	_cleanup_free_ char *path = xasprintf("%s/%s.%s.journal", o->dir, o->token,
					      o->base ? "base" : "candidate");
	struct keeper k = { .listen = o->listen, .client = -1, .base = o->base };
	int two[2];
	pid_t pid;

	signal(SIGHUP, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	k.journal =
		open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, two) < 0)
		_exit(1);
	pid = fork();
	if (pid == 0) {
		close(two[0]);
		close(o->listen);
		work(o->token, o->base, two[1], o->dir);
	}
	close(two[1]);
	if (pid < 0)
		_exit(1);
	k.worker = two[0];
	relay(&k);
	unlink(o->socket);
	_exit(0);
}
