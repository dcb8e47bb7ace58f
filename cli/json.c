// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json.h"

#include <jansson.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/clock.h"

json_t *json_text(const char *s)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	json_t *whole;

	if (!s)
		return json_null();
	whole = json_string(s);
	if (whole)
		return whole;
	while (*s) {
		size_t n = 1;
		json_t *ch = NULL;

		/* The longest prefix of up to four bytes that is one character. */
		for (; n <= 4 && strnlen(s, n) == n && !ch; n++)
			ch = json_stringn(s, n);
		if (ch)
			buf_adds(&b, json_string_value(ch));
		else
			buf_addc(&b, '?');
		s += ch ? n - 1 : 1;
		json_decref(ch);
	}
	return json_string(buf_str(&b));
}

json_t *json_strv(const struct strv *v)
{
	json_t *a = json_array();

	for (size_t i = 0; i < v->nr; i++)
		json_array_append_new(a, json_text(v->v[i]));
	return a;
}

json_t *json_time(int64_t epoch)
{
	_cleanup_free_ char *iso = epoch ? clock_iso(epoch) : NULL;

	return json_text(iso);
}

json_t *json_build(const struct build_record *b)
{
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:f, s:o, s:o, s:o, s:o, "
			 "s:o, s:o}",
			 "commit", b->commit.hex, "tree", b->tree.hex, "config",
			 json_text(b->config), "toolchain", json_text(b->toolchain),
			 "arch", json_text(b->arch), "build_id", json_text(b->build_id),
			 "cached", b->cached, "seconds", b->seconds, "status",
			 json_text(b->status), "reason", json_text(b->reason), "image",
			 json_text(b->image), "log", json_text(b->log), "code",
			 json_text(b->code), "modules", json_text(b->modules));
}

static json_t *json_environment(const char *text)
{
	_cleanup_free_ char *copy = xstrdup(text);
	char *rest = copy, *line;
	json_t *o;

	if (!text)
		return json_null();
	o = json_object();
	while ((line = strsep(&rest, "\n"))) {
		char *value = strchr(line, '=');

		if (!value)
			continue;
		*value++ = '\0';
		json_object_set_new_nocheck(o, line, json_text(value));
	}
	return o;
}

json_t *json_boot(const struct boot_record *b)
{
	return json_pack("{s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, "
			 "s:f, s:o, s:o, "
			 "s:o, s:o, s:b}",
			 "id", json_text(b->token), "commit", b->commit.hex, "tree",
			 b->tree.hex, "target", json_text(b->target), "accel",
			 json_text(b->accel), "path", json_text(b->path), "token",
			 json_text(b->token), "boot_id", json_text(b->boot_id),
			 "build_id", json_text(b->build_id), "proven", b->proven,
			 "status", json_text(b->status), "reason", json_text(b->reason),
			 "seconds", b->seconds, "console", json_text(b->console), "title",
			 json_text(b->title), "load", json_text(b->load), "environment",
			 json_environment(b->environment), "counted", b->counted);
}

json_t *json_sample(const struct sample *s)
{
	return json_pack(
		"{s:s, s:s, s:o, s:{s:o, s:o}, s:o, s:i, s:f, s:o, s:o, s:b, s:o, s:o, "
		"s:o, s:o, s:o}",
		"commit", s->commit.hex, "tree", s->tree.hex, "benchmark",
		json_text(s->benchmark), "cell", "l0", json_text(s->l0), "l1",
		json_text(s->l1), "boot", json_text(s->token), "ordinal", s->ordinal,
		"value", s->value, "unit", json_text(s->unit), "clock",
		json_text(s->clock), "proven", s->proven, "path", json_text(s->path),
		"setup", json_text(s->setup), "guest", json_text(s->guest), "qemu",
		json_text(s->qemu), "payload", json_text(s->payload));
}

json_t *json_run(const struct run_info *i)
{
	json_t *exit_code = i->state == RUN_ACTIVE ? json_null()
						   : json_integer(i->exit_code);

	return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o}", "id",
			 json_text(i->id), "command", json_text(i->command), "argv",
			 json_strv(&i->argv), "cwd", json_text(i->cwd), "state",
			 run_state_word(i), "exit_code", exit_code, "started",
			 json_time(i->started), "ended", json_time(i->ended));
}

const char *run_state_word(const struct run_info *i)
{
	switch (i->state) {
	case RUN_DONE:
		return "done";
	case RUN_FAILED:
		return "failed";
	case RUN_ACTIVE:
		break;
	}
	return run_is_live(i->id) ? "active" : "interrupted";
}
