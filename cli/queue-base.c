// SPDX-License-Identifier: GPL-3.0-or-later
/* Which commit a queue is for. */
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/queue-read.h"
#include "core/base/alloc.h"
#include "core/git/base-refs.h"
#include "core/stable/version.h"

struct base_step {
	struct ctx *c;
	const struct queue *q;
	const char *onto;
	struct queue_base base;
};

void queue_base_release(struct queue_base *b)
{
	free(b->name);
	free(b->candidate);
}

static bool resolves(struct ctx *c, const char *rev, struct queue_base *ret)
{
	_cleanup_err_ struct err ignored = { 0 };
	struct oid oid;

	if (repo_resolve(c->repo, rev, &oid, &ignored) < 0)
		return false;
	ret->name = xstrdup(rev);
	ret->oid = oid;
	return true;
}

/* Trees of release candidates are made of the queue itself. */
static bool is_rc_tree(const struct base_ref *ref)
{
	return ref->remote && strstr(ref->remote, "-rc");
}

/* The newest of the refs that the patterns name. */
static int newest(struct ctx *c, const char *patterns, struct queue_base *ret,
		  struct err *e)
{
	struct base_refs refs = { 0 };
	const struct base_ref *best = NULL;

	if (base_refs_list(c->repo, patterns, &refs, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < refs.nr; i++)
		if (!is_rc_tree(&refs.v[i]) && (!best || refs.v[i].time > best->time))
			best = &refs.v[i];
	if (best) {
		ret->name = xstrdup(best->name);
		ret->oid = best->tip;
	}
	base_refs_release(&refs);
	return best != NULL;
}

/* "v6.1.6" for the queue of 6.1.7, in whatever form it names that. */
static bool find_release(struct base_step *s)
{
	_cleanup_free_ char *release = s->q->release ? version_in(s->q->release) : NULL;
	_cleanup_free_ char *before = release ? version_before(release) : NULL;
	_cleanup_free_ char *tag = before ? xasprintf("v%s", before) : NULL;

	return tag && resolves(s->c, tag, &s->base);
}

static int find_branch(struct base_step *s, struct err *e)
{
	const char *v = s->q->version;
	_cleanup_free_ char *local = xasprintf("linux-%s.y", v);
	_cleanup_free_ char *branches = xasprintf("linux-%s.y,*/linux-%s.y", v, v);
	_cleanup_free_ char *tags = xasprintf("v%s.*", v);
	_cleanup_free_ char *first = xasprintf("v%s", v);
	int r;

	if (resolves(s->c, local, &s->base))
		return 0;
	r = newest(s->c, branches, &s->base, e);
	if (r == 0)
		r = newest(s->c, tags, &s->base, e);
	if (r != 0)
		return r < 0 ? r : 0;
	if (resolves(s->c, first, &s->base))
		return 0;
	err_set(e, ERR_UNKNOWN_REV, "the repository has no branch or tag of %s", v);
	return err_hint(e, "fetch linux-%s.y, or name the tree with --onto REV", v);
}

/* "EXTRAVERSION = -rc2" of the Makefile. */
static void find_candidate(struct base_step *s)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_err_ struct err ignored = { 0 };
	const char *p;

	if (!s->base.name ||
	    repo_read_file(s->c->repo, &s->base.oid, "Makefile", &text, &ignored) < 0)
		return;
	p = strstr(buf_str(&text), "\nEXTRAVERSION =");
	if (!p)
		return;
	p += strlen("\nEXTRAVERSION =");
	p += strspn(p, " \t");
	if (!strncmp(p, "-rc", 3))
		s->base.candidate = xstrndup(p, strcspn(p, " \t\n"));
}

static int base_act(void *ctx, struct err *e)
{
	struct base_step *s = ctx;
	struct oid oid;

	if (s->onto) {
		if (repo_resolve(s->c->repo, s->onto, &oid, e) < 0)
			return err_wrap(e, "cannot check the queue on '%s'", s->onto);
		s->base.name = xstrdup(s->onto);
		s->base.oid = oid;
	} else if (s->q->version && !find_release(s) && find_branch(s, e) < 0) {
		return -(int)e->code;
	}
	find_candidate(s);
	return 0;
}

static int base_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	const struct base_step *s = ctx;

	(void)r;
	(void)e;
	if (s->base.name)
		buf_addf(detail, "%s %s", s->base.oid.hex, s->base.name);
	return 0;
}

static int base_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	struct base_step *s = ctx;
	const char *space = strchr(detail, ' ');
	_cleanup_free_ char *hex = space ? xstrndup(detail, (size_t)(space - detail))
					 : NULL;

	(void)r;
	if (!space)
		return 0;
	if (repo_resolve(s->c->repo, hex, &s->base.oid, e) < 0)
		return err_wrap(e, "the tree of this run is gone");
	s->base.name = xstrdup(space + 1);
	find_candidate(s);
	return 0;
}

int step_queue_base(struct ctx *c, struct run *r, const struct queue *q, const char *onto,
		    struct queue_base *ret, struct err *e)
{
	static const struct step step = { base_act, base_save, base_load };
	struct base_step s = { .c = c, .q = q, .onto = onto };
	_cleanup_free_ char *name = q->version ? xasprintf("base:%s", q->version)
					       : xstrdup("base");
	int rc = run_step(r, &step, name, &s, e);

	if (rc < 0)
		queue_base_release(&s.base);
	else
		*ret = s.base;
	return rc;
}
