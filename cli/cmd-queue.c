// SPDX-License-Identifier: GPL-3.0-or-later
#include <ctype.h>
#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/apply-step.h"
#include "cli/cmd.h"
#include "cli/json.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/queue-missing.h"
#include "cli/queue-objections.h"
#include "cli/queue-try.h"
#include "cli/queue-versions.h"
#include "cli/queue-view.h"
#include "cli/report/data.h"
#include "cli/run-start.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/stable/facts.h"

struct queue_cmd_opts {
	struct cli_source_opts source;
	struct queue_try_opts try;
	char *onto, *mainline, *dir, *failed;
	struct strv only, skip;
	uint64_t max_shift, max_lines;
	bool static_only, since, reply, detail, list, objections, asked, no_apply;
};

/* clang-format off: an option a line or two */
static const struct opt queue_table[] = {
	{ "onto", 0, OPT_STRING, offsetof(struct queue_cmd_opts, onto), "REV",
	  "tree the queue is for; default: the branch or tag of its version", NULL },
	{ "mainline", 0, OPT_STRING, offsetof(struct queue_cmd_opts, mainline), "REV|DIR",
	  "mainline, or its repository; default: a branch master", "kiln.mainline" },
	{ "queue", 0, OPT_STRING, offsetof(struct queue_cmd_opts, dir), "DIR",
	  "checkout of the stable queue; default: the working folder", "kiln.queue" },
	{ "only", 0, OPT_LIST, offsetof(struct queue_cmd_opts, only), "CHECK,...",
	  "make these checks alone, by id or name", NULL },
	{ "skip", 0, OPT_LIST, offsetof(struct queue_cmd_opts, skip), "CHECK,...",
	  "leave these checks out", "kiln.queueSkip" },
	{ "static", 0, OPT_FLAG, offsetof(struct queue_cmd_opts, static_only), NULL,
	  "build and boot nothing", "kiln.queueStatic" },
	{ "each", 0, OPT_FLAG, offsetof(struct queue_cmd_opts, try.each), NULL,
	  "compile what each patch touches, not only the tip", "kiln.queueEach" },
	{ "budget", 0, OPT_DURATION, offsetof(struct queue_cmd_opts, try.search.budget),
	  "DURATION", "most time a search for a patch may take; default: 48h",
	  "kiln.budget" },
	{ "since", 0, OPT_FLAG, offsetof(struct queue_cmd_opts, since), NULL,
	  "show and count only what is new since the last run on this queue", NULL },
	{ "reply", 0, OPT_FLAG, offsetof(struct queue_cmd_opts, reply), NULL,
	  "text for a reply on the list", NULL },
	{ "detail", 0, OPT_FLAG, offsetof(struct queue_cmd_opts, detail), NULL,
	  "show how adapted patches differ from upstream", NULL },
	{ "objections", 0, OPT_FLAG, offsetof(struct queue_cmd_opts, objections), NULL,
	  "look in the archives for replies against each commit",
	  "kiln.queueObjections" },
	{ "max-shift", 0, OPT_UINT, offsetof(struct queue_cmd_opts, max_shift), "LINES",
	  "lines a hunk may move before that is a warning; default: 100",
	  "kiln.queueMaxShift" },
	{ "max-lines", 0, OPT_UINT, offsetof(struct queue_cmd_opts, max_lines), "LINES",
	  "changed lines above which a patch is called large; default: 100",
	  "kiln.queueMaxLines" },
	{ "asked", 0, OPT_FLAG, offsetof(struct queue_cmd_opts, asked), NULL,
	  "missing: only what Cc: stable asks for", "kiln.queueAsked" },
	{ "failed", 0, OPT_STRING, offsetof(struct queue_cmd_opts, failed), "MAILBOX",
	  "missing: mails that say what failed to apply", "kiln.queueFailed" },
	{ "no-apply", 0, OPT_FLAG, offsetof(struct queue_cmd_opts, no_apply), NULL,
	  "missing: do not try whether fixes apply", "kiln.queueNoApply" },
	{ "list", 0, OPT_FLAG, offsetof(struct queue_cmd_opts, list), NULL,
	  "list the checks", NULL },
	SOURCE_OPTS(struct queue_cmd_opts, source),
	STAGE_BENCH_ROWS(struct queue_cmd_opts, try.stage),
	COMPARE_ROWS(struct queue_cmd_opts, try.compare),
	BISECT_ROWS(struct queue_cmd_opts, try.search),
	STAGE_MACHINE_ROWS(struct queue_cmd_opts, try.stage),
	{ 0 },
};
/* clang-format on */

