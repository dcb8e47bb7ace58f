// SPDX-License-Identifier: GPL-3.0-or-later
/* The part of the kernel under test, and of a guest: run programs and relay. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "boot/agent/agent.h"
#include "core/base/alloc.h"

bool share_mount(struct port *p, const char *tag, const char *where)
{
	/* a machine that has no shares got the files in its initramfs */
	if (p->attached || access(where, F_OK) == 0)
		return true;
	mkdir(where, 0755);
	if (mount(tag, where, "9p", MS_RDONLY | MS_NOSUID | MS_NODEV,
		  "trans=virtio,version=9p2000.L,msize=512000,cache=loose") == 0)
		return true;
	rmdir(where); /* so that nobody takes it for what came along */
	port_error(p, "cannot mount the share '%s'", tag);
	return false;
}

/* Where L1's memory comes from, on a machine that set huge pages aside. */
static bool mount_huge_pages(struct port *p)
{
	_cleanup_free_ char *wanted = fact_param("hugepages");
	_cleanup_free_ char *where = p->attached ? xasprintf("%s/hugepages", p->attached)
						 : xstrdup("/hugepages");
	struct statfs fs;

	if (!wanted || (statfs(where, &fs) == 0 && fs.f_type == HUGETLBFS_MAGIC))
		return true;
	mkdir(where, 0700);
	if (mount("hugetlbfs", where, "hugetlbfs", 0, NULL) == 0)
		return true;
	port_error(p, "this kernel has no huge pages: %s", strerror(errno));
	return false;
}

/* The words of a file, each ended by a NUL byte; false when there is none. */
static bool read_words(const char *path, struct strv *ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_buf_ struct buf b = BUF_INIT;
	ssize_t n;

	while (fd >= 0 && (n = read(fd, buf_room(&b, 4096), 4096)) > 0)
		buf_grew(&b, (size_t)n);
	for (size_t i = 0; i < b.len; i += strlen(b.data + i) + 1)
		strv_add(ret, b.data + i);
	return ret->nr;
}

/*
 * Start a program of the share: the file that is named holds the words of the command, as
 * the machine may not know how to start a script or a dynamic program.
 */
static struct task *start_program(const struct command *c)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct command whole = *c;

	if (!read_words(c->argv[0], &argv))
		return NULL;
	for (char *const *arg = c->argv + 1; *arg; arg++)
		strv_add(&argv, *arg);
	whole.argv = argv.v;
	return task_start(&whole);
}

/*
 * A processor that cannot run guests is the machine's fault. Where it could and there is
 * no device, KVM did not start: by this kernel's fault, or since firmware forbids it.
 */
static bool have_kvm(struct port *p)
{
	_cleanup_free_ char *cpu = fact_file("/proc/cpuinfo");

	if (access("/dev/kvm", F_OK) == 0)
		return true;
	if (strstr(cpu, " svm ") || strstr(cpu, " vmx "))
		port_error(p, "this kernel has no /dev/kvm, though its processor could "
			      "run guests");
	else
		port_send(p, "error", "the processor has neither svm nor vmx", "policy",
			  NULL);
	return false;
}

/* What a guest needs besides its own files. */
static bool ready_for_guest(struct port *p)
{
	if (!p->attached && access("/tools/qemu", F_OK) < 0 &&
	    !share_mount(p, "kiln.tools", "/tools"))
		return false;
	return have_kvm(p) && mount_huge_pages(p);
}

static struct task *start(struct port *p, const struct command *c)
{
	struct task *t;

	if (c->guest && !ready_for_guest(p))
		return NULL;
	if (!c->guest) /* a guest waits for its own, and takes longer */
		clock_settle();
	t = c->guest ? task_start(c) : start_program(c);
	if (!t)
		port_error(p, "cannot start task '%s'", c->task);
	return t;
}

static void count(struct port *p, struct counters **counters, const struct command *c)
{
	if (!*counters)
		*counters = counters_open(c->argv);
	counters_send(*counters, c->task, p);
}

/* What a candidate works on. */
struct work {
	struct task *task; /* NULL: none */
	struct counters *counters;
};

/* Carry out what the host asked for. false: it said good-bye. */
static bool command(struct port *p, struct work *w, const struct frame *f)
{
	struct task **t = &w->task;
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
	else if (c.type == COMMAND_TELL && *t && !strcmp(c.task, task_name(*t)))
		task_tell(*t, c.text);
	else if (c.type == COMMAND_COUNT)
		count(p, &w->counters, &c);
	return c.type != COMMAND_BYE;
}

void role_candidate(struct port *p)
{
	struct work w = { 0 };
	bool more = true;

	hello(p, "candidate");
	watchdog_start(p);
	share_mount(p, "kiln.boot", "/boot");
	while (more && !p->lost) {
		struct frame f = { 0 };
		enum frame_status status = port_next(p, &f);

		if (status == FRAME_OK)
			more = command(p, &w, &f);
		frame_release(&f);
		if (status != FRAME_NONE || task_relay(w.task, p))
			continue;
		task_free(w.task);
		w.task = NULL;
	}
	if (w.task)
		task_kill(w.task);
	task_free(w.task);
	counters_free(w.counters);
}

/* Hand the program what the host has for it. */
static void guest_commands(struct port *p, struct task *t)
{
	struct frame f = { 0 };
	const char *why;
	struct command c;

	while (frame_next(&p->in, &f, &why) == FRAME_OK) {
		if (!command_parse(&f, &c) && c.type == COMMAND_TELL &&
		    !strcmp(c.task, task_name(t)))
			task_tell(t, c.text);
		frame_release(&f);
	}
}

/* Run one program to its end. false: the host is gone. */
static bool guest_program(struct port *p, const char *name, const struct strv *argv)
{
	struct task *t = task_start(&(struct command){ .task = name, .argv = argv->v });

	if (!t) {
		_cleanup_strv_ struct strv words = STRV_INIT;

		strv_addl(&words, "end", name, "127", NULL);
		facts_add(p, &words);
		port_send_words(p, &words);
		return true;
	}
	while (!p->lost && task_relay(t, p))
		guest_commands(p, t);
	if (p->lost)
		task_kill(t);
	task_free(t);
	return !p->lost;
}

void role_guest(struct port *p)
{
	bool more = true;

	hello(p, "guest");
	clock_settle();
	for (int i = 0; more; i++) {
		_cleanup_free_ char *path = xasprintf("/kiln/argv-%d", i);
		_cleanup_free_ char *name = xasprintf("%d", i);
		_cleanup_strv_ struct strv argv = STRV_INIT;

		more = read_words(path, &argv) && guest_program(p, name, &argv);
	}
}
