// SPDX-License-Identifier: GPL-3.0-or-later
/* What is bisected: ancestry as git has it, path limits, priors by paths. */
#include "cli/bisect/space.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "cli/bisect/prior.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

static char *dir;

static void sh(const char *line)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };

	strv_addl(&argv, "sh", "-ec", NULL);
	strv_addf(&argv, "cd '%s'; %s", dir, line);
	assert_int_equal(
		spawn_check(&(struct spawn){ .argv = &argv, .timeout_ms = 60000 }, &e),
		0);
}

/*
 *	base - k1 - doc ------ merge - arm - bad
 *	   \-- side1 - side2 --/
 * side1 is dated after all others: an order by date puts it last.
 */
static int setup(void **state)
{
	char template[] = "/tmp/kiln-space-XXXXXX";

	(void)state;
	dir = xstrdup(mkdtemp(template));
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	sh("git init -q -b main; git config user.name A; git config user.email a@b;"
	   "c() { mkdir -p $(dirname $2); echo $1 >>$2; git add .; git commit -qm $1; };"
	   "c base kernel/a; git tag base; git checkout -qb side;"
	   "export GIT_COMMITTER_DATE='2040-01-01T00:00:00Z'; c side1 arch/x86/kvm/s;"
	   "export GIT_COMMITTER_DATE='2020-01-01T00:00:00Z'; c side2 kernel/t;"
	   "git checkout -q main; c k1 arch/x86/kvm/k; c doc Documentation/d;"
	   "git merge -q --no-ff -m merge side; c arm arch/arm/m; c bad kernel/a");
	return 0;
}

static int teardown(void **state)
{
	struct err e = { 0 };

	(void)state;
	if (fs_remove_tree(dir, &e) < 0)
		return -1;
	free(dir);
	return 0;
}

static struct repo *open_repo(void)
{
	_cleanup_err_ struct err e = { 0 };
	struct repo *r;

	assert_int_equal(repo_open(dir, &r, &e), 0);
	return r;
}

static void open_range(struct repo *r, bool first_parent, struct space *ret)
{
	_cleanup_err_ struct err e = { 0 };
	struct oid good, bad;

	assert_int_equal(repo_resolve(r, "base", &good, &e), 0);
	assert_int_equal(repo_resolve(r, "main", &bad, &e), 0);
	assert_int_equal(space_range(r, &good, &bad, first_parent, ret, &e), 0);
}

static size_t at(const struct space *s, const char *subject)
{
	for (size_t i = 0; i < s->nr; i++)
		if (!strcmp(s->v[i].subject, subject))
			return i;
	fail_msg("no point '%s'", subject);
	return 0;
}

static bool has_parent(const struct space *s, const char *child, const char *parent)
{
	size_t i = at(s, child);

	for (size_t k = s->parent_start[i]; k < s->parent_start[i + 1]; k++)
		if (s->parents[k] == at(s, parent))
			return true;
	return false;
}

/* D7: a history is never put in a row by date. */
static void d7_ancestry_not_dates(void **state)
{
	_cleanup_repo_ struct repo *r = open_repo();
	_cleanup_space_ struct space s = { 0 };

	(void)state;
	open_range(r, false, &s);
	assert_int_equal(s.nr, 8);
	assert_int_equal(at(&s, "base"), 0);
	assert_int_equal(at(&s, "bad"), 7);
	assert_true(has_parent(&s, "merge", "doc"));
	assert_true(has_parent(&s, "merge", "side2"));
	assert_true(has_parent(&s, "side1", "base"));
	assert_false(has_parent(&s, "side1", "doc"));
	for (size_t i = 0; i < s.nr; i++)
		for (size_t k = s.parent_start[i]; k < s.parent_start[i + 1]; k++)
			assert_true(s.parents[k] < i);
}

static void first_parent_is_a_chain(void **state)
{
	_cleanup_repo_ struct repo *r = open_repo();
	_cleanup_space_ struct space s = { 0 };

	(void)state;
	open_range(r, true, &s);
	assert_int_equal(s.nr, 6);
	assert_string_equal(s.v[3].subject, "merge");
}

static void paths_limit_a_range(void **state)
{
	_cleanup_repo_ struct repo *r = open_repo();
	_cleanup_space_ struct space s = { 0 };
	_cleanup_strv_ struct strv paths = STRV_INIT;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	open_range(r, false, &s);
	strv_add(&paths, "arch/x86/");
	assert_int_equal(space_limit(r, &s, &paths, &e), 0);
	assert_int_equal(s.nr, 5); /* base, k1, side1, merge, bad */
	assert_true(has_parent(&s, "merge", "k1"));
	assert_true(has_parent(&s, "merge", "side1"));
	assert_true(has_parent(&s, "bad", "merge"));
	assert_false(has_parent(&s, "side1", "k1"));
	strv_release(&paths);
	paths = (struct strv)STRV_INIT;
	strv_add(&paths, "arch/x8");
	assert_int_equal(space_limit(r, &s, &paths, &e), -ERR_USAGE);
	assert_int_equal(s.nr, 5);
}

static double weight_of(const char *one, const char *two, bool merge)
{
	_cleanup_strv_ struct strv v = STRV_INIT;

	strv_add(&v, one);
	if (two)
		strv_add(&v, two);
	return prior_weight(arch_find(NULL), &v, merge);
}

static void weights_are_the_facts(void **state)
{
	const struct strv none = STRV_INIT;

	(void)state;
	assert_float_equal(weight_of("arch/x86/kvm/svm/nested.c", NULL, false), 20, 0);
	assert_float_equal(weight_of("Documentation/a", "virt/kvm/kvm_main.c", false), 20,
			   0);
	assert_float_equal(weight_of("arch/x86/include/asm/svm.h", NULL, true), 6, 1e-9);
	assert_float_equal(weight_of("Documentation/virt/kvm/api.rst", NULL, false), .05,
			   0);
	assert_float_equal(weight_of("arch/arm64/kvm/arm.c", "MAINTAINERS", false), .05,
			   0);
	assert_float_equal(weight_of("arch/arm64/kvm/arm.c", "mm/mmap.c", false), 1, 0);
	assert_float_equal(weight_of("arch/Kconfig", NULL, false), 1, 0);
	assert_float_equal(prior_weight(arch_find(NULL), &none, false), 1, 0);
	assert_float_equal(prior_weight(arch_find(NULL), &none, true), .3, 1e-9);
	assert_false(prior_is_away(arch_find(NULL), &none));
}

/* C119: what touches only documentation is an implausible culprit. */
static void c119_points_are_weighed(void **state)
{
	_cleanup_repo_ struct repo *r = open_repo();
	_cleanup_space_ struct space s = { 0 };
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	open_range(r, false, &s);
	assert_int_equal(prior_from_paths(arch_find(NULL), r, &s, &e), 0);
	assert_float_equal(s.weight[at(&s, "doc")], .05, 0);
	assert_float_equal(s.weight[at(&s, "arm")], .05, 0);
	assert_float_equal(s.weight[at(&s, "k1")], 20, 0);
	assert_float_equal(s.weight[at(&s, "bad")], 1, 0);
	assert_float_equal(s.weight[at(&s, "merge")], 6, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(d7_ancestry_not_dates),
		cmocka_unit_test(first_parent_is_a_chain),
		cmocka_unit_test(paths_limit_a_range),
		cmocka_unit_test(weights_are_the_facts),
		cmocka_unit_test(c119_points_are_weighed),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
