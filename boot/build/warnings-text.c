// SPDX-License-Identifier: GPL-3.0-or-later
/* Warnings as text in a file, and back. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "boot/build/warnings.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"

#define FIRST_LINE "kiln-warnings 1\n"
#define LAST_LINE "end\n"

/* Fields are free of tabs: the reader of logs leaves no control characters. */
static void write_object(const struct warned_object *o, struct buf *ret)
{
	buf_addf(ret, "%s %s\n", o->doubtful ? "doubtful" : "object", o->name);
	for (size_t i = 0; i < o->nr; i++) {
		const struct warning *w = &o->v[i];

		buf_addf(ret, "\t%s\t%u\t%s\t%s\t%s\n", w->file, w->line, w->function,
			 w->option, w->text);
	}
}

void warnings_write(const struct warnings *w, struct buf *ret)
{
	buf_addf(ret, FIRST_LINE "id %s\nwhole %s\ntree %s\nconfig %s\n", w->id.hex,
		 w->whole ? "yes" : "no", w->tree.hex, w->config.hex);
	for (size_t i = 0; i < w->nr; i++)
		write_object(&w->v[i], ret);
	buf_adds(ret, LAST_LINE);
}

/* What follows "KEY " when the line begins so. */
static const char *value_of(const char *line, const char *key)
{
	size_t n = strlen(key);

	return !strncmp(line, key, n) && line[n] == ' ' ? line + n + 1 : NULL;
}

static bool read_oid(const char *line, const char *key, struct oid *ret)
{
	const char *v = value_of(line, key);

	if (!v || strlen(v) != 40 || !parse_is_hex(v, 40))
		return false;
	memcpy(ret->hex, v, 41);
	return true;
}

/* Cut the next field off; NULL when there is none. */
static char *next_field(char **at)
{
	char *field = *at, *tab = field ? strchr(field, '\t') : NULL;

	*at = tab ? tab + 1 : NULL;
	if (tab)
		*tab = '\0';
	return field;
}

static bool read_warning(char *line, struct warnings *ret)
{
	char *file = next_field(&line), *number = next_field(&line),
	     *function = next_field(&line), *option = next_field(&line),
	     *text = next_field(&line);
	struct warned_object *o = ret->nr ? &ret->v[ret->nr - 1] : NULL;
	uint64_t value;

	if (!o || !text || line || !parse_u64(number, &value) || value > UINT32_MAX)
		return false;
	*array_push(o->v, o->nr) = (struct warning){
		.file = xstrdup(file),
		.line = (unsigned int)value,
		.function = xstrdup(function),
		.option = xstrdup(option),
		.text = xstrdup(text),
	};
	return true;
}

static bool read_object(const char *line, struct warnings *ret)
{
	const char *sure = value_of(line, "object"),
		   *name = sure ? sure : value_of(line, "doubtful");

	/* By name, each once. */
	if (!name || (ret->nr && strcmp(ret->v[ret->nr - 1].name, name) >= 0))
		return false;
	*array_push(ret->v, ret->nr) =
		(struct warned_object){ .name = xstrdup(name), .doubtful = !sure };
	return true;
}

/* Line nr, from 0, of those behind the first. */
static bool read_line(char *line, size_t nr, struct warnings *ret)
{
	const char *v;

	switch (nr) {
	case 0:
		return read_oid(line, "id", &ret->id);
	case 1:
		v = value_of(line, "whole");
		ret->whole = v && !strcmp(v, "yes");
		return v && (ret->whole || !strcmp(v, "no"));
	case 2:
		return read_oid(line, "tree", &ret->tree);
	case 3:
		return read_oid(line, "config", &ret->config);
	default:
		return line[0] == '\t' ? read_warning(line + 1, ret)
				       : read_object(line, ret);
	}
}

bool warnings_read(const char *text, struct warnings *ret)
{
	const size_t first = strlen(FIRST_LINE), last = strlen(LAST_LINE);
	_cleanup_warnings_ struct warnings w = { 0 };
	const size_t len = strlen(text);
	_cleanup_free_ char *copy = NULL;
	size_t nr = 0;

	if (len < first + last || strncmp(text, FIRST_LINE, first) != 0 ||
	    strcmp(text + len - last, LAST_LINE) != 0)
		return false;
	copy = xstrndup(text + first, len - first - last);
	for (char *p = copy; *p; nr++) {
		char *end = strchr(p, '\n');

		if (!end)
			return false;
		*end = '\0';
		if (!read_line(p, nr, &w))
			return false;
		p = end + 1;
	}
	if (nr < 4)
		return false;
	*ret = w;
	w = (struct warnings){ 0 };
	return true;
}
