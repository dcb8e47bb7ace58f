// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/here.h"

#include <errno.h>
#include <stdlib.h>

#include "boot/target/local.h"
#include "cli/out.h"
#include "core/base/alloc.h"

/* What decides where kiln finds its settings, its files and its programs. */
static const char *const kept[] = {
	"HOME",		  "PATH",	    "KILN_HOME",
	"KILN_LIBEXEC",	  "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
	"XDG_STATE_HOME", "TMPDIR",
};

int lab_here_begin(struct lab *l, char **ret_token, struct err *e)
{
	_cleanup_free_ char *token = local_token();
	_cleanup_err_ struct err ignored = { 0 };

	if (!token)
		return local_disarm(l->target, e);
	if (local_count(l->target, e) < 0) {
		if (local_disarm(l->target, &ignored) < 0)
			err_wrap(e, "%s", ignored.frame[0]);
		return -(int)e->code;
	}
	*ret_token = take_ptr(token);
	return 0;
}

static char *absolute(const char *path, struct err *e)
{
	char *real = realpath(path, NULL);

	if (!real)
		err_sys(e, errno, "cannot find '%s' again after a reboot", path);
	return real;
}

int lab_before_jump(void *ctx, struct err *e)
{
	const struct lab *l = ctx;
	_cleanup_strv_ struct strv argv = STRV_INIT, env = STRV_INIT;
	_cleanup_free_ char *self = absolute("/proc/self/exe", e), *agent = NULL;
	struct local_again again = { .argv = &argv, .env = &env };

	agent = self ? absolute(l->agent, e) : NULL;
	if (!agent)
		return -(int)e->code;
	strv_addl(&argv, self, "resume", run_id(l->run), NULL);
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		if (getenv(kept[i]))
			strv_addl(&env, kept[i], getenv(kept[i]), NULL);
	again.agent = agent;
	if (local_arm(l->target, &again, e) < 0)
		return -(int)e->code;
	if (!l->c->quiet)
		out_talk("this machine now enters the candidate; the run goes on by "
			 "itself: `kiln show %s`",
			 run_id(l->run));
	return 0;
}

int lab_here_leave(struct err *e)
{
	err_set(e, ERR_INTERRUPTED,
		"the result is kept, and the machine leaves the candidate");
	return err_hint(e,
			"the run goes on in the base kernel; where nothing reboots the "
			"machine, do so");
}

int lab_here_end(struct lab *l, int r, struct err *e)
{
	_cleanup_err_ struct err ignored = { 0 };

	if (r < 0 && e->code != ERR_INTERRUPTED && local_disarm(l->target, &ignored) < 0)
		err_hint(e,
			 "%s: remove it by hand, or kiln is started at the next reboot",
			 ignored.frame[0]);
	return r;
}
