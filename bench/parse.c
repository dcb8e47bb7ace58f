// SPDX-License-Identifier: GPL-3.0-or-later
/* Output of a benchmark program. It comes out of a guest of an untrusted kernel. */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

enum { MAX_LINE = 200, MAX_QUOTED = 60, MIN_SAMPLES = 2, MAX_SAMPLES = 1000 };

/* The start of a line as printable ASCII, fit for a message. Owned by the caller. */
static char *quoted(const char *line)
{
	char *s = xstrndup(line, MAX_QUOTED);

	for (char *p = s; *p; p++)
		if (*p < 0x20 || *p > 0x7e)
			*p = '?';
	return s;
}

static int bad_line(const char *line, size_t nr, const char *why, struct err *e)
{
	_cleanup_free_ char *text = quoted(line);

	return err_set(e, ERR_TOOL_FAILED, "line %zu of the benchmark, '%s', %s", nr + 1,
		       text, why);
}

/* Cut s, of exactly three fields with one blank between them, in place. */
static bool split(char *s, char *field[3])
{
	for (int i = 0; i < 3; i++) {
		size_t n = strcspn(s, " ");

		field[i] = s;
		if (!n || (i < 2) != (s[n] == ' '))
			return false;
		s[n] = '\0';
		s += n + 1;
	}
	return true;
}

/* 1 and a value, 0 for another benchmark's metric, or an error. */
static int parse_line(const struct benchmark *b, const char *line, size_t nr,
		      double *ret_value, struct err *e)
{
	_cleanup_free_ char *copy = NULL;
	char *field[3];
	double value;

	if (strnlen(line, MAX_LINE + 1) > MAX_LINE)
		return bad_line(line, nr, "is too long", e);
	copy = xstrdup(line);
	if (!split(copy, field))
		return bad_line(line, nr, "is not of the form 'metric value unit'", e);
	if (strcmp(field[0], b->metric))
		return 0;
	if (!parse_double(field[1], &value))
		return bad_line(line, nr, "has no number as its value", e);
	if (value <= 0)
		return bad_line(line, nr, "has a value that is not positive", e);
	if (strcmp(field[2], b->unit))
		return bad_line(line, nr, "has another unit than the benchmark", e);
	*ret_value = value;
	return 1;
}

static void add(const struct benchmark *b, struct samples *to, int ordinal, double value)
{
	struct sample *s = samples_add(to);

	s->benchmark = xstrdup(b->name);
	s->unit = xstrdup(b->unit);
	s->ordinal = ordinal;
	s->value = value;
}

/* Move all elements of from behind those of to. */
static void move(struct samples *to, struct samples *from)
{
	for (size_t i = 0; i < from->nr; i++) {
		*samples_add(to) = from->v[i];
		from->v[i] = (struct sample){ 0 };
	}
}

int bench_parse(const struct benchmark *b, const struct strv *lines, struct samples *ret,
		struct err *e)
{
	_cleanup_samples_ struct samples found = SAMPLES_INIT;
	int seen = 0;

	for (size_t i = 0; i < lines->nr; i++) {
		double value = 0;
		int r = parse_line(b, lines->v[i], i, &value, e);

		if (r < 0)
			return r;
		if (r > 0 && ++seen > b->warmup)
			add(b, &found, seen - b->warmup - 1, value);
		if (found.nr > MAX_SAMPLES)
			return bad_line(lines->v[i], i, "is one sample too many", e);
	}
	if (found.nr < MIN_SAMPLES) {
		err_set(e, ERR_TOOL_FAILED, "%s sample of %s in %zu lines, %d of warm-up",
			found.nr ? "only one" : "no", b->name, lines->nr,
			seen < b->warmup ? seen : b->warmup);
		return err_hint(e,
				found.nr ? "one number says nothing of its spread: "
					   "measure at least twice"
					 : "the boot's console log shows how the program "
					   "ended");
	}
	move(ret, &found);
	return 0;
}
