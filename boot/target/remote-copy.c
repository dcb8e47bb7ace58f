// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/remote-copy.h"

#include <stdlib.h>
#include <string.h>

#include "boot/target/ssh.h"
#include "core/base/alloc.h"
#include "core/base/log.h"

#define ASK_MS 60000
#define HAVE "kiln-has-tools"

char *remote_tools_dir(const struct target *t, const char *digest)
{
	return xasprintf("%s/tools-%s", t->dir, digest);
}

/* It is moved into place when it is whole, so its name is proof enough. */
static int have_tools(const struct machine *m, bool *ret, struct err *e)
{
	_cleanup_free_ char *command =
		xasprintf("test -d '%s' && echo " HAVE "; true", m->tools);
	_cleanup_buf_ struct buf out = BUF_INIT;
	struct ssh_call call = { .command = command, .out = &out, .timeout_ms = ASK_MS };

	if (ssh_run(m->target, &call, e) < 0)
		return -(int)e->code;
	*ret = strstr(buf_str(&out), HAVE);
	return 0;
}

/* Those of another QEMU make room: nobody comes back to them. */
static int copy_tools(struct machine *m, struct err *e)
{
	_cleanup_free_ char *part = NULL, *drop = NULL, *move = NULL;
	struct ssh_files files = { .from = m->tools_dir };
	bool have = false;

	if (!m->tools)
		return 0;
	if (have_tools(m, &have, e) < 0)
		return -(int)e->code;
	if (have)
		return 0;
	log_debug("target %s: QEMU is copied to '%s'", m->target->name, m->tools);
	part = xasprintf("%s.new", m->tools);
	drop = xasprintf("rm -rf '%s'/tools-*", m->target->dir);
	move = xasprintf("sync && mv '%s' '%s'", part, m->tools);
	files.to = part;
	files.first = drop;
	files.then = move;
	return ssh_put(m->target, &files, e);
}

int remote_copy_after(struct machine *m, const char *first, struct buf *out,
		      struct err *e)
{
	struct ssh_files files = {
		.from = m->share, .to = m->target->dir, .first = first, .out = out
	};

	if (ssh_put(m->target, &files, e) < 0)
		return -(int)e->code;
	return copy_tools(m, e);
}

int remote_copy(struct machine *m, struct err *e)
{
	return remote_copy_after(m, NULL, NULL, e);
}
