// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/steps-objects.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/git/repo.h"

struct objects_step {
	struct repo *repo;
	const struct oid *before, *commit;
	const struct build_opts *opts;
	char *key; /* of the fact that all compile */
	struct objects_record rec;
};

static int objects_act(void *ctx, struct err *e)
{
	struct objects_step *s = ctx;

	if (build_objects(s->repo, s->before, s->commit, s->opts, &s->rec, e) < 0)
		return err_wrap(e, "no objects of commit %.12s", s->commit->hex);
	return 0;
}

/* "12" objects that compile, or why only a whole build tells. */
static int objects_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	const struct objects_step *s = ctx;

	if (s->rec.answer == OBJECTS_WHOLE) {
		buf_addf(detail, "whole %s", s->rec.why);
		return 0;
	}
	buf_addf(detail, "%zu", s->rec.nr);
	return run_set(r, s->key, buf_str(detail), e);
}

static bool read_answer(const char *text, struct objects_record *ret)
{
	uint64_t nr;

	if (!strncmp(text, "whole ", 6)) {
		*ret = (struct objects_record){ OBJECTS_WHOLE, 0, xstrdup(text + 6) };
		return true;
	}
	if (!parse_u64(text, &nr))
		return false;
	*ret = (struct objects_record){ OBJECTS_COMPILE, (size_t)nr, NULL };
	return true;
}

static int objects_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	struct objects_step *s = ctx;

	(void)r;
	if (!read_answer(detail, &s->rec))
		return err_set(e, ERR_STORE, "the journal's record of %.12s is damaged",
			       s->commit->hex);
	return 0;
}

/* What another run found, with the same tools and configuration. */
static int find_earlier(struct run *r, struct objects_step *s, struct err *e)
{
	_cleanup_free_ char *run = NULL, *value = NULL;
	int found = run_newest(run_store(r), s->key, &run, &value, e);

	return found <= 0 ? found : read_answer(value, &s->rec);
}

static int do_step(struct run *r, struct objects_step *s, struct err *e)
{
	static const struct step step = { objects_act, objects_save, objects_load };
	_cleanup_free_ char *name = NULL;
	struct oid key;
	int rc;

	if (build_objects_key(s->repo, s->before, s->commit, s->opts, &key, e) < 0)
		return -(int)e->code;
	s->key = xasprintf("objects-%s", key.hex);
	rc = find_earlier(r, s, e);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	name = xasprintf("objects:%.16s..%.16s", s->before->hex, s->commit->hex);
	return run_step(r, &step, name, s, e);
}

int step_objects(struct ctx *c, struct run *r, const struct oid *before,
		 const struct oid *commit, const struct cli_build_opts *o,
		 struct objects_record *ret, struct err *e)
{
	_cleanup_build_task_ struct build_task *task = NULL;
	struct objects_step s = { .repo = c->repo, .before = before, .commit = commit };
	int rc;

	if (build_task_new(c, commit, o, &task, e) < 0 ||
	    build_task_opts(task, &s.opts, e) < 0)
		return -(int)e->code;
	rc = do_step(r, &s, e);
	free(s.key);
	if (rc == 0)
		*ret = s.rec;
	return rc;
}
