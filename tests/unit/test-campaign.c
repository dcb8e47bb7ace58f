// SPDX-License-Identifier: GPL-3.0-or-later
/* The order of boots, and which sides may be held against each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cli/campaign-order.h"
#include "cli/held.h"

/* Each block of two pairs is ABBA or BAAB: a drift is on both sides alike. */
static void test_order(void **state)
{
	unsigned int reversed = 0;

	(void)state;
	for (uint64_t seed = 1; seed < 100; seed++)
		for (unsigned int n = 0; n < 100; n += 2) {
			assert_int_not_equal(order_base_first(seed, n),
					     order_base_first(seed, n + 1));
			reversed += !order_base_first(seed, n);
		}
	assert_true(reversed > 0);
	for (unsigned int n = 0; n < 64; n += 2) { /* every block has a bit of its own */
		uint64_t seed = UINT64_C(1) << n / 2;

		assert_true(!order_base_first(seed, n) && order_base_first(0, n));
	}
}

static void refused(struct identity other, const char *what)
{
	const struct identity one = { "qemu", "tcg", "kexec", "1234" };
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(identity_alike(&one, &other, &e), -ERR_USAGE);
	assert_non_null(strstr(e.frame[0], what));
}

static void test_alike(void **state)
{
	const struct identity one = { "qemu", "tcg", "kexec", "1234" }, unknown = { 0 };
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	assert_int_equal(identity_alike(&one, &one, &e), 0);
	assert_int_equal(identity_alike(&one, &unknown, &e), 0);
	refused((struct identity){ "ssh", "tcg", "kexec", "1234" }, "target is 'qemu'");
	refused((struct identity){ "qemu", "kvm", "kexec", "1234" }, "'tcg' and 'kvm'");
	refused((struct identity){ "qemu", "tcg", "firmware", "1234" }, "path");
	refused((struct identity){ "qemu", "tcg", "kexec", "5678" }, "environment");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
