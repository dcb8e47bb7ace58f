// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/console/console.h"

#include <stdlib.h>
#include <string.h>

#include "boot/console/splat.h"
#include "boot/console/title.h"
#include "core/base/alloc.h"

#define REPORT_LINES 200 /* longer than any report; what comes then is another one */

/* Lines that tell where a machine is, behind their prefix. */
static const struct {
	const char *prefix;
	enum console_event event;
} markers[] = {
	{ "Linux version ", CONSOLE_BANNER },
	{ "Run /", CONSOLE_INIT },
	{ "kiln-agent: ", CONSOLE_AGENT },
	{ "---[ end Kernel panic - not syncing", CONSOLE_PANIC_END },
	{ "kexec_core: Starting new kernel", CONSOLE_KEXEC },
	{ "kexec: Starting new kernel", CONSOLE_KEXEC },
	{ "Starting new kernel", CONSOLE_KEXEC },
	{ "SeaBIOS (version ", CONSOLE_FIRMWARE },
	{ "iPXE ", CONSOLE_FIRMWARE },
	{ "Booting from ", CONSOLE_FIRMWARE },
	{ "GNU GRUB ", CONSOLE_FIRMWARE },
};

static const enum console_event events[] = {
	[SPLAT_PANIC] = CONSOLE_PANIC, [SPLAT_BUG] = CONSOLE_OOPS,
	[SPLAT_WARN] = CONSOLE_WARN,   [SPLAT_NOTE] = CONSOLE_NOTE,
	[SPLAT_ENV] = CONSOLE_ENV,
};

static char *clean_copy(const char *s)
{
	char *copy = xstrdup(s);

	for (char *p = copy; *p; p++)
		if (*p < ' ' || *p == 0x7f)
			*p = '?';
	return copy;
}

static struct console_mark *add_mark(struct console *c, enum console_event event,
				     const char *text)
{
	struct console_mark *m;

	if (c->nr - c->taken >= CONSOLE_MARKS_MAX)
		return NULL;
	m = array_push(c->marks, c->nr);
	*m = (struct console_mark){ .event = event, .text = clean_copy(text) };
	return m;
}

/* The caller's report, NULL when it has none. */
static struct console_report *find_report(struct console *c, long caller)
{
	for (size_t i = 0; i < CONSOLE_CALLERS; i++)
		if (c->reports[i].open && c->reports[i].caller == caller)
			return &c->reports[i];
	return NULL;
}

/* Open one, in the place of the oldest. */
static struct console_report *new_report(struct console *c, long caller)
{
	struct console_report *r = &c->reports[0];

	for (size_t i = 1; i < CONSOLE_CALLERS; i++)
		if (c->reports[i].nr < r->nr)
			r = &c->reports[i];
	free(r->title);
	*r = (struct console_report){
		.nr = ++c->nr_reports,
		.open = true,
		.caller = caller,
	};
	return r;
}

/* The title a place is to be added to; NULL when the head already says where. Owned. */
static char *wants_place(const struct splat_class *class, const char *text)
{
	_cleanup_free_ char *title = title_of(class, text);

	if (class->title ? strcmp(class->title, title) != 0 : strstr(title, " in ") != 0)
		return NULL;
	return take_ptr(title);
}

/* A line of that class. The head of a report may have several: BUG, then Oops. */
static void splat_line(struct console *c, const struct printk *p,
		       const struct splat_class *class)
{
	bool report = class->kind != SPLAT_NOTE && class->kind != SPLAT_ENV;
	struct console_report *r = report ? find_report(c, p->caller) : NULL;
	struct console_mark *m;

	if (report && !r) {
		r = new_report(c, p->caller);
		r->title = wants_place(class, p->text);
	}
	m = add_mark(c, events[class->kind], p->text);
	if (!m)
		return;
	m->class = class->name;
	m->report = r ? r->nr : 0;
	m->title = title_of(class, p->text);
}

