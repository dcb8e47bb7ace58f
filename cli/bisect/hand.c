// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/hand.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/bisect/memory.h"
#include "cli/bisect/search.h"
#include "cli/out.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/git/repo.h"

#define MAX_TIMES 1000
#define MAX_VALUES 1000
#define LEAST_HEX 7

static bool is_word(const char *s)
{
	static const char *const words[] = { "good", "bad",    "old",	 "new",
					     "skip", "sample", "broken", "fixed" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(s, words[i]))
			return true;
	return false;
}

bool hand_is_tell(struct ctx *c, const struct strv *args)
{
	_cleanup_err_ struct err ignored = { 0 };
	_cleanup_run_ struct run *run = NULL;

	if (args->nr < 3)
		return false;
	if (is_word(args->v[0]))
		return true;
	/* a term of the run's own */
	return strlen(args->v[1]) >= 4 &&
	       run_open(c->store, args->v[1], &run, &ignored) == 0;
}

bool hand_is_log(const struct strv *args)
{
	return args->nr && args->nr <= 2 && !strcmp(args->v[0], "log");
}

/* A point by revision: the beginning of its id, else whatever git understands. */
static int find_point(struct ctx *c, const struct space *s, const char *rev, size_t *ret,
		      struct err *e)
{
	size_t len = strlen(rev);
	bool hex = len >= LEAST_HEX && len <= 40 && parse_is_hex(rev, len);
	struct oid oid = { 0 };

	if (!hex && !c->repo)
		return err_set(e, ERR_NO_TREE, "'%s' needs a repository to be resolved",
			       rev);
	if (!hex && repo_resolve(c->repo, rev, &oid, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < s->nr; i++)
		if (hex ? !strncasecmp(s->v[i].commit.hex, rev, len)
			: oid_equal(&s->v[i].commit, &oid)) {
			*ret = i;
			return 0;
		}
	return err_set(e, ERR_USAGE, "'%s' is not among what this run bisects", rev);
}

static int take_values(const struct strv *args, struct log_entry *en, struct err *e)
{
	en->kind = LOG_RUNS;
	for (size_t i = 3; i < args->nr; i++) {
		double v;

		if (!parse_double(args->v[i], &v) || v <= 0 || i > MAX_VALUES)
			return err_set(e, ERR_USAGE, "'%s' is no rate", args->v[i]);
		*array_push(en->runs, en->nr_runs) = v;
	}
	if (!en->nr_runs)
		return err_set(e, ERR_USAGE, "a sample needs at least one rate");
	return 0;
}

static int take_times(const struct bisect_log *l, const struct strv *args, bool new,
		      struct log_entry *en, struct err *e)
{
	int times = 1;

	if (args->nr > 4 ||
	    (args->nr == 4 && !parse_int(args->v[3], 1, MAX_TIMES, &times)))
		return err_set(e, ERR_USAGE, "'%s' is no number of times", args->v[3]);
	if (l->o.kind != BISECT_PASS) {
		err_set(e, ERR_USAGE, "this run bisects a number, not a yes or no");
		return err_hint(e, "kiln bisect sample RUN REV RATE...");
	}
	en->kind = LOG_PASS;
	*(new ? &en->new : &en->old) = (unsigned int)times;
	return 0;
}

static int take_word(const struct bisect_log *l, const struct strv *args,
		     struct log_entry *en, struct err *e)
{
	const char *word = args->v[0];
	bool end = en->at == 0 || en->at + 1 == l->space.nr;

	if (!strcmp(word, "sample"))
		return l->o.kind == BISECT_NUMBER
			       ? take_values(args, en, e)
			       : err_set(e, ERR_USAGE,
					 "this run bisects a yes or no, not a number");
	if (!strcmp(word, "skip")) {
		en->kind = LOG_SKIP;
		en->stage = BISECT_AT_BOOT;
		en->reason = xstrdup("told by hand");
		return end ? err_set(e, ERR_USAGE, "an end cannot be skipped") : 0;
	}
	if (!strcmp(word, l->old) || !strcmp(word, "old"))
		return take_times(l, args, false, en, e);
	if (!strcmp(word, l->new) || !strcmp(word, "new"))
		return take_times(l, args, true, en, e);
	err_set(e, ERR_USAGE, "'%s' is no word of this run", word);
	return err_hint(e, "its words are %s, %s, skip and sample", l->old, l->new);
}

int hand_tell(struct ctx *c, const struct strv *args, struct err *e)
{
	_cleanup_run_ struct run *run = NULL;
	_cleanup_bisect_log_ struct bisect_log log = { 0 };
	_cleanup_memory_ struct memory m = { 0 };
	_cleanup_log_entry_ struct log_entry en = { .hand = true };

	if (run_open(c->store, args->v[1], &run, e) < 0 || run_claim(run, e) < 0 ||
	    memory_log(run, &log, e) < 0 || memory_load(run, &m, e) < 0 ||
	    find_point(c, &log.space, args->v[2], &en.at, e) < 0)
		return -(int)e->code;
	en.commit = log.space.v[en.at].commit;
	if (take_word(&log, args, &en, e) < 0 || memory_add(&m, &en, 1, e) < 0)
		return -(int)e->code;
	if (!c->quiet)
		out_talk("run %s knows it now; `kiln resume %s` goes on", run_id(run),
			 run_id(run));
	return 0;
}

int hand_log(struct ctx *c, const struct strv *args, bool git, struct err *e)
{
	_cleanup_run_ struct run *run = NULL;
	_cleanup_bisect_log_ struct bisect_log log = { 0 }, copy = { 0 };
	_cleanup_(bisection_release) struct bisection b = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_free_ double *p_new = NULL;

	if (run_open(c->store, args->nr > 1 ? args->v[1] : "last", &run, e) < 0 ||
	    memory_log(run, &log, e) < 0)
		return -(int)e->code;
	if (git) {
		if (memory_log(run, &copy, e) < 0 ||
		    search_replay(&copy, &b, &p_new, e) < 0)
			return -(int)e->code;
		log_write_git(&log, p_new, &text);
	} else {
		log_write(&log, &text);
	}
	out_text("%s", buf_str(&text));
	return 0;
}
