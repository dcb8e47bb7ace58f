// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>

#include "bench/spec.h"
#include "cli/bisect/chart.h"
#include "cli/report/forms.h"
#include "cli/bisect/hand.h"
#include "cli/bisect/memory.h"
#include "cli/bisect/print.h"
#include "cli/bisect/range.h"
#include "cli/bisect/simulate.h"
#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/run-start.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

#define LOG_MAX ((size_t)1 << 30)

struct bisect_cmd_opts {
	struct stage_opts stage;
	struct bisect_settings bisect;
	struct cli_source_opts source;
	struct cli_base_opts base;
	char *html, *question, *splat, *test, *timeout_is, *replay, *simulate;
	uint64_t test_timeout;
	struct strv watch;
	bool git, config;
};

/* clang-format off */
#define AT(m) offsetof(struct bisect_cmd_opts, m)
static const struct opt bisect_table[] = {
	{ "for", 0, OPT_STRING, AT(question), "QUESTION",
	  "number, boot, build, splat or test; default: number", "kiln.bisectFor" },
	{ "splat", 0, OPT_STRING, AT(splat), "REGEX",
	  "ask whether the console holds such a report", "kiln.splat" },
	{ "test", 0, OPT_STRING, AT(test), "COMMAND",
	  "ask a command, with exit codes as of `git bisect run`", "kiln.test" },
	{ "test-timeout", 0, OPT_DURATION, AT(test_timeout), "DURATION",
	  "time limit of a test; default 1h", "kiln.testTimeout" },
	{ "timeout-is", 0, OPT_STRING, AT(timeout_is), "WORD",
	  "what a hang or timeout says: untestable (default) or bad", "kiln.timeoutIs" },
	{ "fixed", 0, OPT_FLAG, AT(bisect.fixed), NULL,
	  "search for a fix: the second end is the good one", "kiln.fixed" },
	{ "term-old", 0, OPT_STRING, AT(bisect.old), "WORD",
	  "word for the first end; default: good, or broken", "kiln.termOld" },
	{ "term-new", 0, OPT_STRING, AT(bisect.new), "WORD",
	  "word for the second end; default: bad, or fixed", "kiln.termNew" },
	STAGE_BENCH_ROWS(struct bisect_cmd_opts, stage),
	BISECT_ROWS(struct bisect_cmd_opts, bisect),
	{ "watch", 0, OPT_LIST, AT(watch), "L0/L1",
	  "cell to report on as well; may be repeated", "kiln.watch" },
	{ "budget", 0, OPT_DURATION, AT(bisect.budget), "DURATION",
	  "refuse a plan that takes longer, and stop after so long", "kiln.budget" },
	{ "expect", 0, OPT_DOUBLE, AT(bisect.expect), "FRACTION",
	  "change the plan reckons with; default 0.05", "kiln.expect" },
	{ "no-speculate", 0, OPT_FLAG, AT(bisect.no_speculate), NULL,
	  "build nothing ahead while something boots", "kiln.noSpeculate" },
	{ "first-parent", 0, OPT_FLAG, AT(bisect.first_parent), NULL,
	  "follow only the first parent of merges", "kiln.firstParent" },
	BASE_OPTS(struct bisect_cmd_opts, base),
	SOURCE_OPTS(struct bisect_cmd_opts, source),
	{ "replay", 0, OPT_STRING, AT(replay), "FILE",
	  "print the result of a log instead of measuring", NULL },
	{ "config", 0, OPT_FLAG, AT(config), NULL,
	  "bisect two configurations of one commit", NULL },
	{ "html", 0, OPT_STRING, AT(html), "FILE",
	  "write the result with its plots as one HTML file", NULL },
	{ "git", 0, OPT_FLAG, AT(git), NULL,
	  "with log: as `git bisect replay` reads it", "kiln.bisectLogGit" },
	{ "simulate", 0, OPT_STRING, AT(simulate), "SPEC",
	  "search simulated histories instead of GOOD BAD", NULL },
	STAGE_MACHINE_ROWS(struct bisect_cmd_opts, stage),
	{ 0 },
};
/* clang-format on */

static int timeout_is_bad(const char *word, bool *ret, struct err *e)
{
	*ret = word && !strcmp(word, "bad");
	if (!word || *ret || !strcmp(word, "untestable"))
		return 0;
	return err_set(e, ERR_USAGE, "a timeout is bad or untestable, not '%s'", word);
}

