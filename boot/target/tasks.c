// SPDX-License-Identifier: GPL-3.0-or-later
/* What the proven candidate is asked to do. */
#include <stdlib.h>
#include <string.h>

#include "boot/command.h"
#include "boot/target/qemu-args.h"
#include "boot/target/session.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"

#define DEFAULT_TASK_S 600
#define LINES_MAX 10000 /* a program that prints without end */
#define OUT_BYTES_MAX ((uint64_t)16 << 20)

/* A task that runs. */
struct running {
	struct session *s;
	const struct boot_task *task;
	struct task_result *out;
	const char *token; /* of its guest */
	struct frame_parser parser;
	uint64_t seq;		/* of the guest's next message */
	bool hello;		/* the guest is proven */
	bool over;		/* L0's agent reported its end */
	struct console console; /* the guest's */
	struct proof proof;	/* of the guest */
	char *note;  /* last thing said on standard error or the guest's console */
	char *panic; /* of the guest */
};

static void running_release(struct running *r)
{
	frame_parser_release(&r->parser);
	console_release(&r->console);
	proof_release(&r->proof);
	free(r->note);
	free(r->panic);
}

static void fail(struct running *r, const char *fmt, ...) _printf_(2, 3);
static void fail(struct running *r, const char *fmt, ...)
{
	va_list ap;

	if (r->out->reason)
		return;
	va_start(ap, fmt);
	r->out->reason = xvasprintf(fmt, ap);
	va_end(ap);
	session_defang(r->out->reason);
}

static void note(struct running *r, const char *text)
{
	if (!*text)
		return;
	free(r->note);
	r->note = xstrdup(text);
}

/* A line of the guest's console. The first panic tells more than what is said after it.
 */
static void guest_console(struct running *r, const char *text)
{
	note(r, text);
	console_feed(&r->console, text, strlen(text));
	console_feed(&r->console, "\n", 1);
	for (const struct console_mark *m; (m = console_next(&r->console));)
		if (m->event == CONSOLE_PANIC && !r->panic)
			r->panic = xstrdup(m->text);
}

static void line(struct running *r, const char *text)
{
	if (r->out->lines.nr < LINES_MAX)
		strv_add(&r->out->lines, text);
}

static int exit_status(const char *text)
{
	int status;

	return parse_int(text, 0, 255, &status) ? status : 255;
}

static int guest_hello(struct running *r, const struct frame *f)
{
	struct proof_want want = {
		.build_id = r->s->spec->guest.build_id,
		.modules = r->s->spec->guest.modules,
		.token = r->token,
		.other_boot_id = r->s->proof.boot_id,
	};
	_cleanup_free_ char *why = NULL;

	proof_release(&r->proof);
	proof_read(f, 2, &r->proof);
	free(r->out->guest_boot_id);
	free(r->out->guest_build_id);
	r->out->guest_boot_id = xstrdup(r->proof.boot_id);
	r->out->guest_build_id = xstrdup(r->proof.build_id);
	if (!want.build_id)
		want.build_id = r->proof.build_id;
	why = proof_check(&r->proof, &want);
	if (why)
		fail(r, "L1: %s", why);
	else
		r->hello = true;
	return 0;
}

/* L1 at its end must be the kernel that said hello, and unharmed. */
static void guest_over(struct running *r, const struct frame *f)
{
	_cleanup_proof_ struct proof after = { 0 };
	_cleanup_free_ char *why = NULL;
	const char *status;

	if (!r->hello)
		return;
	proof_read(f, 3, &after);
	why = proof_compare(&r->proof, &after, &status);
	if (why)
		fail(r, "L1: %s", why);
}

/* A message of the program's own agent, which at level 1 came through L0's. */
static int program_frame(struct running *r, const struct frame *f, struct err *e)
{
	const char *type = f->words.v[0];

	if (!strcmp(type, "line")) {
		line(r, frame_word(f, 2));
	} else if (!strcmp(type, "note")) {
		note(r, frame_word(f, 2));
	} else if (!strcmp(type, "end")) {
		r->out->ended = true;
		r->out->status = exit_status(frame_word(f, 2));
		if (r->out->status)
			fail(r, "the program ended with status %d%s%s", r->out->status,
			     r->note ? ": " : "", r->note ?: "");
		guest_over(r, f);
	} else if (!strcmp(type, "hello")) {
		return guest_hello(r, f);
	} else if (!strcmp(type, "error")) {
		fail(r, "%s", frame_word(f, 1));
	} else {
		return err_set(e, ERR_AGENT, "the guest's agent sent '%s'", type);
	}
	return 0;
}

/* L0's agent hands on a line of L1's channel. */
static int guest_line(struct running *r, const char *text, struct err *e)
{
	_cleanup_frame_ struct frame f = { 0 };
	const char *why;
	enum frame_status status;

	frame_feed(&r->parser, text, strlen(text));
	frame_feed(&r->parser, "\n", 1);
	status = frame_next(&r->parser, &f, &why);
	if (status == FRAME_BROKEN)
		return err_set(e, ERR_AGENT, "a message of the guest is damaged: %s",
			       why);
	if (status != FRAME_OK)
		return 0;
	if (strcmp(f.token, r->token) != 0 || f.seq != r->seq)
		return err_set(e, ERR_AGENT, "a message of the guest is out of sequence");
	r->seq++;
	return program_frame(r, &f, e);
}

