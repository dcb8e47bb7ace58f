// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Which end a boot comes to, from scripted events instead of a machine: the phases, whose
 * fault something is, and that nothing but an explicit result counts.
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
#define GUEST_TOKEN "ffeeddccbbaa99887766554433221100"
#define BASE_BOOT "11111111-1111-1111-1111-111111111111"
#define NEW_BOOT "22222222-2222-2222-2222-222222222222"
#define L1_BOOT "33333333-3333-3333-3333-333333333333"
#define BASE_ID "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define NEW_ID "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

/* A note of type 3 named "GNU" with that id, as /sys/kernel/notes has it, in hex. */
#define NOTES(id) "040000001400000003000000474e5500" id

/* What happens: a line of the console, a message, or the end of the machine. */
struct scripted {
	enum machine_event_type type;
	enum console_event mark;
	const char *text;    /* of the mark, or the message's words, blank-separated */
	const char *token;   /* of the message, NULL = ours */
	int seq;	     /* of the message, -1 = the next one */
	unsigned int report; /* of the mark */
};

struct machine {
	const struct scripted *script;
	uint64_t seq;
	struct strv sent;
};

static void words_of(const char *text, struct strv *ret)
{
	_cleanup_free_ char *copy = xstrdup(text);
	char *rest = copy;

	for (char *w; (w = strsep(&rest, "|"));)
		strv_add(ret, w);
}

static int fake_wait(struct machine *m, uint64_t deadline_ms, struct machine_event *ret,
		     struct err *e)
{
	const struct scripted *s = m->script;

	(void)deadline_ms;
	(void)e;
	ret->type = s->type;
	if (s->type == MACHINE_TIMEOUT)
		return 0; /* and for ever */
	m->script++;
	if (s->type == MACHINE_MARK) {
		ret->mark.event = s->mark;
		ret->mark.text = xstrdup(s->text);
		ret->mark.title = xstrdup(s->text);
		ret->mark.report = s->report;
		if (s->mark == CONSOLE_KEXEC)
			m->seq = 0;
	} else if (s->type == MACHINE_FRAME) {
		ret->frame.token = xstrdup(s->token ?: TOKEN);
		ret->frame.seq = s->seq > 0 ? (uint64_t)s->seq : m->seq++;
		words_of(s->text, &ret->frame.words);
	} else {
		ret->text = xstrdup(s->text);
	}
	return 0;
}

static void fake_send(struct machine *m, const char *token, const struct strv *words)
{
	assert_string_equal(token, TOKEN);
	strv_take(&m->sent, strv_join(words, " "));
}

static const struct machine_type fake = { .name = "fake",
					  .wait = fake_wait,
					  .send = fake_send };

/* One run of a script. */
struct run {
	struct machine machine;
	struct boot_result result;
	struct task_result tasks[2];
	struct session session;
	struct err e;
	int r;
};

static void run_tasks(struct run *t, const struct scripted *script,
		      const struct boot_task *task, const struct strv *counters)
{
	static char *tokens[] = { (char *)(uintptr_t)GUEST_TOKEN,
				  (char *)(uintptr_t)GUEST_TOKEN };
	struct task_list tasks = { .v = (struct boot_task *)(uintptr_t)task,
				   .nr = !task		 ? 0
					 : task[1].joins ? 2
							 : 1 };
	struct boot_spec spec = { .console = "console.log",
				  .base = { .build_id = BASE_ID },
				  .candidate = { .build_id = NEW_ID },
				  .guest = { .build_id = BASE_ID },
				  .tasks = &tasks,
				  .counters = counters };

	t->machine.script = script;
	t->result.record.token = xstrdup(TOKEN);
	t->result.tasks = t->tasks;
	t->result.nr_tasks = tasks.nr;
	t->session.spec = &spec;
	t->session.type = &fake;
	t->session.machine = &t->machine;
	t->session.result = &t->result;
	t->session.task_tokens = tokens;
	t->session.place = "/boot";
	t->r = session_run(&t->session, "kiln.token=" TOKEN, &t->e);
	t->session.spec = NULL;
}

static void run_script(struct run *t, const struct scripted *script,
		       const struct boot_task *task)
{
	run_tasks(t, script, task, NULL);
}

