// SPDX-License-Identifier: GPL-3.0-or-later
/* One child at a time: what it prints becomes messages, line by line. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
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
	struct command_limits limits;
	uint64_t end_ms;  /* 0: no limit of time */
	uint64_t printed; /* bytes of all streams */
	int in;		  /* its standard input */
	bool guest;
	const char *killed; /* which limit it broke, NULL: none */
	struct stream streams[NR_STREAMS];
};

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Keep to the first processor, where the machine was told to. */
static void pin(void)
{
	_cleanup_free_ char *wanted = fact_param("kiln.pin");
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (wanted && sched_setaffinity(0, sizeof(first), &first) < 0)
		_exit(127);
}

static void child(const struct command *c, const int *ends, int in)
{
	struct rlimit none = { 0, 0 }, cpu = { c->limits.cpu_s, c->limits.cpu_s + 1 };

	setpgid(0, 0);
	pin();
	setrlimit(RLIMIT_CORE, &none);
	if (c->limits.cpu_s && setrlimit(RLIMIT_CPU, &cpu) < 0)
		_exit(127);
	if (dup2(in, STDIN_FILENO) < 0)
		_exit(127);
	for (int i = 0; i < NR_STREAMS; i++) {
		/* standard output and error are 1 and 2, channel and console 3 and 4 */
		if (ends[i] >= 0 && dup2(ends[i], i + 1) < 0)
			_exit(127);
	}
	execv(c->argv[0], c->argv);
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

/* The program's standard input, out of the way of the numbers it gets. */
static bool input(int *ours, int *theirs)
{
	int two[2];

	if (pipe2(two, O_CLOEXEC) < 0)
		return false;
	*theirs = fcntl(two[0], F_DUPFD_CLOEXEC, 16);
	*ours = fcntl(two[1], F_DUPFD_CLOEXEC, 16);
	close(two[0]);
	close(two[1]);
	return true;
}

void task_tell(struct task *t, const char *text)
{
	_cleanup_free_ char *line = xasprintf("%s\n", text);
	int fd = t->guest ? t->streams[CHANNEL].fd : t->in;

	/* one that does not listen any more has ended, or will be ended */
	if (fd >= 0 && write(fd, line, strlen(line)) < 0)
		return;
}

struct task *task_start(const struct command *c)
{
	int ours[NR_STREAMS], theirs[NR_STREAMS], in[2] = { -1, -1 };
	bool made = pairs(c->guest ? NR_STREAMS : CHANNEL, ours, theirs) &&
		    input(&in[0], &in[1]);
	struct task *t;
	pid_t pid = made ? fork() : -1;

	if (pid == 0)
		child(c, theirs, in[1]);
	close_all(theirs);
	base_closep(&in[1]);
	if (pid < 0) {
		base_closep(&in[0]);
		close_all(ours);
		return NULL;
	}
	t = xzalloc(sizeof(*t));
	t->name = xstrdup(c->task);
	t->pid = pid;
	t->limits = c->limits;
	t->in = in[0];
	t->guest = c->guest;
	t->end_ms = c->limits.wall_s ? now_ms() + c->limits.wall_s * 1000 : 0;
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

/* A limit is broken: say so once, and end it. */
static void break_limit(struct task *t, struct port *p, const char *which)
{
	_cleanup_free_ char *text = xasprintf("killed: it broke its limit of %s", which);

	if (t->killed)
		return;
	t->killed = which;
	port_send(p, "note", t->name, text, NULL);
	task_kill(t);
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

	t->printed += n > 0 ? (uint64_t)n : 0;
	if (t->limits.out_bytes && t->printed > t->limits.out_bytes)
		break_limit(t, p, "output");
	/* what a killed program still says counts no more */
	for (ssize_t at = 0; at < n && !t->killed; at++) {
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
	_cleanup_strv_ struct strv words = STRV_INIT;
	int status = 127 << 8;

	while (waitpid(t->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		break_limit(t, p, "processor time");
	strv_addl(&words, "end", t->name, NULL);
	strv_addf(&words, "%d",
		  WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	facts_add(p, &words);
	if (!fault_is("noend"))
		port_send_words(p, &words);
}

/* How long poll() may take. */
static int time_left(struct task *t, struct port *p)
{
	uint64_t now = now_ms();

	if (!t || !t->end_ms || t->killed)
		return -1;
	if (now < t->end_ms)
		return t->end_ms - now > 1000000 ? 1000000 : (int)(t->end_ms - now);
	break_limit(t, p, "time");
	return -1;
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
	if (watchdog_poll(p, fds, NR_STREAMS + 1, time_left(t, p)) <= 0)
		return true;
	for (int i = 0; i < NR_STREAMS; i++)
		if (fds[i + 1].revents)
			stream_read(t, i, p);
	if (fds[0].revents)
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
	base_closep(&t->in);
	free(t->name);
	free(t);
}
