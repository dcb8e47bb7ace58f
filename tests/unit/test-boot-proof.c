// SPDX-License-Identifier: GPL-3.0-or-later
/* Proof of boot (B5): each piece that is missing or lies is told, at the start and after. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/target/proof.h"
#include "core/base/alloc.h"

#define TOKEN "00112233445566778899aabbccddeeff"
#define BOOT "22222222-2222-2222-2222-222222222222"
#define OTHER "11111111-1111-1111-1111-111111111111"
#define ID "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define ID2 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define NOTES(id) "040000001400000003000000474e5500" id
#define CMDLINE "quiet kiln.token=" TOKEN " kiln.via=kexec:" TOKEN

enum { BOOT_ID, NOTE, RELEASE, VERSION, LINE, OOPS, WARNED, TAINT, MODULES, NR_FACTS };

static const char *const honest[NR_FACTS] = {
	BOOT, NOTES(ID), "6.1.0-kiln",
	"#1", CMDLINE,	 "0",
	"0",  "0",	 "kvm=" NOTES(ID) " kvm_amd=" NOTES(ID2),
};

static const struct proof_want want = {
	.build_id = ID,
	.token = TOKEN,
	.path = "kexec",
	.other_boot_id = OTHER,
	.modules = "kvm=" ID " kvm_amd=" ID2,
};

/* The proof of facts with one replaced. */
static void read_with(size_t which, const char *value, struct proof *ret)
{
	_cleanup_frame_ struct frame f = { 0 };

	strv_add(&f.words, "hello");
	for (size_t i = 0; i < NR_FACTS; i++)
		strv_add(&f.words, i == which ? value : honest[i]);
	proof_read(&f, 1, ret);
}

static void all_is_proven(void **state)
{
	_cleanup_proof_ struct proof p = { 0 };

	(void)state;
	read_with(NR_FACTS, NULL, &p);
	assert_null(proof_check(&p, &want));
	assert_null(proof_harmed(&p));
}

/* B5.1 to B5.5: a lie of one fact, and what is said of it. */
static const struct {
	const char *name;
	size_t fact;
	const char *value, *why;
} lies[] = {
	{ "boot id of the base", BOOT_ID, OTHER, "did not change" },
	{ "no boot id", BOOT_ID, "", "malformed" },
	{ "boot id with talk in it", BOOT_ID, BOOT " Broadcast message", "malformed" },
	{ "no token", LINE, "quiet kiln.via=kexec:" TOKEN, "run token" },
	{ "longer token", LINE, CMDLINE "0 kiln.token=" TOKEN "0", "run token" },
	{ "token in another word", LINE, "x.kiln.token=" TOKEN, "run token" },
	{ "token overridden behind it", LINE, CMDLINE " kiln.token=1", "run token" },
	{ "no path", LINE, "kiln.token=" TOKEN, "did not come by kexec" },
	{ "other path", LINE, "kiln.token=" TOKEN " kiln.via=firmware:" TOKEN,
	  "did not come by kexec" },
	{ "path of an older attempt", LINE, "kiln.token=" TOKEN " kiln.via=kexec:0",
	  "did not come by kexec" },
	{ "other build", NOTE, NOTES(ID2), "instead of " ID },
	{ "no notes", NOTE, "", "build-id none" },
	{ "notes that are no notes", NOTE, "0102zz", "build-id none" },
	{ "half a note", NOTE, "040000001400000003000000474e5500bbbb", "build-id none" },
	{ "stale KVM module", MODULES, "kvm=" NOTES(ID) " kvm_amd=" NOTES(ID),
	  "kvm_amd=" ID " is loaded instead of " ID2 },
	{ "KVM module missing", MODULES, "kvm=" NOTES(ID), "kvm_amd is not loaded" },
	{ "no KVM module at all", MODULES, "", "kvm is not loaded" },
	{ "KVM itself declined", MODULES, "kvm=declined kvm_amd=" NOTES(ID2),
	  "kvm=declined" },
	{ "declined, and nobody built it", MODULES,
	  "kvm=" NOTES(ID) " kvm_amd=" NOTES(ID2) " kvm_intel=declined", "did not make" },
	{ "name that begins alike", MODULES,
	  "kvm=" NOTES(ID) " kvm_am=" NOTES(ID2) " kvm_amd=" NOTES(ID2), "kvm_am is" },
	{ "KVM module without a note", MODULES, "kvm= kvm_amd=" NOTES(ID2), "kvm=none" },
	{ "other vendor's module", MODULES, "kvm=" NOTES(ID) " kvm_intel=" NOTES(ID2),
	  "kvm_intel is loaded, which its build did not make" },
	{ "no taint", TAINT, "", "tainted" },
	{ "taint that is no number", TAINT, "-1", "tainted" },
};

static void lies_at_boot(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lies); i++) {
		_cleanup_proof_ struct proof p = { 0 };
		_cleanup_free_ char *why = NULL;

		read_with(lies[i].fact, lies[i].value, &p);
		why = proof_check(&p, &want);
		if (!why || !strstr(why, lies[i].why))
			fail_msg("%s: %s", lies[i].name, why ?: "believed");
	}
}

/* A message that ends early proves nothing, wherever it ends. */
static void short_messages(void **state)
{
	(void)state;
	for (size_t n = 0; n < NR_FACTS; n++) {
		_cleanup_frame_ struct frame f = { 0 };
		_cleanup_proof_ struct proof p = { 0 };
		_cleanup_free_ char *why = NULL;

		for (size_t i = 0; i < n; i++)
			strv_add(&f.words, honest[i]);
		proof_read(&f, 0, &p);
		why = proof_check(&p, &want);
		assert_non_null(why);
	}
}