static void run_release(struct run *t)
{
	session_release(&t->session);
	boot_record_release(&t->result.record);
	strv_release(&t->machine.sent);
	for (int i = 0; i < 2; i++) {
		struct task_result *task = &t->tasks[i];

		strv_release(&task->lines);
		for (int k = 0; k < BOOT_MARKS; k++)
			strv_release(&task->marks[k]);
		free(task->guest_boot_id);
		free(task->guest_build_id);
		free(task->reason);
	}
	err_release(&t->e);
}
#define _cleanup_run_ _cleanup_(run_release)

#define MARK(event, line)                                             \
	{                                                             \
		.type = MACHINE_MARK, .mark = (event), .text = (line) \
	}
#define FRAME(words)                                   \
	{                                              \
		.type = MACHINE_FRAME, .text = (words) \
	}
#define DOWN                                                          \
	{                                                             \
		.type = MACHINE_DOWN, .text = "SHUTDOWN: guest-reset" \
	}
#define SILENCE                         \
	{                               \
		.type = MACHINE_TIMEOUT \
	}
#define REPORT(ev, line)                                                        \
	{                                                                       \
		.type = MACHINE_MARK, .mark = (ev), .text = (line), .report = 1 \
	}
#define BITTEN                           \
	{                                \
		.type = MACHINE_WATCHDOG \
	}
#define INIT MARK(CONSOLE_INIT, "Run /init as init process")
#define PANIC_END MARK(CONSOLE_PANIC_END, "---[ end Kernel panic - not syncing: x ]---")
#define BANNER MARK(CONSOLE_BANNER, "Linux version 6.1")
#define PANIC MARK(CONSOLE_PANIC, "Kernel panic - not syncing: x")
#define JUMP MARK(CONSOLE_KEXEC, "kexec_core: Starting new kernel")
#define HELLO(role, boot, id, cmdline) \
	FRAME("hello|" role "|" boot "|" NOTES(id) "|6.1|#1|" cmdline "|0|0|0|")
#define BASE_HELLO HELLO("base", BASE_BOOT, BASE_ID, "kiln.token=" TOKEN)
#define NEW_HELLO HELLO("candidate", NEW_BOOT, NEW_ID, "quiet kiln.token=" TOKEN)
#define ARMED FRAME("armed|c")
#define TO_JUMP BANNER, BASE_HELLO, ARMED, JUMP
#define TO_HELLO TO_JUMP, BANNER, NEW_HELLO

#define SCRIPT(...) ((const struct scripted[]){ __VA_ARGS__, SILENCE })

static void expect_status(const struct scripted *script, const char *status,
			  const char *reason)
{
	_cleanup_run_ struct run t = { 0 };

	run_script(&t, script, NULL);
	assert_int_equal(t.r, 0);
	assert_string_equal(t.result.record.status, status);
	assert_int_equal(t.result.record.proven, !strcmp(status, "ok"));
	if (reason)
		assert_non_null(strstr(t.result.record.reason, reason));
	else
		assert_null(t.result.record.reason);
}

static void expect_error(const struct scripted *script, enum err_code code,
			 const char *frame)
{
	_cleanup_run_ struct run t = { 0 };

	run_script(&t, script, NULL);
	assert_int_equal(t.r, -(int)code);
	assert_non_null(strstr(t.e.frame[0], frame));
	assert_null(t.result.record.status);
	assert_false(t.result.record.proven);
}

static void proven_boot(void **state)
{
	_cleanup_run_ struct run t = { 0 };

	(void)state;
	run_script(&t, SCRIPT(TO_HELLO), NULL);
	assert_int_equal(t.r, 0);
	assert_string_equal(t.result.record.status, "ok");
	assert_true(t.result.record.proven);
	assert_string_equal(t.result.record.boot_id, NEW_BOOT);
	assert_string_equal(t.result.record.build_id, NEW_ID);
	assert_int_equal(t.machine.sent.nr, 2);
	assert_string_equal(t.machine.sent.v[1], "jump");
	assert_string_equal(
		t.machine.sent.v[0],
		"exec /boot/candidate /boot/candidate.cpio kiln.token=" TOKEN);
}

