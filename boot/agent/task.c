// SPDX-License-Identifier: GPL-3.0-or-later
/* One child at a time: what it prints becomes messages, line by line. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "core/base/alloc.h"

/* Where lines come from, and the type of message each becomes. */
enum { OUT, ERRS, CHANNEL, CONSOLE, NR_STREAMS };
static const char *const types[NR_STREAMS] = { "line", "note", "guest", "console" };

struct stream {
	int fd;
	struct buf line;
};

struct task {
	char *name;
	pid_t pid;
	struct stream streams[NR_STREAMS];
};

static void child(char *const *argv, const int *ends)
{
	setpgid(0, 0);
	for (int i = 0; i < NR_STREAMS; i++) {
		/* standard output and error are 1 and 2, channel and console 3 and 4 */
		if (ends[i] >= 0 && dup2(ends[i], i + 1) < 0)
			_exit(127);
	}
	execv(argv[0], argv);
	_exit(127);
}

static void close_all(const int *fds)
{
	for (int i = 0; i < NR_STREAMS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* Socket pairs all, above the numbers the child's ends will get. */
static bool pairs(int nr, int *ours, int *theirs)
{
	for (int i = 0; i < NR_STREAMS; i++)
		ours[i] = theirs[i] = -1;
	for (int i = 0; i < nr; i++) {
		int two[2];

		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, two) < 0)
			return false;
		ours[i] = fcntl(two[0], F_DUPFD_CLOEXEC, 16);
		theirs[i] = fcntl(two[1], F_DUPFD_CLOEXEC, 16);
		close(two[0]);
		close(two[1]);
	}
	return true;
}

struct task *task_start(const char *name, bool guest, char *const *argv)
{
	int ours[NR_STREAMS], theirs[NR_STREAMS];
	bool made = pairs(guest ? NR_STREAMS : CHANNEL, ours, theirs);
	struct task *t;
	pid_t pid = made ? fork() : -1;

	if (pid == 0)
		child(argv, theirs);
	close_all(theirs);
	if (pid < 0) {
		close_all(ours);
		return NULL;
	}
	t = xzalloc(sizeof(*t));
	t->name = xstrdup(name);
	t->pid = pid;
	for (int i = 0; i < NR_STREAMS; i++)
		t->streams[i].fd = ours[i];
	return t;
}

void task_kill(struct task *t)
{
	kill(-t->pid, SIGKILL);
	kill(t->pid, SIGKILL);
}

const char *task_name(const struct task *t)
{
	return t->name;
}

static void stream_line(struct task *t, int i, struct port *p)
{
	struct buf *line = &t->streams[i].line;

	if (line->len && line->data[line->len - 1] == '\r')
		line->data[--line->len] = '\0';
	port_send(p, types[i], t->name, buf_str(line), NULL);
	buf_clear(line);
}

static void stream_read(struct task *t, int i, struct port *p)
{
	struct stream *s = &t->streams[i];
	/* a guest's messages may be longer than a line of text, and must stay whole */
	size_t max = i == CHANNEL ? FRAME_MAX / 2 : AGENT_LINE_MAX;
	char block[8192];
	ssize_t n = read(s->fd, block, sizeof(block));

	for (ssize_t at = 0; at < n; at++) {
		if (block[at] == '\n')
			stream_line(t, i, p);
		else if (block[at] && s->line.len < max)
			buf_addc(&s->line, block[at]);
	}
	if (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)))
		return;
	if (s->line.len)
		stream_line(t, i, p);
	close(s->fd);
	s->fd = -1;
}

/* All ends of the child are closed: reap it and report. */
static void finish(struct task *t, struct port *p)
{
	_cleanup_free_ char *boot_id = fact_file("/proc/sys/kernel/random/boot_id");
	_cleanup_free_ char *oops = fact_file("/sys/kernel/oops_count");
	_cleanup_free_ char *warn = fact_file("/sys/kernel/warn_count");
	_cleanup_free_ char *text = NULL;
	int status = 127 << 8;

	while (waitpid(t->pid, &status, 0) < 0 && errno == EINTR)
		;
	text = xasprintf("%d", WIFEXITED(status) ? WEXITSTATUS(status)
						 : 128 + WTERMSIG(status));
	if (!fault_is("noend"))
		port_send(p, "end", t->name, text, boot_id, oops, warn, NULL);
}

bool task_relay(struct task *t, struct port *p)
{
	struct pollfd fds[NR_STREAMS + 1] = { { .fd = p->fd, .events = POLLIN } };
	bool open = false;

	for (int i = 0; i < NR_STREAMS; i++) {
		fds[i + 1] = (struct pollfd){ .fd = t ? t->streams[i].fd : -1,
					      .events = POLLIN };
		open |= fds[i + 1].fd >= 0;
	}
	if (t && !open) {
		finish(t, p);
		return false;
	}
	if (poll(fds, NR_STREAMS + 1, -1) < 0)
		return true;
	for (int i = 0; i < NR_STREAMS; i++)
		if (fds[i + 1].revents)
			stream_read(t, i, p);
	if (fds[0].revents & POLLIN)
		port_read(p);
	return true;
}

void task_free(struct task *t)
{
	if (!t)
		return;
	for (int i = 0; i < NR_STREAMS; i++) {
		base_closep(&t->streams[i].fd);
		buf_release(&t->streams[i].line);
	}
	free(t->name);
	free(t);
}
