// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/spec.h"

#include <stdlib.h>
#include <string.h>

#include "bench/own.h"
#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/parse.h"

enum { SPEC_MAX = 200, PARAMS_MAX = 8 };

/* The parameters of a benchmark with their values: its own, then the common ones. */
struct choice {
	struct {
		const struct bench_param *param;
		uint64_t fallback, value;
	} v[PARAMS_MAX];
	size_t nr;
};

void bench_free(struct benchmark *b)
{
	if (!b)
		return;
	free((char *)b->name);
	for (char **arg = b->args; arg && *arg; arg++)
		free(*arg);
	free(b->args);
	if (!b->payload) {
		/* nothing of the user's is in the registry */
		free((char *)b->metric);
		free((char *)b->unit);
		free((char *)b->program);
	}
	free(b);
}

static void choice_add(struct choice *c, const struct bench_param *p, uint64_t fallback)
{
	c->v[c->nr].param = p;
	c->v[c->nr].fallback = c->v[c->nr].value = fallback;
	c->nr++;
}

static void choice_make(const struct benchmark *b, struct choice *c)
{
	const uint64_t common[] = { (uint64_t)b->level, b->windows, (uint64_t)b->warmup,
				    b->count };

	for (const struct bench_param *p = b->params; p && p->key; p++)
		choice_add(c, p, p->fallback);
	for (size_t i = 0; bench_common_params[i].key; i++)
		choice_add(c, &bench_common_params[i], common[i]);
}

/* Decimal, or hex behind "0x"; K, M and G multiply a decimal one. */
static bool read_value(const char *s, uint64_t *ret)
{
	static const char suffixes[] = "KMG";
	_cleanup_free_ char *digits = NULL;
	size_t n = strlen(s);
	const char *suffix;

	if (n > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		if (n > 18 || !parse_is_hex(s + 2, n - 2))
			return false;
		*ret = 0;
		for (s += 2; *s; s++)
			*ret = *ret << 4 |
			       (uint64_t)(*s <= '9' ? *s - '0' : (*s | 0x20) - 'a' + 10);
		return true;
	}
	suffix = n > 1 ? strchr(suffixes, s[n - 1]) : NULL;
	digits = xstrndup(s, suffix ? n - 1 : n);
	if (!parse_u64(digits, ret) || *ret > UINT32_MAX)
		return false;
	if (suffix)
		*ret <<= 10 * (suffix - suffixes + 1);
	return true;
}

static void write_value(enum bench_param_kind kind, uint64_t v, struct buf *ret)
{
	unsigned long long n = v;

	if (kind == PARAM_HEX)
		buf_addf(ret, "0x%llx", n);
	else if (kind == PARAM_SIZE && n >= 1 << 20)
		buf_addf(ret, "%lluM", n >> 20);
	else if (kind == PARAM_SIZE)
		buf_addf(ret, "%lluK", n >> 10);
	else
		buf_addf(ret, "%llu", n);
}

static int unknown_key(const struct benchmark *b, const struct choice *c, const char *key,
		       struct err *e)
{
	_cleanup_buf_ struct buf keys = BUF_INIT;

	for (size_t i = 0; i < c->nr; i++)
		buf_addf(&keys, "%s%s", i ? ", " : "", c->v[i].param->key);
	err_set(e, ERR_USAGE, "benchmark '%s' has no parameter '%.40s'", b->name, key);
	return err_hint(e, "it has %s", buf_str(&keys));
}

static int bad_value(const struct benchmark *b, const struct bench_param *p,
		     const char *text, struct err *e)
{
	_cleanup_buf_ struct buf lo = BUF_INIT, hi = BUF_INIT;

	write_value(p->kind, p->min, &lo);
	write_value(p->kind, p->max, &hi);
	err_set(e, ERR_USAGE, "'%.40s' is no %s of benchmark '%s'", text, p->key,
		b->name);
	return err_hint(e, "it is %s from %s to %s",
			p->kind == PARAM_SIZE ? "a power of two" : "a number",
			buf_str(&lo), buf_str(&hi));
}

/* One "key=value". */
static int choose(const struct benchmark *b, struct choice *c, char *item, struct err *e)
{
	char *value = strchr(item, '=');
	uint64_t n;

	if (!value) {
		err_set(e, ERR_USAGE, "'%.40s' is no parameter of the form key=value",
			item);
		return err_hint(e, "a benchmark is asked for as NAME[:key=value,...]");
	}
	*value++ = '\0';
	for (size_t i = 0; i < c->nr; i++) {
		const struct bench_param *p = c->v[i].param;

		if (strcmp(p->key, item))
			continue;
		if (!read_value(value, &n) || n < p->min || n > p->max ||
		    (p->kind == PARAM_SIZE && (n & (n - 1))))
			return bad_value(b, p, value, e);
		c->v[i].value = n;
		return 0;
	}
	return unknown_key(b, c, item, e);
}

static uint64_t chosen(const struct choice *c, const char *key)
{
	for (size_t i = 0; i < c->nr; i++)
		if (!strcmp(c->v[i].param->key, key))
			return c->v[i].value;
	return 0;
}