/* A candidate tells what it measures with; what is malformed in it harms nothing. */
static void environment_of_a_candidate(void **state)
{
	_cleanup_run_ struct run t = { 0 };

	(void)state;
	run_script(&t,
		   SCRIPT(TO_JUMP, BANNER,
			  FRAME("hello|candidate|" NEW_BOOT
				"|" NOTES(NEW_ID) "|6.1|#1|quiet kiln.token=" TOKEN
						  "|0|0|0||l0.smt=on|nonsense|l0.cpu=x")),
		   NULL);
	assert_string_equal(t.result.record.status, "ok");
	assert_int_equal(t.session.environment.nr, 2);
	assert_string_equal(t.session.environment.v[0], "l0.smt=on");
	assert_string_equal(t.session.environment.v[1], "l0.cpu=x");
}

/* Modules that are refused: whose they are decides, and which way. */
static void refused_modules(void **state)
{
	(void)state;
	expect_status(
		SCRIPT(TO_JUMP, BANNER, INIT,
		       FRAME("refused|kvm_amd|8|Exec format error: kvm_amd: version "
			     "magic 'x' should be 'y'")),
		"wrong-kernel", "its module 'kvm_amd' is refused: Exec format error");
	expect_status(SCRIPT(TO_JUMP, BANNER, INIT,
			     FRAME("refused|kvm_amd|5|Input/output error")),
		      "kernel-bug",
		      "its module 'kvm_amd' is refused: Input/output error");
	expect_status(SCRIPT(TO_JUMP, BANNER, INIT,
			     MARK(CONSOLE_AGENT, "kiln-agent: module 'virtio_console' is "
						 "refused: Exec format error")),
		      "wrong-kernel", "its module 'virtio_console' is refused");
	expect_error(SCRIPT(TO_JUMP, BANNER, INIT,
			    FRAME("refused|kvm_amd|22|Invalid argument: kvm_amd: `x' "
				  "invalid for parameter `npt'")),
		     ERR_USAGE, "module 'kvm_amd' does not take its parameters");
	expect_error(SCRIPT(BANNER, FRAME("refused|kvm|8|Exec format error")),
		     ERR_TOOL_FAILED, "the base kernel refuses its module 'kvm'");
	expect_error(SCRIPT(BANNER, BASE_HELLO, ARMED, FRAME("refused|kvm|8|x")),
		     ERR_AGENT, "at the wrong time");
}

static void candidates_faults(void **state)
{
	(void)state;
	expect_status(SCRIPT(TO_JUMP, BANNER, PANIC, DOWN), "panic", "not syncing: x");
	expect_status(SCRIPT(TO_JUMP, BANNER, PANIC), "panic", "not syncing: x");
	expect_status(SCRIPT(TO_JUMP, PANIC, DOWN), "panic", "not syncing: x");
	expect_status(SCRIPT(TO_JUMP, BANNER), "died-early", "no sign of life");
	expect_status(SCRIPT(TO_JUMP, BANNER, INIT), "hang", "no sign of life");
	expect_status(SCRIPT(TO_JUMP), "jump-failed", "no sign of life after the jump");
	expect_status(SCRIPT(TO_JUMP, BANNER, DOWN), "silent-reset", "was reset");
	expect_status(SCRIPT(TO_JUMP, DOWN), "jump-failed", "was reset after the jump");
	expect_status(SCRIPT(TO_JUMP, BANNER, BANNER), "silent-reset", "second time");
	expect_status(SCRIPT(TO_JUMP, BANNER, MARK(CONSOLE_FIRMWARE, "SeaBIOS")),
		      "silent-reset", "was reset");
	expect_status(SCRIPT(TO_JUMP, BANNER, REPORT(CONSOLE_OOPS, "BUG: y"), DOWN),
		      "silent-reset", "after 'BUG: y'");
	expect_status(SCRIPT(TO_JUMP, BANNER, REPORT(CONSOLE_OOPS, "BUG: y"), NEW_HELLO),
		      "kernel-bug", "BUG: y");
	expect_status(SCRIPT(TO_JUMP, BANNER, PANIC, PANIC_END, BANNER), "panic", "x");
	expect_status(SCRIPT(TO_JUMP, BANNER, INIT, BITTEN, PANIC, DOWN), "hang",
		      "the watchdog bit: Kernel panic");
	expect_status(SCRIPT(TO_JUMP, BANNER, INIT, BITTEN), "hang", "the watchdog bit");
}

