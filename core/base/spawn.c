// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/spawn.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/base/stop.h"

#define TAIL_MAX 4096

struct proc {
	pid_t pid;
	int fd;	    /* pidfd */
	int status; /* once reaped */
	bool reaped;
};

struct child_setup {
	const char *program;
	char *const *argv;
	char *const *env;
	const char *dir;
	int stdio[3];
	const int *fds;
	size_t nr_fds;
	pid_t parent;
};

/* In the child, between fork and exec: only async-signal-safe calls. */
static void child_exec(const struct child_setup *c)
{
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != c->parent) /* died before prctl() */
		_exit(127);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int i = 0; i < 3; i++)
		if (dup2(c->stdio[i], i) < 0)
			_exit(127);
	for (size_t i = 0; i < c->nr_fds; i++)
		if (dup2(c->fds[i], 3 + (int)i) < 0)
			_exit(127);
	if (c->dir && chdir(c->dir) < 0)
		_exit(126);
	execve(c->program, c->argv, c->env);
	_exit(127);
}

static void env_merge(const struct strv *extra, struct strv *ret)
{
	extern char **environ;

	for (char **v = environ; *v; v++) {
		size_t name = strcspn(*v, "=") + 1;
		bool replaced = false;

		for (size_t i = 0; extra && i < extra->nr; i++)
			replaced |= !strncmp(extra->v[i], *v, name);
		if (!replaced)
			strv_add(ret, *v);
	}
	for (size_t i = 0; extra && i < extra->nr; i++)
		strv_add(ret, extra->v[i]);
}

/* Passed descriptors are moved out of the way of the numbers they will get. */
static int fds_raise(const int *fds, size_t nr, int *raised, struct err *e)
{
	for (size_t i = 0; i < nr; i++) {
		raised[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 16);
		if (raised[i] < 0)
			return err_sys(e, errno, "cannot pass a descriptor on");
	}
	return 0;
}

static int child_start(struct child_setup *c, const struct strv *argv,
		       const struct strv *env, struct proc **ret, struct err *e)
{
	_cleanup_free_ char *program = fs_find_program(argv->v[0]);
	_cleanup_strv_ struct strv merged = STRV_INIT;
	_cleanup_free_ char *line = log_level() ? strv_join(argv, " ") : NULL;
	int raised[8];
	struct proc *p;
	pid_t pid;

	assert(c->nr_fds <= ARRAY_SIZE(raised));
	if (!program) {
		err_set(e, ERR_TOOL_MISSING, "program '%s' not found", argv->v[0]);
		return err_hint(e, "install the package that has it, or fix PATH");
	}
	if (fds_raise(c->fds, c->nr_fds, raised, e) < 0)
		return -(int)e->code;
	if (line)
		log_debug("run: %s", line);
	env_merge(env, &merged);
	c->program = program;
	c->argv = argv->v;
	c->env = merged.v;
	c->fds = raised;
	c->parent = getpid();
	pid = fork();
	if (pid == 0)
		child_exec(c);
	for (size_t i = 0; i < c->nr_fds; i++)
		close(raised[i]);
	if (pid < 0)
		return err_sys(e, errno, "cannot start '%s'", program);
	setpgid(pid,
		pid); /* in both, so that a kill of the group never comes too early */
	p = xzalloc(sizeof(*p));
	p->pid = pid;
	p->fd = pidfd_open(pid, 0);
	*ret = p;
	return 0;
}

int proc_start(const struct strv *argv, int log_fd, const int *fds, size_t nr,
	       struct proc **ret, struct err *e)
{
	_cleanup_close_ int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int out = log_fd >= 0 ? log_fd : null;
	struct child_setup c = { .stdio = { null, out, out }, .fds = fds, .nr_fds = nr };

	if (null < 0)
		return err_sys(e, errno, "cannot open '/dev/null'");
	return child_start(&c, argv, NULL, ret, e);
}

int proc_start_talk(const struct strv *argv, const int stdio[3], struct proc **ret,
		    struct err *e)
{
	_cleanup_close_ int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct child_setup c = { 0 };

