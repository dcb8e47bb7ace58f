// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/power.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/spawn.h"

#define POWER_MS 120000

/* The user's command, with one word more. */
static int run(const char *command, const char *what, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct spawn s = { .argv = &argv, .timeout_ms = POWER_MS };

	strv_addl(&argv, "/bin/sh", "-c", NULL);
	strv_addf(&argv, "%s \"$@\"", command);
	strv_addl(&argv, "kiln-target", what, NULL);
	return spawn_check(&s, e);
}

int power_do(const struct target *t, const char *what, struct err *e)
{
	if (!t->power) {
		err_set(e, ERR_CONFIG, "target '%s' has no power command", t->name);
		return err_hint(e, "name one with `git config target.%s.power COMMAND`",
				t->name);
	}
	if (run(t->power, what, e) < 0)
		return err_wrap(e, "cannot switch the power of target '%s' (%s)", t->name,
				what);
	return 0;
}

int power_sysrq(const struct target *t, const char *letter, struct err *e)
{
	if (run(t->sysrq, letter, e) < 0)
		return err_wrap(e, "cannot send sysrq %s to target '%s'", letter,
				t->name);
	return 0;
}
