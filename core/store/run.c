// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "core/store/journal.h"
#include "core/store/run-internal.h"
#include "core/store/sql.h"

/* A look at the lock takes it for a moment; a claim waits that out. */
#define CLAIM_MS 1000

static char *dir_of(const char *id)
{
	_cleanup_free_ char *state = fs_state_dir();

	return xasprintf("%s/runs/%s", state, id);
}

static struct run *run_new(struct store *s)
{
	struct run *r = xzalloc(sizeof(*r));

	r->store = s;
	r->lock = -1;
	return r;
}

static int random_id(char **ret, struct err *e)
{
	unsigned char b[6];

	if (getrandom(b, sizeof(b), 0) != sizeof(b))
		return err_sys(e, errno, "cannot get random bytes");
	*ret = xasprintf("%02x%02x%02x%02x%02x%02x", b[0], b[1], b[2], b[3], b[4], b[5]);
	return 0;
}

static int row_add(struct store *s, const struct run_info *i, struct err *e)
{
	if (sql_run(s, SQL_RUN_ADD, e, "sssi", i->id, i->command, i->cwd, i->started) < 0)
		return -(int)e->code;
	for (size_t k = 0; k < i->argv.nr; k++)
		if (sql_run(s, SQL_RUN_ARG_ADD, e, "sis", i->id, (int64_t)k,
			    i->argv.v[k]) < 0)
			return -(int)e->code;
	return 0;
}

int run_create(struct store *s, const char *command, const struct strv *argv,
	       struct run **ret, struct err *e)
{
	_cleanup_run_ struct run *r = run_new(s);
	struct run_info *i = &r->info;

	i->cwd = getcwd(NULL, 0);
	if (!i->cwd)
		return err_sys(e, errno, "cannot tell the working folder");
	i->command = xstrdup(command);
	i->started = clock_epoch();
	for (size_t k = 0; k < argv->nr; k++)
		strv_add(&i->argv, argv->v[k]);
	/* Claimed before others can see it, so that nobody takes it for interrupted. */
	if (random_id(&i->id, e) < 0 || run_claim(r, e) < 0 || sql_begin(s, e) < 0)
		return -(int)e->code;
	if (row_add(s, i, e) < 0 || sql_commit(s, e) < 0) {
		sql_rollback(s);
		return err_wrap(e, "cannot record the run");
	}
	*ret = take_ptr(r);
	return 0;
}

static void info_row(struct store *s, enum sql q, struct run_info *i)
{
	i->id = sql_text(s, q, 0);
	i->command = sql_text(s, q, 1);
	i->cwd = sql_text(s, q, 2);
	i->state = (enum run_state)sql_int(s, q, 3);
	i->exit_code = (int)sql_int(s, q, 4);
	i->started = sql_int(s, q, 5);
	i->ended = sql_int(s, q, 6);
}

static int info_args(struct store *s, struct run_info *i, struct err *e)
{
	int r;

	if (sql_query(s, SQL_RUN_ARGS, e, "s", i->id) < 0)
		return -(int)e->code;
	while ((r = sql_next(s, SQL_RUN_ARGS, e)) > 0)
		strv_take(&i->argv, sql_text(s, SQL_RUN_ARGS, 0));
	return r;
}

int run_open(struct store *s, const char *id, struct run **ret, struct err *e)
{
	_cleanup_run_ struct run *r = run_new(s);
	bool last = !strcmp(id, "last");
	enum sql q = last ? SQL_RUN_LAST : SQL_RUN_FIND;
	int more;

	if (sql_query(s, q, e, last ? "" : "s", id) < 0)
		return -(int)e->code;
	more = *id ? sql_next(s, q, e) : 0;
	if (more > 0) {
		info_row(s, q, &r->info);
		more = sql_next(s, q, e);
		sql_done(s, q);
		if (more > 0)
			return err_set(e, ERR_USAGE, "more than one run begins with '%s'",
				       id);
	}
	if (more < 0)
		return more;
	if (!r->info.id) {
		err_set(e, ERR_NOT_FOUND, last ? "no run yet" : "no run '%s'", id);
		return err_hint(e, "`kiln runs` lists them");
	}
	if (info_args(s, &r->info, e) < 0)
		return -(int)e->code;
	*ret = take_ptr(r);
	return 0;
}

int run_claim(struct run *r, struct err *e)
{
	_cleanup_free_ char *path = NULL;
	const char *dir;

	if (r->lock >= 0)
		return 0;
	if (run_dir(r, &dir, e) < 0)
		return -(int)e->code;
	path = fs_path(dir, "lock");
	if (fs_lock(path, CLAIM_MS, &r->lock, e) == 0)
		return 0;
	if (e->code != ERR_TIMEOUT)
		return -(int)e->code;
	err_set(e, ERR_STORE, "another kiln works on run %s", r->info.id);
	return err_hint(e, "wait for its end; `fuser %s` names the process", path);
}

