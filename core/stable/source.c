// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stable/source.h"

#include <ctype.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/base.h"

#define MAX_INCLUDES 64
#define MAX_BODY ((size_t)64 << 10)

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool source_is_c(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h") || !strcmp(dot, ".S"));
}

static bool is_keyword(const char *p, size_t n)
{
	static const char *const words[] = {
		"return",  "else",  "case",   "goto",	"sizeof", "typeof",
		"if",	   "while", "for",    "switch", "do",	  "defined",
		"include", "ifdef", "ifndef", "elif",	"undef",  "and",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == n && !memcmp(words[i], p, n))
			return true;
	return false;
}

/* Behind a comment or string that begins at p; p itself when none does. A comment that
 * goes on in the next line ends this one. */
static const char *skip_quoted(const char *p, const char *end)
{
	char quote = *p;

	if (quote == '/' && p + 1 < end && p[1] == '/')
		return end;
	if (quote == '/' && p + 1 < end && p[1] == '*') {
		for (p += 2; p + 1 < end; p++)
			if (p[0] == '*' && p[1] == '/')
				return p + 2;
		return end;
	}
	if (quote != '"' && quote != '\'')
		return p;
	for (p++; p < end && *p != quote; p++)
		if (*p == '\\' && p + 1 < end)
			p++;
	return p < end ? p + 1 : end;
}

/* Whether the word at p is what the line declares: behind a type or "#define", or alone at
 * its beginning as in an enum. */
static bool is_declared(const char *line, const char *p, const char *behind,
			const char *end)
{
	const char *b = p;

	while (b > line && strchr(" \t*", b[-1]))
		b--;
	while (behind < end && isspace((unsigned char)*behind))
		behind++;
	if (b == line) {
		/* "	NAME," and "NAME = 3," of an enum, "label:" */
		return (behind == end || strchr(",=:", *behind)) &&
		       !(behind + 1 < end && *behind == '=' && behind[1] == '=');
	}
	if (b < p && is_word(b[-1])) {
		const char *w = b;

		while (w > line && is_word(w[-1]))
			w--;
		return !is_keyword(w, (size_t)(b - w)) && !isdigit((unsigned char)*w);
	}
	return false;
}

bool source_next_word(const char **at, const char *line, const char *end,
		      struct source_word *ret)
{
	const char *p = *at;

	/* The inside of a block comment. */
	if (p == line) {
		const char *q = p;

		while (q < end && isspace((unsigned char)*q))
			q++;
		if (q < end && *q == '*' && (q + 1 == end || strchr(" /", q[1])))
			return false;
	}
	while (p < end) {
		const char *start = skip_quoted(p, end);

		if (start != p) {
			p = start;
			continue;
		}
		while (p < end && is_word(*p))
			p++;
		if (p == start) {
			p++;
			continue;
		}
		if (isdigit((unsigned char)*start) ||
		    is_keyword(start, (size_t)(p - start)))
			continue;
		*ret = (struct source_word){ .p = start, .len = (size_t)(p - start) };
		ret->call = p < end && *p == '(';
		ret->member = start > line && (start[-1] == '.' ||
					       (start[-1] == '>' && start - 1 > line &&
						start[-2] == '-'));
		ret->declared = !ret->member && is_declared(line, start, p, end);
		*at = p;
		return true;
	}
	return false;
}

/* The line at p as far as the newline. */
static const char *line_end(const char *p)
{
	return p + strcspn(p, "\n");
}

/* Whether the name stands in the line as something defined there: "type name(" at its
 * beginning, "#define name". */
static bool defines(const char *line, const char *end, const char *name, size_t len)
{
	const char *p = line;
	struct source_word w;

	if (!is_word(*line) && *line != '#')
		return false;
	while (source_next_word(&p, line, end, &w)) {
		if (w.len == len && !memcmp(w.p, name, len))
			return (w.call || *line == '#') && (w.declared || w.p == line) &&
			       (end == line || end[-1] != ';');
		if (w.call)
			return false;
	}
	return false;
}

