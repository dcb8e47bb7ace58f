// SPDX-License-Identifier: GPL-3.0-or-later
/* One line of a log. */
#include "cli/bisect/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/safe.h"

#define MAX_RUNS 10000
#define MAX_COUNT 1000000

static const char *const kinds[] = {
	[LOG_BUILT] = "built",
	[LOG_RUNS] = "runs",
	[LOG_PASS] = "pass",
	[LOG_SKIP] = "skip",
};

static const char *const stages[] = {
	[BISECT_AT_BUILD] = "build",
	[BISECT_AT_BOOT] = "boot",
	[BISECT_AT_L1] = "l1",
	[BISECT_AT_L2] = "l2",
	[BISECT_AT_BENCHMARK] = "benchmark",
	[BISECT_AT_TIMEOUT] = "timeout",
};

const char *bisect_stage_name(enum bisect_stage s)
{
	return stages[s];
}

void log_entry_release(struct log_entry *en)
{
	free(en->runs);
	free(en->reason);
	free(en->code);
	*en = (struct log_entry){ 0 };
}

/* As short as it can be and still be read back as it was. */
static void add_double(struct buf *b, double v)
{
	_cleanup_free_ char *text = xasprintf("%.15g", v);
	double back;

	if (parse_double(text, &back) && back == v)
		buf_adds(b, text);
	else
		buf_addf(b, "%.17g", v);
}

void log_entry_write(const struct log_entry *en, struct buf *ret)
{
	buf_addf(ret, "%s %zu %s", kinds[en->kind], en->at, en->commit.hex);
	if (en->layout)
		buf_addf(ret, " layout=%u", en->layout);
	if (en->kind == LOG_BUILT || en->cached)
		buf_addf(ret, " cached=%s", en->cached ? "yes" : "no");
	if (en->ahead)
		buf_adds(ret, " ahead=yes");
	if (en->hand)
		buf_adds(ret, " hand=yes");
	if (en->kind == LOG_SKIP)
		buf_addf(ret, " stage=%s", stages[en->stage]);
	buf_adds(ret, " seconds=");
	add_double(ret, en->seconds);
	if (en->kind == LOG_BUILT && en->code)
		buf_addf(ret, " id=%s", en->code);
	if (en->kind == LOG_PASS)
		buf_addf(ret, " old=%u new=%u", en->old, en->new);
	for (size_t i = 0; en->kind == LOG_RUNS && i < en->nr_runs; i++) {
		buf_addc(ret, ' ');
		add_double(ret, en->runs[i]);
	}
	if (en->reason) {
		_cleanup_free_ char *reason = safe_text(xstrdup(en->reason), false);

		buf_addf(ret, " : %s", reason);
	}
}

static bool word_of(const char *word, const char *const *list, size_t nr,
		    unsigned int *ret)
{
	for (unsigned int i = 0; i < nr; i++)
		if (!strcmp(word, list[i])) {
			*ret = i;
			return true;
		}
	return false;
}

static bool read_count(const char *s, unsigned int *ret)
{
	int n;

	if (!parse_int(s, 0, MAX_COUNT, &n))
		return false;
	*ret = (unsigned int)n;
	return true;
}

static bool read_yes(const char *s, bool *ret)
{
	*ret = !strcmp(s, "yes");
	return *ret || !strcmp(s, "no");
}

static bool read_id(struct log_entry *en, const char *value)
{
	size_t len = strlen(value);

	if (en->kind != LOG_BUILT || en->code || len < 8 || len > 64 ||
	    !parse_is_hex(value, len))
		return false;
	en->code = xstrdup(value);
	return true;
}

static bool read_field(struct log_entry *en, const char *key, const char *value)
{
	unsigned int stage;

	if (!strcmp(key, "layout"))
		return read_count(value, &en->layout);
	if (!strcmp(key, "id"))
		return read_id(en, value);
	if (!strcmp(key, "seconds"))
		return parse_double(value, &en->seconds) && en->seconds >= 0;
	if (!strcmp(key, "cached"))
		return read_yes(value, &en->cached);
	if (!strcmp(key, "ahead"))
		return read_yes(value, &en->ahead);
	if (!strcmp(key, "hand"))
		return read_yes(value, &en->hand);
	if (!strcmp(key, "old"))
		return read_count(value, &en->old);
	if (!strcmp(key, "new"))
		return read_count(value, &en->new);
	if (strcmp(key, "stage") || !word_of(value, stages, ARRAY_SIZE(stages), &stage))
		return false;
	en->stage = (enum bisect_stage)stage;
	return true;
}

static bool read_run(struct log_entry *en, const char *word)
{
	double v;

	if (en->kind != LOG_RUNS || en->nr_runs == MAX_RUNS || !parse_double(word, &v) ||
	    v <= 0)
		return false;
	*array_push(en->runs, en->nr_runs) = v;
	return true;
}

static bool read_word(struct log_entry *en, char *word)
{
	char *eq = strchr(word, '=');

	if (!eq)
		return read_run(en, word);
	*eq = '\0';
	return read_field(en, word, eq + 1);
}

