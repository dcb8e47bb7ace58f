// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A boot on a machine of its own: what the candidate is started with, and which end it
 * comes to when nobody but the connection says what happens.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/target/session.h"
#include "core/base/alloc.h"

#define TOKEN "00112233445566778899aabbccddeeff"
#define OLD_BOOT "11111111-1111-1111-1111-111111111111"
#define NEW_BOOT "22222222-2222-2222-2222-222222222222"
#define ID "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define NOTES "040000001400000003000000474e5500" ID
#define BACK "the machine is back in its base kernel"

struct scripted {
	enum machine_event_type type;
	const char *text; /* words of a message, or of the event */
};

struct machine {
	const struct scripted *script;
	uint64_t seq;
	struct strv sent;
};

static int fake_wait(struct machine *m, uint64_t deadline_ms, struct machine_event *ret,
		     struct err *e)
{
	const struct scripted *s = m->script;
	_cleanup_free_ char *copy = xstrdup(s->text ?: "");
	char *rest = copy;

	(void)deadline_ms;
	(void)e;
	ret->type = s->type;
	if (s->type == MACHINE_TIMEOUT)
		return 0; /* and for ever */
	m->script++;
	m->seq = s->type == MACHINE_ENTERED ? 0 : m->seq;
	ret->text = xstrdup(s->text);
	ret->mark = (struct console_mark){ .event = CONSOLE_PANIC,
					   .text = xstrdup(s->text),
					   .title = xstrdup(s->text) };
	if (s->type != MACHINE_FRAME)
		return 0;
	ret->frame.token = xstrdup(TOKEN);
	ret->frame.seq = m->seq++;
	for (char *w; (w = strsep(&rest, "|"));)
		strv_add(&ret->frame.words, w);
	return 0;
}

static void fake_send(struct machine *m, const char *token, const struct strv *words)
{
	assert_string_equal(token, TOKEN);
	strv_take(&m->sent, strv_join(words, " "));
}

static const struct machine_type fake = {
	.name = "fake", .own_base = true, .wait = fake_wait, .send = fake_send
};

/* The machine kiln runs on. */
static const struct machine_type blind = { .name = "blind",
					   .own_base = true,
					   .blind = true,
					   .wait = fake_wait,
					   .send = fake_send };

struct run {
	struct machine machine;
	struct boot_result result;
	struct session session;
	bool rejoined, blind;
	int before_jump; /* its error; 1 once it was called */
	struct err e;
	int r;
};

static int before_jump(void *ctx, struct err *e)
{
	struct run *t = ctx;

	assert_int_equal(t->machine.sent.nr, 1); /* told to load, not to jump */
	if (t->before_jump)
		return err_set(e, (enum err_code) - t->before_jump, "the disk is full");
	t->before_jump = 1;
	return 0;
}

static void run_script(struct run *t, const struct target *target,
		       const struct scripted *script)
{
	/* the base is what is there: nobody asks whether it is the one built */
	struct boot_spec spec = { .target = target,
				  .console = "/nonexistent",
				  .base = { .build_id = "00" },
				  .candidate = { .build_id = ID },
				  .before_jump = before_jump,
				  .before_jump_ctx = t };

	t->machine.script = script;
	t->result.record.token = xstrdup(TOKEN);
	t->result.record.path = xstrdup("kexec");
	t->session = (struct session){ .spec = &spec,
				       .type = t->blind ? &blind : &fake,
				       .machine = &t->machine,
				       .result = &t->result,
				       .place = "/var/tmp/kiln",
				       .rejoined = t->rejoined,
				       .base_boot_id = t->rejoined ? xstrdup(OLD_BOOT)
								   : NULL };
	t->r = session_run(&t->session, "panic=5 kiln.token=" TOKEN, &t->e);
	if (t->r == 0)
		t->r = session_late(&t->session, &t->e);
}

static void run_release(struct run *t)
{
	session_release(&t->session);
	boot_record_release(&t->result.record);
	strv_release(&t->machine.sent);
	err_release(&t->e);
}
#define _cleanup_run_ _cleanup_(run_release)

#define HELLO(role, boot, cmdline)                                                    \
	{                                                                             \
		MACHINE_FRAME,                                                        \
			"hello|" role "|" boot "|" NOTES "|6.1|#1|" cmdline "|0|0|0|" \
	}
#define BASE HELLO("base", OLD_BOOT, "BOOT_IMAGE=/vmlinuz root=/dev/sda1 kiln.token=9")
#define ARMED                            \
	{                                \
		MACHINE_FRAME, "armed|s" \
	}
#define ENTERED                       \
	{                             \
		MACHINE_ENTERED, NULL \
	}
#define DOWN                       \
	{                          \
		MACHINE_DOWN, BACK \
	}
#define SILENCE                       \
	{                             \
		MACHINE_TIMEOUT, NULL \
	}
#define CANDIDATE \
	HELLO("candidate", NEW_BOOT, "kiln.token=" TOKEN " kiln.via=kexec:" TOKEN)
#define SCRIPT(...) ((const struct scripted[]){ __VA_ARGS__, SILENCE })

static struct target plain = { .kind = TARGET_SSH };

static void what_it_is_started_with(void **state)
{
	char initrd[] = "/boot/initrd", line[] = "root=/dev/vda";
	struct target own = {
		.kind = TARGET_SSH, .initrd = initrd, .cmdline = line, .watchdog_s = 60
	};
	_cleanup_run_ struct run a = { 0 }, b = { 0 };

	(void)state;
	run_script(&a, &plain, SCRIPT(BASE, ARMED, ENTERED, CANDIDATE));
	assert_string_equal(a.result.record.status, "ok");
	assert_true(a.result.record.proven);
	assert_string_equal(a.machine.sent.v[0],
			    "exec /var/tmp/kiln/candidate  "
			    "root=/dev/sda1 panic=5 kiln.token=" TOKEN);
	assert_string_equal(a.machine.sent.v[1], "jump");
	run_script(&b, &own, SCRIPT(BASE, ARMED, ENTERED, CANDIDATE));
	assert_string_equal(b.machine.sent.v[0],
			    "exec /var/tmp/kiln/candidate /boot/initrd root=/dev/vda "
			    "panic=5 kiln.token=" TOKEN " kiln.watchdog=60");
}