static void wrong_kernels(void **state)
{
	(void)state;
	expect_status(SCRIPT(TO_JUMP, BANNER,
			     HELLO("candidate", NEW_BOOT, BASE_ID, "kiln.token=" TOKEN)),
		      "wrong-kernel", "instead of " NEW_ID);
	expect_status(
		SCRIPT(TO_JUMP, BANNER,
		       HELLO("candidate", NEW_BOOT, NEW_ID, "kiln.token=" TOKEN "0")),
		"wrong-kernel", "run token");
	expect_status(SCRIPT(TO_JUMP, BANNER,
			     HELLO("candidate", BASE_BOOT, NEW_ID, "kiln.token=" TOKEN)),
		      "wrong-kernel", "boot id");
	expect_status(SCRIPT(TO_JUMP, BANNER,
			     FRAME("hello|candidate|" NEW_BOOT "|00|6|#|x")),
		      "wrong-kernel", "build-id none");
	expect_status(SCRIPT(TO_JUMP, BANNER,
			     { .type = MACHINE_FRAME,
			       .text = "hello|candidate",
			       .token = GUEST_TOKEN }),
		      "wrong-kernel", "another run token");
}

static void the_environments_faults(void **state)
{
	(void)state;
	expect_error(SCRIPT(BANNER), ERR_TIMEOUT, "base kernel");
	expect_error(SCRIPT(BANNER, DOWN), ERR_TOOL_FAILED, "base kernel failed");
	expect_error(SCRIPT(BANNER, PANIC, DOWN), ERR_TOOL_FAILED, "not syncing: x");
	expect_error(SCRIPT(BANNER, BASE_HELLO), ERR_TIMEOUT, "base kernel");
	expect_error(SCRIPT(BANNER, BASE_HELLO, ARMED), ERR_OLD_KERNEL,
		     "no sign of life");
	expect_error(SCRIPT(BANNER, BASE_HELLO, ARMED, DOWN), ERR_OLD_KERNEL, "reset");
	expect_error(SCRIPT(BANNER, BASE_HELLO, ARMED, PANIC, DOWN), ERR_OLD_KERNEL, "x");
	expect_error(SCRIPT(BANNER, BASE_HELLO, FRAME("error|kexec is forbidden|policy")),
		     ERR_POLICY, "forbidden");
	expect_error(SCRIPT(TO_JUMP, BANNER, MARK(CONSOLE_ENV, "[Hardware Error]"), PANIC,
			    DOWN),
		     ERR_HARDWARE, "[Hardware Error]");
	expect_error(SCRIPT(TO_JUMP, BANNER, MARK(CONSOLE_AGENT, "kiln-agent: port lost"),
			    DOWN),
		     ERR_AGENT, "port lost");
	expect_error(SCRIPT(BANNER, BASE_HELLO, FRAME("error|kexec: no")),
		     ERR_TOOL_FAILED, "kexec: no");
	expect_error(SCRIPT(BANNER,
			    HELLO("base", BASE_BOOT, NEW_ID, "kiln.token=" TOKEN)),
		     ERR_WRONG_KERNEL, "instead of " BASE_ID);
	expect_error(SCRIPT(TO_JUMP, BANNER,
			    { .type = MACHINE_GONE, .text = "out of memory" }),
		     ERR_TOOL_FAILED, "out of memory");
	/* words about a jump that was never armed are not believed */
	expect_error(SCRIPT(BANNER, JUMP), ERR_TIMEOUT, "base kernel");
}

static void broken_messages(void **state)
{
	(void)state;
	expect_error(SCRIPT(TO_JUMP, BANNER,
			    { .type = MACHINE_BROKEN, .text = "bad checksum" }),
		     ERR_AGENT, "bad checksum");
	expect_error(SCRIPT(BANNER,
			    { .type = MACHINE_FRAME, .text = "hello|base", .seq = 5 }),
		     ERR_AGENT, "message 5 came instead of message 0");
	expect_error(SCRIPT(TO_JUMP, BANNER, FRAME("line|t|x")), ERR_AGENT, "'line'");
	expect_error(SCRIPT(BANNER, { .type = MACHINE_FRAME,
				      .text = "hello|base",
				      .token = GUEST_TOKEN }),
		     ERR_AGENT, "another run");
}