/* Another line of a report. */
static void body_line(struct console *c, struct console_report *r, const char *text)
{
	_cleanup_free_ char *place = NULL;
	struct console_mark *m;

	if (++r->lines > REPORT_LINES || !strncmp(text, "---[ end ", 9)) {
		r->open = false;
		return;
	}
	place = r->title ? title_place(text) : NULL;
	if (!place)
		return;
	m = add_mark(c, CONSOLE_PLACE, text);
	if (m) {
		m->report = r->nr;
		m->title = xasprintf("%s in %.*s", r->title, TITLE_MAX / 2, place);
	}
	free(r->title);
	r->title = NULL;
}

/* A kernel starts: what the one before it left open is over. */
static void forget_kernel(struct console *c)
{
	for (size_t i = 0; i < CONSOLE_CALLERS; i++)
		c->reports[i].open = false;
	c->selftest = (struct selftest){ 0 };
}

/* Whether a line is a marker. */
static bool marker_line(struct console *c, const struct printk *p)
{
	for (size_t i = 0; i < ARRAY_SIZE(markers); i++) {
		size_t n = strlen(markers[i].prefix);

		if (strncmp(p->text, markers[i].prefix, n) != 0)
			continue;
		/* firmware has no clock; a kernel that has one always shows it */
		if (c->stamped && !p->stamped && markers[i].event != CONSOLE_FIRMWARE)
			return false;
		if (markers[i].event == CONSOLE_BANNER ||
		    markers[i].event == CONSOLE_KEXEC ||
		    markers[i].event == CONSOLE_FIRMWARE) {
			forget_kernel(c);
			c->stamped = markers[i].event == CONSOLE_BANNER && p->stamped;
		}
		add_mark(c, markers[i].event, p->text);
		return true;
	}
	return false;
}

static void line_end(struct console *c)
{
	const struct splat_class *class;
	struct console_report *r;
	struct printk p;

	printk_split(buf_str(&c->line), &p);
	if (*p.text) {
		bool tested, foreign = c->stamped && !p.stamped;

		free(c->last);
		c->last = clean_copy(p.text);
		c->stamped |= p.stamped;
		tested = selftest_line(&c->selftest, p.text);
		class = foreign || tested ? NULL : splat_classify(p.text);
		r = find_report(c, p.caller);
		if (!marker_line(c, &p) && class)
			splat_line(c, &p, class);
		if (r && !foreign)
			body_line(c, r, p.text);
	}
	buf_clear(&c->line);
}

static void marks_drop(struct console *c)
{
	for (size_t i = 0; i < c->taken; i++)
		console_mark_release(&c->marks[i]);
	memmove(c->marks, c->marks + c->taken, (c->nr - c->taken) * sizeof(*c->marks));
	c->nr -= c->taken;
	c->taken = 0;
}

/* Bytes of one line. */
static void line_add(struct console *c, const char *data, size_t len)
{
	for (size_t i = 0; i < len && c->line.len < CONSOLE_LINE_MAX; i++)
		if (data[i] != '\r' && data[i])
			buf_addc(&c->line, data[i]);
}

void console_feed(struct console *c, const char *data, size_t len)
{
	if (c->taken)
		marks_drop(c);
	while (len) {
		const char *nl = memchr(data, '\n', len);
		size_t n = nl ? (size_t)(nl - data) : len;

		line_add(c, data, n);
		if (nl) {
			line_end(c);
			n++;
		}
		data += n;
		len -= n;
	}
}

const struct console_mark *console_peek(const struct console *c)
{
	return c->taken < c->nr ? &c->marks[c->taken] : NULL;
}

const struct console_mark *console_next(struct console *c)
{
	return c->taken < c->nr ? &c->marks[c->taken++] : NULL;
}

void console_release(struct console *c)
{
	for (size_t i = 0; i < c->nr; i++)
		console_mark_release(&c->marks[i]);
	for (size_t i = 0; i < CONSOLE_CALLERS; i++)
		free(c->reports[i].title);
	free(c->marks);
	free(c->last);
	buf_release(&c->line);
	*c = (struct console){ 0 };
}

struct console_mark console_mark_copy(const struct console_mark *m)
{
	struct console_mark copy = *m;

	copy.text = xstrdup(m->text);
	copy.title = xstrdup(m->title);
	return copy;
}

void console_mark_release(struct console_mark *m)
{
	free(m->text);
	free(m->title);
	*m = (struct console_mark){ 0 };
}
