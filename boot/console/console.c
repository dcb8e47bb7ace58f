// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/console/console.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

#define LINE_MAX_LOOK 1000

/* How a kernel's lines begin when they mean something; time stamp and caller stripped. */
static const struct {
	const char *prefix;
	enum console_event event;
} phrases[] = {
	{ "Linux version ", CONSOLE_BANNER },
	{ "Kernel panic - not syncing", CONSOLE_PANIC },
	{ "BUG: ", CONSOLE_OOPS },
	{ "kernel BUG at ", CONSOLE_OOPS },
	{ "Oops: ", CONSOLE_OOPS },
	{ "WARNING: ", CONSOLE_OOPS },
	{ "general protection fault", CONSOLE_OOPS },
	{ "Unable to handle kernel ", CONSOLE_OOPS },
	{ "double fault: ", CONSOLE_OOPS },
	{ "stack segment: ", CONSOLE_OOPS },
	{ "divide error: ", CONSOLE_OOPS },
	{ "invalid opcode: ", CONSOLE_OOPS },
	{ "int3: ", CONSOLE_OOPS },
	{ "PANIC: ",
	  CONSOLE_PANIC }, /* early exception, before there is a real panic() */
	{ "kexec_core: Starting new kernel", CONSOLE_KEXEC },
	{ "kexec: Starting new kernel", CONSOLE_KEXEC },
	{ "Starting new kernel", CONSOLE_KEXEC },
	{ "SeaBIOS (version ", CONSOLE_FIRMWARE },
	{ "iPXE ", CONSOLE_FIRMWARE },
	{ "Booting from ", CONSOLE_FIRMWARE },
	{ "GNU GRUB ", CONSOLE_FIRMWARE },
};

/* Behind "[...]" and the blanks after it, or s itself when there is none. */
static const char *skip_bracket(const char *s)
{
	const char *end = *s == '[' ? strchr(s, ']') : NULL;

	if (!end)
		return s;
	do
		end++;
	while (*end == ' ');
	return end;
}

/* Behind "<6>", "[   12.345678]" and the "[T1]" of PRINTK_CALLER. */
static const char *skip_prefix(const char *s)
{
	if (s[0] == '<' && isdigit((unsigned char)s[1]) && s[2] == '>')
		s += 3;
	return skip_bracket(skip_bracket(s));
}

static char *clean_copy(const char *s)
{
	char *copy = xstrdup(s);

	for (char *p = copy; *p; p++)
		if (*p < ' ' || *p == 0x7f)
			*p = '?';
	return copy;
}

static void line_end(struct console *c)
{
	const char *text = skip_prefix(buf_str(&c->line));

	if (*text) {
		free(c->last);
		c->last = clean_copy(text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++) {
		struct console_mark *m;

		if (strncmp(text, phrases[i].prefix, strlen(phrases[i].prefix)) != 0)
			continue;
		m = array_push(c->marks, c->nr);
		m->event = phrases[i].event;
		m->text = clean_copy(text);
		break;
	}
	buf_clear(&c->line);
}

static void marks_drop(struct console *c)
{
	for (size_t i = 0; i < c->taken; i++)
		free(c->marks[i].text);
	memmove(c->marks, c->marks + c->taken, (c->nr - c->taken) * sizeof(*c->marks));
	c->nr -= c->taken;
	c->taken = 0;
}

void console_feed(struct console *c, const char *data, size_t len)
{
	if (c->taken)
		marks_drop(c);
	for (size_t i = 0; i < len; i++) {
		if (data[i] == '\n')
			line_end(c);
		else if (data[i] != '\r' && data[i] && c->line.len < LINE_MAX_LOOK)
			buf_addc(&c->line, data[i]);
	}
}

const struct console_mark *console_next(struct console *c)
{
	return c->taken < c->nr ? &c->marks[c->taken++] : NULL;
}

void console_release(struct console *c)
{
	for (size_t i = 0; i < c->nr; i++)
		free(c->marks[i].text);
	free(c->marks);
	free(c->last);
	buf_release(&c->line);
	*c = (struct console){ 0 };
}