static int check_term(const char *word, struct err *e)
{
	if (!word || (*word && *word != '-' && !strpbrk(word, " \t\n'\"\\:=")))
		return 0;
	return err_set(e, ERR_USAGE, "'%s' cannot be a term", word);
}

static int check_terms(const struct bisect_settings *o, struct err *e)
{
	if (check_term(o->old, e) < 0 || check_term(o->new, e) < 0)
		return -(int)e->code;
	if (o->old && o->new && !strcmp(o->old, o->new))
		return err_set(e, ERR_USAGE, "both terms are '%s'", o->old);
	return 0;
}

/* The probe before there is a lab: what can be refused without building anything. */
static int make_probe(const struct bisect_cmd_opts *o, struct probe *ret, struct err *e)
{
	struct probe_opts p = {
		.splat = o->splat,
		.test = o->test,
		.test_timeout_s = o->test_timeout,
	};

	if (timeout_is_bad(o->timeout_is, &p.timeout_is_bad, e) < 0 ||
	    check_terms(&o->bisect, e) < 0)
		return -(int)e->code;
	return probe_make(o->question, &p, ret, e);
}

/* A kernel that is known to be good: the end that answers well. */
static const char *good_end(const struct bisect_cmd_opts *o, const struct probe *p,
			    const struct space *s)
{
	bool last = o->bisect.fixed && p->kind == BISECT_PASS;

	return s->v[last ? s->nr - 1 : 0].commit.hex;
}

static int open_lab(struct ctx *c, struct run *run, const struct bisect_cmd_opts *o,
		    const char *via, struct probe *p, struct lab **ret, struct err *e)
{
	bool cells = p->kind == BISECT_NUMBER || (p->o.splat && o->stage.cells.nr);
	int r = probe_needs_machine(p) ? lab_open(c, run, &o->stage, via, ret, e)
				       : lab_open_builder(c, run, &o->stage, ret, e);

	if (r < 0)
		return r;
	p->o.cells[0] = lab_cell(*ret, 0);
	p->o.nr_cells = cells;
	p->o.repo = c->repo;
	p->o.run = run;
	p->o.dir = lab_dir(*ret);
	return 0;
}

/* The file first: printing ends the command where there is no difference. */
static int finish(struct ctx *c, const char *html, const struct bisection *b,
		  const struct bisect_asked *asked, struct err *e)
{
	_cleanup_page_ struct page page = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (html) {
		page_title(&page, "kiln bisect: %s", asked->question);
		bisect_page(b, asked, &page);
		if (report_html(&page, &text, e) < 0 ||
		    fs_write(html, text.data, text.len, e) < 0)
			return err_wrap(e, "cannot write the result to '%s'", html);
	}
	return bisect_print(c, b, asked, e);
}

static int bisect_run(struct ctx *c, struct run *run, const struct bisect_cmd_opts *opts,
		      const struct strv *args, struct err *e)
{
	struct bisect_cmd_opts own = *opts, *o = &own;
	const struct bisect_range_query query = { c,	      run,
						  &o->source, &o->base,
						  &o->bisect, &o->stage.build.arch,
						  args,	      o->config };
	_cleanup_(bisection_release) struct bisection b = { 0 };
	_cleanup_bisect_range_ struct bisect_range s = { 0 };
	_cleanup_memory_ struct memory m = { 0 };
	_cleanup_lab_ struct lab *lab = NULL;
	struct bisect_asked asked;
	struct watch watch = { 0 };
	struct probe probe;

	if (make_probe(o, &probe, e) < 0 || bisect_range_open(&query, &s, e) < 0)
		return -(int)e->code;
	if (o->config) { /* the lab builds the good one */
		o->stage.build.fragment = args->v[0];
		o->stage.build.overlay = s.space.v[0].overlay;
	}
	o->stage.boots_only = probe.kind != BISECT_NUMBER && !o->stage.cells.nr &&
			      !o->watch.nr;
	if (open_lab(c, run, o, good_end(o, &probe, &s.space), &probe, &lab, e) < 0 ||
	    watch_cells(&o->watch, &probe, &watch, e) < 0 ||
	    bisection_run(lab, &s.space, &probe, &o->bisect, &b, e) < 0 ||
	    memory_load(run, &m, e) < 0 ||
	    watch_measure(lab, &probe, &b, m.log.o.end_boots, &watch, e) < 0)
		return -(int)e->code;
	asked = (struct bisect_asked){ .question = m.log.question,
				       .old = m.log.old,
				       .new = m.log.new,
				       .watch = &watch,
				       .series = s.series,
				       .apply = s.apply };
	if (probe.kind == BISECT_NUMBER) {
		asked.bench = lab_bench(lab);
		asked.cell = lab_cell(lab, 0);
	}
	return finish(c, o->html, &b, &asked, e);
}