static const char *needs_word(unsigned int needs)
{
	return needs & CHECK_NEEDS_RUN				    ? "build, boot"
	       : needs & CHECK_NEEDS_MAIL			    ? "mails"
	       : needs == (CHECK_NEEDS_MAINLINE | CHECK_NEEDS_BASE) ? "mainline, tree"
	       : needs & CHECK_NEEDS_MAINLINE			    ? "mainline"
	       : needs & CHECK_NEEDS_BASE			    ? "tree"
								    : "-";
}

static void list_checks(const struct ctx *c)
{
	static const struct column cols[] = { { "ID", false },
					      { "NAME", false },
					      { "WORST", false },
					      { "NEEDS", false },
					      { "WHAT IS RIGHT", false } };
	_cleanup_strv_ struct strv cells = STRV_INIT;
	json_t *doc = json_array();

	for (const struct check *k = checks; k->id; k++) {
		strv_addl(&cells, k->id, k->name, check_severity_word(k->severity),
			  needs_word(k->needs), k->about, NULL);
		json_array_append_new(doc, json_pack("{s:s, s:s, s:s, s:s}", "check",
						     k->id, "name", k->name, "severity",
						     check_severity_word(k->severity),
						     "about", k->about));
	}
	if (c->json) {
		out_json(json_pack("{s:o}", "checks", doc));
		return;
	}
	json_decref(doc);
	out_table(cols, ARRAY_SIZE(cols), &cells);
}

/* Words may be separated by commas or blanks. */
static void split(const struct strv *given, struct strv *ret)
{
	for (size_t i = 0; i < given->nr; i++)
		for (const char *p = given->v[i]; *(p += strspn(p, ", "));) {
			size_t n = strcspn(p, ", ");

			strv_take(ret, xstrndup(p, n));
			p += n;
		}
}

/* A queue on one tree. */
struct work {
	struct ctx *c;
	struct run *run;
	const struct queue_cmd_opts *o;
	const struct strv *only, *skip;
	struct queue *q;
	struct queue_base base;
	struct stable_facts *facts;
	struct queue_objections objections;
	struct queue_report report;
	struct queue_news news;
	struct queue_view view;
	struct queue_try tried;
	char *ref, *tester;
	const char *mail; /* the queue came in, NULL = in files; borrowed */
};

static void work_release(struct work *w)
{
	queue_try_release(&w->tried);
	queue_news_release(&w->news, &w->report);
	queue_report_release(&w->report);
	queue_objections_release(&w->objections);
	facts_free(w->facts);
	queue_base_release(&w->base);
	free(w->ref);
	free(w->tester);
}

static int open_all(struct work *w, struct err *e)
{
	struct facts_opts fo = { .mainline = w->o->mainline,
				 .active = &w->q->active,
				 .version = w->q->version,
				 .progress = w->c->progress };

	if (step_queue_base(w->c, w->run, w->q, w->o->onto, &w->base, e) < 0)
		return -(int)e->code;
	fo.base = w->base.name;
	if (facts_open(w->c->repo, &fo, &w->facts, e) < 0)
		return -(int)e->code;
	return queue_objections_open(
		w->c, w->run, w->o->objections ? &w->o->source : NULL, &w->objections, e);
}

static int check(struct work *w, struct err *e)
{
	const struct objection_source objections = { queue_objections_find,
						     &w->objections };
	struct cli_apply_opts user = { 0 };
	struct check_opts o = {
		.base = w->base.oid,
		.base_name = w->base.name,
		.apply = &user.apply,
		.only = w->only,
		.skip = w->skip,
		.objections = w->objections.thread || w->o->objections ? &objections
								       : NULL,
		.max_shift = w->o->max_shift ? w->o->max_shift : CHECK_MAX_SHIFT,
		.max_lines = w->o->max_lines ? w->o->max_lines : CHECK_MAX_LINES,
		.now = clock_epoch(),
		.progress = w->c->progress,
	};
	int r;

	cli_apply_opts_fill(w->c, &user);
	w->tester = xasprintf("%s <%s>", user.name ? user.name : "kiln",
			      user.email ? user.email : "kiln@localhost");
	r = check_queue(w->c->repo, w->q, w->facts, &o, &w->report, e);
	cli_apply_release(&user);
	return r;
}

