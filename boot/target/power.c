// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/power.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/spawn.h"

#define POWER_MS 120000

int power_do(const struct target *t, const char *what, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	struct spawn s = { .argv = &argv, .timeout_ms = POWER_MS };

	if (!t->power) {
		err_set(e, ERR_CONFIG, "target '%s' has no power command", t->name);
		return err_hint(e, "name one with `git config target.%s.power COMMAND`",
				t->name);
	}
	strv_addl(&argv, "/bin/sh", "-c", NULL);
	strv_addf(&argv, "%s \"$@\"", t->power);
	strv_addl(&argv, "kiln-power", what, NULL);
	if (spawn_check(&s, e) < 0)
		return err_wrap(e, "cannot switch the power of target '%s' (%s)", t->name,
				what);
	return 0;
}