/* L0 at the end of the task must be the kernel that was proven, and unharmed. */
static void check_l0(struct running *r, const struct frame *f)
{
	struct session *s = r->s;
	_cleanup_proof_ struct proof after = { 0 };
	_cleanup_free_ char *why = NULL;
	const char *status;

	proof_read(f, 3, &after);
	why = proof_compare(&s->proof, &after, &status);
	if (!why && (s->bug || s->warned)) {
		/* not every report is counted: lockups, stalls, lockdep */
		status = s->bug ? "kernel-bug" : "kernel-warning";
		why = xstrdup("its console has a report");
	}
	if (!why)
		return;
	fail(r, "L0: %s%s%s", why, s->title ? ": " : "", s->title ?: "");
	session_verdict(s, status, "task '%s': %s%s%s", r->task->name, why,
			s->title ? ": " : "", s->title ?: "");
}

static void task_over(struct running *r, const struct frame *f)
{
	bool ended = r->out->ended || r->task->level == 0;

	r->over = true;
	check_l0(r, f);
	if (!ended && r->panic)
		fail(r, "L1: %s", r->panic);
	else if (!ended)
		fail(r, "the guest ended without a result%s%s", r->note ? ": " : "",
		     r->note ?: "");
	r->out->proven = !r->out->reason && (r->task->level == 0 || r->hello);
}

static int task_frame(struct running *r, const struct frame *f, struct err *e)
{
	const char *type = f->words.v[0];

	if (!strcmp(type, "error")) {
		/* it could not start the task: nothing more will come */
		fail(r, "%s", frame_word(f, 1));
		r->over = true;
		return 0;
	}
	if (strcmp(frame_word(f, 1), r->task->name) != 0)
		return err_set(e, ERR_AGENT, "the agent sent '%s' at the wrong time",
			       type);
	if (!strcmp(type, "guest"))
		return guest_line(r, frame_word(f, 2), e);
	if (r->task->level == 0 && program_frame(r, f, e) < 0)
		return -(int)e->code;
	if (!strcmp(type, "end"))
		task_over(r, f);
	else if (r->task->level && !strcmp(type, "console"))
		guest_console(r, frame_word(f, 2));
	else if (r->task->level)
		note(r, frame_word(f, 2)); /* what its QEMU says */
	return 0;
}

static void task_start(struct running *r, size_t nr)
{
	struct session *s = r->s;
	_cleanup_strv_ struct strv words = STRV_INIT;
	/* time is the host's to limit: a machine's own clock may jump */
	struct command_limits limits = { .out_bytes = OUT_BYTES_MAX };

	command_run(r->task->name, r->task->level, &limits, &words);
	if (r->task->level) {
		_cleanup_free_ char *initrd = xasprintf("task-%zu.cpio", nr);
		_cleanup_free_ char *append =
			xasprintf("%s kiln.role=guest kiln.token=%s %s",
				  qemu_guest_params(), r->token, r->task->append ?: "");

		qemu_guest_args("guest", initrd, append, &words);
	} else {
		strv_addf(&words, "%s/task-%zu", s->place, nr);
		for (size_t i = 0; i < r->task->args.nr; i++)
			strv_add(&words, r->task->args.v[i]);
	}
	s->type->send(s->machine, s->result->record.token, &words);
}

/* The task's time is up: have it killed; an L0 that does not even do that hangs. */
static void task_stop(struct running *r, uint64_t *limit)
{
	fail(r, "it did not end within its time limit");
	session_send(r->s, "stop", r->task->name, NULL);
	*limit = clock_ms() + session_silence_ms(r->s);
}

/* Not even the stop was answered. */
static int task_hangs(struct running *r, struct err *e)
{
	_cleanup_free_ char *what =
		xasprintf("no answer during task '%s'", r->task->name);

	if (session_rescue(r->s, e) < 0)
		return -(int)e->code;
	return session_conclude(r->s, "hang", what, e);
}

static int task_run(struct running *r, size_t nr, struct err *e)
{
	uint64_t sec = r->task->timeout_s ?: DEFAULT_TASK_S, limit;
	bool stopped = false;

	if (sec > 86400)
		sec = 86400;
	limit = clock_ms() + sec * 1000;
	task_start(r, nr);
	while (!r->over && !r->s->result->record.status) {
		_cleanup_frame_ struct frame f = { 0 };
		enum session_step step;

		if (session_next(r->s, limit, false, &step, &f, e) < 0)
			return -(int)e->code;
		if (step == STEP_FRAME && task_frame(r, &f, e) < 0)
			return -(int)e->code;
		if (step == STEP_LIMIT && stopped && task_hangs(r, e) < 0)
			return -(int)e->code;
		if (step == STEP_LIMIT && !stopped)
			task_stop(r, &limit);
		stopped |= step == STEP_LIMIT;
	}
	return 0;
}

int session_tasks(struct session *s, struct err *e)
{
	const struct task_list *tasks = s->spec->tasks;
	bool proven = true;

	/* what was said while it started is judged; from now on it is the work's */
	s->warned = false;
	for (size_t i = 0; tasks && i < tasks->nr && !s->result->record.status; i++) {
		_cleanup_(running_release) struct running r = {
			.s = s,
			.task = &tasks->v[i],
			.out = &s->result->tasks[i],
			.token = s->task_tokens[i],
		};

		progress_update(s->spec->progress, r.task->name, i, tasks->nr);
		if (task_run(&r, i, e) < 0)
			return err_wrap(e, "task '%s' failed", r.task->name);
		proven &= r.out->proven;
		if (!r.out->ended && !s->result->record.status)
			session_verdict(s, "no-result", "task '%s': %s", r.task->name,
					r.out->reason ?: "it ended without a result");
	}
	s->result->record.proven = proven && !s->result->record.status;
	return 0;
}
