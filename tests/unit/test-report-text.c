// SPDX-License-Identifier: GPL-3.0-or-later
/* A triage as text, whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bench/report/report.h"
#include "core/base/alloc.h"

#define BUILD_ID "00112233445566778899aabbccddeeff00112233"

#define METHOD(commits)                                                                  \
	"\n  Method: both ends first, in turns; then whichever of " commits " commits\n" \
	"  tells most for its cost, by a posterior over all of them and \"no\n"          \
	"  change\". A boot counts once, however many runs are in it.\n"

static const struct oid base_oid = { "1111111111111111111111111111111111111111" };
static const struct oid head_oid = { "4444444444444444444444444444444444444444" };

static struct series *two_patches(void)
{
	struct series *s = series_new();
	struct patch *p;

	s->title = xstrdup("KVM: nSVM: Rework transitions");
	s->revision = 2;
	s->revisions = xcalloc(2, sizeof(int));
	s->revisions[0] = 1;
	s->revisions[1] = 2;
	s->nr_revisions = 2;
	s->message_id = xstrdup("20260101.1-v2@example.org");
	s->total = 2;
	s->cover = xzalloc(sizeof(*s->cover));
	series_add_patch(s)->number = 1;
	p = series_add_patch(s);
	p->number = 2;
	patch_add_trailer(p)->state = TRAILER_KEPT;
	patch_add_trailer(p)->state = TRAILER_ADDED;
	patch_add_trailer(p)->state = TRAILER_FLAGGED;
	return s;
}

static const struct applied commits[] = {
	{ .oid = { "3333333333333333333333333333333333333333" },
	  .subject = (char *)"KVM: nSVM: Move the flush" },
	{ .oid = { "4444444444444444444444444444444444444444" },
	  .subject = (char *)"KVM: nSVM: Drop the flush",
	  .method = APPLY_OFFSET },
};

static const struct apply_result applied = {
	.base = { "1111111111111111111111111111111111111111" },
	.head = { "4444444444444444444444444444444444444444" },
	.commits = (struct applied *)commits,
	.nr = 2,
};

static const struct report_kernel kernels[] = {
	{ .name = "base",
	  .commit = { "1111111111111111111111111111111111111111" },
	  .status = "ok",
	  .build_id = BUILD_ID,
	  .path = "kexec",
	  .boots = 2,
	  .proven = 2,
	  .boot_ids = 2 },
	{ .name = "patched",
	  .commit = { "4444444444444444444444444444444444444444" },
	  .status = "ok",
	  .build_id = BUILD_ID,
	  .path = "kexec",
	  .boots = 3,
	  .proven = 2,
	  .boot_ids = 2,
	  .boot_failed = "panic",
	  .failed_reason = "Kernel panic - \033[31mnot syncing\nx" },
};

static struct comparison row(size_t cell, enum verdict v, double change)
{
	return (struct comparison){
		.cell = cell_at(NULL, cell),
		.benchmark = "cpuid_rate",
		.unit = "/s",
		.base = { .value = 18000, .boots = 2, .runs = 10 },
		.patched = { .value = 18000 * (1 + change), .boots = 2, .runs = 10 },
		.change = change,
		.ci_lo = change - 0.001,
		.ci_hi = change + 0.001,
		.confidence = 0.95,
		.p_adj = v == VERDICT_SAME ? 0.8 : 0.0002,
		.verdict = v,
	};
}

static void is(const struct report *r, const char *want)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	report_text(r, &b);
	assert_string_equal(buf_str(&b), want);
	for (const char *p = buf_str(&b); *p; p++)
		assert_true(*p == '\n' || (*p >= 0x20 && *p != 0x7f));
	for (const char *line = buf_str(&b); *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 76);
}

#define HEADING                                          \
	"[PATCH v2 0/2] KVM: nSVM: Rework transitions\n" \
	"Message-ID: <20260101.1-v2@example.org>\n"      \
	"\n"
#define FETCHED                                         \
	"Fetched: 2 of 2 patches, v2 (also seen: v1)\n" \
	"         trailers from replies: 1 added, 1 flagged\n"

static const struct report_commit whole_range[] = {
	{ { "1111111111111111111111111111111111111111" }, "Linux 6.1.192", 0, false },
	{ { "3333333333333333333333333333333333333333" },
	  "KVM: nSVM: Move the flush",
	  1,
	  false },
	{ { "4444444444444444444444444444444444444444" },
	  "KVM: nSVM: Drop the flush",
	  2,
	  false },
};

static void test_whole(void **state)
{
	static const struct bisect_result found = { .verdict = BISECT_FOUND,
						    .culprit = 1,
						    .confidence = 0.998,
						    .change = -0.0152,
						    .ci_lo = -0.0162,
						    .ci_hi = -0.0142,
						    .step = -0.0152,
						    .step_lo = -0.016,
						    .step_hi = -0.0144,
						    .second_change = true,
						    .second_first = 1,
						    .second_last = 2,
						    .second_step = -0.004 };
	const struct report_bisect bisect = { .result = &found,
					      .commits = whole_range,
					      .nr_commits = 3,
					      .benchmark = "cpuid_rate",
					      .cell = cell_at(NULL, 0),
					      .boots = 7,
					      .builds = 3,
					      .seconds = 1800,
					      .levels = { { 0, 2, 18500 },
							  { 1, 3, 18218.8 } },
					      .proven = true };
	const struct comparison rows[] = { row(0, VERDICT_SLOWER, -0.0152),
					   row(1, VERDICT_SAME, 0.0001),
					   row(2, VERDICT_SAME, 0) };
	_cleanup_series_ struct series *s = two_patches();
	const struct report r = { .source = "20260101.1-v2@example.org",
				  .series = s,
				  .onto = "v6.1.192",
				  .apply = &applied,
				  .kernels = kernels,
				  .nr_kernels = 2,
				  .accel = "tcg",
				  .virtual_clock = true,
				  .rows = rows,
				  .nr_rows = 3,
				  .bisect = &bisect };

	(void)state;
	is(&r,
	   HEADING "Result:  cpuid_rate slower in npt/npt\n"
		   "         cpuid_rate same in npt/shadow, shadow/shadow\n"
		   "         patch 1/2 changed cpuid_rate in npt/npt:\n"
		   "         KVM: nSVM: Move the flush\n"
		   "\n" FETCHED "Applied: on 111111111111 (v6.1.192)\n"
		   "  1  333333333333 KVM: nSVM: Move the flush\n"
		   "  2  444444444444 KVM: nSVM: Drop the flush (offset)\n"
		   "Kernels: run under emulation (TCG)\n"
		   "  base     111111111111 build-id " BUILD_ID "\n"
		   "           2 of 2 boots proven, by kexec, 2 boot ids\n"
		   "  patched  444444444444 build-id " BUILD_ID "\n"
		   "           2 of 3 boots proven, by kexec, 2 boot ids\n"
		   "           not proven: panic, Kernel panic - ?[31mnot syncing?x\n"
		   "\n"
		   "+--------+--------+-------------------+----------------------+\n"
		   "| L0     | L1     | cpuid_rate (base) | cpuid_rate (patched) |\n"
		   "+========+========+===================+======================+\n"
		   "| NPT    | NPT    | 18000             | 17726 (-1.52%)       |\n"
		   "| NPT    | Shadow | 18000             | 18002 (+0.01%)       |\n"
		   "| Shadow | Shadow | 18000             | 18000 (+0.00%)       |\n"
		   "+--------+--------+-------------------+----------------------+\n"
		   "\n"
		   "cell           95% interval      boots  runs   p_adj   verdict\n"
		   "NPT/NPT        [-1.62%, -1.42%]  2+2    10+10  0.0002  slower\n"
		   "NPT/Shadow     [-0.09%, +0.11%]  2+2    10+10  0.8000  same\n"
		   "Shadow/Shadow  [-0.10%, +0.10%]  2+2    10+10  0.8000  same\n"
		   "\n"
		   "path length, not time: emulated (TCG, -icount); no statement about "
		   "hardware\n"
		   "\n"
		   "Bisection of cpuid_rate in npt/npt: found\n"
		   "  ends differ by -1.52% [-1.62%, -1.42%]\n"
		   "  7 boots, 3 builds, 0.50 hours, confidence 0.998\n"
		   "\n"
		   "  commit        boots          mean  step, 95% interval\n"
		   "  111111111111      2       18500.0\n"
		   "  333333333333      3       18218.8  -1.52% [-1.60%, -1.44%]\n"
		   "\n"
		   "  One step does not explain the data: a second change of -0.40%\n"
		   "  lies in 333333333333 to 444444444444.\n" METHOD(
			   "2") "  Each kernel proved itself from inside: build-id, and "
				"a boot id of\n"
				"  its own.\n");
}

static void test_does_not_apply(void **state)
{
	struct apply_failure f = { .number = 2,
				   .subject = (char *)"KVM: nSVM: Drop the flush",
				   .path = (char *)"arch/x86/kvm/svm/nested.c",
				   .hunk = 3,
				   .reason = (char *)"context does not match at line 512",
				   .hint = (char *)"try --onto v6.2" };
	struct apply_result a = applied;
	_cleanup_series_ struct series *s = two_patches();
	const struct report r = { .source = "x.mbox", .series = s, .apply = &a };

	(void)state;
	a.nr = 1;
	a.failed = &f;
	is(&r, HEADING "Result:  does not apply\n"
		       "\n" FETCHED "Applied: on 111111111111\n"
		       "  1  333333333333 KVM: nSVM: Move the flush\n"
		       "  2  does not apply: KVM: nSVM: Drop the flush\n"
		       "     arch/x86/kvm/svm/nested.c, hunk 3: context does not match "
		       "at line 512\n"
		       "     hint: try --onto v6.2\n");
}

static void test_incomplete_and_broken(void **state)
{
	struct report_kernel broken[] = { kernels[0], kernels[1] };
	_cleanup_series_ struct series *s = two_patches();
	const struct report r = {
		.source = "x.mbox", .series = s, .kernels = broken, .nr_kernels = 2
	};

	(void)state;
	s->nr_patches = 1;
	s->rfc = true;
	s->missing = xcalloc(1, sizeof(int));
	s->missing[s->nr_missing++] = 2;
	s->revisions[0] = 2;
	s->nr_revisions = 1;
	series_note(s, NOTE_INFO, NULL, "not worth a line");
	series_note(s, NOTE_WARNING, NULL, "patch 1 is \twrapped");
	broken[1].build_id = NULL;
	broken[1].status = "failed";
	broken[1].reason = "nested.c:12:1: error: expected ';'";
	is(&r, "[RFC PATCH v2 0/2] KVM: nSVM: Rework transitions\n"
	       "Message-ID: <20260101.1-v2@example.org>\n"
	       "\n"
	       "Result:  the patched kernel did not build\n"
	       "\n"
	       "Fetched: 1 of 2 patches, v2\n"
	       "         patch 2 is missing\n"
	       "         patch 1 is ?wrapped\n"
	       "Kernels:\n"
	       "  base     111111111111 build-id " BUILD_ID "\n"
	       "           2 of 2 boots proven, by kexec, 2 boot ids\n"
	       "  patched  444444444444\n"
	       "           build: failed, nested.c:12:1: error: expected ';'\n");
	s->nr_patches = 2; /* for series_free() */
}

