// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/target-log.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/target/ssh.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"

#define AWAY_MAX 4096

int target_log_away(const struct target *t, const char *last, struct err *e)
{
	_cleanup_free_ char *path = ssh_state_path(t, "away"), *when = NULL, *text = NULL;

	when = clock_iso(clock_epoch());
	text = xasprintf("since %s%s%s%s", when, last ? ", last console line: '" : "",
			 last ?: "", last ? "'" : "");
	return fs_write(path, text, strlen(text), e);
}

void target_log_back(const struct target *t)
{
	_cleanup_free_ char *path = ssh_state_path(t, "away");

	unlink(path);
}

char *target_log_read(const struct target *t)
{
	_cleanup_free_ char *path = ssh_state_path(t, "away");
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err ignored = { 0 };

	if (!fs_exists(path) || fs_read(path, AWAY_MAX, &b, &ignored) < 0)
		return NULL;
	return buf_take(&b);
}

int target_log_lock(const struct target *t, int *ret_fd, struct err *e)
{
	_cleanup_free_ char *path = ssh_state_path(t, "lock");
	_cleanup_free_ char *dir = xstrndup(path, (size_t)(strrchr(path, '/') - path));

	if (fs_mkdirs(dir, e) < 0)
		return -(int)e->code;
	if (fs_lock(path, 1, ret_fd, e) < 0) {
		err_set(e, ERR_POLICY, "target '%s' is in use by another kiln", t->name);
		return err_hint(e, "wait for it to end; see `kiln runs`");
	}
	return 0;
}
