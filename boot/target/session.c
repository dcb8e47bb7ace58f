// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/session.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "boot/cmdline.h"
#include "boot/environment.h"
#include "boot/target/rejoin.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "core/base/log.h"

#define DEFAULT_SILENCE_S 120
#define PANIC_GRACE_MS 700 /* for the rest of a report that has no end line */

/* A kernel that keeps talking but gets nowhere has this many silence limits in all. */
#define PHASE_SILENCES 5

uint64_t session_silence_ms(const struct session *s)
{
	uint64_t sec = s->spec->boot_timeout_s;

	/* without a console a reset through the firmware is silent for as long */
	if (!sec && s->type->own_base && !s->spec->target->console)
		sec = s->spec->target->return_s;

	return (sec && sec < 86400 ? sec : DEFAULT_SILENCE_S) * 1000;
}

void session_defang(char *s)
{
	for (; *s; s++)
		if (*s < ' ' || *s > '~')
			*s = '?';
}

void session_verdict(struct session *s, const char *status, const char *fmt, ...)
{
	struct boot_record *r = &s->result->record;
	va_list ap;

	if (r->status)
		return;
	r->status = xstrdup(status);
	va_start(ap, fmt);
	r->reason = xvasprintf(fmt, ap);
	va_end(ap);
	session_defang(r->reason);
}

void session_send(struct session *s, ...)
{
	_cleanup_strv_ struct strv words = STRV_INIT;
	const char *word;
	va_list ap;

	va_start(ap, s);
	while ((word = va_arg(ap, const char *)))
		strv_add(&words, word);
	va_end(ap);
	s->type->send(s->machine, s->result->record.token, &words);
}

/* Whether a message belongs to this run and none is missing before it. */
static int check_frame(struct session *s, const struct frame *f, struct err *e)
{
	if (strcmp(f->token, s->result->record.token) != 0) {
		if (s->phase != PHASE_BOOT)
			return err_set(e, ERR_AGENT, "a message of another run came");
		session_verdict(s, "wrong-kernel",
				"the kernel that answers has another run token");
		return 0;
	}
	if (f->seq != s->seq)
		return err_set(e, ERR_AGENT, "message %llu came instead of message %llu",
			       (unsigned long long)f->seq, (unsigned long long)s->seq);
	s->seq++;
	if (log_level() > 1 || !strcmp(f->words.v[0], "error"))
		log_debug("agent: %s %s %.200s", f->words.v[0], frame_word(f, 1),
			  frame_word(f, 2));
	return 0;
}

static int handle(struct session *s, struct machine_event *ev, struct err *e)
{
	if (ev->type != MACHINE_TIMEOUT)
		s->life_ms = clock_ms();
	switch (ev->type) {
	case MACHINE_MARK:
		return session_mark(s, &ev->mark, e);
	case MACHINE_FRAME:
		return check_frame(s, &ev->frame, e);
	case MACHINE_BROKEN:
		err_set(e, ERR_AGENT, "a message of the agent is damaged: %s", ev->text);
		return err_hint(e, "the machine's console is in '%s'", s->spec->console);
	case MACHINE_DOWN:
		return session_conclude(
			s, s->type->blind ? "no-result" : "silent-reset",
			s->type->own_base ? ev->text : "the machine was reset", e);
	case MACHINE_ENTERED:
		session_entered(s);
		return 0;
	case MACHINE_WATCHDOG:
		s->bitten = true;
		return 0;
	case MACHINE_GONE:
		/* killed or crashed: no kernel can be blamed for that */
		return err_set(e, ERR_TOOL_FAILED, "the machine is gone: %s", ev->text);
	case MACHINE_LIFE:
	case MACHINE_TIMEOUT:
		break;
	}
	return 0;
}

/* How long to wait at most: a panic's report, silence, or the caller's limit. */
static uint64_t wait_until(const struct session *s, uint64_t limit_ms, bool hang,
			   uint64_t panic_ms)
{
	uint64_t silence = s->life_ms + session_silence_ms(s);
	uint64_t until = hang && silence < limit_ms ? silence : limit_ms;

	return panic_ms && panic_ms < until ? panic_ms : until;
}

int session_next(struct session *s, uint64_t limit_ms, bool hang, enum session_step *ret,
		 struct frame *f, struct err *e)
{
	uint64_t panic_ms = 0;

