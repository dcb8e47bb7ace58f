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
	mkdir(where, 0755);
	if (mount(tag, where, "9p", MS_RDONLY | MS_NOSUID | MS_NODEV,
		  "trans=virtio,version=9p2000.L,msize=512000,cache=loose") == 0)
		return true;
	port_error(p, "cannot mount the share '%s'", tag);
	return false;
}

static struct task *start(struct port *p, const struct frame *f)
{
	bool guest = !strcmp(frame_word(f, 2), "guest");
	struct task *t;

	if (f->words.nr < 4)
		return NULL;
	if (guest && access("/tools/qemu", F_OK) < 0 &&
	    !share_mount(p, "kiln.tools", "/tools"))
		return NULL;
	t = task_start(f->words.v[1], guest, f->words.v + 3);
	if (!t)
		port_error(p, "cannot start task '%s'", f->words.v[1]);
	return t;
}

/* Carry out what the host asked for. false: it said good-bye. */
static bool command(struct port *p, struct task **t, const struct frame *f)
{
	const char *type = f->words.v[0];

	if (!strcmp(type, "bye"))
		return false;
	if (!strcmp(type, "run") && !*t && !fault_is("mute"))
		*t = start(p, f);
	else if (!strcmp(type, "stop") && *t && !strcmp(frame_word(f, 1), task_name(*t)))
		task_kill(*t);
	return true;
}

void role_candidate(struct port *p)
{
	struct task *t = NULL;
	bool more = true;

	hello(p, "candidate");
	share_mount(p, "kiln.boot", "/boot");
	while (more) {
		struct frame f = { 0 };
		const char *why;
		enum frame_status status = frame_next(&p->in, &f, &why);

		if (status == FRAME_BROKEN)
			port_error(p, "a message from the host is damaged: %s", why);
		if (status == FRAME_OK)
			more = command(p, &t, &f);
		frame_release(&f);
		if (status != FRAME_NONE || task_relay(t, p))
			continue;
		task_free(t);
		t = NULL;
	}
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
	t = task_start("guest", false, argv.v);
	if (!t)
		port_error(p, "cannot start the program");
	while (t && task_relay(t, p))
		;
	task_free(t);
}
