// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/remote-start.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "boot/cmdline.h"
#include "boot/target/remote-copy.h"
#include "boot/target/target-log.h"
#include "core/arch/arch.h"
#include "core/base/alloc.h"

#define ASK_MS 60000
#define CONSOLE_ROOM (4 << 20) /* what comes while kiln waits for something else */

static int console_start(struct machine *m, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	int two[2], room = CONSOLE_ROOM, r;

	if (!m->target->console)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, two) < 0)
		return err_sys(e, errno, "cannot make a socket pair");
	for (int i = 0; i < 2; i++) {
		/* no more than the system allows, which will do */
		setsockopt(two[i], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
		setsockopt(two[i], SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	}
	fcntl(two[0], F_SETFL, O_NONBLOCK);
	strv_addl(&argv, "/bin/sh", "-c", m->target->console, NULL);
	r = proc_start_talk(&argv, (int[]){ two[1], two[1], -1 }, &m->console_proc, e);
	close(two[1]);
	m->console_fd = two[0];
	return r < 0 ? err_wrap(e, "cannot start the console of target '%s'",
				m->target->name)
		     : 0;
}

static int check_facts(const struct target *t, const struct remote_facts *f,
		       struct err *e)
{
	if (strcmp(f->user, "0") != 0) {
		err_set(e, ERR_POLICY, "user %s of target '%s' is not root", f->user,
			t->name);
		return err_hint(e, "only root may load kernels: let `ssh %s` be root",
				t->host ?: "root@localhost");
	}
	/* what the host is does not matter */
	if (strcmp(f->arch, arch_find(NULL)->machine) != 0) {
		err_set(e, ERR_POLICY, "target '%s' is a %s, not an %s", t->name, f->arch,
			arch_find(NULL)->machine);
		return err_hint(e, "name a target of the architecture that is built");
	}
	return 0;
}

static int in_base(struct machine *m, struct err *e)
{
	_cleanup_(remote_facts_release) struct remote_facts f = { 0 };
	_cleanup_free_ char *token = NULL, *away = target_log_read(m->target);

	if (remote_facts(m->target, ASK_MS, &f, e) < 0) {
		if (away)
			err_wrap(e, "target '%s' did not come back %s", m->target->name,
				 away);
		return -(int)e->code;
	}
	if (check_facts(m->target, &f, e) < 0)
		return -(int)e->code;
	token = cmdline_value(f.cmdline, "kiln.token");
	if (token && m->target->kind == TARGET_LOCAL) {
		err_set(e, ERR_POLICY, "this machine runs the kernel of another boot");
		return err_hint(e, "reboot it, then `kiln resume`");
	}
	if (token && remote_return(m, f.boot_id, e) < 0)
		return err_wrap(e, "target '%s' still runs the kernel of an earlier run",
				m->target->name);
	target_log_back(m->target);
	return 0;
}

/* The files; and what an earlier crash left must not be taken for this one's. */
static int first_copy(struct machine *m, struct err *e)
{
	_cleanup_free_ char *remains = remote_remains_command(m->target, m->token);
	_cleanup_buf_ struct buf old = BUF_INIT;

	if (remote_copy_after(m, remains, &old, e) < 0)
		return -(int)e->code;
	return old.len ? keep_mark(m->kept, "pstore had something of an earlier boot", e)
		       : 0;
}

int remote_prepare(struct machine *m, struct err *e)
{
	if (console_start(m, e) < 0 || in_base(m, e) < 0 || first_copy(m, e) < 0)
		return -(int)e->code;
	return wire_dial(&m->wire, m->target, m->token, NULL, e);
}

int remote_rejoin(struct machine *m, const struct machine_opts *o, struct err *e)
{
	m->base_boot = xstrdup(o->base_boot_id);
	m->boot = xstrdup(o->base_boot_id);
	m->told_to_jump = m->entered = true;
	if (m->target->kind == TARGET_LOCAL) {
		/* kiln could not look at it as it came */
		console_feed(&m->remains, o->said, strlen(o->said));
		console_feed(&m->remains, "\n", 1);
	}
	if (console_start(m, e) < 0 || keep_mark(m->kept, "rejoined, its log", e) < 0 ||
	    keep_write(m->kept, o->said, strlen(o->said), e) < 0 ||
	    keep_mark(m->kept, "console", e) < 0)
		return -(int)e->code;
	return wire_dial(&m->wire, m->target, m->token, m->boot, e);
}