	for (;;) {
		_cleanup_machine_event_ struct machine_event ev = { 0 };
		uint64_t until;

		if ((s->panic || s->bitten) && !panic_ms)
			panic_ms = clock_ms() + PANIC_GRACE_MS;
		until = wait_until(s, limit_ms, hang, panic_ms);
		if (s->type->wait(s->machine, until, &ev, e) < 0 || handle(s, &ev, e) < 0)
			return -(int)e->code;
		if (ev.type == MACHINE_TIMEOUT && (s->panic || s->bitten)) {
			if (session_conclude(s, "panic", "panic", e) < 0)
				return -(int)e->code;
		} else if (ev.type == MACHINE_TIMEOUT) {
			*ret = STEP_LIMIT;
			return 0;
		}
		if (s->result->record.status) {
			*ret = STEP_VERDICT;
			return 0;
		}
		if (ev.type == MACHINE_FRAME) {
			*f = ev.frame;
			ev.frame = (struct frame){ 0 };
			*ret = STEP_FRAME;
			return 0;
		}
	}
}

static bool is_hello(const struct frame *f, const char *role)
{
	return !strcmp(f->words.v[0], "hello") && !strcmp(frame_word(f, 1), role);
}

/* The candidate says hello: is it the one? */
static void prove(struct session *s, const struct frame *f)
{
	struct boot_record *r = &s->result->record;
	struct proof_want want = {
		.build_id = s->spec->candidate.build_id,
		.modules = s->spec->candidate.modules,
		.token = r->token,
		.path = r->path,
		.other_boot_id = s->base_boot_id,
	};
	_cleanup_free_ char *why = NULL;

	proof_read(f, 2, &s->proof);
	environment_read(f, 2 + PROOF_WORDS, &s->environment);
	r->boot_id = xstrdup(s->proof.boot_id);
	r->build_id = xstrdup(s->proof.build_id);
	why = proof_check(&s->proof, &want);
	if (why) {
		session_verdict(s, "wrong-kernel", "%s", why);
		return;
	}
	why = proof_harmed(&s->proof);
	if (why || s->bug)
		session_verdict(s, "kernel-bug", "%s%s%s",
				why ?: "it had a bug while it started",
				s->title ? ": " : "", s->title ?: "");
}

/* What the candidate is started with: on a machine of its own what it runs with now, and
 * ours behind it. Owned. */
static char *whole_cmdline(const struct session *s, const struct proof *base,
			   const char *ours)
{
	const struct target *t = s->spec->target;
	_cleanup_buf_ struct buf line = BUF_INIT;

	if (s->type->own_base)
		cmdline_carry(t->cmdline ?: base->cmdline, &line);
	cmdline_add(&line, ours);
	if (s->type->own_base && t->watchdog_s)
		buf_addf(&line, " kiln.watchdog=%llu", (unsigned long long)t->watchdog_s);
	return buf_take(&line);
}

static int send_exec(struct session *s, const struct proof *base, const char *ours,
		     struct err *e)
{
	_cleanup_free_ char *image = fs_path(s->place, "candidate");
	_cleanup_free_ char *initrd = s->type->own_base
					      ? xstrdup(s->spec->target->initrd ?: "")
					      : fs_path(s->place, "candidate.cpio");
	_cleanup_free_ char *line = whole_cmdline(s, base, ours);
	const char *why = cmdline_check(line);

	if (why)
		return err_set(e, strlen(line) > CMDLINE_MAX ? ERR_TOO_BIG : ERR_USAGE,
			       "the kernel command line will not do: %s", why);
	session_send(s, "exec", image, initrd, line, NULL);
	return 0;
}

static int base_hello(struct session *s, const struct frame *f, const char *cmdline,
		      struct err *e)
{
	_cleanup_proof_ struct proof base = { 0 };

	if (s->base_boot_id)
		return err_set(e, ERR_AGENT, "the base kernel said hello twice");
	proof_read(f, 2, &base);
	if (!s->type->own_base && s->spec->base.build_id &&
	    strcmp(base.build_id, s->spec->base.build_id) != 0)
		return err_set(e, ERR_WRONG_KERNEL,
			       "the base kernel has build-id %s instead of %s",
			       base.build_id, s->spec->base.build_id);
	s->base_boot_id = xstrdup(base.boot_id);
	progress_update(s->spec->progress, "load candidate", 0, 0);
	return send_exec(s, &base, cmdline, e);
}

/* From here on the machine may work for a kiln that comes later. */
static int jump(struct session *s, struct err *e)
{
	const struct task_list *tasks = s->spec->tasks;
	struct rejoin r = { .token = s->result->record.token,
			    .base_boot_id = s->base_boot_id,
			    .load = s->result->record.load,
			    .guests = { s->task_tokens, tasks ? tasks->nr : 0 } };

	if (s->digest && rejoin_write(s->spec->console, s->digest, &r, e) < 0)
		return -(int)e->code;
	if (s->type->blind && s->spec->before_jump &&
	    s->spec->before_jump(s->spec->before_jump_ctx, e) < 0)
		return -(int)e->code;
	progress_update(s->spec->progress, "enter candidate", 0, 0);
	session_send(s, "jump", NULL);
	return 0;
}