/* Each ends with a task that joins none. */
static const struct boot_task in_l0_table[] = {
	{ .name = "t", .level = 0, .program = "/p" }, { .name = NULL }
};
static const struct boot_task in_l1_table[] = {
	{ .name = "t", .level = 1, .program = "/p" }, { .name = NULL }
};
static const struct boot_task two_in_l1[] = {
	{ .name = "t", .level = 1, .program = "/p" },
	{ .name = "u", .level = 1, .joins = true, .program = "/p" },
};
#define in_l0 in_l0_table[0]
#define in_l1 in_l1_table[0]

#define FACTS(boot, id, oops, warn) \
	boot "|" NOTES(id) "|6.1|#1|quiet kiln.token=" TOKEN "|" oops "|" warn "|0|"
#define END(boot, oops) FRAME("end|t|0|" FACTS(boot, NEW_ID, oops, "0"))

static void task_in_l0(void **state)
{
	_cleanup_run_ struct run t = { 0 };

	(void)state;
	run_script(&t,
		   SCRIPT(TO_HELLO, FRAME("line|t|m 1 /s"), FRAME("note|t|talk"),
			  END(NEW_BOOT, "0")),
		   &in_l0);
	assert_int_equal(t.r, 0);
	assert_string_equal(t.result.record.status, "ok");
	assert_true(t.result.record.proven && t.tasks[0].proven && t.tasks[0].ended);
	assert_int_equal(t.tasks[0].lines.nr, 1);
	assert_string_equal(t.tasks[0].lines.v[0], "m 1 /s");
	assert_string_equal(t.machine.sent.v[2],
			    "run t program 0 0 16777216 /boot/task-0");
}

/* A task script of L0 events after the hello, and what it must lead to. */
static void expect_task(const struct boot_task *task, const struct scripted *script,
			const char *status, bool proven, const char *reason)
{
	_cleanup_run_ struct run t = { 0 };

	run_script(&t, script, task);
	assert_int_equal(t.r, 0);
	assert_string_equal(t.result.record.status, status);
	assert_int_equal(t.tasks[0].proven, proven);
	assert_int_equal(t.result.record.proven, proven);
	if (reason)
		assert_non_null(
			strstr(t.tasks[0].reason ?: t.result.record.reason, reason));
}

static void tasks_that_prove_nothing(void **state)
{
	(void)state;
	expect_task(&in_l0, SCRIPT(TO_HELLO, END(NEW_BOOT, "1")), "kernel-bug", false,
		    "it had an oops");
	expect_task(&in_l0,
		    SCRIPT(TO_HELLO, FRAME("end|t|0|" FACTS(NEW_BOOT, NEW_ID, "0", "1"))),
		    "kernel-warning", false, "it warned");
	expect_task(&in_l0, SCRIPT(TO_HELLO, END(BASE_BOOT, "0")), "wrong-kernel", false,
		    "another boot");
	expect_task(&in_l0,
		    SCRIPT(TO_HELLO,
			   FRAME("end|t|0|" FACTS(NEW_BOOT, BASE_ID, "0", "0"))),
		    "wrong-kernel", false, "answers instead of");
	expect_task(&in_l0, SCRIPT(TO_HELLO, FRAME("end|t|0")), "wrong-kernel", false,
		    "another boot");
	expect_task(&in_l0,
		    SCRIPT(TO_HELLO, REPORT(CONSOLE_OOPS, "BUG: soft lockup"),
			   END(NEW_BOOT, "0")),
		    "kernel-bug", false, "BUG: soft lockup");
	expect_task(&in_l0,
		    SCRIPT(TO_HELLO, REPORT(CONSOLE_WARN, "suspicious RCU usage"),
			   END(NEW_BOOT, "0")),
		    "kernel-warning", false, "suspicious RCU usage");
	expect_task(&in_l0,
		    SCRIPT(TO_HELLO, FRAME("note|t|bad thing"),
			   FRAME("end|t|3|" FACTS(NEW_BOOT, NEW_ID, "0", "0"))),
		    "ok", false, "status 3: bad thing");
	expect_task(&in_l0, SCRIPT(TO_HELLO, PANIC, DOWN), "panic", false, "x");
	expect_task(&in_l0, SCRIPT(TO_HELLO, DOWN), "silent-reset", false, "reset");
	expect_task(&in_l0, SCRIPT(TO_HELLO, FRAME("line|t|1")), "hang", false, "limit");
	expect_task(&in_l0, SCRIPT(TO_HELLO, FRAME("error|cannot start")), "no-result",
		    false, "cannot start");
	/* L1 came and went without a word */
	expect_task(&in_l1,
		    SCRIPT(TO_HELLO, FRAME("note|t|qemu: no such file"),
			   END(NEW_BOOT, "0")),
		    "no-result", false, "no such file");
	expect_task(&in_l1,
		    SCRIPT(TO_HELLO,
			   FRAME("console|t|[ 1.0] Kernel panic - not syncing: z"),
			   FRAME("console|t|[ 1.0] Rebooting"), END(NEW_BOOT, "0")),
		    "no-result", false, "L1: Kernel panic - not syncing: z");
}

