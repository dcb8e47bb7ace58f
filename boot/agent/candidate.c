// SPDX-License-Identifier: GPL-3.0-or-later
/* The part of the kernel under test, and of a guest: run programs and relay. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "core/base/alloc.h"

bool share_mount(struct port *p, const char *tag, const char *where)
{
	if (p->attached)
		return true;
	mkdir(where, 0755);
	if (mount(tag, where, "9p", MS_RDONLY | MS_NOSUID | MS_NODEV,
		  "trans=virtio,version=9p2000.L,msize=512000,cache=loose") == 0)
		return true;
	port_error(p, "cannot mount the share '%s'", tag);
	return false;
}

static struct task *start(struct port *p, const struct command *c)
{
	struct task *t;

	if (c->guest && access("/tools/qemu", F_OK) < 0 &&
	    !share_mount(p, "kiln.tools", "/tools"))
		return NULL;
	t = task_start(c);
	if (!t)
		port_error(p, "cannot start task '%s'", c->task);
	return t;
}

/* Carry out what the host asked for. false: it said good-bye. */
static bool command(struct port *p, struct task **t, const struct frame *f)
{
	struct command c;
	const char *why = command_parse(f, &c);

	if (why) {
		port_error(p, "a command is malformed: %s", why);
		return true;
	}
	if (c.type == COMMAND_RUN)
		fault_at_task();
	if (c.type == COMMAND_PING)
		port_send(p, "pong", NULL);
	else if (c.type == COMMAND_RUN && !*t && !fault_is("mute"))
		*t = start(p, &c);
	else if (c.type == COMMAND_STOP && *t && !strcmp(c.task, task_name(*t)))
		task_kill(*t);
	return c.type != COMMAND_BYE;
}

void role_candidate(struct port *p)
{
	struct task *t = NULL;
	bool more = true;

	hello(p, "candidate");
	watchdog_start(p);
	share_mount(p, "kiln.boot", "/boot");
	while (more && !p->lost) {
		struct frame f = { 0 };
		enum frame_status status = port_next(p, &f);

		if (status == FRAME_OK)
			more = command(p, &t, &f);
		frame_release(&f);
		if (status != FRAME_NONE || task_relay(t, p))
			continue;
		task_free(t);
		t = NULL;
	}
	if (t)
		task_kill(t);
	task_free(t);
}

/* The arguments of /kiln/program, each ended by a NUL byte. */
static void guest_argv(struct strv *ret)
{
	_cleanup_close_ int fd = open("/kiln/argv", O_RDONLY | O_CLOEXEC);
	_cleanup_buf_ struct buf b = BUF_INIT;
	ssize_t n;

	while (fd >= 0 && (n = read(fd, buf_room(&b, 4096), 4096)) > 0)
		buf_grew(&b, (size_t)n);
	strv_add(ret, "/kiln/program");
	for (size_t i = 0; i < b.len; i += strlen(b.data + i) + 1)
		strv_add(ret, b.data + i);
}

void role_guest(struct port *p)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct task *t;

	hello(p, "guest");
	guest_argv(&argv);
	t = task_start(&(struct command){ .task = "guest", .argv = argv.v });
	if (!t)
		port_error(p, "cannot start the program");
	while (t && !p->lost && task_relay(t, p))
		;
	if (t && p->lost)
		task_kill(t);
	task_free(t);
}
