// SPDX-License-Identifier: GPL-3.0-or-later
/* What the proven candidate is asked to do. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "boot/command.h"
#include "boot/target/counting.h"
#include "boot/target/qemu-args.h"
#include "boot/target/rejoin.h"
#include "boot/target/session.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"

#define DEFAULT_TASK_S 600
#define LINES_MAX 10000 /* a program that prints without end */
#define OUT_BYTES_MAX ((uint64_t)16 << 20)

/* A task that runs, and those that share its guest. */
struct running {
	struct session *s;
	const struct boot_task *tasks;
	struct task_result *outs;
	size_t nr, at;	   /* of tasks; the one whose program runs */
	const char *token; /* of the guest */
	struct frame_parser parser;
	uint64_t seq;		/* of the guest's next message */
	uint64_t told;		/* messages sent to the guest */
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
	struct task_result *out = &r->outs[r->at];
	va_list ap;

	if (out->reason)
		return;
	va_start(ap, fmt);
	out->reason = xvasprintf(fmt, ap);
	va_end(ap);
	session_defang(out->reason);
}

/* The same for every task that shares the machine's fate from this one on. */
static void fail_from(struct running *r, size_t first, const char *text)
{
	size_t at = r->at;

	for (r->at = first; r->at < r->nr; r->at++)
		fail(r, "%s", text);
	r->at = at;
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

/* Have the counters read; the program waits. */
static void count(struct running *r)
{
	const struct strv *names = r->s->spec->counters;
	_cleanup_strv_ struct strv words = STRV_INIT;

	strv_addl(&words, "count", r->tasks->name, NULL);
	for (size_t i = 0; i < names->nr; i++)
		strv_add(&words, names->v[i]);
	r->s->type->send(r->s->machine, r->s->result->record.token, &words);
}

static void counted(struct running *r, const struct frame *f)
{
	_cleanup_strv_ struct strv words = STRV_INIT;

	counting_take(f, &r->outs[r->at]);
	counting_go(r->tasks->name, r->tasks->level ? r->token : NULL, r->told++, r->at,
		    &words);
	r->s->type->send(r->s->machine, r->s->result->record.token, &words);
}

static void line(struct running *r, const char *text)
{
	struct strv *lines = &r->outs[r->at].lines;
	enum counting what = r->s->spec->counters ? counting_line(text, &r->outs[r->at])
						  : COUNTING_NOT;

	if (what == COUNTING_MARK)
		count(r);
	if (what != COUNTING_NOT)
		return;
	if (lines->nr < LINES_MAX)
		strv_add(lines, text);
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
	for (size_t i = 0; i < r->nr; i++) {
		free(r->outs[i].guest_boot_id);
		free(r->outs[i].guest_build_id);
		r->outs[i].guest_boot_id = xstrdup(r->proof.boot_id);
		r->outs[i].guest_build_id = xasprintf("%s%s%s", r->proof.build_id,
						      *r->proof.modules ? " " : "",
						      r->proof.modules);
	}
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

static void program_over(struct running *r, const struct frame *f)
{
	struct task_result *out = &r->outs[r->at];

	out->ended = true;
	out->status = exit_status(frame_word(f, 2));
	if (out->status)
		fail(r, "the program ended with status %d%s%s", out->status,
		     r->note ? ": " : "", r->note ?: "");
	guest_over(r, f);
	if (r->at + 1 == r->nr)
		return;
	r->at++;
	free(r->note);
	r->note = NULL;
}

/* Whether a guest's message is about the program whose turn it is. */
static bool is_current(const struct running *r, const struct frame *f)
{
	const struct boot_task *t = &r->tasks[r->at];
	int nr;

	return !t->level || (parse_int(frame_word(f, 1), 0, INT_MAX, &nr) &&
			     (size_t)nr == r->at && !r->outs[r->at].ended);
}

/* A message of the program's own agent, which at level 1 came through L0's. */
static int program_frame(struct running *r, const struct frame *f, struct err *e)
{
	const char *type = f->words.v[0];
	bool program = !strcmp(type, "line") || !strcmp(type, "note") ||
		       !strcmp(type, "end");

	if (program && !is_current(r, f))
		return err_set(e, ERR_AGENT, "the guest sent '%s' of another program",
			       type);
	if (!strcmp(type, "line")) {
		line(r, frame_word(f, 2));
	} else if (!strcmp(type, "note")) {
		note(r, frame_word(f, 2));
	} else if (!strcmp(type, "end")) {
		program_over(r, f);
	} else if (!strcmp(type, "hello")) {
		return guest_hello(r, f);
	} else if (!strcmp(type, "error")) {
		fail(r, "%s", frame_word(f, 1));
	} else if (!strcmp(type, "refused")) {
		fail(r, "L1: its module '%s' is refused: %s", frame_word(f, 1),
		     frame_word(f, 3));
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
	_cleanup_free_ char *why = NULL, *text = NULL;
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
	text = xasprintf("L0: %s%s%s", why, s->title ? ": " : "", s->title ?: "");
	fail_from(r, 0, text);
	session_verdict(s, status, "task '%s': %s", r->tasks[r->at].name, text + 4);
}

static void task_over(struct running *r, const struct frame *f)
{
	_cleanup_free_ char *why = NULL;

	r->over = true;
	check_l0(r, f);
	if (r->panic)
		why = xasprintf("L1: %s", r->panic);
	else
		why = xasprintf("the guest ended without a result%s%s",
				r->note ? ": " : "", r->note ?: "");
	for (size_t i = 0; i < r->nr; i++) {
		struct task_result *out = &r->outs[i];

		if (!out->ended && r->tasks->level)
			fail_from(r, i, why);
		out->proven = !out->reason && (r->tasks->level == 0 || r->hello);
	}
}

static int task_frame(struct running *r, const struct frame *f, struct err *e)
{
	const char *type = f->words.v[0];

	if (!strcmp(type, "error") && !strcmp(frame_word(f, 2), "policy"))
		return err_set(e, ERR_POLICY, "%s", frame_word(f, 1));
	if (!strcmp(type, "error")) {
		/* it could not start the task: nothing more will come */
		fail_from(r, 0, frame_word(f, 1));
		r->over = true;
		return 0;
	}
	if (strcmp(frame_word(f, 1), r->tasks->name) != 0)
		return err_set(e, ERR_AGENT, "the agent sent '%s' at the wrong time",
			       type);
	if (!strcmp(type, "counters")) {
		counted(r, f);
		return 0;
	}
	if (!strcmp(type, "guest"))
		return guest_line(r, frame_word(f, 2), e);
	if (r->tasks->level == 0 && program_frame(r, f, e) < 0)
		return -(int)e->code;
	if (!strcmp(type, "end"))
		task_over(r, f);
	else if (r->tasks->level && !strcmp(type, "console"))
		guest_console(r, frame_word(f, 2));
	else if (r->tasks->level)
		note(r, frame_word(f, 2)); /* what its QEMU says */
	return 0;
}

static void task_start(struct running *r, size_t nr)
{
	struct session *s = r->s;
	_cleanup_strv_ struct strv words = STRV_INIT;
	/* time is the host's to limit: a machine's own clock may jump */
	struct command_limits limits = { .out_bytes = OUT_BYTES_MAX };

	command_run(r->tasks->name, r->tasks->level, &limits, &words);
	if (r->tasks->level) {
		_cleanup_free_ char *initrd = xasprintf("task-%zu.cpio", nr);
		_cleanup_free_ char *shape = qemu_shape_params(&s->spec->shape, true);
		_cleanup_free_ char *append =
			xasprintf("%s kiln.role=guest kiln.token=%s%s %s",
				  qemu_guest_params(s->spec->arch), r->token, shape,
				  r->tasks->append ?: "");

		qemu_guest_args(&(struct qemu_guest){ s->spec->arch, "guest", initrd,
						      append, s->place, s->tools,
						      s->huge_pages, &s->spec->shape },
				&words);
	} else {
		strv_addf(&words, "%s/task-%zu", s->place, nr);
		for (size_t i = 0; i < r->tasks->args.nr; i++)
			strv_add(&words, r->tasks->args.v[i]);
	}
	s->type->send(s->machine, s->result->record.token, &words);
}

/* The task's time is up: have it killed; an L0 that does not even do that hangs. */
static void task_stop(struct running *r, uint64_t *limit)
{
	fail(r, "it did not end within its time limit");
	fail_from(r, r->at, "the program before it did not end within its time limit");
	/* by a clock that the next kiln does not have */
	if (!r->s->type->blind)
		rejoin_forget(r->s->spec->console);
	session_send(r->s, "stop", r->tasks->name, NULL);
	*limit = clock_ms() + session_silence_ms(r->s);
}

/* Not even the stop was answered. */
static int task_hangs(struct running *r, struct err *e)
{
	_cleanup_free_ char *what =
		xasprintf("no answer during task '%s'", r->tasks[r->at].name);

	if (session_rescue(r->s, e) < 0)
		return -(int)e->code;
	return session_conclude(r->s, "hang", what, e);
}

/* Until when the program may run that runs now. */
static uint64_t time_limit(const struct running *r)
{
	uint64_t sec = r->tasks[r->at].timeout_s ?: DEFAULT_TASK_S;

	return clock_ms() + (sec > 86400 ? 86400 : sec) * 1000;
}

static int task_run(struct running *r, size_t nr, struct err *e)
{
	uint64_t limit = time_limit(r);
	bool stopped = false;

	task_start(r, nr);
	while (!r->over && !r->s->result->record.status) {
		_cleanup_frame_ struct frame f = { 0 };
		enum session_step step;
		size_t at = r->at;

		if (session_next(r->s, limit, false, &step, &f, e) < 0)
			return -(int)e->code;
		if (step == STEP_FRAME && task_frame(r, &f, e) < 0)
			return -(int)e->code;
		if (step == STEP_LIMIT && stopped && task_hangs(r, e) < 0)
			return -(int)e->code;
		if (step == STEP_LIMIT && !stopped)
			task_stop(r, &limit);
		stopped |= step == STEP_LIMIT;
		if (r->at != at && !stopped)
			limit = time_limit(r);
	}
	return 0;
}

/* Whether all of the group are; a task without a result is the boot's verdict. */
static bool group_proven(const struct running *r)
{
	bool proven = true;

	for (size_t i = 0; i < r->nr; i++) {
		const struct task_result *out = &r->outs[i];

		proven &= out->proven;
		if (!out->ended && !r->s->result->record.status)
			session_verdict(r->s, "no-result", "task '%s': %s",
					r->tasks[i].name,
					out->reason ?: "it ended without a result");
	}
	return proven;
}

int session_tasks(struct session *s, struct err *e)
{
	const struct task_list *tasks = s->spec->tasks;
	bool proven = true;

	/* what was said while it started is judged; from now on it is the work's */
	s->warned = false;
	for (size_t i = 0; tasks && i < tasks->nr && !s->result->record.status;) {
		_cleanup_(running_release) struct running r = {
			.s = s,
			.tasks = &tasks->v[i],
			.outs = &s->result->tasks[i],
			.nr = task_group(tasks, i),
			.token = s->task_tokens[i],
		};

		progress_update(s->spec->progress, r.tasks->name, i, tasks->nr);
		if (task_run(&r, i, e) < 0)
			return err_wrap(e, "task '%s' failed", r.tasks[r.at].name);
		proven &= group_proven(&r);
		i += r.nr;
	}
	s->result->record.proven = proven && !s->result->record.status;
	return 0;
}