/* The queue as commits, under the same kind of name as any series, when all of it fits. */
static int write_ref(struct work *w, struct err *e)
{
	_cleanup_free_ char *message = NULL;

	if (!w->report.applied || !w->q->nr)
		return 0;
	if (w->q->whole) {
		free(w->q->series->message_id);
		w->q->series->message_id = w->q->version
						   ? xasprintf("queue-%s", w->q->version)
						   : xstrdup(w->q->name);
	}
	w->ref = cli_ref(w->q->series, &w->report.base);
	message = xasprintf("kiln queue: %zu patches on %.12s", w->q->nr,
			    w->report.base.hex);
	return repo_write_ref(w->c->repo, w->ref, &w->report.head, message, NULL, e);
}

/* One queue on one repository, whichever checkout it was read from. */
static char *news_key(const struct work *w)
{
	_cleanup_free_ char *what =
		xasprintf("%s\n%s\n%s", repo_common_dir(w->c->repo),
			  w->q->version ? w->q->version : "",
			  w->q->whole && w->q->version ? "" : w->q->name);
	struct oid digest;

	repo_digest(what, strlen(what), &digest);
	return xasprintf("queue-%.16s", digest.hex);
}

static int find_news(struct work *w, struct err *e)
{
	_cleanup_free_ char *key = news_key(w);

	if (w->o->since && queue_news_find(w->c->store, key, &w->view, &w->news, e) < 0)
		return -(int)e->code;
	return queue_news_keep(w->run, key, &w->view, e);
}

/* What a run prints: text as it comes, one document at the end. */
struct printed {
	json_t *doc, *branches;
	int code;
	size_t nr;
};

/* 1 is worse than 125, 125 worse than 0. */
static int worse(int a, int b)
{
	return a == 1 || b == 1 ? 1 : a ? a : b;
}

static void answer_add(const struct work *w, struct printed *a)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	a->code = worse(a->code, queue_exit_code(&w->view));
	if (w->c->json) {
		json_t *doc = queue_json(&w->view);

		if (a->nr++)
			json_array_append_new(a->branches, doc);
		else
			a->doc = doc;
		return;
	}
	(w->o->reply ? queue_reply : queue_text)(&w->view, &text);
	out_text("%s%s", a->nr++ ? "\n" : "", buf_str(&text));
}

static int try_out(struct work *w, struct err *e)
{
	const struct queue_try_query q = { w->c,       w->run,	w->q,
					   &w->o->try, w->only, w->skip };

	return w->o->static_only || !w->base.name
		       ? 0
		       : queue_try(&q, &w->report, &w->tried, e);
}

/* For `kiln report`: of several trees the last. */
static int keep(const struct work *w, struct err *e)
{
	json_t *doc = queue_json(&w->view);
	int r;

	if (w->mail)
		json_object_set_new(doc, "series",
				    json_pack("{s:o, s:o, s:i, s:i}", "title",
					      json_text(w->q->series->title),
					      "message_id", json_text(w->mail),
					      "revision", w->q->series->revision, "total",
					      w->q->series->total));
	r = report_keep_document(w->run, doc, e);
	json_decref(doc);
	return r;
}

/* What was found out without a machine is told even where the machine fails. */
static int work(struct work *w, struct printed *a, struct err *e)
{
	int r;

	if (open_all(w, e) < 0 || check(w, e) < 0 || write_ref(w, e) < 0)
		return -(int)e->code;
	r = try_out(w, e);
	if (r < 0 && w->c->json)
		return r;
	w->view = (struct queue_view){ .q = w->q,
				       .base = &w->base,
				       .ref = w->ref,
				       .report = &w->report,
				       .news = &w->news,
				       .tried = &w->tried,
				       .tester = w->tester,
				       .detail = w->o->detail };
	if (w->facts) {
		w->view.mainline = facts_mainline(w->facts);
		w->view.mainline_tip = *facts_mainline_tip(w->facts);
	}
	if (r == 0 && (find_news(w, e) < 0 || keep(w, e) < 0))
		return -(int)e->code;
	answer_add(w, a);
	return r;
}

