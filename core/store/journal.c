// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/journal.h"

#include <signal.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/parse.h"
#include "core/store/sql.h"

/* Death at every record is how tests prove that a resumed run ends in the same state. */
static void kill_point(struct store *s)
{
	const char *at = getenv("KILN_KILL_AT");
	uint64_t n;

	s->records++;
	if (at && parse_u64(at, &n) && n == s->records)
		raise(SIGKILL);
}

int journal_add(struct store *s, const char *run, const char *state, const char *step,
		const char *detail, struct err *e)
{
	kill_point(s);
	return sql_run(s, SQL_JOURNAL_ADD, e, "sisss", run, clock_epoch(), state, step,
		       detail);
}

int journal_done(struct store *s, const char *run, const char *step, char **ret_detail,
		 struct err *e)
{
	int r = sql_query(s, SQL_JOURNAL_DONE, e, "ss", run, step);

	if (r == 0)
		r = sql_next(s, SQL_JOURNAL_DONE, e);
	if (r <= 0)
		return r;
	*ret_detail = sql_text(s, SQL_JOURNAL_DONE, 0);
	sql_done(s, SQL_JOURNAL_DONE);
	return 1;
}

char *journal_error(const struct err *failure)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_adds(&b, err_word(failure->code));
	for (unsigned int i = failure->nr; i-- > 0;)
		buf_addf(&b, ": %s", failure->frame[i]);
	return buf_take(&b);
}

/* A detail may hold several lines; a record is one. */
static char *one_line(char *s)
{
	for (char *p = s; *p; p++)
		if ((unsigned char)*p < 0x20)
			*p = ' ';
	return s;
}

int journal_list(struct store *s, const char *run, struct strv *ret, struct err *e)
{
	const enum sql q = SQL_JOURNAL_LIST;
	int r;

	if (sql_query(s, q, e, "s", run) < 0)
		return -(int)e->code;
	while ((r = sql_next(s, q, e)) > 0) {
		_cleanup_free_ char *time = clock_iso(sql_int(s, q, 0));
		_cleanup_free_ char *state = sql_text(s, q, 1);
		_cleanup_free_ char *step = sql_text(s, q, 2);
		_cleanup_free_ char *detail = sql_text(s, q, 3);

		strv_take(ret, one_line(xasprintf("%s %s %s%s%s", time, state, step,
						  *detail ? " " : "", detail)));
	}
	return r;
}
