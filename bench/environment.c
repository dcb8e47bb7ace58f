// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/environment.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/parse.h"
#include "core/base/strv.h"

enum { MAX_REASONS = 5 };

#define MEMORY_WITHIN 0.01
#define LOAD_WITHIN 1.0

/* One line of an environment. */
struct fact {
	const char *key, *value;
	size_t key_len, value_len;
};

/* The fact at *at, which moves behind it; false at the end. */
static bool next_fact(const char **at, struct fact *ret)
{
	while (**at) {
		const char *line = *at;
		size_t len = strcspn(line, "\n"), key = strcspn(line, "=\n");

		*at = line + len + (line[len] == '\n');
		if (key == len)
			continue;
		*ret = (struct fact){ line, line + key + 1, key, len - key - 1 };
		return true;
	}
	return false;
}

static int compare_keys(const struct fact *a, const struct fact *b)
{
	size_t n = a->key_len < b->key_len ? a->key_len : b->key_len;
	int r = memcmp(a->key, b->key, n);

	return r ? r : (a->key_len > b->key_len) - (a->key_len < b->key_len);
}

static bool ends_in(const struct fact *f, const char *word)
{
	size_t n = strlen(word);

	return f->key_len > n && f->key[f->key_len - n - 1] == '.' &&
	       !memcmp(f->key + f->key_len - n, word, n);
}

static bool begins_with(const struct fact *f, const char *word)
{
	return f->key_len >= strlen(word) && !memcmp(f->key, word, strlen(word));
}

/* The number a value starts with; NAN when it is none. */
static double number_in(const struct fact *f)
{
	size_t len = strcspn(f->value, " \n");
	_cleanup_free_ char *text =
		xstrndup(f->value, len < f->value_len ? len : f->value_len);
	double v;

	return parse_double(text, &v) ? v : NAN;
}

/* What is said of the pair so far. */
struct findings {
	enum likeness worst;
	struct strv unlike, flagged;
};

static void find(struct findings *f, enum likeness l, char *phrase)
{
	strv_take(l == ENVIRONMENT_UNLIKE ? &f->unlike : &f->flagged, phrase);
	if (l > f->worst)
		f->worst = l;
}

static char *both(const struct fact *a, const struct fact *b)
{
	return xasprintf("%.*s is '%.*s', then '%.*s'", (int)a->key_len, a->key,
			 (int)a->value_len, a->value, (int)b->value_len, b->value);
}

static void hold_together(struct findings *f, const struct fact *a, const struct fact *b)
{
	bool load = ends_in(a, "load"), memory = ends_in(a, "memory");
	double x, y;

	if (a->value_len == b->value_len && !memcmp(a->value, b->value, a->value_len))
		return;
	if (!load && !memory) {
		find(f, ENVIRONMENT_UNLIKE, both(a, b));
		return;
	}
	x = number_in(a);
	y = number_in(b);
	if (fabs(x - y) <= (load ? LOAD_WITHIN : MEMORY_WITHIN * fmax(x, y)))
		return;
	find(f, ENVIRONMENT_FLAGGED, both(a, b));
}

static void only_one(struct findings *f, const struct fact *a, const char *which)
{
	find(f, ENVIRONMENT_FLAGGED,
	     xasprintf("only the %s has %.*s", which, (int)a->key_len, a->key));
}

/* Both are sorted by key, as what the store keeps is. */
static void walk(struct findings *f, const char *a, const char *b, bool emulated)
{
	struct fact x, y;
	bool has_x = next_fact(&a, &x), has_y = next_fact(&b, &y);

	while (has_x || has_y) {
		int order = !has_x ? 1 : !has_y ? -1 : compare_keys(&x, &y);
		const struct fact *k = order <= 0 ? &x : &y;
		bool counts = !(emulated && begins_with(k, "host."));

		if (counts && order == 0)
			hold_together(f, &x, &y);
		else if (counts)
			only_one(f, k, order < 0 ? "first" : "second");
		if (order <= 0)
			has_x = next_fact(&a, &x);
		if (order >= 0)
			has_y = next_fact(&b, &y);
	}
}

static char *reasons(const struct findings *f)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const struct strv *lists[] = { &f->unlike, &f->flagged };
	size_t total = f->unlike.nr + f->flagged.nr, n = 0;

	for (size_t k = 0; k < ARRAY_SIZE(lists); k++)
		for (size_t i = 0; i < lists[k]->nr && n < MAX_REASONS; i++, n++)
			buf_addf(&b, "%s%s", n ? "; " : "", lists[k]->v[i]);
	if (total > n)
		buf_addf(&b, "; and %zu more", total - n);
	return total ? buf_take(&b) : NULL;
}

enum likeness environment_alike(const char *a, const char *b, const char *accel,
				char **ret_why)
{
	struct findings f = { 0 };

	if (!a || !b)
		find(&f, ENVIRONMENT_FLAGGED,
		     xstrdup("it was not recorded for every boot"));
	else
		walk(&f, a, b, accel && !strcmp(accel, "tcg"));
	*ret_why = reasons(&f);
	strv_release(&f.unlike);
	strv_release(&f.flagged);
	return f.worst;
}

/* The first of the group of i. */
static size_t first_of(const struct measured_with *v, size_t i)
{
	size_t k = 0;

	while (strcmp(v[k].group, v[i].group) != 0)
		k++;
	return k;
}

enum likeness environments_alike(const struct measured_with *v, size_t nr, char **ret_why)
{
	enum likeness worst = ENVIRONMENT_ALIKE;

	*ret_why = NULL;
	for (size_t i = 0; i < nr; i++) {
		const struct measured_with *a = &v[first_of(v, i)];
		_cleanup_free_ char *why = NULL;
		enum likeness l = environment_alike(a->environment, v[i].environment,
						    v[i].accel, &why);

		if (l <= worst)
			continue;
		worst = l;
		free(*ret_why);
		*ret_why = xasprintf("%s, %s: %s", a->side, v[i].side, why);
	}
	return worst;
}