/* KVM built in: no module may be there, and an unknown one is not believed. */
static void built_in(void **state)
{
	struct proof_want w = want;
	_cleanup_proof_ struct proof none = { 0 }, stale = { 0 };
	_cleanup_free_ char *why = NULL;

	(void)state;
	w.modules = NULL;
	read_with(MODULES, "", &none);
	assert_null(proof_check(&none, &w));
	read_with(MODULES, "kvm=" NOTES(ID), &stale);
	why = proof_check(&stale, &w);
	assert_non_null(why);
}

/* The half for another vendor's processor stays away, and says so; the rest does not. */
static void other_vendor(void **state)
{
	struct proof_want w = want;
	_cleanup_proof_ struct proof amd = { 0 }, intel = { 0 };
	_cleanup_free_ char *why = NULL;

	(void)state;
	w.modules = "kvm=" ID " kvm_amd=" ID2 " kvm_intel=" ID;
	read_with(MODULES, "kvm=" NOTES(ID) " kvm_amd=" NOTES(ID2) " kvm_intel=declined",
		  &amd);
	assert_null(proof_check(&amd, &w));
	read_with(MODULES, "kvm=" NOTES(ID) " kvm_amd=" NOTES(ID2), &intel);
	why = proof_check(&intel, &w);
	assert_non_null(why);
	assert_string_equal(why, "the KVM module kvm_intel is not loaded");
}

/* Whose fault it is that a module is not loaded. */
static void refusals(void **state)
{
	static const struct {
		const char *sys, *text, *status;
	} table[] = {
		{ "8", "kvm: version magic 'a' should be 'b'", "wrong-kernel" },
		{ "2", "kvm: Unknown symbol x (err -2)", "wrong-kernel" },
		{ "22", "kvm: disagrees about version of symbol x", "wrong-kernel" },
		{ "22", "kvm_amd: `x' invalid for parameter `npt'", NULL },
		{ "129", "Loading of module with unavailable key is rejected",
		  "wrong-kernel" },
		{ "5", "kvm: it failed", "kernel-bug" },
		{ "12", "", "kernel-bug" },
		{ "no number", "", "wrong-kernel" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		_cleanup_frame_ struct frame f = { 0 };
		const char *status;

		strv_addl(&f.words, "refused", "kvm", table[i].sys, table[i].text, NULL);
		status = proof_refusal(&f, 1);
		assert_true(!status == !table[i].status);
		if (status)
			assert_string_equal(status, table[i].status);
	}
}

/* No build-id to compare with is no proof either. */
static void nothing_wanted(void **state)
{
	struct proof_want w = want;
	_cleanup_proof_ struct proof p = { 0 };
	_cleanup_free_ char *why = NULL;

	(void)state;
	w.build_id = NULL;
	read_with(NR_FACTS, NULL, &p);
	why = proof_check(&p, &w);
	assert_non_null(why);
}

/* B5.8: what must not have changed after the work. */
static const struct {
	const char *name;
	size_t fact;
	const char *value, *status;
} changes[] = {
	{ "rebooted in between", BOOT_ID, OTHER, "wrong-kernel" },
	{ "boot id gone", BOOT_ID, "", "wrong-kernel" },
	{ "other kernel", NOTE, NOTES(ID2), "wrong-kernel" },
	{ "notes gone", NOTE, "", "wrong-kernel" },
	{ "other command line", LINE, "quiet", "wrong-kernel" },
	{ "module reloaded", MODULES, "kvm=" NOTES(ID) " kvm_amd=" NOTES(ID),
	  "wrong-kernel" },
	{ "module unloaded", MODULES, "", "wrong-kernel" },
	{ "oops", OOPS, "1", "kernel-bug" },
	{ "oops count gone", OOPS, "", "kernel-bug" },
	{ "died, says the taint", TAINT, "128", "kernel-bug" },
	{ "warned", WARNED, "1", "kernel-warning" },
	{ "warned, says the taint", TAINT, "512", "kernel-warning" },
	{ "tainted otherwise", TAINT, "4096", "kernel-warning" },
	{ "taint gone", TAINT, "", "kernel-bug" },
};

static void changes_after_the_work(void **state)
{
	_cleanup_proof_ struct proof before = { 0 }, same = { 0 };
	const char *status;

	(void)state;
	read_with(NR_FACTS, NULL, &before);
	read_with(NR_FACTS, NULL, &same);
	assert_null(proof_compare(&before, &same, &status));
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		_cleanup_proof_ struct proof after = { 0 };
		_cleanup_free_ char *why = NULL;

		read_with(changes[i].fact, changes[i].value, &after);
		why = proof_compare(&before, &after, &status);
		if (!why || strcmp(status, changes[i].status) != 0)
			fail_msg("%s: %s", changes[i].name, why ? status : "not seen");
	}
}

static void harmed_while_starting(void **state)
{
	static const struct {
		size_t fact;
		const char *value;
		bool harmed;
	} rows[] = {
		{ OOPS, "1", true },	  { OOPS, "", false },	  { TAINT, "128", true },
		{ TAINT, "16", true },	  { TAINT, "32", true },  { TAINT, "512", false },
		{ TAINT, "4096", false }, { WARNED, "3", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_proof_ struct proof p = { 0 };
		_cleanup_free_ char *why = NULL;

		read_with(rows[i].fact, rows[i].value, &p);
		why = proof_harmed(&p);
		assert_int_equal(why != NULL, rows[i].harmed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_proven),
		cmocka_unit_test(lies_at_boot),
		cmocka_unit_test(short_messages),
		cmocka_unit_test(built_in),
		cmocka_unit_test(other_vendor),
		cmocka_unit_test(refusals),
		cmocka_unit_test(nothing_wanted),
		cmocka_unit_test(changes_after_the_work),
		cmocka_unit_test(harmed_while_starting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
