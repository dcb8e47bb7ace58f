// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/ssh.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

#define OUT_MAX ((size_t)16 << 20)
#define FILES_MAX ((size_t)512 << 20)
#define PUT_MS (10 * 60 * 1000)
#define UNREACHABLE 255 /* ssh's own exit status */

char *ssh_state_path(const struct target *t, const char *suffix)
{
	_cleanup_free_ char *state = fs_state_dir();

	return xasprintf("%s/targets/%s.%s", state, t->name, suffix);
}

static void client_argv(const struct target *t, struct strv *ret)
{
	_cleanup_free_ char *hosts = ssh_state_path(t, "known_hosts");
	static const char *const options[] = {
		"BatchMode=yes",
		"StrictHostKeyChecking=accept-new",
		"GlobalKnownHostsFile=/dev/null",
		/* a connection of another process would outlive the machine's jump */
		"ControlMaster=no",
		"ControlPath=none",
		"ForwardAgent=no",
		"ForwardX11=no",
		"PermitLocalCommand=no",
	};

	strv_addl(ret, "ssh", "-T", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		strv_addl(ret, "-o", options[i], NULL);
	strv_add(ret, "-o");
	strv_addf(ret, "UserKnownHostsFile=\"%s\"", hosts);
	strv_add(ret, "-o");
	strv_addf(ret, "HostKeyAlias=kiln-%s", t->name);
	if (t->port) {
		strv_add(ret, "-p");
		strv_addf(ret, "%llu", (unsigned long long)t->port);
	}
	/* ssh takes the first of several values: the section cannot undo those above, but
	 * these */
	for (size_t i = 0; i < t->ssh_options.nr; i++)
		strv_addl(ret, "-o", t->ssh_options.v[i], NULL);
	strv_addl(ret, "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o",
		  "ServerAliveCountMax=3", NULL);
	strv_addl(ret, "--", t->host, NULL);
}

void ssh_argv(const struct target *t, struct strv *ret)
{
	if (t->kind == TARGET_LOCAL)
		strv_addl(ret, "/bin/sh", "-c", NULL);
	else
		client_argv(t, ret);
}

int ssh_unreachable(const struct target *t, const char *said, struct err *e)
{
	static const struct {
		const char *said, *hint;
	} table[] = {
		{ "Host key verification failed",
		  "another machine answers, or it was installed anew: if so, remove "
		  "'%s'" },
		{ "Permission denied",
		  "kiln asks for no password: put your key into the target's "
		  "authorized_keys, or into ssh-agent (host keys: '%s')" },
		{ "resolve hostname",
		  "name the host in ~/.ssh/config or in the target's section (host "
		  "keys: '%s')" },
	};
	_cleanup_free_ char *hosts = ssh_state_path(t, "known_hosts");

	err_set(e, ERR_NETWORK, "target '%s' cannot be reached: %s", t->name,
		said && *said ? said : "ssh gave no reason");
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		_cleanup_buf_ struct buf hint = BUF_INIT;
		const char *at = strstr(table[i].hint, "%s");

		if (!said || !strstr(said, table[i].said))
			continue;
		buf_add(&hint, table[i].hint, (size_t)(at - table[i].hint));
		buf_adds(&hint, hosts);
		buf_adds(&hint, at + 2);
		return err_hint(e, "%s", buf_str(&hint));
	}
	return err_hint(e, "is it up, and does `ssh %s` work?", t->host);
}

/* The last line of what it said. */
static char *last_line(struct buf *b)
{
	char *nl;

	while (b->len && strchr("\r\n ", b->data[b->len - 1]))
		b->data[--b->len] = '\0';
	nl = b->len ? strrchr(b->data, '\n') : NULL;
	return xstrdup(nl ? nl + 1 : buf_str(b));
}

int ssh_run(const struct target *t, const struct ssh_call *call, struct err *e)
{
	_cleanup_free_ char *hosts = ssh_state_path(t, "known_hosts"), *said = NULL;
	_cleanup_free_ char *dir = xstrndup(hosts, (size_t)(strrchr(hosts, '/') - hosts));
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf tail = BUF_INIT;
	struct spawn s = { .argv = &argv,
			   .timeout_ms = call->timeout_ms,
			   .in = call->in,
			   .in_len = call->len,
			   .out = call->out,
			   .out_max = OUT_MAX };
	int status;

	if (fs_mkdirs(dir, e) < 0)
		return -(int)e->code;
	ssh_argv(t, &argv);
	strv_add(&argv, call->command);
	if (spawn_run(&s, &status, &tail, e) < 0)
		return err_wrap(e, "target '%s' does not answer", t->name);
	if (!status)
		return 0;
	said = last_line(&tail);
	if (status == UNREACHABLE && t->kind == TARGET_SSH)
		return ssh_unreachable(t, said, e);
	return err_set(e, ERR_TOOL_FAILED,
		       "a command on target '%s' ended with status %d: %s", t->name,
		       status, *said ? said : "it gave no reason");
}

int ssh_put(const struct target *t, const struct ssh_files *f, struct err *e)
{
	_cleanup_free_ char *command = xasprintf(
		"%s\numask 077; mkdir -p '%s' && tar -x -o -f - -C '%s'%s%s",
		f->first ?: "", f->to, f->to, f->then ? " && " : "", f->then ?: "");
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf files = BUF_INIT;
	struct spawn tar = {
		.argv = &argv, .timeout_ms = PUT_MS, .out = &files, .out_max = FILES_MAX
	};
	struct ssh_call call = { .command = command,
				 .out = f->out,
				 .timeout_ms = PUT_MS };

	strv_addl(&argv, "tar", "-c", "-f", "-", "-C", f->from, ".", NULL);
	if (spawn_check(&tar, e) < 0)
		return err_wrap(e, "cannot pack the files for target '%s'", t->name);
	call.in = files.data;
	call.len = files.len;
	if (ssh_run(t, &call, e) < 0)
		return err_wrap(e, "cannot copy files to '%s' on target '%s'", f->to,
				t->name);
	return 0;
}
