// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/build-warnings.h"

#include <jansson.h>

#include "boot/build/cache.h"
#include "cli/json.h"
#include "cli/out.h"
#include "core/base/alloc.h"

void build_warnings_find(const struct build_record *base, const struct build_record *own,
			 struct build_warnings *ret)
{
	*ret = (struct build_warnings){ 0 };
	if (!cache_load_warnings(base, &ret->base)) {
		ret->unknown = "the base was built before warnings were kept";
		return;
	}
	if (!cache_load_warnings(own, &ret->own)) {
		ret->unknown = "it was built before warnings were kept";
		return;
	}
	warnings_compare(&ret->base, &ret->own, &ret->news);
	if (ret->news.partial)
		ret->unknown = "objects were compiled before warnings were kept";
	else if (ret->news.untold)
		ret->unknown = "whether the base has some of them cannot be told";
}

void build_warnings_release(struct build_warnings *w)
{
	warnings_news_release(&w->news);
	warnings_release(&w->base);
	warnings_release(&w->own);
}

char *build_warning_text(const struct warning_new *n)
{
	const struct warning *w = n->warning;
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_adds(&b, w->file[0] ? w->file : n->object);
	if (w->line)
		buf_addf(&b, ":%u", w->line);
	buf_addf(&b, ": %s", w->text);
	if (w->option[0])
		buf_addf(&b, " [-W%s]", w->option);
	if (n->objects > 1)
		buf_addf(&b, " (in %zu objects)", n->objects);
	return buf_take(&b);
}

int build_warnings_exit_code(const struct build_warnings *w)
{
	return w->news.nr ? 1 : w->unknown ? 125 : 0;
}

void build_warnings_print(const struct build_warnings *w, const struct oid *base,
			  const struct oid *own)
{
	out_text("\n%.12s has %zu warning%s that %.12s has not%s\n", own->hex, w->news.nr,
		 w->news.nr == 1 ? "" : "s", base->hex, w->news.nr ? ":" : "");
	for (size_t i = 0; i < w->news.nr; i++) {
		_cleanup_free_ char *text = build_warning_text(&w->news.v[i]);

		out_text("  %s\n", text);
	}
	if (w->unknown)
		out_text("not all could be told: %s\n", w->unknown);
}

static json_t *json_warning(const struct warning_new *n)
{
	const struct warning *w = n->warning;

	return json_pack("{s:o, s:i, s:o, s:o, s:o, s:o, s:i}", "file",
			 json_text(w->file), "line", (int)w->line, "function",
			 json_text(w->function), "option", json_text(w->option), "text",
			 json_text(w->text), "object", json_text(n->object), "objects",
			 (int)n->objects);
}

json_t *json_warnings(const struct build_warnings *w, const struct oid *own)
{
	json_t *list = json_array();

	for (size_t i = 0; i < w->news.nr; i++)
		json_array_append_new(list, json_warning(&w->news.v[i]));
	return json_pack("{s:s, s:o, s:i, s:o}", "commit", own->hex, "new", list,
			 "untold", (int)w->news.untold, "unknown", json_text(w->unknown));
}