/* Bisections that end otherwise; without a series commits go by their ids. */
static void ends(enum bisect_verdict v, const char *outcome, const char *section)
{
	_cleanup_buf_ struct buf want = BUF_INIT;
	const struct bisect_result res = { .verdict = v,
					   .set_first = 1,
					   .set_last = 12,
					   .confidence = 0.9,
					   .change = 0.01,
					   .ci_lo = -1,
					   .ci_hi = INFINITY };
	struct report_commit range[14];
	const struct report_bisect b = { .result = &res,
					 .commits = range,
					 .nr_commits = 14,
					 .benchmark = "cpuid_rate",
					 .cell = cell_at(NULL, 2),
					 .boots = 40 };
	const struct report r = { .source = "a..b", .bisect = &b };

	for (size_t i = 0; i < ARRAY_SIZE(range); i++)
		range[i] = (struct report_commit){ i ? head_oid : base_oid, "x\033y", 0,
						   false };
	buf_addf(&want, "a..b\n\nResult:  nothing was compared\n         %s\n\n\n%s",
		 outcome, section);
	is(&r, buf_str(&want));
}

#define TEN                    \
	"  444444444444 x?y\n" \
	"  444444444444 x?y\n" \
	"  444444444444 x?y\n" \
	"  444444444444 x?y\n" \
	"  444444444444 x?y\n" \
	"  444444444444 x?y\n" \
	"  444444444444 x?y\n" \
	"  444444444444 x?y\n" \
	"  444444444444 x?y\n" \
	"  444444444444 x?y\n"