static char **make_args(const struct benchmark *b, const struct choice *c)
{
	struct strv args = STRV_INIT;

	strv_add(&args, b->payload);
	for (size_t i = 0; i < c->nr; i++) {
		const char *key = c->v[i].param->key;
		unsigned long long value = c->v[i].value;

		if (!strcmp(key, "windows")) /* of the program: all it makes */
			value += chosen(c, "warmup");
		if (strcmp(key, "level") && strcmp(key, "warmup"))
			strv_addf(&args, "%s=%llu", key, value);
	}
	return args.v;
}

static struct benchmark *make(const struct benchmark *row, const struct choice *c)
{
	_cleanup_buf_ struct buf name = BUF_INIT;
	struct benchmark *b = xzalloc(sizeof(*b));

	buf_adds(&name, row->name);
	for (size_t i = 0, nr = 0; i < c->nr; i++) {
		if (c->v[i].value == c->v[i].fallback)
			continue;
		buf_addf(&name, "%c%s=", nr++ ? ',' : ':', c->v[i].param->key);
		write_value(c->v[i].param->kind, c->v[i].value, &name);
	}
	*b = *row;
	b->name = buf_take(&name);
	b->level = (int)chosen(c, "level");
	b->warmup = (int)chosen(c, "warmup");
	b->args = make_args(row, c);
	return b;
}

static int open_row(const struct benchmark *row, char *params, struct benchmark **ret,
		    struct err *e)
{
	struct choice c = { .nr = 0 };
	uint64_t level;

	choice_make(row, &c);
	for (char *item; (item = strsep(&params, ","));)
		if (choose(row, &c, item, e) < 0)
			return -(int)e->code;
	level = chosen(&c, "level");
	if (!(row->levels & 1u << level)) {
		err_set(e, ERR_USAGE, "benchmark '%s' cannot be L%u", row->name,
			(unsigned int)level);
		return err_hint(e, "its payload can only be L%d", row->level);
	}
	*ret = make(row, &c);
	return 0;
}

static int unknown(const char *name, const struct cfg *cfg, struct err *e)
{
	_cleanup_strv_ struct strv names = STRV_INIT;
	_cleanup_free_ char *all = NULL;

	for (size_t i = 0; bench_at(i); i++)
		strv_add(&names, bench_at(i)->name);
	if (cfg)
		cfg_names(cfg, "benchmark", &names);
	all = strv_join(&names, ", ");
	err_set(e, ERR_USAGE, "no benchmark '%.60s'", name);
	return err_hint(e, "there are %s", all);
}

/* The first that has a benchmark of kiln's own. */
static const struct arch *arch_with(const char *name)
{
	const struct arch *a;

	for (unsigned int i = 0; (a = arch_at(i)); i++)
		if (arch_has_benchmark(a, name))
			return a;
	return arch_find(NULL);
}

/* The row as that architecture has it: of its levels, the highest. */
static int row_for(const struct arch *a, const struct benchmark *row,
		   struct benchmark *ret, struct err *e)
{
	_cleanup_buf_ struct buf all = BUF_INIT;

	*ret = *row;
	ret->levels &= a->levels;
	while (ret->level > 1 && !(ret->levels & 1u << ret->level))
		ret->level--;
	if (arch_has_benchmark(a, row->name) && ret->levels)
		return 0;
	for (const char *const *name = a->benchmarks; name && *name; name++)
		buf_addf(&all, "%s%s", all.len ? ", " : "", *name);
	err_set(e, ERR_USAGE, "benchmark '%s' is not to be had on %s", row->name,
		a->name);
	return err_hint(e, "there are %s", all.len ? buf_str(&all) : "none");
}

int bench_open(const char *spec, const struct cfg *cfg, struct benchmark **ret,
	       struct err *e)
{
	return bench_open_for(NULL, spec, cfg, ret, e);
}

int bench_open_for(const struct arch *a, const char *spec, const struct cfg *cfg,
		   struct benchmark **ret, struct err *e)
{
	const struct arch *first = a ?: arch_find(NULL);
	_cleanup_free_ char *copy = xstrdup(spec
						    ?: first->benchmarks
						       ? first->benchmarks[0]
						       : "");
	char *params = copy, *name = strsep(&params, ":");
	const struct benchmark *row = bench_find(name);
	struct benchmark here;
	int r;

	if (spec && strlen(spec) > SPEC_MAX)
		return err_set(e, ERR_USAGE, "benchmark '%.40s...' is too long", spec);
	if (row && !a && !arch_has_benchmark(first, name))
		first = arch_with(name);
	if (row)
		return row_for(first, row, &here, e) < 0
			       ? -(int)e->code
			       : open_row(&here, params, ret, e);
	r = cfg ? bench_own(name, cfg, ret, e) : 0;
	if (r < 0)
		return err_wrap(e, "benchmark '%.60s' of the configuration will not do",
				name);
	if (r == 0)
		return unknown(name, cfg, e);
	if (params) {
		bench_free(*ret);
		*ret = NULL;
		err_set(e, ERR_USAGE, "benchmark '%s' takes no parameters", name);
		return err_hint(e, "give them to its command in the configuration");
	}
	return 0;
}
