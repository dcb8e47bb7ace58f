// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "boot/target/proof.h"
#include "boot/target/ssh.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

#define FIRST_MAX ((size_t)64 << 10) /* of what a login may print before the greeting */
#define NO_AGENT "kiln-no-agent"

void wire_hang_up(struct wire *w)
{
	proc_free(w->proc);
	w->proc = NULL;
	base_closep(&w->fd);
	w->fd = -1;
}

int wire_dial(struct wire *w, const struct target *t, const char *token, const char *boot,
	      struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	int two[2], r;

	wire_hang_up(w);
	base_closep(&w->log);
	frame_parser_release(&w->parser);
	buf_clear(&w->first);
	w->greeted = w->missing = false;
	w->written = 0;
	w->log = memfd_create("ssh-log", MFD_CLOEXEC);
	if (w->log < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, two) < 0)
		return err_sys(e, errno, "cannot make a connection");
	ssh_argv(t, &argv);
	strv_addf(&argv,
		  "test -x '%s/agent' || { echo " NO_AGENT "; exit; }; %s%s%s exec "
		  "'%s/agent' attach '%s' %s %s %llu",
		  t->dir, t->kexec ? "KILN_KEXEC='" : "", t->kexec ?: "",
		  t->kexec ? "'" : "", t->dir, t->dir, token, boot ?: "none",
		  (unsigned long long)w->next);
	fcntl(two[0], F_SETFL, O_NONBLOCK);
	r = proc_start_talk(&argv, (int[]){ two[1], two[1], w->log }, &w->proc, e);
	close(two[1]);
	w->fd = two[0];
	return r;
}

bool wire_read(struct wire *w)
{
	char block[65536];
	ssize_t n = read(w->fd, block, sizeof(block));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n <= 0)
		return false;
	if (w->greeted)
		frame_feed(&w->parser, block, (size_t)n);
	else
		buf_add(&w->first, block, (size_t)n);
	return w->first.len <= FIRST_MAX;
}

void wire_send(struct wire *w, const char *token, uint64_t seq, const struct strv *words)
{
	frame_format(token, seq, words, &w->sent);
}

void wire_forget(struct wire *w)
{
	buf_clear(&w->sent);
	w->written = 0;
	w->next = 0;
}

bool wire_wants(const struct wire *w)
{
	return w->fd >= 0 && w->greeted && w->written < w->sent.len;
}

void wire_write(struct wire *w)
{
	ssize_t n = send(w->fd, w->sent.data + w->written, w->sent.len - w->written,
			 MSG_NOSIGNAL | MSG_DONTWAIT);

	w->written += n > 0 ? (size_t)n : 0;
}

bool wire_parse(const char *line, char **ret_boot, enum wire_role *ret_role)
{
	static const char *const roles[] = { [WIRE_BASE] = "base",
					     [WIRE_CANDIDATE] = "candidate",
					     [WIRE_OTHER] = "other" };
	const char *start = "kiln-at ", *boot, *role;

	if (strncmp(line, start, strlen(start)) != 0)
		return false;
	boot = line + strlen(start);
	role = strchr(boot, ' ');
	if (!role)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(roles); i++) {
		_cleanup_free_ char *id = xstrndup(boot, (size_t)(role - boot));

		if (strcmp(role + 1, roles[i]) != 0 || !proof_is_boot_id(id))
			continue;
		*ret_boot = take_ptr(id);
		*ret_role = (enum wire_role)i;
		return true;
	}
	return false;
}

bool wire_greeting(struct wire *w, char **ret_boot, enum wire_role *ret_role)
{
	char *at = w->first.data, *nl;

	while (!w->greeted && at && (nl = strchr(at, '\n'))) {
		size_t len = (size_t)(nl - at);
		_cleanup_free_ char *line =
			xstrndup(at, len && at[len - 1] == '\r' ? len - 1 : len);

		at = nl + 1;
		w->missing |= !strcmp(line, NO_AGENT);
		if (!wire_parse(line, ret_boot, ret_role))
			continue;
		w->greeted = true;
		frame_feed(&w->parser, at, w->first.len - (size_t)(at - w->first.data));
		buf_clear(&w->first);
		return true;
	}
	return false;
}

char *wire_last_words(struct wire *w)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err ignored = { 0 };
	char *nl;

	lseek(w->log, 0, SEEK_SET);
	if (w->log < 0 || fs_read_fd(w->log, "log", 1 << 20, &b, &ignored) < 0)
		return xstrdup("");
	while (b.len && strchr("\r\n", b.data[b.len - 1]))
		b.data[--b.len] = '\0';
	nl = b.len ? strrchr(b.data, '\n') : NULL;
	return xstrdup(nl ? nl + 1 : buf_str(&b));
}

void wire_release(struct wire *w)
{
	wire_hang_up(w);
	base_closep(&w->log);
	w->log = -1;
	frame_parser_release(&w->parser);
	buf_release(&w->first);
	buf_release(&w->sent);
}