	if (null < 0)
		return err_sys(e, errno, "cannot open '/dev/null'");
	for (int i = 0; i < 3; i++)
		c.stdio[i] = stdio[i] >= 0 ? stdio[i] : null;
	return child_start(&c, argv, NULL, ret, e);
}

int proc_fd(const struct proc *p)
{
	return p->fd;
}

pid_t proc_pid(const struct proc *p)
{
	return p->pid;
}

static void proc_reap(struct proc *p, int options)
{
	int status;

	if (p->reaped || waitpid(p->pid, &status, options) != p->pid)
		return;
	p->reaped = true;
	p->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int proc_wait(struct proc *p, int timeout_ms, int *ret_status, struct err *e)
{
	uint64_t deadline = clock_ms() + (uint64_t)timeout_ms;

	for (;;) {
		struct pollfd pfd = { .fd = p->fd, .events = POLLIN };

		proc_reap(p, WNOHANG);
		if (p->reaped)
			break;
		if (stop_check(e) < 0)
			return -(int)e->code;
		if (!clock_left(deadline))
			return err_set(e, ERR_TIMEOUT, "process %d still runs",
				       (int)p->pid);
		poll(&pfd, 1, clock_left(deadline));
	}
	*ret_status = p->status;
	return 0;
}

void proc_free(struct proc *p)
{
	if (!p)
		return;
	if (!p->reaped) {
		kill(-p->pid, SIGKILL);
		proc_reap(p, 0);
	}
	if (p->fd >= 0)
		close(p->fd);
	free(p);
}

/* What spawn_run() keeps while the child talks. */
struct talk {
	const struct spawn *s;
	struct buf *tail;
	struct buf line;
	size_t in_done;
	int in, out, err;
};

static void talk_release(struct talk *t)
{
	base_closep(&t->in);
	base_closep(&t->out);
	base_closep(&t->err);
	buf_release(&t->line);
}

static void tail_add(struct buf *tail, const char *p, size_t n)
{
	buf_add(tail, p, n);
	if (tail->len > TAIL_MAX) {
		memmove(tail->data, tail->data + tail->len - TAIL_MAX, TAIL_MAX);
		tail->len = TAIL_MAX;
		tail->data[TAIL_MAX] = '\0';
	}
}

static void lines_feed(struct talk *t, const char *p, size_t n)
{
	for (size_t i = 0; t->s->line && i < n; i++) {
		if (p[i] != '\n') {
			if (t->line.len < TAIL_MAX)
				buf_addc(&t->line, p[i]);
			continue;
		}
		t->s->line(t->s->line_ctx, buf_str(&t->line));
		buf_clear(&t->line);
	}
}

/* Read what is there from one output; closes it at its end. */
static int talk_read(struct talk *t, int *fd, struct err *e)
{
	size_t max = t->s->out_max ? t->s->out_max : 64 << 20;
	char block[65536];
	ssize_t n = read(*fd, block, sizeof(block));

	if (n <= 0) {
		if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
			close(*fd);
			*fd = -1;
		}
		return 0;
	}
	if (t->s->log_fd > 0 && fs_write_fd(t->s->log_fd, block, (size_t)n, e) < 0)
		return err_wrap(e, "cannot keep the output of '%s'", t->s->argv->v[0]);
	if (fd == &t->err) {
		tail_add(t->tail, block, (size_t)n);
		return 0;
	}
	lines_feed(t, block, (size_t)n);
	if (!t->s->out)
		return 0;
	buf_add(t->s->out, block, (size_t)n);
	if (t->s->out->len > max)
		return err_set(e, ERR_TOO_BIG, "'%s' printed more than %zu bytes",
			       t->s->argv->v[0], max);
	return 0;
}

static void talk_write(struct talk *t)
{
	const char *p = t->s->in;
	ssize_t n = write(t->in, p + t->in_done, t->s->in_len - t->in_done);

	if (n > 0)
		t->in_done += (size_t)n;
	/* EPIPE: the child does not want more, its exit status will tell why */
	if ((n < 0 && errno != EAGAIN && errno != EINTR) || t->in_done == t->s->in_len) {
		close(t->in);
		t->in = -1;
	}
}

