// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/session.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "boot/build/build.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/parse.h"

#define DEFAULT_SILENCE_S 120
#define PANIC_GRACE_MS 3000 /* for the rest of a panic's report */
#define LAST_WORDS_MS 250

/* A kernel that keeps talking but gets nowhere has this many silence limits in all. */
#define PHASE_SILENCES 5

uint64_t session_silence_ms(const struct session *s)
{
	uint64_t sec = s->spec->boot_timeout_s;

	return (sec && sec < 86400 ? sec : DEFAULT_SILENCE_S) * 1000;
}

void session_defang(char *s)
{
	for (; *s; s++)
		if (*s < ' ' || *s > '~')
			*s = '?';
}

bool session_is_boot_id(const char *s)
{
	static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	for (size_t i = 0; i < sizeof(shape); i++)
		if (shape[i] == 'x' ? !parse_is_hex(s + i, 1) : s[i] != shape[i])
			return false;
	return true;
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

/* The machine's state is final: whose fault and which status. */
static int conclude(struct session *s, const char *status, const char *what,
		    struct err *e)
{
	if (s->phase == PHASE_BASE) {
		err_set(e, ERR_TOOL_FAILED, "the base kernel failed: %s",
			s->panic ?: what);
		return err_hint(e, "its console is in '%s'", s->spec->console);
	}
	if (s->panic)
		session_verdict(s, "panic", "%s", s->panic);
	else if (s->oops)
		session_verdict(s, status, "%s, after '%s'", what, s->oops);
	else
		session_verdict(s, status, "%s", what);
	return 0;
}

static int banner(struct session *s, struct err *e)
{
	if (s->banner)
		return conclude(s, "silent-reset", "the kernel started a second time", e);
	s->banner = true;
	return 0;
}

static int mark(struct session *s, const struct console_mark *m, struct err *e)
{
	switch (m->event) {
	case CONSOLE_BANNER:
		return banner(s, e);
	case CONSOLE_PANIC:
		if (!s->panic)
			s->panic = xstrdup(m->text);
		return 0;
	case CONSOLE_OOPS:
		if (!s->oops)
			s->oops = xstrdup(m->text);
		return 0;
	case CONSOLE_WARN:
	case CONSOLE_PLACE:
	case CONSOLE_PANIC_END:
	case CONSOLE_INIT:
	case CONSOLE_AGENT:
	case CONSOLE_NOTE:
	case CONSOLE_ENV:
		return 0;
	case CONSOLE_KEXEC:
		if (s->phase == PHASE_BASE && s->armed) {
			s->phase = PHASE_BOOT;
			s->banner = false;
			s->seq = 0;
		}
		return 0;
	case CONSOLE_FIRMWARE:
		/* before any kernel it is only the machine's own start */
		if (s->banner || s->phase != PHASE_BASE)
			return conclude(s, "silent-reset", "the machine was reset", e);
		return 0;
	}
	return 0;
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
		return mark(s, &ev->mark, e);
	case MACHINE_FRAME:
		return check_frame(s, &ev->frame, e);
	case MACHINE_BROKEN:
		err_set(e, ERR_AGENT, "a message of the agent is damaged: %s", ev->text);
		return err_hint(e, "the machine's console is in '%s'", s->spec->console);
	case MACHINE_DOWN:
		return conclude(s, "silent-reset", "the machine was reset", e);
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

		if (s->panic && !panic_ms)
			panic_ms = clock_ms() + PANIC_GRACE_MS;
		until = wait_until(s, limit_ms, hang, panic_ms);
		if (s->type->wait(s->machine, until, &ev, e) < 0 || handle(s, &ev, e) < 0)
			return -(int)e->code;
		if (ev.type == MACHINE_TIMEOUT && s->panic) {
			if (conclude(s, "panic", "panic", e) < 0)
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

/* Hex to bytes; what is no hex ends it. */
static void unhex(const char *hex, struct buf *ret)
{
	static const char digits[] = "0123456789abcdef";

	for (; hex[0] && hex[1]; hex += 2) {
		const char *hi = strchr(digits, hex[0]), *lo = strchr(digits, hex[1]);

		if (!hi || !lo)
			return;
		buf_addc(ret, (char)((hi - digits) << 4 | (lo - digits)));
	}
}

char *session_build_id(const struct frame *hello)
{
	_cleanup_buf_ struct buf notes = BUF_INIT;
	_cleanup_err_ struct err ignored = { 0 };
	char *id = NULL;

	unhex(frame_word(hello, 3), &notes);
	/* a kernel without the note proves nothing, which the comparison will say */
	if (build_id_of_notes(buf_str(&notes), notes.len, &id, &ignored) < 0)
		return xstrdup("none");
	return id;
}

static bool is_hello(const struct frame *f, const char *role)
{
	return !strcmp(f->words.v[0], "hello") && !strcmp(frame_word(f, 1), role);
}

/* Whether a word of the command line is exactly this. */
bool session_on_cmdline(const char *cmdline, const char *key, const char *value)
{
	_cleanup_free_ char *copy = xstrdup(cmdline),
			    *want = xasprintf("%s=%s", key, value);
	char *rest = copy;

	for (char *w; (w = strsep(&rest, " "));)
		if (!strcmp(w, want))
			return true;
	return false;
}

/* The candidate says hello: is it the one? */
static void prove(struct session *s, const struct frame *f)
{
	struct boot_record *r = &s->result->record;

	r->boot_id = xstrdup(frame_word(f, 2));
	r->build_id = session_build_id(f);
	s->oops_count = xstrdup(frame_word(f, 7));
	s->warn_count = xstrdup(frame_word(f, 8));
	if (strcmp(r->build_id, s->spec->candidate.build_id) != 0)
		session_verdict(s, "wrong-kernel", "build-id %s runs instead of %s",
				r->build_id, s->spec->candidate.build_id);
	else if (!session_on_cmdline(frame_word(f, 6), "kiln.token", r->token))
		session_verdict(s, "wrong-kernel",
				"the run token is not on its command line");
	else if (!session_is_boot_id(r->boot_id) ||
		 (s->base_boot_id && !strcmp(s->base_boot_id, r->boot_id)))
		session_verdict(s, "wrong-kernel", "the boot id did not change");
}

static int base_hello(struct session *s, const struct frame *f, const char *cmdline,
		      struct err *e)
{
	_cleanup_free_ char *id = session_build_id(f);

	if (s->base_boot_id)
		return err_set(e, ERR_AGENT, "the base kernel said hello twice");
	if (s->spec->base.build_id && strcmp(id, s->spec->base.build_id) != 0)
		return err_set(e, ERR_WRONG_KERNEL,
			       "the base kernel has build-id %s instead of %s", id,
			       s->spec->base.build_id);
	s->base_boot_id = xstrdup(frame_word(f, 2));
	progress_update(s->spec->progress, "load candidate", 0, 0);
	session_send(s, "exec", "/boot/candidate", "/boot/candidate.cpio", cmdline, NULL);
	return 0;
}

/* One message while no candidate is proven yet. */
static int boot_frame(struct session *s, const struct frame *f, const char *cmdline,
		      struct err *e)
{
	const char *type = f->words.v[0];

	if (s->phase == PHASE_BASE && is_hello(f, "base"))
		return base_hello(s, f, cmdline, e);
	if (s->phase == PHASE_BASE && !strcmp(type, "error")) {
		err_set(e, ERR_TOOL_FAILED,
			"the base kernel cannot load the candidate: %s",
			frame_word(f, 1));
		return err_hint(e, "its console is in '%s'", s->spec->console);
	}
	if (s->phase == PHASE_BASE && !strcmp(type, "armed")) {
		s->armed = true;
		progress_update(s->spec->progress, "enter candidate", 0, 0);
		return 0;
	}
	if (s->phase == PHASE_BOOT && is_hello(f, "candidate")) {
		s->phase = PHASE_TASKS;
		prove(s, f);
		return 0;
	}
	return err_set(e, ERR_AGENT, "the agent sent '%s' at the wrong time", type);
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
		if (step == STEP_LIMIT && s->phase == PHASE_BASE)
			return err_set(e, ERR_TIMEOUT,
				       "the base kernel gave no sign of life for %llu s",
				       (unsigned long long)session_silence_ms(s) / 1000);
		if (step == STEP_LIMIT)
			conclude(s, "hang",
				 s->banner ? "no sign of life"
					   : "no sign of life after the jump",
				 e);
		if (step == STEP_FRAME && boot_frame(s, &f, cmdline, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

int session_run(struct session *s, const char *cmdline, struct err *e)
{
	s->life_ms = clock_ms();
	s->phase = s->spec->direct ? PHASE_BOOT : PHASE_BASE;
	progress_update(s->spec->progress,
			s->spec->direct ? "start candidate" : "start base kernel", 0, 0);
	if (boot(s, cmdline, e) < 0)
		return -(int)e->code;
	if (!s->result->record.status && session_tasks(s, e) < 0)
		return -(int)e->code;
	if (!s->result->record.status)
		s->result->record.status = xstrdup("ok");
	return 0;
}

void session_release(struct session *s)
{
	free(s->panic);
	free(s->oops);
	free(s->base_boot_id);
	free(s->oops_count);
	free(s->warn_count);
}
