// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/rules.h"

#include <string.h>

#include "cli/cmd.h"
#include "core/base/parse.h"

static int parse_count(const char *option, const char *value, int *ret, struct err *e)
{
	if (!value || parse_int(value, 0, 1000, ret))
		return 0;
	return err_set(e, ERR_USAGE,
		       "option --%s wants a number of at most 1000, not '%s'", option,
		       value);
}

static int parse_whitespace(const char *value, enum apply_whitespace *ret, struct err *e)
{
	static const struct {
		const char *word;
		enum apply_whitespace value;
	} words[] = {
		{ "nowarn", WHITESPACE_KEEP },	{ "warn", WHITESPACE_KEEP },
		{ "fix", WHITESPACE_FIX },	{ "strip", WHITESPACE_FIX },
		{ "error", WHITESPACE_REFUSE }, { "error-all", WHITESPACE_REFUSE },
	};

	if (!value)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(value, words[i].word))
			continue;
		*ret = words[i].value;
		return 0;
	}
	return err_set(e, ERR_USAGE,
		       "option --whitespace wants nowarn, warn, fix or "
		       "error, not '%s'",
		       value);
}

int cli_rules(const struct cli_rules_opts *o, struct apply_rules *ret, struct err *e)
{
	struct apply_rules r = APPLY_RULES_INIT;
	int context = -1;

	r.directory = o->directory;
	r.include = &o->include;
	r.exclude = &o->exclude;
	r.ignore_space_change = o->ignore_space_change;
	if (parse_count("context", o->context, &context, e) < 0 ||
	    parse_count("strip", o->strip, &r.strip, e) < 0 ||
	    parse_whitespace(o->whitespace, &r.whitespace, e) < 0)
		return -(int)e->code;
	if (context >= 0)
		r.context = (unsigned int)context;
	*ret = r;
	return 0;
}

int cli_threeway(struct ctx *c, const struct cli_rules_opts *o, bool *ret, struct err *e)
{
	bool set;

	if (cfg_bool(c->cfg, "am.threeWay", false, &set, e) < 0 ||
	    cfg_bool(c->cfg, "kiln.threeWay", set, &set, e) < 0)
		return -(int)e->code;
	*ret = set || (o && o->threeway);
	return 0;
}
