// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/command.h"

#include <string.h>

#include "core/base/parse.h"

static const char *parse_exec(const struct frame *f, struct command *ret)
{
	if (f->words.nr != 4)
		return "exec wants an image, an initramfs and a command line";
	ret->image = f->words.v[1];
	ret->initrd = f->words.v[2];
	ret->cmdline = f->words.v[3];
	return *ret->image == '/' && (*ret->initrd == '/' || !*ret->initrd)
		       ? NULL
		       : "exec wants absolute paths";
}

static bool limit(const char *s, uint64_t *ret)
{
	return parse_u64(s, ret) && *ret <= COMMAND_LIMIT_MAX;
}

static const char *parse_run(const struct frame *f, struct command *ret)
{
	const char *kind = frame_word(f, 2);

	if (f->words.nr < 7)
		return "run wants a task, its kind, limits and a program";
	ret->guest = !strcmp(kind, "guest");
	if (!ret->guest && strcmp(kind, "program") != 0)
		return "run knows programs and guests";
	if (!limit(f->words.v[3], &ret->limits.cpu_s) ||
	    !limit(f->words.v[4], &ret->limits.wall_s) ||
	    !limit(f->words.v[5], &ret->limits.out_bytes))
		return "a limit of run is malformed";
	ret->task = f->words.v[1];
	ret->argv = f->words.v + 6;
	return *ret->task && *ret->argv[0] == '/'
		       ? NULL
		       : "run wants a name and an absolute path";
}

const char *command_parse(const struct frame *f, struct command *ret)
{
	static const struct {
		const char *word;
		enum command_type type;
		size_t words; /* 0: its own business */
	} table[] = {
		{ "exec", COMMAND_EXEC, 0 },   { "jump", COMMAND_JUMP, 1 },
		{ "run", COMMAND_RUN, 0 },     { "stop", COMMAND_STOP, 2 },
		{ "count", COMMAND_COUNT, 0 }, { "tell", COMMAND_TELL, 3 },
		{ "ping", COMMAND_PING, 1 },   { "bye", COMMAND_BYE, 1 },
	};
	struct command c = { 0 };
	const char *why = "there is no such command";

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (strcmp(frame_word(f, 0), table[i].word) != 0)
			continue;
		c.type = table[i].type;
		why = table[i].words && f->words.nr != table[i].words
			      ? "it has too few or too many words"
			      : NULL;
	}
	if (!why && c.type == COMMAND_EXEC)
		why = parse_exec(f, &c);
	if (!why && c.type == COMMAND_RUN)
		why = parse_run(f, &c);
	if (!why && c.type == COMMAND_COUNT && f->words.nr < 2)
		why = "count wants a task";
	if (!why &&
	    (c.type == COMMAND_STOP || c.type == COMMAND_TELL || c.type == COMMAND_COUNT))
		c.task = f->words.v[1];
	if (!why && c.type == COMMAND_COUNT)
		c.argv = f->words.v + 2;
	if (!why && c.type == COMMAND_TELL)
		c.text = f->words.v[2];
	if (!why)
		*ret = c;
	return why;
}

void command_run(const char *task, bool guest, const struct command_limits *limits,
		 struct strv *ret)
{
	strv_addl(ret, "run", task, guest ? "guest" : "program", NULL);
	strv_addf(ret, "%llu", (unsigned long long)limits->cpu_s);
	strv_addf(ret, "%llu", (unsigned long long)limits->wall_s);
	strv_addf(ret, "%llu", (unsigned long long)limits->out_bytes);
}