/* A kernel does not take a module of its own build, or that fails. */
static int refused(struct session *s, const struct frame *f, struct err *e)
{
	const char *status = proof_refusal(f, 1);
	const char *name = frame_word(f, 1), *text = frame_word(f, 3);

	if (!status) {
		err_set(e, ERR_USAGE, "module '%s' does not take its parameters: %s",
			name, text);
		return err_hint(e, "correct what --append has for it");
	}
	if (s->phase == PHASE_BOOT) {
		session_verdict(s, status, "its module '%s' is refused: %s", name, text);
		return 0;
	}
	err_set(e, ERR_TOOL_FAILED, "the base kernel refuses its module '%s': %s", name,
		text);
	return err_hint(e, "its console is in '%s'", s->spec->console);
}

/* One message while no candidate is proven yet. */
static int boot_frame(struct session *s, const struct frame *f, const char *cmdline,
		      struct err *e)
{
	const char *type = f->words.v[0];
	bool loads = s->phase == PHASE_BOOT || (s->phase == PHASE_BASE && !s->armed);

	if (loads && !strcmp(type, "refused"))
		return refused(s, f, e);
	if (s->phase == PHASE_BASE && is_hello(f, "base"))
		return base_hello(s, f, cmdline, e);
	if (s->phase == PHASE_BASE && !strcmp(type, "error")) {
		err_set(e,
			strcmp(frame_word(f, 2), "policy") ? ERR_TOOL_FAILED : ERR_POLICY,
			"the base kernel cannot load the candidate: %s",
			frame_word(f, 1));
		return err_hint(e, "its console is in '%s'", s->spec->console);
	}
	if (s->phase == PHASE_BASE && !strcmp(type, "armed")) {
		s->armed = true;
		free(s->result->record.load);
		s->result->record.load = xasprintf("-%.1s", frame_word(f, 1));
		return jump(s, e);
	}
	if (s->phase == PHASE_BOOT && is_hello(f, "candidate")) {
		s->phase = PHASE_TASKS;
		prove(s, f);
		return 0;
	}
	return err_set(e, ERR_AGENT, "the agent sent '%s' at the wrong time", type);
}

/* No sign of life for too long: how far did it come? */
static int silent(struct session *s, struct err *e)
{
	if (s->phase == PHASE_BASE && !s->armed)
		return err_set(e, ERR_TIMEOUT,
			       "the base kernel gave no sign of life for %llu s",
			       (unsigned long long)session_silence_ms(s) / 1000);
	if (s->phase != PHASE_BASE && s->banner && session_rescue(s, e) < 0)
		return -(int)e->code;
	return session_conclude(s, s->init ? "hang" : "died-early", "no sign of life", e);
}

static int boot(struct session *s, const char *cmdline, struct err *e)
{
	enum session_phase phase = s->phase;
	uint64_t cap = clock_ms() + PHASE_SILENCES * session_silence_ms(s);

	while (s->phase != PHASE_TASKS && !s->result->record.status) {
		_cleanup_frame_ struct frame f = { 0 };
		enum session_step step;

		if (session_next(s, cap, true, &step, &f, e) < 0)
			return -(int)e->code;
		if (s->phase != phase)
			cap = clock_ms() + PHASE_SILENCES * session_silence_ms(s);
		phase = s->phase;
		if (step == STEP_LIMIT && silent(s, e) < 0)
			return -(int)e->code;
		if (step == STEP_FRAME && boot_frame(s, &f, cmdline, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

int session_run(struct session *s, const char *cmdline, struct err *e)
{
	s->life_ms = clock_ms();
	s->phase = s->spec->direct ? PHASE_BOOT : PHASE_BASE;
	if (s->rejoined) {
		s->armed = true;
		session_entered(s);
		s->banner = true; /* it was seen running */
	}
	progress_update(s->spec->progress,
			s->rejoined	  ? "rejoin candidate"
			: s->spec->direct ? "start candidate"
					  : "start base kernel",
			0, 0);
	if (boot(s, cmdline, e) < 0)
		return -(int)e->code;
	if (!s->result->record.status && session_tasks(s, e) < 0)
		return -(int)e->code;
	if (!s->result->record.status)
		s->result->record.status = xstrdup("ok");
	if (s->title) {
		s->result->record.title = take_ptr(s->title);
		session_defang(s->result->record.title);
	}
	return 0;
}

void session_release(struct session *s)
{
	free(s->title);
	free(s->panic);
	free(s->hardware);
	free(s->agent_lost);
	free(s->rescue);
	free(s->base_boot_id);
	proof_release(&s->proof);
	strv_release(&s->environment);
}
