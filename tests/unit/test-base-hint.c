// SPDX-License-Identifier: GPL-3.0-or-later
/* Words for trees, versions and the MAINTAINERS file. */
#include "core/git/base-hint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

#include "core/base/alloc.h"
#include "core/git/maintainers.h"

/* C5/155: number by number, so that 5.10 is newer than 5.4. */
static void versions(void **state)
{
	static const struct {
		const char *word;
		int lo[2], hi[2];
	} ranges[] = {
		{ "5.10-6.1", { 5, 10 }, { 6, 1 } },
		{ "5.4.y", { 5, 4 }, { 5, 4 } },
		{ "v6.1", { 6, 1 }, { 6, 1 } },
		{ "6.6.y-stable", { 6, 6 }, { 6, 6 } },
		{ "6.1.y-5.10.y", { 5, 10 }, { 6, 1 } },
		{ "5.4 - 5.10", { 5, 4 }, { 5, 10 } },
		{ "linux-6.6.y", { 6, 6 }, { 6, 6 } },
	};
	static const char *const none[] = { "",	       "6",	  "net-next",  "6.",
					    "v",       "6.1-rc1", "1234567.1", "5.10-",
					    "6.1.2.3", "6..1" };
	struct version a, b;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		assert_true(version_range(ranges[i].word, &a, &b));
		assert_memory_equal(a.v, ranges[i].lo, sizeof(ranges[i].lo));
		assert_memory_equal(b.v, ranges[i].hi, sizeof(ranges[i].hi));
	}
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		assert_false(version_range(none[i], &a, &b));
	assert_true(version_parse("5.10", &a) && version_parse("5.4", &b));
	assert_true(version_cmp(&a, &b, 2) > 0);
	assert_true(version_parse("v6.6.12", &a) && a.nr == 3 && a.v[2] == 12);
}

static int rank(const char *word, const char *name, const char *remote, const char *url)
{
	struct base_ref r = { .name = (char *)name,
			      .remote = (char *)remote,
			      .kind = remote ? BASE_REF_REMOTE : BASE_REF_LOCAL };

	return base_hint_rank(word, &r, url);
}

static void words(void **state)
{
	const char *kvm = "git://git.kernel.org/pub/scm/virt/kvm/kvm.git";

	(void)state;
	assert_int_equal(rank("next", "next", NULL, NULL), 0);
	assert_int_equal(rank("next", "kvm/next", "kvm", kvm), 1);
	assert_int_equal(rank("kvm/next", "kvm/next", "kvm", kvm), 0);
	assert_int_equal(rank("kvm/next", "up/next", "up", kvm), 2);
	assert_true(rank("kvm", "up/next", "up", kvm) >= 0);
	assert_true(rank("kvm", "up/next", "up", kvm) <
		    rank("kvm", "up/master", "up", kvm));
	assert_int_equal(rank("kvm", "up/odd", "up", kvm), -1);
	assert_int_equal(rank("bpf-next", "net-next/main", "net-next", NULL), -1);
	assert_true(rank("6.6.y", "stable/linux-6.6.y", "stable", NULL) >= 0);
	assert_int_equal(rank("6.6.y", "stable/linux-6.1.y", "stable", NULL), -1);
	assert_true(rank("5.10-6.1", "s/linux-6.1.y", "s", NULL) <
		    rank("5.10-6.1", "s/linux-5.15.y", "s", NULL));
	assert_int_equal(rank("5.10-6.1", "s/linux-5.4.y", "s", NULL), -1);
	assert_int_equal(rank("", "main", NULL, NULL), -1);
}

static void urls(void **state)
{
	static const char *const same[] = {
		"git://git.kernel.org/pub/scm/virt/kvm/kvm.git",
		"https://git.kernel.org/pub/scm/virt/kvm/kvm.git/",
		"ssh://git@gitolite.kernel.org/pub/scm/virt/kvm/kvm",
		"git@gitolite.kernel.org:pub/scm/virt/kvm/kvm.git",
		"/pub/scm/virt/kvm/kvm",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(same); i++) {
		_cleanup_free_ char *path = base_url_path(same[i]);

		assert_string_equal(path, "pub/scm/virt/kvm/kvm");
	}
	free(base_url_path("https://"));
	free(base_url_path(":"));
}

static const char text[] =
	"Descriptions of section entries\n\n\tF: *Files* wildcard\n\nMaintainers List\n"
	"----------------\n\n"
	"3C59X NETWORK DRIVER\nM:\tA "
	"<a@example.org>\nF:\tdrivers/net/ethernet/3com/3c59x.c\n"
	"T:\tgit git://example.org/3c.git\n\n"
	"KVM\nT:\tgit "
	"git://example.org/virt/kvm.git\nF:\tinclude/linux/kvm*\nF:\tvirt/kvm/\n"
	"X:\tvirt/kvm/skip/\nF:\tarch/*/kvm/\n\n"
	"KVM X86\nT:\tgit git://example.org/virt/kvm.git x86\nT:\thg http://x\n"
	"T:\tquilt http://y\nF:\tarch/x86/kvm/\n\n"
	"THE REST\nT:\tgit git://example.org/linus.git\nF:\t*\nF:\t*/\n";

static void find(const char *paths, struct maintainers_trees *ret)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_strv_ struct strv v = STRV_INIT;
	_cleanup_free_ char *copy = xstrdup(paths);
	char *at = copy, *p;

	buf_adds(&b, text);
	while ((p = strsep(&at, " ")))
		strv_add(&v, p);
	maintainers_find(&b, &v, ret);
}

static void maintainers(void **state)
{
	struct maintainers_trees t;

	(void)state;
	find("arch/x86/kvm/svm/nested.c", &t);
	assert_int_equal(t.nr, 3);
	assert_string_equal(t.v[0].section, "KVM X86");
	assert_string_equal(t.v[0].branch, "x86");
	assert_string_equal(t.v[1].section, "KVM");
	assert_null(t.v[1].branch);
	assert_string_equal(t.v[2].section, "THE REST");
	maintainers_release(&t);
	/* Most of the files; the rest stays last though it covers all. */
	find("arch/x86/kvm/a.c virt/kvm/b.c drivers/net/c.c", &t);
	assert_string_equal(t.v[0].section, "KVM");
	assert_int_equal(t.v[0].files, 2);
	assert_string_equal(t.v[t.nr - 1].section, "THE REST");
	maintainers_release(&t);
	find("virt/kvm/skip/x.c", &t);
	assert_int_equal(t.nr, 1);
	maintainers_release(&t);
	find("include/linux/kvm_host.h", &t);
	assert_string_equal(t.v[0].url, "git://example.org/virt/kvm.git");
	maintainers_release(&t);
	find("Makefile", &t);
	assert_int_equal(t.nr, 1);
	maintainers_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions),
		cmocka_unit_test(words),
		cmocka_unit_test(urls),
		cmocka_unit_test(maintainers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
