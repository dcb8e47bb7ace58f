// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/notmuch.h"

#include "core/base/alloc.h"
#include "core/base/stop.h"
#include "mail/box.h"
#include "mail/mbox.h"

#ifdef KILN_NOTMUCH

#include <dlfcn.h>
#include <notmuch.h>
#include <stdlib.h>
#include <string.h>

/* Copies of one mail, by as many lists. */
#define MAX_COPIES 32

/* What is used of libnotmuch, with the types of its header. */
#define NOTMUCH_CALLS(X)             \
	X(database_open_with_config) \
	X(database_destroy)          \
	X(status_to_string)          \
	X(query_create)              \
	X(query_destroy)             \
	X(query_set_omit_excluded)   \
	X(query_set_sort)            \
	X(query_search_threads)      \
	X(threads_valid)             \
	X(threads_get)               \
	X(threads_move_to_next)      \
	X(thread_destroy)            \
	X(thread_get_messages)       \
	X(messages_valid)            \
	X(messages_get)              \
	X(messages_move_to_next)     \
	X(message_get_filenames)     \
	X(filenames_valid)           \
	X(filenames_get)             \
	X(filenames_move_to_next)

struct library {
#define X(name) __typeof__(&notmuch_##name) name;
	NOTMUCH_CALLS(X)
#undef X
};

struct search {
	struct library lib;
	notmuch_database_t *db;
	notmuch_query_t *query;
	struct notmuch_result *ret;
};

static int load(struct library *lib, struct err *e)
{
	/* It stays loaded: Xapian registers exit handlers. */
	void *handle = dlopen("libnotmuch.so.5", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

	if (!handle) {
		err_set(e, ERR_TOOL_MISSING, "cannot load libnotmuch: %s", dlerror());
		return err_hint(e, "install the package libnotmuch5");
	}
#define X(name) *(void **)&lib->name = dlsym(handle, "notmuch_" #name);
	NOTMUCH_CALLS(X)
#undef X
	dlclose(handle);
#define X(name) &&lib->name
	if (!(1 NOTMUCH_CALLS(X))) /* the newest call came with 0.32 */
		return err_set(e, ERR_TOOL_MISSING,
			       "the installed libnotmuch is older than 0.32");
#undef X
	return 0;
}

/* With the user's configuration; it need not exist where a database is named. */
static notmuch_status_t try_open(struct search *s, const char *database, char **said)
{
	const char *const configs[] = { NULL, "" };
	notmuch_status_t st = NOTMUCH_STATUS_SUCCESS;

	for (size_t i = 0; i < ARRAY_SIZE(configs); i++) {
		free(take_ptr(*said));
		st = s->lib.database_open_with_config(database,
						      NOTMUCH_DATABASE_MODE_READ_ONLY,
						      configs[i], NULL, &s->db, said);
		if (!st)
			break;
	}
	return st;
}

static int open_database(struct search *s, const char *database, struct err *e)
{
	char *said = NULL;
	notmuch_status_t st = try_open(s, database, &said);

	if (st && said)
		said[strcspn(said, "\n")] = '\0';
	if (st) {
		err_set(e, ERR_NOT_FOUND, "cannot open the notmuch database%s%s%s: %s",
			database ? " '" : "", database ?: "", database ? "'" : "",
			said ?: s->lib.status_to_string(st));
		err_hint(e, "make one with `notmuch setup` and `notmuch new`, or name it "
			    "in NOTMUCH_CONFIG or NOTMUCH_DATABASE");
	}
	free(said);
	return -(int)e->code;
}

/* The copies of a message that can still be read. */
static int add_message(struct search *s, notmuch_message_t *m, struct err *e)
{
	notmuch_filenames_t *files = s->lib.message_get_filenames(m);
	size_t found = 0;

	for (; found < MAX_COPIES && s->lib.filenames_valid(files);
	     s->lib.filenames_move_to_next(files)) {
		_cleanup_box_ struct box *one = box_new();
		_cleanup_buf_ struct buf mail = BUF_INIT;
		_cleanup_err_ struct err gone = { 0 };

		if (box_read(one, s->lib.filenames_get(files), BOX_MAX_MAIL, &gone) < 0 ||
		    !box_nr(one) || box_mail(one, 0, &mail, &gone) < 0)
			continue; /* moved by the mail reader since the last scan */
		if (box_add(s->ret->box, buf_str(&mail), mail.len, e) < 0)
			return -(int)e->code;
		found++;
	}
	s->ret->lost += found == 0;
	return 0;
}

static int add_thread(struct search *s, notmuch_thread_t *t, struct err *e)
{
	notmuch_messages_t *ms = s->lib.thread_get_messages(t);

	for (; s->lib.messages_valid(ms); s->lib.messages_move_to_next(ms)) {
		if (stop_check(e) < 0 || add_message(s, s->lib.messages_get(ms), e) < 0)
			return -(int)e->code;
		if (box_nr(s->ret->box) <= MBOX_MAX_MAILS)
			continue;
		err_set(e, ERR_TOO_BIG, "the query finds more than %d mails",
			MBOX_MAX_MAILS);
		return err_hint(e, "narrow it, for example by date:1month..");
	}
	return 0;
}

static int run(struct search *s, const char *query, struct err *e)
{
	notmuch_threads_t *ts = NULL;
	notmuch_status_t st;

	s->query = s->lib.query_create(s->db, query);
	s->lib.query_set_omit_excluded(s->query, NOTMUCH_EXCLUDE_FALSE);
	s->lib.query_set_sort(s->query, NOTMUCH_SORT_OLDEST_FIRST);
	st = s->lib.query_search_threads(s->query, &ts);
	if (st) {
		err_set(e, ERR_USAGE, "notmuch refuses the query '%s': %s", query,
			s->lib.status_to_string(st));
		return err_hint(e, "see notmuch-search-terms(7)");
	}
	if (!s->lib.threads_valid(ts))
		return err_set(e, ERR_NO_RESULTS, "notmuch finds no mail for '%s'",
			       query);
	for (; s->lib.threads_valid(ts); s->lib.threads_move_to_next(ts)) {
		notmuch_thread_t *t = s->lib.threads_get(ts);
		int r = add_thread(s, t, e);

		s->lib.thread_destroy(t);
		if (r < 0)
			return r;
	}
	return 0;
}

int notmuch_threads(const char *database, const char *query, struct notmuch_result *ret,
		    struct err *e)
{
	struct search s = { .ret = ret };
	int r;

	if (!*query) {
		err_set(e, ERR_USAGE, "the notmuch query is empty");
		return err_hint(e, "write notmuch:QUERY, as in notmuch:id:MESSAGE-ID");
	}
	if (load(&s.lib, e) < 0 || open_database(&s, database, e) < 0)
		return -(int)e->code;
	r = run(&s, query, e);
	if (s.query)
		s.lib.query_destroy(s.query);
	s.lib.database_destroy(s.db);
	return r;
}

int notmuch_available(struct err *e)
{
	struct library lib;

	return load(&lib, e);
}

#else

static int not_built_in(struct err *e)
{
	err_set(e, ERR_TOOL_MISSING, "this kiln was built without notmuch");
	return err_hint(e, "install libnotmuch-dev and build again");
}

int notmuch_available(struct err *e)
{
	return not_built_in(e);
}

int notmuch_threads(const char *database, const char *query, struct notmuch_result *ret,
		    struct err *e)
{
	(void)database;
	(void)query;
	(void)ret;
	return not_built_in(e);
}

#endif
