// SPDX-License-Identifier: GPL-3.0-or-later
/* Prerequisites in order, whatever they name: each other, themselves, nothing. */
#include "core/git/prereq.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "core/base/alloc.h"

/* A series "NAME" of nr patches "NAME.1", ..., with patch-ids "id-NAME.1". */
static struct series *make(const char *name, int nr)
{
	struct series *s = series_new();

	s->message_id = xasprintf("%s@example.org", name);
	s->title = xstrdup(name);
	s->total = nr;
	for (int i = 1; i <= nr; i++) {
		struct patch *p = series_add_patch(s);

		p->number = i;
		p->subject = xasprintf("%s.%d", name, i);
		p->message_id = xasprintf("%s.%d@example.org", name, i);
		p->patch_id = xasprintf("id-%s.%d", name, i);
	}
	return s;
}

static void needs(struct series *s, const char *kind, const char *value)
{
	series_add_prerequisite(s, kind, value);
}

/*
 * The archive: "aN" needs "aN+1" without end, "loop" needs "root", "two" has two patches
 * and needs "one", "many" has 600.
 */
static int find(void *ctx, const struct prerequisite *p, struct series **ret,
		struct err *e)
{
	int *calls = ctx;
	const char *v = p->value;

	++*calls;
	if (!strcmp(v, "one@example.org")) {
		*ret = make("one", 1);
	} else if (!strcmp(v, "two@example.org") || !strncmp(v, "id-two.", 7)) {
		*ret = make("two", 2);
		needs(*ret, "message-id", "one@example.org");
	} else if (!strcmp(v, "loop@example.org")) {
		*ret = make("loop", 1);
		needs(*ret, "message-id", "root@example.org");
	} else if (!strcmp(v, "root@example.org")) {
		*ret = make("root", 1);
		needs(*ret, "message-id", "loop@example.org");
	} else if (*v == 'a') {
		_cleanup_free_ char *name = xstrndup(v, strcspn(v, "@"));
		_cleanup_free_ char *next = xasprintf("%sa@example.org", name);

		*ret = make(name, 1);
		needs(*ret, "depends-on", next);
	} else if (!strncmp(v, "many", 4)) {
		_cleanup_free_ char *name = xstrndup(v, strcspn(v, "@"));

		*ret = make(name, 600);
	} else {
		return err_set(e, ERR_UNKNOWN_MESSAGE_ID, "no archive has '%s'", v);
	}
	return 0;
}

static char *order(const struct prereqs *p)
{
	_cleanup_strv_ struct strv v = STRV_INIT;

	for (size_t i = 0; i < p->nr_needed; i++)
		strv_add(&v, p->needed[i].patch->subject);
	return strv_join(&v, " ");
}

static void collect(struct series *s, struct prereqs *ret, int *calls)
{
	struct prereq_source source = { find, calls };
	_cleanup_err_ struct err e = { 0 };

	*calls = 0;
	assert_int_equal(prereqs_collect(s, &source, ret, &e), 0);
}

static void state_is(const struct prereqs *p, size_t i, const char *state)
{
	assert_true(i < p->nr);
	assert_string_equal(prereq_state_name(p, &p->v[i]), state);
}

static void what_they_need_comes_first(void **state)
{
	_cleanup_series_ struct series *s = make("root", 1);
	_cleanup_(prereqs_release) struct prereqs p = { 0 };
	_cleanup_free_ char *text = NULL;
	int calls;

	(void)state;
	needs(s, "message-id", "two@example.org");
	needs(s, "base-commit", "v6.1");
	needs(s, "change-id", "nowhere");
	collect(s, &p, &calls);
	text = order(&p);
	assert_string_equal(text, "one.1 two.1 two.2");
	assert_int_equal(p.nr, 3);
	assert_string_equal(p.v[0].title, "two");
	assert_string_equal(p.v[1].title, "one");
	assert_string_equal(p.v[1].named_by, "two@example.org");
	state_is(&p, 0, "not-tried");
	state_is(&p, 2, "unresolved");
	assert_string_equal(p.v[2].reason, "no archive has 'nowhere'");
}

static void a_patch_id_is_one_patch(void **state)
{
	_cleanup_series_ struct series *s = make("root", 1);
	_cleanup_(prereqs_release) struct prereqs p = { 0 };
	_cleanup_free_ char *text = NULL;
	int calls;

	(void)state;
	needs(s, "patch-id", "id-two.2");
	needs(s, "patch-id", "id-two.1");
	needs(s, "patch-id", "id-two.2");
	collect(s, &p, &calls);
	text = order(&p);
	assert_string_equal(text, "two.2 two.1");
	assert_int_equal(calls, 1);
	assert_int_equal(p.nr, 2);
}

static void in_all_five_spellings(void **state)
{
	static const char *const kinds[] = { "message-id", "change-id", "based-on",
					     "depends-on" };
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		_cleanup_series_ struct series *s = make("root", 1);
		_cleanup_(prereqs_release) struct prereqs p = { 0 };
		_cleanup_free_ char *text = NULL;
		int calls;

		needs(s, kinds[i], "one@example.org");
		needs(s, "message-id", "two@example.org");
		collect(s, &p, &calls);
		text = order(&p);
		assert_string_equal(text, "one.1 two.1 two.2");
	}
}

static void cycles_end(void **state)
{
	_cleanup_series_ struct series *s = make("root", 1);
	_cleanup_(prereqs_release) struct prereqs p = { 0 };
	_cleanup_free_ char *text = NULL;
	int calls;

	(void)state;
	needs(s, "message-id", "loop@example.org");
	needs(s, "message-id", "root@example.org");
	collect(s, &p, &calls);
	text = order(&p);
	assert_string_equal(text, "loop.1");
	state_is(&p, 1, "cycle");
	assert_true(calls < 10);
}

static void chains_and_crowds_end(void **state)
{
	_cleanup_series_ struct series *s = make("root", 1);
	_cleanup_series_ struct series *t = make("root", 1);
	_cleanup_(prereqs_release) struct prereqs p = { 0 }, q = { 0 };
	int calls;

	(void)state;
	needs(s, "message-id", "a@example.org");
	collect(s, &p, &calls);
	assert_int_equal(p.nr_needed, PREREQ_MAX_DEPTH);
	state_is(&p, p.nr - 1, "too-many");
	needs(t, "message-id", "many1@example.org");
	needs(t, "message-id", "many2@example.org");
	collect(t, &q, &calls);
	assert_true(q.nr_needed <= PREREQ_MAX_PATCHES);
	state_is(&q, 1, "too-many");
}

static void without_sources_nothing_is_found(void **state)
{
	_cleanup_series_ struct series *s = make("root", 1);
	_cleanup_(prereqs_release) struct prereqs p = { 0 };
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	needs(s, "message-id", "one@example.org");
	assert_int_equal(prereqs_collect(s, NULL, &p, &e), 0);
	state_is(&p, 0, "unresolved");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_they_need_comes_first),
		cmocka_unit_test(a_patch_id_is_one_patch),
		cmocka_unit_test(in_all_five_spellings),
		cmocka_unit_test(cycles_end),
		cmocka_unit_test(chains_and_crowds_end),
		cmocka_unit_test(without_sources_nothing_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
