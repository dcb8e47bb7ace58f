// SPDX-License-Identifier: GPL-3.0-or-later
/* The documents of compare and bench, whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "cli/json-compare.h"
#include "core/base/alloc.h"

static void is(json_t *doc, const char *want)
{
	char *got = json_dumps(doc, JSON_COMPACT | JSON_REAL_PRECISION(10));

	assert_non_null(got);
	assert_string_equal(got, want);
	free(got);
	json_decref(doc);
}

static void test_rows(void **state)
{
	const struct comparison rows[] = {
		{ .cell = cell_at(NULL, 1),
		  .benchmark = "cpuid_rate",
		  .unit = "/s",
		  .base = { 180017, 2, 10 },
		  .patched = { 203347, 3, 15 },
		  .change = 0.1296,
		  .ci_lo = 0.125,
		  .ci_hi = 0.135,
		  .confidence = 0.95,
		  .sd = 0.0005,
		  .p = 0.001,
		  .p_adj = 0.003,
		  .verdict = VERDICT_FASTER,
		  .same_within = 0.002,
		  .basis = BASIS_SEQUENCE,
		  .rank = { 0.13, 0.12, 0.14, 0.01 },
		  .welch = { 0.13, -1, INFINITY, 1 },
		  .stored = 5 },
		{ .cell = cell_at(NULL, 2),
		  .benchmark = "cpuid_rate",
		  .unit = "/s",
		  .base = { 180017, 1, 5 },
		  .ci_lo = -1,
		  .ci_hi = INFINITY,
		  .confidence = 0.95,
		  .p = 1,
		  .p_adj = 1,
		  .needs_boots = 2 },
	};

	(void)state;
	is(json_comparison_rows(rows, 2),
	   "[{\"benchmark\":\"cpuid_rate\",\"unit\":\"/s\","
	   "\"cell\":{\"l0\":\"npt\",\"l1\":\"shadow\"},"
	   "\"base\":{\"value\":180017.0,\"boots\":2,\"runs\":10},"
	   "\"patched\":{\"value\":203347.0,\"boots\":3,\"runs\":15},"
	   "\"change\":0.1296,\"ci\":[0.125,0.135],\"confidence\":0.95,"
	   "\"sd\":0.0005,\"p\":0.001,\"p_adj\":0.003,\"verdict\":\"faster\","
	   "\"needs_boots\":null,\"same_within\":0.002,\"basis\":\"sequence\","
	   "\"rank\":{\"change\":0.13,\"ci\":[0.12,0.14],\"p\":0.01},"
	   "\"welch\":null,\"stored\":5},"
	   "{\"benchmark\":\"cpuid_rate\",\"unit\":\"/s\","
	   "\"cell\":{\"l0\":\"shadow\",\"l1\":\"shadow\"},"
	   "\"base\":{\"value\":180017.0,\"boots\":1,\"runs\":5},"
	   "\"patched\":{\"value\":null,\"boots\":0,\"runs\":0},"
	   "\"change\":null,\"ci\":[null,null],\"confidence\":0.95,"
	   "\"sd\":0.0,\"p\":1.0,\"p_adj\":1.0,\"verdict\":\"undecided\","
	   "\"needs_boots\":2,\"same_within\":0.0,\"basis\":\"none\",\"rank\":null,"
	   "\"welch\":null,\"stored\":0}]");
	is(json_comparison_rows(NULL, 0), "[]");
}

static void test_samples(void **state)
{
	_cleanup_samples_ struct samples s = SAMPLES_INIT;
	struct sample *v = samples_add(&s);

	(void)state;
	v->token = xstrdup("0123abcd");
	v->commit = (struct oid){ "1111111111111111111111111111111111111111" };
	v->tree = (struct oid){ "2222222222222222222222222222222222222222" };
	v->benchmark = xstrdup("cpuid_rate");
	v->l0 = xstrdup("npt");
	v->l1 = xstrdup("npt");
	v->ordinal = 4;
	v->value = 18530.5;
	v->unit = xstrdup("/s");
	v->clock = xstrdup("virtual");
	v->proven = true;
	samples_add(&s)->unit = xstrdup("\xff");
	is(json_samples(&s),
	   "[{\"commit\":\"1111111111111111111111111111111111111111\","
	   "\"tree\":\"2222222222222222222222222222222222222222\","
	   "\"benchmark\":\"cpuid_rate\",\"cell\":{\"l0\":\"npt\",\"l1\":\"npt\"},"
	   "\"boot\":\"0123abcd\",\"ordinal\":4,\"value\":18530.5,\"unit\":\"/s\","
	   "\"clock\":\"virtual\",\"proven\":true,\"path\":null,"
	   "\"setup\":null,\"guest\":null,\"qemu\":null,\"payload\":null},"
	   "{\"commit\":\"\",\"tree\":\"\",\"benchmark\":null,\"cell\":{\"l0\":null,"
	   "\"l1\":null},"
	   "\"boot\":null,\"ordinal\":0,\"value\":0.0,\"unit\":\"?\","
	   "\"clock\":null,\"proven\":false,\"path\":null,"
	   "\"setup\":null,\"guest\":null,\"qemu\":null,\"payload\":null}]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