static void expect(const struct scripted *script, const char *status, const char *reason)
{
	_cleanup_run_ struct run t = { 0 };

	run_script(&t, &plain, script);
	assert_int_equal(t.r, 0);
	assert_string_equal(t.result.record.status, status);
	assert_non_null(strstr(t.result.record.reason, reason));
	assert_false(t.result.record.proven);
}

static void ends(void **state)
{
	(void)state;
	expect(SCRIPT(BASE, ARMED, ENTERED, DOWN), "jump-failed", BACK);
	expect(SCRIPT(BASE, ARMED, ENTERED), "jump-failed", "no sign of life");
	/* what was left there says more, before or after the news */
	expect(SCRIPT(BASE, ARMED, ENTERED, { MACHINE_MARK, "Kernel panic: x" }, DOWN),
	       "panic", "Kernel panic: x");
	expect(SCRIPT(BASE, ARMED, ENTERED, DOWN, { MACHINE_MARK, "Kernel panic: x" }),
	       "panic", "Kernel panic: x");
	/* the base kernel's own boot id, or its lack of a token, proves nothing */
	expect(SCRIPT(BASE, ARMED, ENTERED, HELLO("candidate", NEW_BOOT, "quiet")),
	       "wrong-kernel", "token");
	expect(SCRIPT(BASE, ARMED, ENTERED,
		      HELLO("candidate", OLD_BOOT,
			    "kiln.token=" TOKEN " kiln.via=kexec:" TOKEN)),
	       "wrong-kernel", "boot id");
	expect(SCRIPT(BASE, ARMED, ENTERED,
		      HELLO("candidate", NEW_BOOT,
			    "kiln.token=" TOKEN " kiln.via=firmware:" TOKEN)),
	       "wrong-kernel", "kexec");
}

static void environments_faults(void **state)
{
	_cleanup_run_ struct run down = { 0 }, policy = { 0 }, early = { 0 };

	(void)state;
	run_script(&down, &plain, SCRIPT(BASE, ARMED, DOWN));
	assert_int_equal(down.r, -ERR_OLD_KERNEL);
	run_script(&policy, &plain,
		   SCRIPT(BASE, { MACHINE_FRAME, "error|kexec is disabled|policy" }));
	assert_int_equal(policy.r, -ERR_POLICY);
	/* entered without a loaded kernel is no jump */
	run_script(&early, &plain, SCRIPT(BASE, ENTERED, CANDIDATE));
	assert_true(early.r < 0 && !early.result.record.proven);
}

/* Who comes later hears all from the candidate's first word on, and tells it nothing
 * about kernels. */
static void goes_on(void **state)
{
	_cleanup_run_ struct run ok = { .rejoined = true }, down = { .rejoined = true };
	_cleanup_run_ struct run same = { .rejoined = true };

	(void)state;
	run_script(&ok, &plain, SCRIPT(CANDIDATE));
	assert_string_equal(ok.result.record.status, "ok");
	assert_true(ok.result.record.proven);
	assert_string_equal(ok.result.record.boot_id, NEW_BOOT);
	assert_int_equal(ok.machine.sent.nr, 0);
	run_script(&down, &plain, SCRIPT(DOWN));
	assert_string_equal(down.result.record.status, "silent-reset");
	/* it must still be another boot than the base kernel's */
	run_script(&same, &plain,
		   SCRIPT(HELLO("candidate", OLD_BOOT,
				"kiln.token=" TOKEN " kiln.via=kexec:" TOKEN)));
	assert_string_equal(same.result.record.status, "wrong-kernel");
}

/* Where kiln goes down with the machine, that is prepared first; and nobody can tell why
 * the base kernel is back, unless something was left. */
static void goes_down_with_it(void **state)
{
	_cleanup_run_ struct run ok = { .blind = true }, other = { 0 };
	_cleanup_run_ struct run full = { .blind = true, .before_jump = -ERR_DISK_FULL };
	_cleanup_run_ struct run down = { .blind = true, .rejoined = true };
	_cleanup_run_ struct run left = { .blind = true, .rejoined = true };

	(void)state;
	run_script(&ok, &plain, SCRIPT(BASE, ARMED, ENTERED, CANDIDATE));
	assert_int_equal(ok.before_jump, 1);
	assert_string_equal(ok.machine.sent.v[1], "jump");
	run_script(&full, &plain, SCRIPT(BASE, ARMED, ENTERED, CANDIDATE));
	assert_int_equal(full.r, -ERR_DISK_FULL);
	assert_int_equal(full.machine.sent.nr, 1);
	run_script(&other, &plain, SCRIPT(BASE, ARMED, ENTERED, CANDIDATE));
	assert_int_equal(other.before_jump, 0);
	run_script(&down, &plain, SCRIPT(DOWN));
	assert_string_equal(down.result.record.status, "no-result");
	run_script(&left, &plain, SCRIPT({ MACHINE_MARK, "Kernel panic: x" }, DOWN));
	assert_string_equal(left.result.record.status, "panic");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_is_started_with), cmocka_unit_test(ends),
		cmocka_unit_test(environments_faults),	   cmocka_unit_test(goes_on),
		cmocka_unit_test(goes_down_with_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