static void test_other_ends(void **state)
{
	(void)state;
	ends(BISECT_SET,
	     "one of commit 444444444444 to commit 444444444444 changed\n"
	     "         cpuid_rate in shadow/shadow",
	     "Bisection of cpuid_rate in shadow/shadow: set\n"
	     "  ends differ by +1.00% [-100.00%, n/a]\n"
	     "  40 boots, 0 builds, 0.00 hours, confidence 0.900\n" TEN
	     "  and 2 more\n" METHOD("13"));
	ends(BISECT_UNDECIDED, "bisection of cpuid_rate in shadow/shadow not decided",
	     "Bisection of cpuid_rate in shadow/shadow: undecided\n"
	     "  ends differ by +1.00% [-100.00%, n/a]\n"
	     "  40 boots, 0 builds, 0.00 hours\n" TEN "  and 2 more\n" METHOD("13"));
	ends(BISECT_NO_CHANGE, "no change of cpuid_rate in shadow/shadow to find",
	     "Bisection of cpuid_rate in shadow/shadow: no-change\n"
	     "  ends differ by +1.00% [-100.00%, n/a]\n"
	     "  40 boots, 0 builds, 0.00 hours\n" METHOD("13"));
}

static void test_kernel_fill(void **state)
{
	char id1[] = "id-1", id2[] = "id-2", kexec[] = "kexec", ok[] = "ok";
	char hang[] = "hang", why[] = "silent for 120 s", build_id[] = BUILD_ID;
	const struct build_record build = { .commit = head_oid,
					    .status = ok,
					    .build_id = build_id };
	const struct boot_record boots[] = {
		{ .commit = base_oid, .path = kexec, .boot_id = id1, .proven = true },
		{ .commit = head_oid, .path = kexec, .boot_id = id1, .proven = true },
		{ .commit = head_oid, .path = kexec, .status = hang, .reason = why },
		{ .commit = head_oid, .path = kexec, .boot_id = id2, .proven = true },
		{ .commit = head_oid, .path = kexec, .boot_id = id2, .proven = true },
	};
	struct report_kernel k;

	(void)state;
	report_kernel_fill("patched", &build, boots, ARRAY_SIZE(boots), &k);
	assert_string_equal(k.name, "patched");
	assert_string_equal(k.build_id, BUILD_ID);
	assert_string_equal(k.path, "kexec");
	assert_int_equal(k.boots, 4);
	assert_int_equal(k.proven, 3);
	assert_int_equal(k.boot_ids, 2); /* a boot_id seen twice is one boot */
	assert_string_equal(k.boot_failed, "hang");
	assert_string_equal(k.failed_reason, "silent for 120 s");
	report_kernel_fill("patched", &build, NULL, 0, &k);
	assert_int_equal(k.boots, 0);
	assert_null(k.path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_does_not_apply),
		cmocka_unit_test(test_incomplete_and_broken),
		cmocka_unit_test(test_other_ends),
		cmocka_unit_test(test_kernel_fill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
