// SPDX-License-Identifier: GPL-3.0-or-later
/* The steps from one configuration to another. */
#include <stdlib.h>
#include <string.h>

#include "boot/build/config.h"
#include "cli/bisect/space.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

#define CONFIG_MAX (1 << 20)
/* Each point has a file with all changes up to it. */
#define MAX_CHANGES 2000

static int read_config(const char *path, struct buf *ret, struct err *e)
{
	if (fs_read(path, CONFIG_MAX, ret, e) < 0)
		return -(int)e->code;
	return config_validate(buf_str(ret), path, e);
}

static int diff(const char *good, const char *bad, struct strv *ret, struct err *e)
{
	_cleanup_buf_ struct buf old = BUF_INIT, new = BUF_INIT;

	if (read_config(good, &old, e) < 0 || read_config(bad, &new, e) < 0)
		return -(int)e->code;
	config_diff(buf_str(&old), buf_str(&new), ret);
	if (!ret->nr)
		return err_set(e, ERR_USAGE, "'%s' and '%s' set the same", good, bad);
	if (ret->nr > MAX_CHANGES)
		return err_set(e, ERR_TOO_BIG, "%zu symbols differ, at most %d can",
			       ret->nr, MAX_CHANGES);
	return 0;
}

static int add_point(struct space *s, const struct oid *commit, const char *dir,
		     const struct buf *changes, struct err *e)
{
	_cleanup_free_ char *path = xasprintf("%s/config-%zu", dir, s->nr);
	struct point *p;

	if (fs_write(path, buf_str(changes), changes->len, e) < 0)
		return -(int)e->code;
	p = array_push(s->v, s->nr);
	*p = (struct point){ .commit = *commit, .overlay = take_ptr(path) };
	return 0;
}

int space_configs(const struct oid *commit, const char *good, const char *bad,
		  const char *dir, struct space *ret, struct err *e)
{
	_cleanup_strv_ struct strv changes = STRV_INIT;
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_space_ struct space s = { 0 };

	if (diff(good, bad, &changes, e) < 0 || add_point(&s, commit, dir, &text, e) < 0)
		return -(int)e->code;
	s.v[0].subject = xasprintf("as in %s", good);
	for (size_t i = 0; i < changes.nr; i++) {
		buf_addf(&text, "%s\n", changes.v[i]);
		if (add_point(&s, commit, dir, &text, e) < 0)
			return -(int)e->code;
		s.v[s.nr - 1].subject = xstrdup(changes.v[i]);
	}
	*ret = s;
	s = (struct space){ 0 };
	return 0;
}
