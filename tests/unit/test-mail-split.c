// SPDX-License-Identifier: GPL-3.0-or-later
/* Differential: git mailsplit on random mailboxes gives the same mails, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"
#include "mail/box.h"
#include "mail/text.h"

static void run(const char *dir, const char *const *args)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };
	struct spawn s = { .argv = &argv, .dir = dir, .timeout_ms = 60000 };

	for (; *args; args++)
		strv_add(&argv, *args);
	assert_int_equal(spawn_check(&s, &e), 0);
}

/*
 * What git leaves: its separator, the mailbox's line end at the end of each mail, and for
 * mboxo the quoting.
 */
static void tidy(struct buf *b, bool mboxo)
{
	const char *at = buf_str(b), *end = at + b->len;
	struct buf out = BUF_INIT;
	struct line l;

	assert_true(line_next(&at, end, &l));
	while (line_next(&at, end, &l)) {
		if (mboxo && line_starts(&l, ">From ")) {
			l.p++;
			l.len--;
		}
		buf_add(&out, l.p, l.len);
		buf_addc(&out, '\n');
	}
	assert_true(out.len && out.data[out.len - 1] == '\n');
	out.data[--out.len] = '\0';
	buf_release(b);
	*b = out;
}

static void compare(const char *dir, const char *file, bool mboxo)
{
	_cleanup_box_ struct box *box = box_new();
	_cleanup_buf_ struct buf ours = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(box_read(box, file, 0, &e), 0);
	assert_true(box_nr(box) > 0);
	for (size_t i = 0; i < box_nr(box); i++) {
		_cleanup_free_ char *path = xasprintf("%s/%04zu", dir, i + 1);
		_cleanup_buf_ struct buf theirs = BUF_INIT;

		assert_int_equal(box_mail(box, i, &ours, &e), 0);
		assert_int_equal(fs_read(path, 1 << 20, &theirs, &e), 0);
		tidy(&theirs, mboxo);
		assert_string_equal(buf_str(&ours), buf_str(&theirs));
		unlink(path);
	}
	{
		_cleanup_free_ char *more = xasprintf("%s/%04zu", dir, box_nr(box) + 1);

		assert_false(fs_exists(more));
	}
}

static void differ(const char *kind)
{
	const char *rounds = getenv("KILN_TEST_ROUNDS"), *source = getenv("KILN_SOURCE");
	int nr = rounds && *rounds ? 500 : 10;
	char dir[] = "/tmp/test-split.XXXXXX";
	_cleanup_free_ char *script = NULL, *to = NULL, *count = xasprintf("%d", nr);
	_cleanup_err_ struct err e = { 0 };
	bool mboxo = !strcmp(kind, "mboxo");

	if (!source)
		skip();
	assert_non_null(mkdtemp(dir));
	script = fs_path(source, "tests/t/mailsplit.py");
	to = xasprintf("-o%s", dir);
	run(dir, (const char *const[]){ "python3", script, count, kind, dir, NULL });
	for (int i = 0; i < nr; i++) {
		_cleanup_free_ char *file = xasprintf("%s/mbox%d", dir, i);

		run(dir, (const char *const[]){ "git", "mailsplit", to,
						mboxo ? "--" : "--mboxrd", file, NULL });
		compare(dir, file, mboxo);
	}
	assert_int_equal(fs_remove_tree(dir, &e), 0);
}

static void test_mboxrd(void **state)
{
	(void)state;
	differ("mboxrd");
}

static void test_mboxo(void **state)
{
	(void)state;
	differ("mboxo");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mboxrd),
		cmocka_unit_test(test_mboxo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