static bool read_head(struct log_entry *en, char **rest)
{
	const char *kind = strsep(rest, " "), *at = strsep(rest, " "),
		   *commit = strsep(rest, " ");
	unsigned int k;
	uint64_t n;

	if (!commit || !word_of(kind, kinds, ARRAY_SIZE(kinds), &k) ||
	    !parse_u64(at, &n) || n > UINT32_MAX || strlen(commit) != 40 ||
	    !parse_is_hex(commit, 40))
		return false;
	en->kind = (enum log_kind)k;
	en->at = n;
	memcpy(en->commit.hex, commit, 41);
	return true;
}

static bool is_whole(const struct log_entry *en)
{
	if (en->kind == LOG_RUNS)
		return en->nr_runs > 0;
	return en->kind != LOG_PASS || en->old || en->new;
}

int log_entry_parse(const char *line, struct log_entry *ret, struct err *e)
{
	_cleanup_log_entry_ struct log_entry en = { 0 };
	_cleanup_free_ char *copy = xstrdup(line);
	char *rest = copy, *word;
	bool ok = read_head(&en, &rest);

	while (ok && (word = strsep(&rest, " "))) {
		if (!strcmp(word, ":")) {
			en.reason = safe_text(xstrdup(rest ? rest : ""), false);
			break;
		}
		ok = read_word(&en, word);
	}
	if (!ok || !is_whole(&en))
		return err_set(e, ERR_CONFIG, "'%.60s' is no line of a bisection's log",
			       line);
	*ret = en;
	en = (struct log_entry){ 0 };
	return 0;
}

/* The engine's options by name. */
enum field_type { FIELD_DOUBLE, FIELD_UINT, FIELD_INT, FIELD_BOOL };

static const struct field {
	const char *name;
	enum field_type type;
	size_t offset;
} fields[] = {
#define F(name, type)                                           \
	{                                                       \
#name, type, offsetof(struct bisect_opts, name) \
	}
	F(min_effect, FIELD_DOUBLE),  F(min_sd, FIELD_DOUBLE),
	F(build_sd, FIELD_DOUBLE),    F(confidence, FIELD_DOUBLE),
	F(direction, FIELD_INT),      F(gaussian, FIELD_BOOL),
	F(verify, FIELD_BOOL),	      F(end_boots, FIELD_UINT),
	F(end_runs, FIELD_UINT),      F(max_runs, FIELD_UINT),
	F(max_boots, FIELD_UINT),     F(max_seconds, FIELD_DOUBLE),
	F(costs.build, FIELD_DOUBLE), F(costs.boot, FIELD_DOUBLE),
	F(costs.run, FIELD_DOUBLE),
#undef F
};

void log_engine_write(const struct bisect_opts *o, struct buf *ret)
{
	buf_adds(ret, o->kind == BISECT_PASS ? "kind=pass" : "kind=number");
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		const void *at = (const char *)o + fields[i].offset;

		buf_addf(ret, " %s=", fields[i].name);
		switch (fields[i].type) {
		case FIELD_DOUBLE:
			add_double(ret, *(const double *)at);
			break;
		case FIELD_UINT:
			buf_addf(ret, "%u", *(const unsigned int *)at);
			break;
		case FIELD_INT:
			buf_addf(ret, "%d", *(const int *)at);
			break;
		case FIELD_BOOL:
			buf_addf(ret, "%d", *(const bool *)at);
			break;
		}
	}
}

static bool set_field(const struct field *f, const char *value, struct bisect_opts *o)
{
	void *at = (char *)o + f->offset;
	double v;

	if (!parse_double(value, &v) || fabs(v) > 1e9)
		return false;
	switch (f->type) {
	case FIELD_DOUBLE:
		*(double *)at = v;
		return true;
	case FIELD_UINT:
		*(unsigned int *)at = v < 0 ? 0 : (unsigned int)v;
		return v >= 0;
	case FIELD_INT:
		*(int *)at = (int)v;
		return true;
	case FIELD_BOOL:
		*(bool *)at = v > 0;
		return true;
	}
	return false;
}

static bool set_option(const char *name, const char *value, struct bisect_opts *o)
{
	if (!strcmp(name, "kind")) {
		o->kind = strcmp(value, "pass") ? BISECT_NUMBER : BISECT_PASS;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (!strcmp(name, fields[i].name))
			return set_field(&fields[i], value, o);
	return false;
}

int log_engine_parse(const char *words, struct bisect_opts *ret, struct err *e)
{
	_cleanup_free_ char *copy = xstrdup(words);
	struct bisect_opts o = bisect_defaults();
	char *rest = copy, *word, *eq;

	while ((word = strsep(&rest, " "))) {
		eq = strchr(word, '=');
		if (eq)
			*eq = '\0';
		if (!eq || !set_option(word, eq + 1, &o))
			return err_set(e, ERR_CONFIG, "engine option '%.40s' is none",
				       word);
	}
	*ret = o;
	return 0;
}
