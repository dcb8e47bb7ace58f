// SPDX-License-Identifier: GPL-3.0-or-later
/* What the proven candidate is asked to do. */
#include <stdlib.h>
#include <string.h>

#include "boot/target/qemu-args.h"
#include "boot/target/session.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"

#define DEFAULT_TASK_S 600
#define LINES_MAX 10000 /* a program that prints without end */

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
	char *note;  /* last thing said on standard error or the guest's console */
	char *panic; /* of the guest */
};

static void running_release(struct running *r)
{
	frame_parser_release(&r->parser);
	console_release(&r->console);
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
	const char *want = r->s->spec->guest.build_id;

	free(r->out->guest_boot_id);
	free(r->out->guest_build_id);
	r->out->guest_boot_id = xstrdup(frame_word(f, 2));
	r->out->guest_build_id = session_build_id(f);
	if (want && strcmp(want, r->out->guest_build_id) != 0)
		fail(r, "L1 runs build-id %s instead of %s", r->out->guest_build_id,
		     want);
	else if (!session_is_boot_id(r->out->guest_boot_id) ||
		 !strcmp(r->out->guest_boot_id, r->s->result->record.boot_id))
		fail(r, "L1 has no boot id of its own");
	else if (!session_on_cmdline(frame_word(f, 6), "kiln.token", r->token))
		fail(r, "the run token is not on L1's command line");
	else
		r->hello = true;
	return 0;
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
static void task_over(struct running *r, const struct frame *f)
{
	struct session *s = r->s;
	bool ended = r->out->ended || r->task->level == 0;

	r->over = true;
	if (strcmp(frame_word(f, 3), s->result->record.boot_id) != 0)
		fail(r, "L0 is not the kernel any more that was proven");
	else if (strcmp(frame_word(f, 4), s->oops_count) != 0 ||
		 strcmp(frame_word(f, 5), s->warn_count) != 0)
		fail(r, "L0 warned during the task%s%s", s->oops ? ": " : "",
		     s->oops ?: "");
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

	strv_addl(&words, "run", r->task->name, r->task->level ? "guest" : "program",
		  NULL);
	if (r->task->level) {
		_cleanup_free_ char *initrd = xasprintf("task-%zu.cpio", nr);
		_cleanup_free_ char *append =
			xasprintf("%s kiln.role=guest kiln.token=%s %s",
				  qemu_guest_params(), r->token, r->task->append ?: "");

		qemu_guest_args("guest", initrd, append, &words);
	} else {
		strv_addf(&words, "/boot/task-%zu", nr);
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
		if (step == STEP_LIMIT && stopped)
			session_verdict(r->s, "hang", "no answer during task '%s'",
					r->task->name);
		else if (step == STEP_LIMIT)
			task_stop(r, &limit);
		stopped |= step == STEP_LIMIT;
	}
	return 0;
}

int session_tasks(struct session *s, struct err *e)
{
	const struct task_list *tasks = s->spec->tasks;
	bool proven = true;

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
