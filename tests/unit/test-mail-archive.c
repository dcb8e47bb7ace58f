// SPDX-License-Identifier: GPL-3.0-or-later
/* Message-ids to URLs and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/base.h"
#include "mail/archive.h"
#include "mail/lookup.h"

static void test_escape(void **state)
{
	static const char *const rows[][2] = {
		{ "a@b", "a@b" },
		{ "rev-1/slash+plus=eq@example.org",
		  "rev-1%2Fslash+plus=eq@example.org" },
		{ "weird%id?and#hash@example.net",
		  "weird%25id%3Fand%23hash@example.net" },
		{ "-._~!$&'()*+,;=:@", "-._~!$&'()*+,;=:@" },
		{ "a b\303\244@c", "a%20b%C3%A4@c" },
		{ "../../etc@x", "..%2F..%2Fetc@x" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *s = archive_escape(rows[i][0]);

		assert_string_equal(s, rows[i][1]);
	}
}

/* Base NULL: the server named does not hold mails under that address. */
static void test_split(void **state)
{
	static const struct {
		const char *url, *base, *id;
	} rows[] = {
		{ "https://lore.kernel.org/kvm/a@b", "https://lore.kernel.org/kvm",
		  "a@b" },
		{ "https://lore.kernel.org/kvm/a@b/", "https://lore.kernel.org/kvm",
		  "a@b" },
		{ "https://lore.kernel.org/kvm/a@b/raw", "https://lore.kernel.org/kvm",
		  "a@b" },
		{ "https://lore.kernel.org/kvm/a@b/T/#u", "https://lore.kernel.org/kvm",
		  "a@b" },
		{ "https://lore.kernel.org/kvm/a@b/t.mbox.gz",
		  "https://lore.kernel.org/kvm", "a@b" },
		{ "https://lore.kernel.org/kvm/a@b#r", "https://lore.kernel.org/kvm",
		  "a@b" },
		{ "https://lore.kernel.org/all/a%2Fb+c%25d@e/",
		  "https://lore.kernel.org/all", "a/b+c%d@e" },
		{ "https://lore.kernel.org/all/a%40b/", "https://lore.kernel.org/all",
		  "a@b" },
		{ "https://lore.kernel.org/r/a@b", NULL, "a@b" },
		{ "https://lore.kernel.org/a@b/", NULL, "a@b" },
		{ "https://lore.kernel.org/kvm/a@b/t/", "https://lore.kernel.org/kvm",
		  "a@b" },
		{ "https://lore.kernel.org/kvm/a@b/T/#m0123",
		  "https://lore.kernel.org/kvm", "a@b" },
		{ "https://patch.msgid.link/a@b", NULL, "a@b" },
		{ "http://msgid.link/a@b", NULL, "a@b" },
		{ "https://lkml.kernel.org/r/a@b", NULL, "a@b" },
		{ "https://patchwork.kernel.org/project/kvm/patch/a@b/", NULL, "a@b" },
		{ "http://127.0.0.1:8080/test/a@b/", "http://127.0.0.1:8080/test",
		  "a@b" },
		{ "https://example.org/deep/er/list/a@b/T/",
		  "https://example.org/deep/er/list", "a@b" },
		{ "https://user@example.org/list/a@b", "https://user@example.org/list",
		  "a@b" },
	};
	static const char *const none[] = {
		"https://lore.kernel.org/kvm/",
		"https://lore.kernel.org",
		"https://",
		"a@b",
		"https://user@example.org/list/",
		"https://x.org/?q=a@b",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *base = NULL, *id = NULL;

		print_message("%s\n", rows[i].url);
		assert_true(archive_split(rows[i].url, &base, &id));
		assert_string_equal(id, rows[i].id);
		if (rows[i].base)
			assert_string_equal(base, rows[i].base);
		else
			assert_null(base);
	}
	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		_cleanup_free_ char *base = NULL, *id = NULL;

		assert_false(archive_split(none[i], &base, &id));
	}
}

static void test_numeric_patchwork(void **state)
{
	static const char *const numbers[] = {
		"https://patchwork.kernel.org/patch/12345/",
		"https://patchwork.kernel.org/project/kvm/list/?series=12345",
		"https://patchwork.ozlabs.org/project/x/patch/12345/mbox/",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		assert_true(archive_is_numeric_patchwork(numbers[i]));
	assert_false(archive_is_numeric_patchwork(
		"https://patchwork.kernel.org/project/kvm/list/"));
}

static void test_search_url(void **state)
{
	static const struct {
		const char *url, *base, *query;
	} rows[] = {
		{ "https://lore.kernel.org/kvm/?q=s%3A%22a+b%22+AND+f:x&x=t",
		  "https://lore.kernel.org/kvm", "s:\"a b\" AND f:x" },
		{ "http://h/list/?x=A&q=c%2B%2B#top", "http://h/list", "c++" },
		{ "http://h/list/?t=2024", NULL, NULL },
		{ "http://h/list?q=x", NULL, NULL },
		{ "http://h/?q=", NULL, NULL },
		{ "lore:?q=x", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *base = NULL, *query = NULL;
		bool is = archive_split_search(rows[i].url, &base, &query);

		assert_int_equal(is, rows[i].base != NULL);
		if (!is)
			continue;
		assert_string_equal(base, rows[i].base);
		assert_string_equal(query, rows[i].query);
	}
}

static void test_query(void **state)
{
	static const struct {
		struct lookup l;
		const char *query;
	} rows[] = {
		{ { .change_id = "x-1" }, "nq:\"change-id: x-1\"" },
		{ { .patch_id = "0a" }, "patchid:0a" },
		{ { .subject = "a \"b\" c" }, "s:\"a  b  c\"" },
		{ { .subject = "t", .from = "A B" }, "s:\"t\" AND f:\"A B\"" },
		{ { .query = "dfn:x" }, "dfn:x" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *q = archive_query(&rows[i].l);

		assert_string_equal(q, rows[i].query);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escape),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_numeric_patchwork),
		cmocka_unit_test(test_search_url),
		cmocka_unit_test(test_query),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
