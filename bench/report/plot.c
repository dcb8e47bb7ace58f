// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/report/plot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

#define PLOT_MS 30000
#define PLOT_MAX (4 << 20)

static bool starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Behind the end of a part that is left out; s itself when none begins here. */
static const char *skip_part(const char *s)
{
	static const char *const parts[][2] = {
		{ "<title>", "</title>" },
		{ "<desc>", "</desc>" },
		{ "<filter ", "</filter>" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const char *end = starts(s, parts[i][0]) ? strstr(s, parts[i][1]) : NULL;

		if (end)
			return end + strlen(parts[i][1]);
	}
	return s;
}

/* Where the name of an id, or of a reference to one, begins behind s; 0: no such thing.
 */
static size_t name_at(const char *s)
{
	static const char *const leads[] = { "id='", "id=\"", "href='#", "href=\"#" };

	for (size_t i = 0; i < ARRAY_SIZE(leads); i++)
		if (starts(s, leads[i]))
			return strlen(leads[i]);
	return 0;
}

static bool is_harmless(const char *svg)
{
	static const char *const banned[] = { "<script",  "<foreignObject", "<image",
					      "<!ENTITY", "javascript:",    "@import" };

	for (size_t i = 0; i < ARRAY_SIZE(banned); i++)
		if (strcasestr(svg, banned[i]))
			return false;
	for (const char *p = svg; (p = strstr(p, "href=")); p++)
		if (p[5] && p[6] != '#')
			return false;
	return true;
}

char *plot_inline(const char *svg, size_t number, const char *title)
{
	const char *at = strstr(svg, "<svg"), *end = strstr(svg, "</svg>");
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (!at || !end || end < at || !is_harmless(svg))
		return NULL;
	buf_adds(&b, "<svg role=\"img\"");
	for (at += 4; at < end && *at != '>'; at++)
		buf_addc(&b, *at);
	buf_adds(&b, "><title>");
	html_add(&b, title);
	buf_adds(&b, "</title>");
	while (++at < end) {
		const char *next = skip_part(at);
		size_t name = name_at(at);

		if (next != at) {
			at = next - 1;
			continue;
		}
		buf_add(&b, at, name ? name : 1);
		if (name) {
			buf_addf(&b, "p%zu-", number);
			at += name - 1;
		}
	}
	buf_adds(&b, "</svg>");
	return buf_take(&b);
}

static int draw(struct page_block *b, size_t number, const char *dir, const char *data,
		struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf svg = BUF_INIT;
	_cleanup_free_ char *script = fs_path(dir, b->script);
	const struct spawn s = {
		.argv = &argv, .timeout_ms = PLOT_MS, .out = &svg, .out_max = PLOT_MAX
	};

	strv_addl(&argv, "gnuplot", "-d", "-c", script, data, NULL);
	for (size_t i = 0; i < b->args.nr; i++)
		strv_add(&argv, b->args.v[i]);
	if (spawn_check(&s, e) < 0)
		return -(int)e->code;
	b->drawing = plot_inline(buf_str(&svg), number, b->text);
	return b->drawing ? 0
			  : err_set(e, ERR_TOOL_FAILED, "gnuplot drew no proper picture");
}

static int draw_with_data(struct page_block *b, size_t number, const char *dir,
			  struct err *e)
{
	char path[] = "/tmp/kiln-plot-XXXXXX";
	_cleanup_close_ int fd = mkstemp(path);
	int r;

	if (fd < 0)
		return err_set(e, ERR_IO, "cannot make a file for a plot in /tmp");
	r = fs_write_fd(fd, b->data.data, b->data.len, e);
	if (r == 0)
		r = draw(b, number, dir, path, e);
	unlink(path);
	return r;
}

int page_draw(struct page *p, const char *dir, struct err *e)
{
	for (size_t i = 0; i < p->nr; i++) {
		_cleanup_err_ struct err why = { 0 };

		if (p->v[i].kind != PAGE_PLOT || p->v[i].drawing ||
		    draw_with_data(&p->v[i], i, dir, &why) == 0)
			continue;
		if (why.code == ERR_IO || why.code == ERR_INTERRUPTED) {
			*e = why;
			why = (struct err){ 0 };
			return err_wrap(e, "cannot draw '%s'", p->v[i].text);
		}
		p->v[i].failure = why.code == ERR_TOOL_MISSING
					  ? xstrdup("gnuplot is not installed")
					  : xasprintf("gnuplot failed: %s", why.frame[0]);
	}
	return 0;
}