/* A message of L1's agent, relayed by L0's. */
static char *relay(const char *token, uint64_t seq, const char *words)
{
	_cleanup_strv_ struct strv w = STRV_INIT;
	_cleanup_buf_ struct buf b = BUF_INIT;

	words_of(words, &w);
	buf_adds(&b, "guest|t|");
	frame_format(token, seq, &w, &b);
	b.data[--b.len] = '\0';
	return buf_take(&b);
}

static void task_in_l1(void **state)
{
	_cleanup_run_ struct run t = { 0 };
	_cleanup_free_ char *hello =
		relay(GUEST_TOKEN, 0,
		      "hello|guest|" L1_BOOT
		      "|" NOTES(BASE_ID) "|6|#|kiln.token=" GUEST_TOKEN "|0|0|0|");
	_cleanup_free_ char *line = relay(GUEST_TOKEN, 1, "line|0|m 2 /s");
	_cleanup_free_ char *end = relay(GUEST_TOKEN, 2,
					 "end|0|0|" L1_BOOT
					 "|" NOTES(BASE_ID) "|6|#|kiln.token=" GUEST_TOKEN
							    "|0|0|0|");
	_cleanup_free_ char *foreign = relay(TOKEN, 3, "line|0|m 3 /s");

	(void)state;
	run_script(&t,
		   SCRIPT(TO_HELLO, FRAME(hello), FRAME(line), FRAME(end),
			  END(NEW_BOOT, "0")),
		   &in_l1);
	assert_int_equal(t.r, 0);
	assert_string_equal(t.result.record.status, "ok");
	assert_true(t.tasks[0].ended && t.tasks[0].proven && t.result.record.proven);
	assert_string_equal(t.tasks[0].lines.v[0], "m 2 /s");
	assert_string_equal(t.tasks[0].guest_boot_id, L1_BOOT);
	assert_string_equal(t.tasks[0].guest_build_id, BASE_ID);
	/* the same without hello proves nothing, and a gap or foreign message is an error
	 */
	expect_task(&in_l0, SCRIPT(TO_HELLO, END(NEW_BOOT, "0")), "ok", true, NULL);
	{
		_cleanup_run_ struct run bad = { 0 };

		run_script(&bad, SCRIPT(TO_HELLO, FRAME(hello), FRAME(foreign)), &in_l1);
		assert_int_equal(bad.r, -ERR_AGENT);
	}
	{
		_cleanup_run_ struct run bad = { 0 };

		run_script(&bad, SCRIPT(TO_HELLO, FRAME(line)), &in_l1);
		assert_int_equal(bad.r, -ERR_AGENT);
	}
}

#define L1_HELLO                                                                         \
	"hello|guest|" L1_BOOT "|" NOTES(BASE_ID) "|6|#|kiln.token=" GUEST_TOKEN "|0|0|" \
						  "0|"
#define L1_END(nr, status)                                                            \
	"end|" nr "|" status "|" L1_BOOT "|" NOTES(BASE_ID) "|6|#|"                   \
							    "kiln.token=" GUEST_TOKEN \
							    "|0|0|0|"