/* The queue on each tree it is for. */
static int work_each(const struct work *common, const struct strv *versions,
		     struct printed *a, struct err *e)
{
	size_t nr = versions->nr && !common->o->onto ? versions->nr : 1;

	for (size_t i = 0; i < nr; i++) {
		_cleanup_(work_release) struct work w = *common;

		if (versions->nr) {
			free(w.q->version);
			w.q->version = xstrdup(versions->v[i]);
		}
		if (work(&w, a, e) < 0)
			return nr > 1 ? err_wrap(e, "cannot check it for %s",
						 versions->v[i])
				      : -(int)e->code;
	}
	return 0;
}

static int read_and_work(const struct work *common, const char *what, struct err *e)
{
	const struct queue_source s = { what, common->o->dir, &common->o->source };
	_cleanup_queue_ struct queue *q = NULL;
	_cleanup_strv_ struct strv versions = STRV_INIT;
	struct printed a = { .branches = json_array() };
	_cleanup_free_ char *mail = NULL;
	struct work w = *common;
	int r = step_queue(w.c, w.run, &s, &q, e);

	w.q = q;
	if (r == 0 && q->nr && !q->v[0].file)
		w.mail = mail = xstrdup(q->series->message_id);
	if (r == 0)
		r = queue_versions(w.c, q, &versions, e);
	if (r == 0 && !w.o->onto && queue_names_no_version(q))
		r = queue_versions_active(w.c, w.o->dir, &versions, e);
	if (r == 0)
		r = work_each(&w, &versions, &a, e);
	if (r == 0 && a.doc) {
		json_object_set(a.doc, "others", a.branches);
		out_json(json_incref(a.doc));
	}
	json_decref(a.doc);
	json_decref(a.branches);
	return r < 0 ? r : a.code;
}

static int missing(struct ctx *c, const struct queue_cmd_opts *o, const char *version,
		   struct err *e)
{
	const struct queue_missing_opts m = { .version = version,
					      .mainline = o->mainline,
					      .onto = o->onto,
					      .queue = o->dir,
					      .failed = o->failed,
					      .asked = o->asked,
					      .apply = !o->no_apply };

	return queue_missing(c, &m, e);
}

static int queue_run(struct ctx *c, const void *opts, const struct strv *args,
		     struct err *e)
{
	const struct queue_cmd_opts *o = opts;
	_cleanup_strv_ struct strv only = STRV_INIT, skip = STRV_INIT;
	struct work w = { .c = c, .o = o, .only = &only, .skip = &skip };

	if (o->list) {
		list_checks(c);
		return 0;
	}
	if (!args->nr)
		return err_set(e, ERR_USAGE, "queue needs a version, a folder or SOURCE");
	if (!c->repo) {
		err_set(e, ERR_NO_TREE, "there is no repository here");
		return err_hint(e, "name a kernel repository with --tree DIR");
	}
	if (args->nr == 2 && strcmp(args->v[0], "missing")) {
		err_set(e, ERR_USAGE, "'%s' is nothing to do with a queue", args->v[0]);
		return err_hint(e, "`kiln queue X.Y`, or `kiln queue missing X.Y`");
	}
	if (args->nr == 2)
		return missing(c, o, args->v[1], e);
	split(&o->only, &only);
	split(&o->skip, &skip);
	if (check_words(&only, e) < 0 || check_words(&skip, e) < 0 ||
	    cli_run(c, &w.run, e) < 0)
		return -(int)e->code;
	return cli_run_end(c, w.run, read_and_work(&w, args->v[0], e), e);
}

const struct cmd cmd_queue = {
	.name = "queue",
	.summary = "Check a stable queue, or find the fixes it lacks",
	.usage = "X.Y | DIR | SOURCE | missing X.Y",
	.opts = queue_table,
	.opts_size = sizeof(struct queue_cmd_opts),
	.needs = CMD_STORE | CMD_MAYBE_TREE,
	.min_args = 0,
	.max_args = 2,
	.run = queue_run,
};
