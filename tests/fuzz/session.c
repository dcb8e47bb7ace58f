// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A whole machine that lies: the first byte of each line says where it goes, '<' to the
 * console, '>' as the words of a message of the agent, '!' the machine ends. Whatever
 * comes, there is an end, and no proof without the token, the build-id and a new boot id.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "boot/target/session.h"
#include "core/base/alloc.h"

#define TOKEN "00112233445566778899aabbccddeeff"
#define NEW_ID "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

struct machine {
	const char *at, *end;
	uint64_t seq;
	struct console console;
	bool proof_possible; /* a word with the build-id came */
};

static void words_of(struct machine *m, char *text, struct machine_event *ret)
{
	for (char *w; (w = strsep(&text, "|"));) {
		m->proof_possible |= strstr(w, NEW_ID) != NULL;
		strv_add(&ret->frame.words, w);
	}
	ret->type = MACHINE_FRAME;
	ret->frame.token = xstrdup(TOKEN);
	ret->frame.seq = m->seq++;
}

static int fuzz_wait(struct machine *m, uint64_t deadline_ms, struct machine_event *ret,
		     struct err *e)
{
	const struct console_mark *mark = console_next(&m->console);
	const char *nl;
	_cleanup_free_ char *line = NULL;

	(void)deadline_ms;
	(void)e;
	ret->type = MACHINE_TIMEOUT;
	if (mark) {
		ret->type = MACHINE_MARK;
		ret->mark = console_mark_copy(mark);
		if (mark->event == CONSOLE_KEXEC)
			m->seq = 0;
		return 0;
	}
	if (m->at == m->end)
		return 0;
	nl = memchr(m->at, '\n', (size_t)(m->end - m->at)) ?: m->end;
	line = xstrndup(m->at, (size_t)(nl - m->at));
	m->at = nl < m->end ? nl + 1 : nl;
	ret->type = MACHINE_LIFE;
	if (*line == '<') {
		console_feed(&m->console, line + 1, strlen(line + 1));
		console_feed(&m->console, "\n", 1);
	} else if (*line == '>' && line[1]) {
		words_of(m, line + 1, ret);
	} else if (*line == '!') {
		ret->type = line[1] == 'g' ? MACHINE_GONE : MACHINE_DOWN;
		ret->text = xstrdup(line + 1);
	} else if (*line == 'w') {
		ret->type = MACHINE_WATCHDOG;
	}
	return 0;
}

static void fuzz_send(struct machine *m, const char *token, const struct strv *words)
{
	(void)m;
	assert(words->nr && !strcmp(token, TOKEN));
}

static const struct machine_type fuzz = { .name = "fuzz",
					  .wait = fuzz_wait,
					  .send = fuzz_send };

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check(const struct boot_record *r, const struct machine *m, int ret,
		  const struct err *e)
{
	if (ret < 0) {
		assert(e->nr && ret == -(int)e->code);
		assert(!r->proven);
		return;
	}
	assert(r->status);
	assert(!r->proven || (m->proof_possible && !strcmp(r->status, "ok")));
	for (const char *s = r->reason ?: ""; *s; s++)
		assert(*s >= ' ' && *s <= '~');
	for (const char *s = r->title ?: ""; *s; s++)
		assert(*s >= ' ' && *s <= '~');
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static char guest_token[] = "ffeeddccbbaa99887766554433221100";
	static char *tokens[] = { guest_token };
	struct boot_task task = { .name = "t", .level = size & 1, .program = "/p" };
	struct task_list tasks = { .v = &task, .nr = 1 };
	struct boot_spec spec = { .console = "/nonexistent",
				  .candidate = { .build_id = NEW_ID },
				  .tasks = &tasks };
	struct machine m = { .at = (const char *)data, .end = (const char *)data + size };
	struct boot_result *result = xzalloc(sizeof(*result));
	struct session s = { .spec = &spec,
			     .type = &fuzz,
			     .machine = &m,
			     .result = result,
			     .task_tokens = tokens,
			     .place = "/boot" };
	_cleanup_err_ struct err e = { 0 };
	int ret;

	result->record.token = xstrdup(TOKEN);
	result->record.path = xstrdup("kexec");
	result->tasks = xcalloc(1, sizeof(*result->tasks));
	result->nr_tasks = 1;
	ret = session_run(&s, "kiln.token=" TOKEN, &e);
	check(&result->record, &m, ret, &e);
	session_release(&s);
	boot_result_free(result);
	console_release(&m.console);
	return 0;
}