static int talk_until_end(struct talk *t, struct proc *p, struct err *e)
{
	uint64_t deadline = clock_ms() + t->s->timeout_ms;

	while (t->out >= 0 || t->err >= 0 || !p->reaped) {
		struct pollfd fds[] = {
			{ .fd = t->out, .events = POLLIN },
			{ .fd = t->err, .events = POLLIN },
			{ .fd = t->in, .events = POLLOUT },
			{ .fd = p->reaped ? -1 : p->fd, .events = POLLIN },
		};

		if (stop_check(e) < 0)
			return -(int)e->code;
		if (!clock_left(deadline))
			return err_set(e, ERR_TIMEOUT, "'%s' did not end within %llu s",
				       t->s->argv->v[0],
				       (unsigned long long)(t->s->timeout_ms + 999) /
					       1000);
		/* Once it ended only what is in the pipes already is waited for. */
		if (poll(fds, ARRAY_SIZE(fds), p->reaped ? 0 : clock_left(deadline)) < 0)
			continue;
		if (fds[0].revents && talk_read(t, &t->out, e) < 0)
			return -(int)e->code;
		if (fds[1].revents && talk_read(t, &t->err, e) < 0)
			return -(int)e->code;
		if (fds[2].revents)
			talk_write(t);
		if (fds[3].revents)
			proc_reap(p, WNOHANG);
		/* A grandchild may hold the pipes open; what the child said is in them
		 * already. */
		if (p->reaped && !fds[0].revents && !fds[1].revents)
			break;
	}
	return 0;
}

static int talk_start(struct talk *t, struct proc **ret, struct err *e)
{
	int in[2] = { -1, -1 }, out[2], err[2], r;
	struct child_setup c = { .dir = t->s->dir };

	if (pipe2(in, O_CLOEXEC) < 0)
		return err_sys(e, errno, "cannot make a pipe");
	t->in = in[1];
	if (pipe2(out, O_CLOEXEC) < 0) {
		close(in[0]);
		return err_sys(e, errno, "cannot make a pipe");
	}
	t->out = out[0];
	if (pipe2(err, O_CLOEXEC) < 0) {
		close(in[0]);
		close(out[1]);
		return err_sys(e, errno, "cannot make a pipe");
	}
	t->err = err[0];
	fcntl(t->in, F_SETFL, O_NONBLOCK);
	c.stdio[0] = in[0];
	c.stdio[1] = out[1];
	c.stdio[2] = err[1];
	r = child_start(&c, t->s->argv, t->s->env, ret, e);
	close(in[0]);
	close(out[1]);
	close(err[1]);
	if (!t->s->in_len) {
		close(t->in);
		t->in = -1;
	}
	return r;
}

int spawn_run(const struct spawn *s, int *ret_status, struct buf *tail, struct err *e)
{
	_cleanup_buf_ struct buf own_tail = BUF_INIT;
	_cleanup_(
		talk_release) struct talk t = { .s = s, .in = -1, .out = -1, .err = -1 };
	_cleanup_proc_ struct proc *p = NULL;

	assert(s->timeout_ms);
	t.tail = tail ? tail : &own_tail;
	if (talk_start(&t, &p, e) < 0)
		return -(int)e->code;
	if (talk_until_end(&t, p, e) < 0)
		return -(int)e->code;
	if (t.line.len && s->line)
		s->line(s->line_ctx, buf_str(&t.line));
	*ret_status = p->status;
	return 0;
}

/* The last line with something in it: what a tool says when it gives up. */
static const char *last_line(struct buf *tail)
{
	char *s, *nl;

	while (tail->len && strchr("\n\r ", tail->data[tail->len - 1]))
		tail->data[--tail->len] = '\0';
	s = tail->len ? tail->data : NULL;
	nl = s ? strrchr(s, '\n') : NULL;
	return nl ? nl + 1 : s;
}

int spawn_check(const struct spawn *s, struct err *e)
{
	_cleanup_buf_ struct buf tail = BUF_INIT;
	const char *said;
	int status;

	if (spawn_run(s, &status, &tail, e) < 0)
		return -(int)e->code;
	if (!status)
		return 0;
	said = last_line(&tail);
	return err_set(e, ERR_TOOL_FAILED, "'%s' ended with status %d%s%s", s->argv->v[0],
		       status, said ? ": " : "", said ?: "");
}