/* Two programs in one guest; the first one's failure is its own. */
static void tasks_that_share_a_guest(void **state)
{
	_cleanup_run_ struct run t = { 0 };
	_cleanup_free_ char *hello = relay(GUEST_TOKEN, 0, L1_HELLO);
	_cleanup_free_ char *end = relay(GUEST_TOKEN, 1, L1_END("0", "3"));
	_cleanup_free_ char *line = relay(GUEST_TOKEN, 2, "line|1|m 2 /s");
	_cleanup_free_ char *last = relay(GUEST_TOKEN, 3, L1_END("1", "0"));
	_cleanup_free_ char *late = relay(GUEST_TOKEN, 2, "line|0|m 2 /s");

	(void)state;
	run_script(&t,
		   SCRIPT(TO_HELLO, FRAME(hello), FRAME(end), FRAME(line), FRAME(last),
			  END(NEW_BOOT, "0")),
		   two_in_l1);
	assert_int_equal(t.r, 0);
	assert_string_equal(t.result.record.status, "ok");
	assert_true(t.tasks[0].ended && t.tasks[0].status == 3 && !t.tasks[0].proven);
	assert_true(t.tasks[1].ended && t.tasks[1].status == 0 && t.tasks[1].proven);
	assert_false(t.result.record.proven);
	assert_string_equal(t.tasks[1].lines.v[0], "m 2 /s");
	assert_string_equal(t.tasks[1].guest_build_id, BASE_ID);
	{
		_cleanup_run_ struct run bad = { 0 };

		run_script(&bad, SCRIPT(TO_HELLO, FRAME(hello), FRAME(end), FRAME(late)),
			   two_in_l1);
		assert_int_equal(bad.r, -ERR_AGENT);
	}
	{
		_cleanup_run_ struct run half = { 0 };

		run_script(&half,
			   SCRIPT(TO_HELLO, FRAME(hello), FRAME(end), END(NEW_BOOT, "0")),
			   two_in_l1);
		assert_string_equal(half.result.record.status, "no-result");
		assert_false(half.tasks[1].ended);
		assert_non_null(strstr(half.tasks[1].reason, "without a result"));
	}
}

/* A mark is answered by the counters' request, and they by the word to go on. */
static void events_are_counted_at_marks(void **state)
{
	_cleanup_run_ struct run t = { 0 };
	_cleanup_strv_ struct strv names = STRV_INIT;

	(void)state;
	strv_add(&names, "kvm:kvm_exit");
	run_tasks(&t,
		  SCRIPT(TO_HELLO, FRAME("line|t|@mark 0"),
			 FRAME("counters|t|kvm:kvm_exit|17"), FRAME("line|t|@mark 1"),
			 FRAME("counters|t"), FRAME("line|t|@ops 5"),
			 FRAME("line|t|@mark 1"), END(NEW_BOOT, "0")),
		  &in_l0, &names);
	assert_int_equal(t.r, 0);
	assert_string_equal(t.machine.sent.v[3], "count t kvm:kvm_exit");
	assert_string_equal(t.machine.sent.v[4], "tell t go");
	assert_int_equal(t.tasks[0].nr_marks, 2);
	assert_string_equal(t.tasks[0].marks[0].v[1], "17");
	assert_int_equal(t.tasks[0].marks[1].nr, 0);
	assert_int_equal(t.tasks[0].ops, 5);
	/* a mark out of order is only a line, which no benchmark's output may hold */
	assert_string_equal(t.tasks[0].lines.v[0], "@mark 1");
	assert_true(t.result.record.status && t.tasks[0].proven);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(proven_boot),
		cmocka_unit_test(environment_of_a_candidate),
		cmocka_unit_test(refused_modules),
		cmocka_unit_test(candidates_faults),
		cmocka_unit_test(wrong_kernels),
		cmocka_unit_test(the_environments_faults),
		cmocka_unit_test(broken_messages),
		cmocka_unit_test(task_in_l0),
		cmocka_unit_test(tasks_that_prove_nothing),
		cmocka_unit_test(task_in_l1),
		cmocka_unit_test(tasks_that_share_a_guest),
		cmocka_unit_test(events_are_counted_at_marks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
