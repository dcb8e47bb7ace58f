// SPDX-License-Identifier: GPL-3.0-or-later
/* C053, C2/34: the same message-id several times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/buf.h"
#include "core/series/series.h"

#include "assemble-bytes.h"

#define HEAD(from)                                                                   \
	"From: " from "\nMessage-ID: <one@x.org>\nSubject: [PATCH] one\n\nText.\n\n" \
	"Signed-off-by: A <a@x.org>\n"
#define DIFF(line)                                                           \
	"---\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+" line \
	"\n-- \n2.39.5\n"
#define FOOTER                                                                 \
	"_______________________________________________\nlist mailing list\n" \
	"list@x.org\n"
#define LIST "A via list <list@x.org>"
#define SELF "A <a@x.org>"

static struct series *both(const char *first, const char *second)
{
	_cleanup_box_ struct box *box = box_new();
	_cleanup_err_ struct err e = { 0 };
	struct series *s = NULL;

	assert_int_equal(box_add(box, first, strlen(first), &e), 0);
	assert_int_equal(box_add(box, second, strlen(second), &e), 0);
	assert_int_equal(assemble_mails(box, &(struct assemble_opts){ 0 }, &s, &e), 0);
	assert_int_equal(s->nr_patches, 1);
	return s;
}

static bool is_warned(const struct series *s)
{
	for (size_t i = 0; i < s->nr_notes; i++)
		if (s->notes[i].level == NOTE_WARNING &&
		    strstr(s->notes[i].text, "different diffs"))
			return true;
	return false;
}

/* A footer is no difference, and the copy without one is taken, whatever the order. */
static void c053_footer(void **state)
{
	static const char *const copies[] = { HEAD(SELF) DIFF("b") FOOTER,
					      HEAD(SELF) DIFF("b") };

	(void)state;
	for (int i = 0; i < 2; i++) {
		_cleanup_series_ struct series *s = both(copies[i], copies[1 - i]);

		assert_false(is_warned(s));
		assert_null(strstr(buf_str(&s->patches[0].diff), "mailing list"));
	}
}

/* Diffs that differ are told; the first copy stays. */
static void c053_other_diff(void **state)
{
	_cleanup_series_ struct series *s =
		both(HEAD(SELF) DIFF("long line"), HEAD(SELF) DIFF("b"));

	(void)state;
	assert_true(is_warned(s));
	assert_non_null(strstr(buf_str(&s->patches[0].diff), "+long line\n"));
}

/* A copy that lost its diff is worse than a rewritten From, and than a footer. */
static void c053_lost_diff(void **state)
{
	_cleanup_series_ struct series *s = both(HEAD(SELF), HEAD(LIST) DIFF("b") FOOTER);

	(void)state;
	assert_false(is_warned(s));
	assert_non_null(strstr(buf_str(&s->patches[0].diff), "+b\n"));
}

/* The author's own From is worth more than the absence of a footer. */
static void c2_34_list_from(void **state)
{
	_cleanup_series_ struct series *s =
		both(HEAD(LIST) DIFF("b"), HEAD(SELF) DIFF("b") FOOTER);

	(void)state;
	assert_string_equal(s->patches[0].author_email, "a@x.org");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c053_footer),
		cmocka_unit_test(c053_other_diff),
		cmocka_unit_test(c053_lost_diff),
		cmocka_unit_test(c2_34_list_from),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