static bool is_macro(const char *line)
{
	return *line == '#' && strstr(line, "define") &&
	       strspn(line + 1, " \t") + line + 1 == strstr(line, "define");
}

static void take_macro(const char *p, struct buf *ret)
{
	for (;;) {
		const char *end = line_end(p);

		buf_add(ret, p, (size_t)(end - p));
		buf_addc(ret, '\n');
		if (!*end || end == p || end[-1] != '\\' || ret->len > MAX_BODY)
			return;
		p = end + 1;
	}
}

/* Up to "}" at the beginning of a line; false for what has no body. */
static bool take_body(const char *p, struct buf *ret)
{
	size_t from = ret->len;
	bool open = false;

	while (*p && ret->len - from < MAX_BODY) {
		const char *end = line_end(p);

		open = open || memchr(p, '{', (size_t)(end - p));
		if (!open && end > p && end[-1] == ';')
			break;
		buf_add(ret, p, (size_t)(end - p));
		buf_addc(ret, '\n');
		if (open &&
		    (*p == '}' ||
		     (ret->len > from && strchr(buf_str(ret) + from, '{') && end > p &&
		      end[-1] == '}' && memchr(p, '{', (size_t)(end - p)))))
			return true;
		p = *end ? end + 1 : end;
	}
	ret->len = from;
	ret->data[from] = '\0';
	return false;
}

bool source_function(const struct buf *file, const char *name, size_t len,
		     struct buf *ret)
{
	for (const char *p = buf_str(file); *p;) {
		const char *end = line_end(p);

		if (defines(p, end, name, len)) {
			if (is_macro(p)) {
				take_macro(p, ret);
				return true;
			}
			buf_addc(ret, ' ');
			if (take_body(p, ret))
				return true;
			buf_clear(ret);
		}
		p = *end ? end + 1 : end;
	}
	return false;
}

/* "arch/x86" of a path below it. */
static char *arch_of(const char *path)
{
	const char *slash = !strncmp(path, "arch/", 5) ? strchr(path + 5, '/') : NULL;

	return slash ? xstrndup(path, (size_t)(slash - path)) : NULL;
}

static void add_include(const char *path, const char *name, bool quoted, struct strv *ret)
{
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *arch = arch_of(path);

	if (quoted) {
		_cleanup_free_ char *dir =
			xstrndup(path, slash ? (size_t)(slash + 1 - path) : 0);

		strv_addf(ret, "%s%s", dir, name);
		return;
	}
	strv_addf(ret, "include/%s", name);
	if (!strncmp(name, "asm/", 4))
		strv_addf(ret, "%s/include/%s", arch ? arch : "arch/x86", name);
}

void source_includes(const char *path, const struct buf *file, struct strv *ret)
{
	size_t from = ret->nr;

	for (const char *p = buf_str(file); *p && ret->nr - from < MAX_INCLUDES;) {
		const char *end = line_end(p), *q = p;

		q += *q == '#';
		q += strspn(q, " \t");
		if (*p == '#' && !strncmp(q, "include", 7)) {
			q += 7 + strspn(q + 7, " \t");
			if (*q == '"' || *q == '<') {
				size_t n = strcspn(q + 1, ">\"\n");
				_cleanup_free_ char *name = xstrndup(q + 1, n);

				if (!strstr(name, "..") && *name != '/')
					add_include(path, name, *q == '"', ret);
			}
		}
		p = *end ? end + 1 : end;
	}
}

bool source_has_word(const struct buf *text, const char *word, size_t len)
{
	const char *p = buf_str(text), *end = p + text->len;

	while (len && p < end && (p = memmem(p, (size_t)(end - p), word, len))) {
		bool left = p == buf_str(text) || !is_word(p[-1]);

		if (left && !is_word(p[len]))
			return true;
		p += len;
	}
	return false;
}
