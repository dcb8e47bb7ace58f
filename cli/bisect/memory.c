// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/memory.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"

#define NOTE "bisect.note."
#define POINTS_MAX ((size_t)1 << 30)

static int get(struct run *r, const char *key, char **ret, struct err *e)
{
	_cleanup_err_ struct err none = { 0 };

	if (run_get(r, key, ret, &none) == 0)
		return 1;
	if (none.code == ERR_NOT_FOUND)
		return 0;
	*e = none;
	none = (struct err){ 0 };
	return -(int)e->code;
}

/* Several lines in one fact: they are true together or not at all. */
static int read_note(struct memory *m, const char *text, struct err *e)
{
	_cleanup_free_ char *copy = xstrdup(text);
	char *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		struct log_entry en = { 0 };

		if (!*line)
			continue;
		if (log_entry_parse(line, &en, e) < 0)
			return err_wrap(e, "run %s remembers nonsense", run_id(m->run));
		*array_push(m->log.v, m->log.nr) = en;
	}
	m->nr_notes++;
	return 0;
}

static int read_notes(struct memory *m, struct err *e)
{
	_cleanup_strv_ struct strv facts = STRV_INIT;

	if (run_facts(m->run, &facts, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i + 1 < facts.nr; i += 2)
		if (!strncmp(facts.v[i], NOTE, strlen(NOTE)) &&
		    read_note(m, facts.v[i + 1], e) < 0)
			return -(int)e->code;
	return 0;
}

static int read_head(struct memory *m, const char *terms, const char *engine,
		     struct err *e)
{
	const char *blank = strchr(terms, ' ');

	if (!blank)
		return err_set(e, ERR_STORE, "run %s remembers no terms", run_id(m->run));
	m->log.old = xstrndup(terms, (size_t)(blank - terms));
	m->log.new = xstrdup(blank + 1);
	return log_engine_parse(engine, &m->log.o, e);
}

int memory_load(struct run *r, struct memory *ret, struct err *e)
{
	_cleanup_memory_ struct memory m = { .run = r };
	_cleanup_free_ char *terms = NULL, *engine = NULL;
	int had = get(r, "bisect.engine", &engine, e);

	if (had < 0)
		return had;
	m.fresh = !had;
	if (had && (run_get(r, "bisect.question", &m.log.question, e) < 0 ||
		    run_get(r, "bisect.terms", &terms, e) < 0 ||
		    read_head(&m, terms, engine, e) < 0 || read_notes(&m, e) < 0))
		return -(int)e->code;
	*ret = m;
	m = (struct memory){ 0 };
	return 0;
}

static int points_path(struct run *r, char **ret, struct err *e)
{
	const char *dir;

	if (run_dir(r, &dir, e) < 0)
		return -(int)e->code;
	*ret = fs_path(dir, "bisect.points");
	return 0;
}

static int write_points(struct run *r, const struct space *space, bool first_parent,
			struct err *e)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_buf_ struct buf text = BUF_INIT;

	log_space_write(space, first_parent, &text);
	log_points_write(space, &text);
	if (points_path(r, &path, e) < 0)
		return -(int)e->code;
	return fs_write(path, text.data, text.len, e);
}

int memory_begin(struct memory *m, const struct bisect_log *head,
		 const struct space *space, struct err *e)
{
	_cleanup_free_ char *terms = xasprintf("%s %s", head->old, head->new);
	_cleanup_buf_ struct buf engine = BUF_INIT;

	log_engine_write(&head->o, &engine);
	/* "engine" is last: with it all of this is there. */
	if (write_points(m->run, space, head->first_parent, e) < 0 ||
	    run_set(m->run, "bisect.question", head->question, e) < 0 ||
	    run_set(m->run, "bisect.terms", terms, e) < 0 ||
	    run_set(m->run, "bisect.engine", buf_str(&engine), e) < 0)
		return -(int)e->code;
	m->log.question = xstrdup(head->question);
	m->log.old = xstrdup(head->old);
	m->log.new = xstrdup(head->new);
	m->log.o = head->o;
	m->fresh = false;
	return 0;
}

int memory_add(struct memory *m, const struct log_entry *v, size_t nr, struct err *e)
{
	_cleanup_free_ char *key = xasprintf(NOTE "%08zu", m->nr_notes);
	_cleanup_buf_ struct buf text = BUF_INIT;

	for (size_t i = 0; i < nr; i++) {
		log_entry_write(&v[i], &text);
		buf_addc(&text, '\n');
	}
	if (run_set(m->run, key, buf_str(&text), e) < 0)
		return -(int)e->code;
	m->nr_notes++;
	return 0;
}

int memory_log(struct run *r, struct bisect_log *ret, struct err *e)
{
	_cleanup_memory_ struct memory m = { 0 };
	_cleanup_free_ char *path = NULL;
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (memory_load(r, &m, e) < 0 || points_path(r, &path, e) < 0)
		return -(int)e->code;
	if (m.fresh) {
		err_set(e, ERR_NOT_FOUND, "run %s has bisected nothing", run_id(r));
		return err_hint(e, "`kiln runs` lists the runs");
	}
	log_head_write(&m.log, &text);
	if (fs_read(path, POINTS_MAX, &text, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < m.log.nr; i++) {
		log_entry_write(&m.log.v[i], &text);
		buf_addc(&text, '\n');
	}
	return log_parse(buf_str(&text), ret, e);
}

void memory_release(struct memory *m)
{
	bisect_log_release(&m->log);
	*m = (struct memory){ 0 };
}
