// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/opt.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

#define MAX_ROWS 128

static void *field(void *opts, const struct opt *o)
{
	return (char *)opts + o->offset;
}

static int bad(const struct opt *o, const char *value, const char *want, struct err *e)
{
	return err_set(e, ERR_USAGE, "option --%s wants %s, not '%s'", o->name, want,
		       value);
}

static int opt_set(const struct opt *o, void *opts, const char *value, struct err *e)
{
	void *f = field(opts, o);

	switch (o->type) {
	case OPT_FLAG:
		*(bool *)f = true;
		return 0;
	case OPT_STRING:
		free(*(char **)f);
		*(char **)f = xstrdup(value);
		return 0;
	case OPT_UINT:
		return parse_u64(value, f) ? 0 : bad(o, value, "a whole number", e);
	case OPT_DOUBLE:
		return parse_double(value, f) ? 0 : bad(o, value, "a number", e);
	case OPT_DURATION:
		return parse_duration(value, f)
			       ? 0
			       : bad(o, value, "a duration (90s, 2h)", e);
	case OPT_LIST:
		strv_add(f, value);
		return 0;
	}
	return 0;
}

static int opt_default(const struct opt *o, void *opts, const struct cfg *cfg,
		       struct err *e)
{
	_cleanup_free_ char *value = NULL;

	if (o->type == OPT_FLAG)
		return cfg_bool(cfg, o->key, *(bool *)field(opts, o), field(opts, o), e);
	if (o->type == OPT_LIST) {
		cfg_list(cfg, o->key, field(opts, o));
		return 0;
	}
	value = cfg_get(cfg, o->key);
	if (!value || !opt_set(o, opts, value, e))
		return 0;
	e->code = ERR_CONFIG;
	return err_wrap(e, "bad value in configuration key %s", o->key);
}

int opt_defaults(const struct opt *table, void *opts, const struct cfg *cfg,
		 struct err *e)
{
	for (const struct opt *o = table; o && o->name; o++)
		if (o->key && opt_default(o, opts, cfg, e) < 0)
			return -(int)e->code;
	return 0;
}

/* Both tables as getopt_long() wants them; val is the row's index + 256. */
struct merged {
	const struct opt *row[MAX_ROWS];
	void *opts[MAX_ROWS];
	struct option longs[MAX_ROWS + 1];
	struct buf shorts;
	size_t nr;
};

static void merge(struct merged *m, const struct opt *table, void *opts)
{
	for (const struct opt *o = table; o && o->name && m->nr < MAX_ROWS;
	     o++, m->nr++) {
		m->row[m->nr] = o;
		m->opts[m->nr] = opts;
		m->longs[m->nr] = (struct option){
			.name = o->name,
			.has_arg = o->arg ? required_argument : no_argument,
			.val = 256 + (int)m->nr,
		};
		if (o->letter)
			buf_addf(&m->shorts, "%c%s", o->letter, o->arg ? ":" : "");
	}
}

static size_t row_of(const struct merged *m, int c)
{
	if (c >= 256)
		return (size_t)c - 256;
	for (size_t i = 0; i < m->nr; i++)
		if (m->row[i]->letter == c)
			return i;
	return m->nr;
}

/* A list given on the command line replaces the configured one instead of adding to it.
 */
static void list_reset(const struct merged *m, size_t i, bool *seen)
{
	if (m->row[i]->type == OPT_LIST && !seen[i])
		strv_release(field(m->opts[i], m->row[i]));
	seen[i] = true;
}

int opt_parse(const struct opt_tables *t, const struct strv *argv, struct strv *args,
	      struct err *e)
{
	bool seen[MAX_ROWS] = { false };
	struct merged m = { .shorts = BUF_INIT };
	int c, r = 0;

	buf_adds(&m.shorts, ":");
	merge(&m, t->own, t->own_opts);
	merge(&m, t->common, t->common_opts);
	optind = 0; /* glibc: start over, so that a command can be parsed twice in a
		       process */
	opterr = 0;
	while (!r && (c = getopt_long((int)argv->nr, argv->v, buf_str(&m.shorts), m.longs,
				      NULL)) != -1) {
		const char *word = optind > 0 ? argv->v[optind - 1] : "";
		size_t i = row_of(&m, c);

		if (c == ':')
			r = err_set(e, ERR_USAGE, "option '%s' needs a value", word);
		else if (c == '?' || i >= m.nr)
			r = err_set(e, ERR_USAGE, "unknown or ambiguous option '%s'",
				    word);
		else {
			list_reset(&m, i, seen);
			r = opt_set(m.row[i], m.opts[i], optarg, e);
		}
	}
	for (int i = optind; !r && i < (int)argv->nr; i++)
		strv_add(args, argv->v[i]);
	buf_release(&m.shorts);
	return r;
}

void opt_help(const struct opt *table, struct buf *ret)
{
	for (const struct opt *o = table; o && o->name; o++) {
		_cleanup_free_ char *letter = o->letter ? xasprintf("-%c, ", o->letter)
							: NULL;
		_cleanup_free_ char *left = xasprintf("%s--%s%s%s", letter ?: "    ",
						      o->name, o->arg ? " " : "",
						      o->arg ?: "");

		buf_addf(ret, "  %-26s %s%s%s%s\n", left, o->help, o->key ? " [" : "",
			 o->key ?: "", o->key ? "]" : "");
	}
}

void opt_release(const struct opt *table, void *opts)
{
	for (const struct opt *o = table; o && o->name; o++) {
		if (o->type == OPT_STRING)
			base_freep(field(opts, o));
		else if (o->type == OPT_LIST)
			strv_release(field(opts, o));
	}
}