bool run_is_live(const char *id)
{
	_cleanup_free_ char *dir = dir_of(id);
	_cleanup_free_ char *path = fs_path(dir, "lock");
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

const char *run_id(const struct run *r)
{
	return r->info.id;
}

struct store *run_store(struct run *r)
{
	return r->store;
}

const struct run_info *run_info(const struct run *r)
{
	return &r->info;
}

int run_dir(struct run *r, const char **ret, struct err *e)
{
	if (!r->dir) {
		_cleanup_free_ char *dir = dir_of(r->info.id);

		if (fs_mkdirs(dir, e) < 0)
			return -(int)e->code;
		r->dir = take_ptr(dir);
	}
	*ret = r->dir;
	return 0;
}

int run_set(struct run *r, const char *key, const char *value, struct err *e)
{
	return sql_run(r->store, SQL_FACT_SET, e, "sss", r->info.id, key, value);
}

int run_get(struct run *r, const char *key, char **ret, struct err *e)
{
	int more = sql_query(r->store, SQL_FACT_GET, e, "ss", r->info.id, key);

	if (more == 0)
		more = sql_next(r->store, SQL_FACT_GET, e);
	if (more < 0)
		return more;
	if (more == 0)
		return err_set(e, ERR_NOT_FOUND, "run %s has no '%s'", r->info.id, key);
	*ret = sql_text(r->store, SQL_FACT_GET, 0);
	sql_done(r->store, SQL_FACT_GET);
	return 0;
}

int run_newest(struct store *s, const char *key, char **ret_run, char **ret_value,
	       struct err *e)
{
	int more = sql_query(s, SQL_FACT_NEWEST, e, "s", key);

	if (more == 0)
		more = sql_next(s, SQL_FACT_NEWEST, e);
	if (more <= 0)
		return more;
	*ret_run = sql_text(s, SQL_FACT_NEWEST, 0);
	*ret_value = sql_text(s, SQL_FACT_NEWEST, 1);
	sql_done(s, SQL_FACT_NEWEST);
	return 1;
}

int run_facts(struct run *r, struct strv *ret, struct err *e)
{
	int more;

	if (sql_query(r->store, SQL_FACT_LIST, e, "s", r->info.id) < 0)
		return -(int)e->code;
	while ((more = sql_next(r->store, SQL_FACT_LIST, e)) > 0) {
		strv_take(ret, sql_text(r->store, SQL_FACT_LIST, 0));
		strv_take(ret, sql_text(r->store, SQL_FACT_LIST, 1));
	}
	return more;
}

int run_journal(struct run *r, struct strv *ret, struct err *e)
{
	return journal_list(r->store, r->info.id, ret, e);
}

static int finish_rows(struct run *r, enum run_state state, int exit_code, int64_t now,
		       struct err *e)
{
	_cleanup_free_ char *detail = xasprintf("exit %d", exit_code);

	if (sql_run(r->store, SQL_RUN_FINISH, e, "siii", r->info.id, (int64_t)state,
		    (int64_t)exit_code, now) < 0)
		return -(int)e->code;
	return journal_add(r->store, r->info.id, "end", r->info.command, detail, e);
}

int run_finish(struct run *r, enum run_state state, int exit_code, struct err *e)
{
	int64_t now = clock_epoch();

	if (sql_begin(r->store, e) < 0)
		return -(int)e->code;
	if (finish_rows(r, state, exit_code, now, e) < 0 || sql_commit(r->store, e) < 0) {
		sql_rollback(r->store);
		return err_wrap(e, "cannot record the end of run %s", r->info.id);
	}
	r->info.state = state;
	r->info.exit_code = exit_code;
	r->info.ended = now;
	return 0;
}

static void infos_free(struct run_info *v, size_t nr)
{
	while (nr)
		run_info_release(&v[--nr]);
	free(v);
}

int run_list(struct store *s, struct run_info **ret, size_t *ret_nr, struct err *e)
{
	struct run_info *v = NULL;
	size_t nr = 0;
	int r;

	if (sql_query(s, SQL_RUN_LIST, e, "") < 0)
		return -(int)e->code;
	while ((r = sql_next(s, SQL_RUN_LIST, e)) > 0) {
		struct run_info *i = array_push(v, nr);

		*i = (struct run_info){ 0 };
		info_row(s, SQL_RUN_LIST, i);
	}
	for (size_t k = 0; r == 0 && k < nr; k++)
		r = info_args(s, &v[k], e);
	if (r < 0) {
		infos_free(v, nr);
		return r;
	}
	*ret = v;
	*ret_nr = nr;
	return 0;
}

void run_info_release(struct run_info *i)
{
	free(i->id);
	free(i->command);
	free(i->cwd);
	strv_release(&i->argv);
	*i = (struct run_info){ 0 };
}

void run_free(struct run *r)
{
	if (!r)
		return;
	if (r->lock >= 0)
		close(r->lock);
	run_info_release(&r->info);
	free(r->dir);
	free(r);
}
