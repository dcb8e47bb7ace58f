// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether a kernel boots, and whether it complains of a certain thing. */
#include "cli/bisect/probe.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "boot/console/console.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

#define CONSOLE_MAX ((size_t)64 << 20)

static void pass(const struct shot *shot, bool passed, struct answer *ret)
{
	*ret = (struct answer){
		.kind = ANSWER_PASS,
		.passed = passed,
		.failed = !passed,
		.seconds = shot->boot.seconds,
	};
}

/* Statuses that are the kernel's own doing; silence has a word of its own. All others say
 * that something stood between it and its answer. */
static bool is_failure(const char *status)
{
	static const char *const words[] = { "panic", "silent-reset", "kernel-bug",
					     "kernel-warning" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(status, words[i]))
			return true;
	return false;
}

static void boot_answer(const struct probe *p, const struct shot *shot,
			struct answer *ret)
{
	const struct boot_record *b = &shot->boot;
	bool silent = !strcmp(b->status, "hang") || !strcmp(b->status, "died-early");

	if (!strcmp(b->status, "ok") && b->proven) {
		pass(shot, true, ret);
	} else if (is_failure(b->status) || (silent && p->o.timeout_is_bad)) {
		pass(shot, false, ret);
		ret->reason = xasprintf("%s: %s", b->status, b->reason ?: "");
	} else {
		answer_no_boot(shot, ret);
	}
}

int probe_ask_boot(const struct probe *p, struct lab *l, const struct question *q,
		   size_t nr, struct lab_ahead *ahead, struct answer *ret, struct err *e)
{
	_cleanup_(shots_release) struct shots shots = { 0 };

	if (probe_shots(p, l, q, nr, ahead, &shots, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < nr; i++)
		boot_answer(p, &shots.v[i], &ret[i]);
	return 0;
}

/* The first report of the candidate whose title matches, owned; NULL when none does.
 * What the base kernel says before it jumps is not the candidate's. */
static char *find_splat(const struct buf *text, const regex_t *re)
{
	_cleanup_console_ struct console c = { 0 };
	_cleanup_free_ char *found = NULL;
	bool jumped = false;

	console_feed(&c, buf_str(text), text->len);
	for (const struct console_mark *m; (m = console_next(&c));) {
		bool report = m->event == CONSOLE_OOPS || m->event == CONSOLE_PANIC ||
			      m->event == CONSOLE_WARN || m->event == CONSOLE_PLACE;

		if (m->event == CONSOLE_KEXEC && !jumped) {
			free(take_ptr(found));
			jumped = true;
		}
		if (report && !found && m->text && !regexec(re, m->text, 0, NULL, 0))
			found = xstrdup(m->text);
	}
	return take_ptr(found);
}

static int splat_answer(const struct shot *shot, const regex_t *re, struct answer *ret,
			struct err *e)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_free_ char *title = NULL;

	if (fs_read(shot->boot.console, CONSOLE_MAX + 1, &text, e) < 0)
		return err_wrap(e, "cannot read what %.12s said",
				shot->kernel->commit.hex);
	title = find_splat(&text, re);
	if (title) {
		pass(shot, false, ret);
		ret->reason = take_ptr(title);
	} else if (!strcmp(shot->boot.status, "ok")) {
		pass(shot, true, ret);
	} else {
		/* Another failure hides whether this one would have come. */
		answer_no_boot(shot, ret);
	}
	return 0;
}

int probe_ask_splat(const struct probe *p, struct lab *l, const struct question *q,
		    size_t nr, struct lab_ahead *ahead, struct answer *ret, struct err *e)
{
	_cleanup_(shots_release) struct shots shots = { 0 };
	regex_t re;
	int r = 0;

	if (probe_shots(p, l, q, nr, ahead, &shots, e) < 0)
		return -(int)e->code;
	if (regcomp(&re, p->o.splat, REG_EXTENDED | REG_NOSUB))
		return err_set(e, ERR_INTERNAL, "'%s' does not compile", p->o.splat);
	for (size_t i = 0; i < nr && r == 0; i++)
		r = splat_answer(&shots.v[i], &re, &ret[i], e);
	regfree(&re);
	return r;
}
