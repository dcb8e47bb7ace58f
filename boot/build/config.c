// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

#define PREFIX "CONFIG_"
#define NOT_SET " is not set"

/* One line that sets a symbol; pointers into the text. */
struct setting {
	const char *symbol, *value;
	size_t symbol_len, value_len;
};

static size_t symbol_span(const char *p, size_t len)
{
	size_t n = strlen(PREFIX);

	if (len <= n || strncmp(p, PREFIX, n))
		return 0;
	while (n < len && (isalnum((unsigned char)p[n]) || p[n] == '_'))
		n++;
	return n > strlen(PREFIX) ? n : 0;
}

/* 1: a setting, 0: nothing (blank, comment), -1: neither. */
static int line_parse(const char *p, size_t len, struct setting *ret)
{
	const size_t not_set = strlen(NOT_SET);
	size_t n;

	while (len && isspace((unsigned char)p[len - 1]))
		len--;
	if (!len)
		return 0;
	if (p[0] == '#') {
		n = len > 2 && p[1] == ' ' ? symbol_span(p + 2, len - 2) : 0;
		if (!n || len - 2 - n != not_set || strncmp(p + 2 + n, NOT_SET, not_set))
			return 0;
		*ret = (struct setting){ p + 2, "n", n, 1 };
		return 1;
	}
	n = symbol_span(p, len);
	if (!n || n + 1 >= len || p[n] != '=')
		return -1;
	*ret = (struct setting){ p, p + n + 1, n, len - n - 1 };
	return 1;
}

/* Step through lines: the length of the one at *p, without newline; *p moves on. */
static const char *line_next(const char **p, size_t *ret_len)
{
	const char *line = *p;

	if (!*line)
		return NULL;
	*ret_len = strcspn(line, "\n");
	*p = line + *ret_len + (line[*ret_len] == '\n');
	return line;
}

int config_validate(const char *fragment, const char *name, struct err *e)
{
	const char *p = fragment, *line;
	unsigned int nr = 0;
	struct setting s;
	size_t len;

	while ((line = line_next(&p, &len))) {
		nr++;
		if (line_parse(line, len, &s) >= 0)
			continue;
		err_set(e, ERR_CONFIG, "'%s' line %u does not set a symbol", name, nr);
		return err_hint(e, "a fragment has lines like CONFIG_KVM=y");
	}
	return 0;
}

/* The last line that sets the symbol wins, as in Kconfig. */
static bool find(const char *config, const char *symbol, size_t symbol_len,
		 struct setting *ret)
{
	const char *p = config, *line;
	struct setting s;
	bool found = false;
	size_t len;

	while ((line = line_next(&p, &len))) {
		if (line_parse(line, len, &s) <= 0 || s.symbol_len != symbol_len ||
		    strncmp(s.symbol, symbol, symbol_len))
			continue;
		*ret = s;
		found = true;
	}
	return found;
}

char *config_value(const char *config, const char *symbol)
{
	struct setting s;

	if (!find(config, symbol, strlen(symbol), &s))
		return xstrdup("n");
	return xstrndup(s.value, s.value_len);
}

/* Settings in the order of their symbols, the last of a symbol only. */
struct settings {
	struct setting *v;
	size_t nr;
};

static int by_symbol(const void *a, const void *b)
{
	const struct setting *x = a, *y = b;
	size_t n = x->symbol_len < y->symbol_len ? x->symbol_len : y->symbol_len;
	int c = memcmp(x->symbol, y->symbol, n);

	if (!c)
		c = (x->symbol_len > y->symbol_len) - (x->symbol_len < y->symbol_len);
	return c ? c : (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

static bool same_symbol(const struct setting *a, const struct setting *b)
{
	return a->symbol_len == b->symbol_len &&
	       !memcmp(a->symbol, b->symbol, a->symbol_len);
}

static void settings_read(const char *config, struct settings *ret)
{
	const char *p = config, *line;
	size_t len, kept = 0;
	struct setting s;

	while ((line = line_next(&p, &len)))
		if (line_parse(line, len, &s) > 0)
			*array_push(ret->v, ret->nr) = s;
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_symbol);
	for (size_t i = 0; i < ret->nr; i++)
		if (i + 1 == ret->nr || !same_symbol(&ret->v[i], &ret->v[i + 1]))
			ret->v[kept++] = ret->v[i];
	ret->nr = kept;
}

static void add_line(struct strv *ret, const struct setting *s, bool set)
{
	if (set && (s->value_len != 1 || s->value[0] != 'n'))
		strv_addf(ret, "%.*s=%.*s", (int)s->symbol_len, s->symbol,
			  (int)s->value_len, s->value);
	else
		strv_addf(ret, "# %.*s" NOT_SET, (int)s->symbol_len, s->symbol);
}

static bool is_no(const struct setting *s)
{
	return s->value_len == 1 && s->value[0] == 'n';
}

static bool same_value(const struct setting *a, const struct setting *b)
{
	return a->value_len == b->value_len && !memcmp(a->value, b->value, a->value_len);
}

void config_diff(const char *old, const char *new, struct strv *ret)
{
	struct settings a = { 0 }, b = { 0 };
	size_t i = 0, k = 0;

	settings_read(old, &a);
	settings_read(new, &b);
	while (i < a.nr || k < b.nr) {
		bool both = i < a.nr && k < b.nr && same_symbol(&a.v[i], &b.v[k]);

		if (both) {
			if (!same_value(&a.v[i], &b.v[k]))
				add_line(ret, &b.v[k], true);
			i++;
			k++;
		} else if (k == b.nr || (i < a.nr && by_symbol(&a.v[i], &b.v[k]) < 0)) {
			if (!is_no(&a.v[i]))
				add_line(ret, &a.v[i], false);
			i++;
		} else {
			if (!is_no(&b.v[k]))
				add_line(ret, &b.v[k], true);
			k++;
		}
	}
	free(a.v);
	free(b.v);
}

int config_check(const char *fragment, const char *config, struct config_lost *ret)
{
	const char *p = fragment, *line;
	struct setting s;
	size_t len;

	while ((line = line_next(&p, &len))) {
		struct setting want = { 0 }, now = { .value = "n", .value_len = 1 };

		if (line_parse(line, len, &s) <= 0)
			continue;
		find(fragment, s.symbol, s.symbol_len, &want);
		find(config, s.symbol, s.symbol_len, &now);
		if (want.value_len == now.value_len &&
		    !strncmp(want.value, now.value, now.value_len))
			continue;
		ret->symbol = xstrndup(s.symbol, s.symbol_len);
		ret->wanted = xstrndup(want.value, want.value_len);
		ret->now = xstrndup(now.value, now.value_len);
		return 1;
	}
	return 0;
}

static bool has_suffix(const char *path, const char *suffix)
{
	size_t n = strlen(path), k = strlen(suffix);

	return n > k && !strcmp(path + n - k, suffix);
}

bool config_unaffected(const char *paths, size_t len)
{
	/* scripts/ holds Kconfig itself and the probes that Kconfig files run. */
	static const char *const code[] = { ".c", ".h", ".S", ".rst", ".txt" };

	for (const char *p = paths; p < paths + len; p += strlen(p) + 1) {
		bool known = false;

		for (size_t i = 0; i < ARRAY_SIZE(code); i++)
			known |= has_suffix(p, code[i]);
		if (!known || !strncmp(p, "scripts/", 8) || !strncmp(p, "tools/", 6))
			return false;
	}
	return true;
}

void config_lost_release(struct config_lost *c)
{
	free(c->symbol);
	free(c->wanted);
	free(c->now);
	*c = (struct config_lost){ 0 };
}
