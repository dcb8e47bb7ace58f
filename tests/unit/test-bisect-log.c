// SPDX-License-Identifier: GPL-3.0-or-later
/* Logs of bisections: what is written is read back, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bisect/log.h"
#include "core/base/alloc.h"

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define C "cccccccccccccccccccccccccccccccccccccccc"
#define HEAD                                                                      \
	"kiln-bisect-log 1\nquestion number cpuid_rate npt/npt\nterms good bad\n" \
	"engine kind=number min_effect=0.002\n"
#define POINTS                                                           \
	"point 0 " A " weight=1 parents=- : base\n"                      \
	"point 1 " B " weight=20 parents=0 : KVM: nSVM: a : colon = x\n" \
	"point 2 " C " weight=0.3 parents=1,0 : merge\n"

static const char good[] = HEAD "space graph 3\n"
				"built 1 " B " cached=yes seconds=0\n"
				"runs 0 " A " seconds=31.25 18531.5 18540.25 0.1\n"
				"pass 1 " B " layout=2 hand=yes seconds=0 old=1 new=3\n"
				"skip 1 " B " stage=timeout seconds=4 : why = : not\n"
				"# a remark\n\n" POINTS;

static void parse_ok(const char *text, struct bisect_log *ret)
{
	_cleanup_err_ struct err e = { 0 };

	if (log_parse(text, ret, &e) < 0)
		fail_msg("%s", e.frame[0]);
}

static void test_fields(void **state)
{
	_cleanup_bisect_log_ struct bisect_log l = { 0 };

	(void)state;
	parse_ok(good, &l);
	assert_string_equal(l.question, "number cpuid_rate npt/npt");
	assert_string_equal(l.new, "bad");
	assert_true(l.o.min_effect == 0.002 && l.o.kind == BISECT_NUMBER);
	assert_int_equal(l.space.nr, 3);
	assert_string_equal(l.space.v[1].subject, "KVM: nSVM: a : colon = x");
	assert_int_equal(l.space.parent_start[3], 3);
	assert_int_equal(l.space.parents[1], 1);
	assert_true(l.space.weight[2] == 0.3);
	assert_int_equal(l.nr, 4);
	assert_true(l.v[0].kind == LOG_BUILT && l.v[0].cached);
	assert_int_equal(l.v[1].nr_runs, 3);
	assert_true(l.v[1].runs[2] == 0.1 && l.v[1].seconds == 31.25);
	assert_true(l.v[2].old == 1 && l.v[2].new == 3 && l.v[2].layout == 2);
	assert_true(l.v[2].hand);
	assert_int_equal(l.v[3].stage, BISECT_AT_TIMEOUT);
	assert_string_equal(l.v[3].reason, "why = : not");
}

static void test_round_trip(void **state)
{
	_cleanup_bisect_log_ struct bisect_log l = { 0 }, again = { 0 };
	_cleanup_buf_ struct buf one = BUF_INIT, two = BUF_INIT;

	(void)state;
	parse_ok(good, &l);
	l.v[1].runs[0] = 1.0 / 3; /* needs all its digits */
	log_write(&l, &one);
	parse_ok(buf_str(&one), &again);
	log_write(&again, &two);
	assert_string_equal(buf_str(&one), buf_str(&two));
	assert_true(again.v[1].runs[0] == 1.0 / 3);
}

static void refused(const char *text, const char *why)
{
	_cleanup_bisect_log_ struct bisect_log l = { 0 };
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(log_parse(text, &l, &e), -ERR_CONFIG);
	for (unsigned int i = 0; i < e.nr; i++)
		if (strstr(e.frame[i], why))
			return;
	fail_msg("'%s' lacks '%s'", e.frame[0], why);
}

static void test_damage(void **state)
{
	(void)state;
	refused("", "no log");
	refused("kiln-bisect-log 2\n", "no log");
	refused(HEAD, "cut off");
	refused(HEAD "space chain 3\npoint 0 " A " weight=1 parents=- : x\n", "cut off");
	refused(HEAD "space chain 18446744073709551615\n" POINTS, "size");
	refused(HEAD "space chain 99999999\n" POINTS, "size");
	refused(HEAD "space ring 3\n" POINTS, "size");
	refused(HEAD "space graph 3\nspace graph 3\n" POINTS, "size");
	refused(HEAD "space chain 3\n" POINTS, "no parent '0'");
	refused(HEAD POINTS, "out of turn");
	refused(HEAD "terms a b\n", "terms");
	refused(HEAD "question x\n", "question");
	refused(HEAD "engine colour=red\n", "colour");
	refused(HEAD "engine max_boots=-1\n", "max_boots");
	refused(HEAD "engine min_sd=nan\n", "min_sd");
	refused(HEAD "dance\n", "no line");
}

static void test_entries(void **state)
{
	static const char *const bad[] = {
		"",
		"runs",
		"runs 0 " A,
		"runs x " A " 1",
		"runs 0 aaaa 1",
		"runs 0 " A " -1",
		"runs 0 " A " 0",
		"runs 0 " A " inf",
		"runs 0 " A " 1e999",
		"runs 0 " A " 1x",
		"runs 99999999999 " A " 1",
		"pass 0 " A,
		"pass 0 " A " old=0 new=0",
		"pass 0 " A " old=-1",
		"pass 0 " A " old=9999999",
		"skip 0 " A " stage=party",
		"built 0 " A " seconds=-1",
		"built 0 " A " cached=perhaps",
		"built 0 " A " 17",
		"eaten 0 " A,
		"built 0 " A " size=3",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_err_ struct err e = { 0 };
		struct log_entry en = { 0 };

		if (log_entry_parse(bad[i], &en, &e) != -ERR_CONFIG)
			fail_msg("'%s' was read", bad[i]);
	}
	refused(HEAD "space graph 3\nruns 1 " A " 3.5\n" POINTS, "not point 1");
	refused(HEAD "space graph 3\nruns 7 " A " 3.5\n" POINTS, "not point 7");
}

/* Subjects and reasons come from strangers. */
static void test_hostile_text(void **state)
{
	struct log_entry en = { .kind = LOG_SKIP,
				.reason = (char *)"a\nbuilt 0 " A "\x1b[2J" };
	_cleanup_buf_ struct buf b = BUF_INIT;

	(void)state;
	memcpy(en.commit.hex, A, 41);
	log_entry_write(&en, &b);
	assert_null(strchr(buf_str(&b), '\n'));
	assert_null(strchr(buf_str(&b), '\x1b'));
}

static void test_git(void **state)
{
	_cleanup_bisect_log_ struct bisect_log l = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;
	const double p_new[] = { 0, 0.004, 1 };

	(void)state;
	parse_ok(HEAD "space graph 3\nruns 1 " B " 3.5\n" POINTS, &l);
	log_write_git(&l, p_new, &b);
	assert_string_equal(buf_str(&b), "git bisect start\n"
					 "# bad: [" C "] merge\ngit bisect bad " C "\n"
					 "# good: [" A "] base\ngit bisect good " A "\n"
					 "# good: [" B "] KVM: nSVM: a : colon = x\n"
					 "git bisect good " B "\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),	     cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_damage),	     cmocka_unit_test(test_entries),
		cmocka_unit_test(test_hostile_text), cmocka_unit_test(test_git),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
