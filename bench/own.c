// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/own.h"

#include <string.h>

#include "bench/spec.h"
#include "core/base/alloc.h"

enum { NAME_LEN_MAX = 40, UNIT_LEN_MAX = 20, WARMUP_MAX = 1000 };

/* A section's key as text, NULL when it is not there. Owned by the caller. */
static char *get(const struct cfg *cfg, const char *name, const char *key)
{
	_cleanup_free_ char *full = xasprintf("benchmark.%s.%s", name, key);

	return cfg_get(cfg, full);
}

static bool is_word(const char *s, size_t max)
{
	size_t n = strlen(s);

	if (!n || n > max)
		return false;
	for (; *s; s++)
		if (*s <= ' ' || *s > '~')
			return false;
	return true;
}

/* Names meet those of parameters and counters in a sample's identity. */
static bool name_ok(const char *name)
{
	return is_word(name, NAME_LEN_MAX) && !strpbrk(name, ":#,=/'\"");
}

/* One of two words, the first where there is none. -1: neither. */
static int either(const struct cfg *cfg, const char *name, const char *key,
		  const char *const words[2])
{
	_cleanup_free_ char *s = get(cfg, name, key);

	if (!s || !strcmp(s, words[0]))
		return 0;
	return !strcmp(s, words[1]) ? 1 : -1;
}

static int read_command(struct benchmark *b, const struct cfg *cfg, struct err *e)
{
	_cleanup_free_ char *command = get(cfg, b->name, "command");
	struct strv words = STRV_INIT;
	char *rest = command;

	for (char *word; (word = strsep(&rest, " "));)
		if (*word)
			strv_add(&words, word);
	if (!words.nr || *words.v[0] != '/') {
		strv_release(&words);
		err_set(e, ERR_CONFIG, "benchmark.%s.command is no absolute path",
			b->name);
		return err_hint(e, "name a static program or a script");
	}
	b->program = words.v[0];
	memmove(words.v, words.v + 1, words.nr * sizeof(*words.v));
	b->args = words.v;
	return 0;
}

static int read_words(struct benchmark *b, const struct cfg *cfg, struct err *e)
{
	static const char *const levels[] = { "L1", "L0" };
	static const char *const better[] = { "higher", "lower" };
	int level = either(cfg, b->name, "level", levels);
	int lower = either(cfg, b->name, "better", better);

	if (level < 0)
		return err_set(e, ERR_CONFIG, "benchmark.%s.level is not L0 or L1",
			       b->name);
	if (lower < 0)
		return err_set(e, ERR_CONFIG,
			       "benchmark.%s.better is not higher or lower", b->name);
	b->unit = get(cfg, b->name, "unit");
	if (!b->unit || !is_word(b->unit, UNIT_LEN_MAX))
		return err_set(e, ERR_CONFIG, "benchmark.%s.unit is no word", b->name);
	b->level = level ? 1 : 2;
	b->levels = 1u << b->level;
	b->higher_is_better = !lower;
	return 0;
}

static int read_numbers(struct benchmark *b, const struct cfg *cfg, struct err *e)
{
	_cleanup_free_ char *warmup = xasprintf("benchmark.%s.warmup", b->name);
	_cleanup_free_ char *timeout = xasprintf("benchmark.%s.timeout", b->name);
	uint64_t n;

	if (cfg_u64(cfg, warmup, 0, &n, e) < 0 ||
	    cfg_duration(cfg, timeout, 0, &b->timeout_s, e) < 0)
		return -(int)e->code;
	if (n > WARMUP_MAX)
		return err_set(e, ERR_CONFIG, "%s is more than %d", warmup, WARMUP_MAX);
	b->warmup = (int)n;
	return 0;
}

int bench_own(const char *name, const struct cfg *cfg, struct benchmark **ret,
	      struct err *e)
{
	_cleanup_strv_ struct strv names = STRV_INIT;
	_cleanup_bench_ struct benchmark *b = NULL;

	cfg_names(cfg, "benchmark", &names);
	if (!strv_has(&names, name))
		return 0;
	if (!name_ok(name))
		return err_set(e, ERR_CONFIG, "'%.40s' is no name for a benchmark", name);
	b = xzalloc(sizeof(*b));
	b->name = xstrdup(name);
	b->metric = xstrdup(name);
	b->summary = "a command of the configuration";
	if (read_command(b, cfg, e) < 0 || read_words(b, cfg, e) < 0 ||
	    read_numbers(b, cfg, e) < 0)
		return -(int)e->code;
	*ret = take_ptr(b);
	return 1;
}