static int replay(struct ctx *c, const struct bisect_cmd_opts *o, struct err *e)
{
	const char *path = o->replay;
	_cleanup_(bisection_release) struct bisection b = { 0 };
	_cleanup_bisect_log_ struct bisect_log log = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_bench_ struct benchmark *bench = NULL;
	struct bisect_asked asked = { 0 };

	if (fs_read(path, LOG_MAX, &text, e) < 0)
		return -(int)e->code;
	if (log_parse(buf_str(&text), &log, e) < 0 ||
	    bisect_asked_read(log.question, &asked, &bench, e) < 0 ||
	    search_replay(&log, &b, NULL, e) < 0)
		return err_wrap(e, "cannot replay '%s'", path);
	asked.question = log.question;
	asked.old = log.old;
	asked.new = log.new;
	return finish(c, o->html, &b, &asked, e);
}

/* The error main gives for commands that cannot do without. */
static int need_tree(const struct ctx *c, struct err *e)
{
	_cleanup_repo_ struct repo *r = NULL;

	if (c->repo || repo_open(".", &r, e) == 0)
		return 0;
	return err_hint(e, "name a kernel repository with --tree DIR");
}

static bool is_revision(const struct ctx *c, const char *word)
{
	_cleanup_err_ struct err ignored = { 0 };
	struct oid id;

	return c->repo && repo_resolve(c->repo, word, &id, &ignored) == 0;
}

static int check_args(const struct ctx *c, const struct bisect_cmd_opts *o,
		      const struct strv *args, struct err *e)
{
	const struct cell *cell;
	struct probe ignored;

	if (!args->nr) {
		err_set(e, ERR_USAGE, "two ends or a series are wanted");
		return err_hint(e, "kiln help bisect");
	}
	if (args->nr == 1 && !o->config && !fs_exists(args->v[0]) &&
	    is_revision(c, args->v[0])) {
		err_set(e, ERR_USAGE, "two ends are wanted, only '%s' given", args->v[0]);
		return err_hint(e, "kiln bisect GOOD BAD");
	}
	if (o->stage.cells.nr > 1) {
		err_set(e, ERR_USAGE, "one cell is bisected at a time, %zu given",
			o->stage.cells.nr);
		return err_hint(e, "name one --cell");
	}
	if (lab_one_bench(&o->stage, e) < 0)
		return -(int)e->code;
	if (o->watch.nr && o->config)
		return err_set(e, ERR_USAGE, "--watch and --config do not go together");
	for (size_t i = 0; i < o->watch.nr; i++)
		if (cell_parse(NULL, o->watch.v[i], &cell, e) < 0)
			return -(int)e->code;
	if (make_probe(o, &ignored, e) < 0)
		return -(int)e->code;
	return need_tree(c, e);
}

static int bisect_cmd(struct ctx *c, const void *opts, const struct strv *args,
		      struct err *e)
{
	const struct bisect_cmd_opts *o = opts;
	struct run *run;

	if (o->simulate && args->nr)
		return err_set(e, ERR_USAGE, "a simulated search takes no ends");
	if (o->simulate)
		return bisect_simulate(o->simulate, c->json, e);
	if (hand_is_log(args))
		return hand_log(c, args, o->git, e);
	if (o->replay && !args->nr)
		return replay(c, o, e);
	if (!c->resume && hand_is_tell(c, args))
		return hand_tell(c, args, e);
	if (check_args(c, o, args, e) < 0 || cli_run(c, &run, e) < 0)
		return -(int)e->code;
	return cli_run_end(c, run, bisect_run(c, run, o, args, e), e);
}

const struct cmd cmd_bisect = {
	.name = "bisect",
	.summary = "Find the commit that changed a number, or broke something",
	.usage = "GOOD BAD [PATH...] | SERIES | SERIES@vN SERIES@vM | --config GOOD BAD "
		 "REV | --simulate SPEC | log [RUN] | TERM RUN REV [VALUE...]",
	.opts = bisect_table,
	.opts_size = sizeof(struct bisect_cmd_opts),
	.needs = CMD_STORE | CMD_MAYBE_TREE,
	.max_args = -1,
	.run = bisect_cmd,
};
