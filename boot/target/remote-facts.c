// SPDX-License-Identifier: GPL-3.0-or-later
/* What a machine says of itself, and what a dead kernel left there. */
#include <stdlib.h>
#include <string.h>

#include "boot/cmdline.h"
#include "boot/target/proof.h"
#include "boot/target/remote.h"
#include "boot/target/ssh.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"

#define REMAINS_MS 60000
#define ASK_MS 60000

#define FACTS                                                          \
	"cat /proc/sys/kernel/random/boot_id && uname -m && id -u && " \
	"cat /proc/cmdline"

/* Crash dumps of kdump are named by what made them; only their dmesg is text. */
#define REMAINS                                                        \
	"mount -t pstore pstore /sys/fs/pstore 2>/dev/null; "          \
	"for f in /sys/fs/pstore/*; do "                               \
	"test -f \"$f\" && cat \"$f\" && echo && rm -f \"$f\"; done; " \
	"test -f '%s/%s.base.journal' && test -d /var/crash && "       \
	"find /var/crash -name '*dmesg*' -newer '%s/%s.base.journal' " \
	"-exec cat {} + ; true"

void remote_facts_release(struct remote_facts *f)
{
	free(f->boot_id);
	free(f->cmdline);
	free(f->arch);
	free(f->user);
	*f = (struct remote_facts){ 0 };
}

/* The next line, cut off; NULL at the end. */
static char *take_line(char **rest)
{
	return *rest && **rest ? strsep(rest, "\n") : NULL;
}

bool remote_facts_parse(const char *text, struct remote_facts *ret)
{
	_cleanup_free_ char *copy = xstrdup(text);
	char *rest = copy, *line, *arch, *user, *cmdline;
	uint64_t uid;

	/* a login may print what it likes before */
	while ((line = take_line(&rest)) && !proof_is_boot_id(line))
		;
	arch = take_line(&rest);
	user = take_line(&rest);
	cmdline = take_line(&rest);
	if (!line || !arch || !user || !parse_u64(user, &uid) || !*arch ||
	    strlen(arch) > 32)
		return false;
	*ret = (struct remote_facts){ xstrdup(line), xstrdup(cmdline ?: ""),
				      xstrdup(arch), xstrdup(user) };
	return true;
}

int remote_facts(const struct target *t, uint64_t timeout_ms, struct remote_facts *ret,
		 struct err *e)
{
	_cleanup_buf_ struct buf out = BUF_INIT;
	struct ssh_call call = { .command = FACTS,
				 .out = &out,
				 .timeout_ms = timeout_ms };

	if (ssh_run(t, &call, e) < 0)
		return -(int)e->code;
	if (!remote_facts_parse(buf_str(&out), ret))
		return err_set(e, ERR_TOOL_FAILED,
			       "target '%s' answers with nothing one can read", t->name);
	return 0;
}

/* A report, whenever it came: who was away cannot say whose it is. */
static bool is_clean(const char *text, size_t len)
{
	struct console c = { 0 };
	bool clean = true;

	console_feed(&c, text, len);
	console_feed(&c, "\n", 1);
	for (const struct console_mark *m; (m = console_next(&c));)
		clean &= m->event != CONSOLE_PANIC && m->event != CONSOLE_OOPS &&
			 m->event != CONSOLE_WARN && m->event != CONSOLE_ENV;
	console_release(&c);
	return clean;
}

/* Whether another boot than the base's answers, and the token it has; NULL: none. */
static int ask_boot(const struct target *t, const char *base_boot_id, bool *ret_other,
		    char **ret_token, struct err *e)
{
	_cleanup_(remote_facts_release) struct remote_facts f = { 0 };

	if (remote_facts(t, ASK_MS, &f, e) < 0)
		return -(int)e->code;
	*ret_other = strcmp(f.boot_id, base_boot_id) != 0;
	*ret_token = cmdline_value(f.cmdline, "kiln.token");
	return 0;
}

/* What its kernel has said; false in *ret_read where it does not show that. */
static int ask_log(const struct target *t, struct buf *ret_said, bool *ret_read,
		   struct err *e)
{
	struct ssh_call call = { .command = "dmesg",
				 .out = ret_said,
				 .timeout_ms = ASK_MS };

	if (ssh_run(t, &call, e) < 0 && e->code != ERR_TOOL_FAILED)
		return -(int)e->code;
	*ret_read = e->code == ERR_NONE;
	err_release(e);
	return 0;
}

int remote_runs(const struct target *t, const char *token, const char *base_boot_id,
		bool *ret, struct buf *ret_said, struct err *e)
{
	_cleanup_free_ char *have = NULL;
	bool other, read = false;

	*ret = false;
	if (ask_boot(t, base_boot_id, &other, &have, e) < 0)
		return -(int)e->code;
	if (!other || !have || strcmp(have, token) != 0)
		return 0;
	if (ask_log(t, ret_said, &read, e) < 0)
		return -(int)e->code;
	/* without a log nobody knows what happened */
	*ret = read && is_clean(buf_str(ret_said), ret_said->len);
	return 0;
}

int local_runs(const struct target *t, const char *token, const char *base_boot_id,
	       bool *ret, struct buf *ret_said, struct err *e)
{
	_cleanup_free_ char *have = NULL;
	bool other, read = false;

	*ret = false;
	if (ask_boot(t, base_boot_id, &other, &have, e) < 0)
		return -(int)e->code;
	*ret = other && (!have || !strcmp(have, token));
	/* its reports are counted by the kernel too, should the log not be readable */
	return *ret && have ? ask_log(t, ret_said, &read, e) : 0;
}

bool remote_remains_ours(const char *text, const char *token)
{
	_cleanup_free_ char *word = xasprintf("kiln.token=%s", token);

	return strstr(text, word) ||
	       (!strstr(text, "kiln.token=") && !strstr(text, "ommand line: "));
}

char *remote_remains_command(const struct target *t, const char *token)
{
	return xasprintf(REMAINS, t->dir, token, t->dir, token);
}

int remote_remains(const struct target *t, const char *token, struct buf *ret,
		   struct err *e)
{
	_cleanup_free_ char *command = remote_remains_command(t, token);
	struct ssh_call call = { .command = command,
				 .out = ret,
				 .timeout_ms = REMAINS_MS };

	return ssh_run(t, &call, e);
}
