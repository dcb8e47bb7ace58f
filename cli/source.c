// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "mail/assemble.h"
#include "mail/box.h"
#include "mail/lookup.h"
#include "mail/source.h"

#define MAX_FOLLOW 4

int cli_source_at(const struct cli_source_opts *o, const char *source,
		  struct cli_source_opts *ret, char **ret_source, struct err *e)
{
	int revision;
	_cleanup_free_ char *rest = cli_source_revision(source, &revision);

	if (revision && o->revision && o->revision != (uint64_t)revision)
		return err_set(e, ERR_USAGE, "'%s' and --revision %llu differ", source,
			       (unsigned long long)o->revision);
	*ret = *o;
	if (revision)
		ret->revision = (uint64_t)revision;
	*ret_source = take_ptr(rest);
	return 0;
}

int cli_series_box(struct ctx *c, const struct cli_source_opts *o, const struct box *box,
		   const char *message_id, struct series **ret, struct err *e)
{
	struct assemble_opts ao = { .message_id = message_id };
	_cleanup_pick_ struct pick pick = { 0 };
	_cleanup_free_ char *id = NULL;
	_cleanup_free_ char *sign_off = NULL;

	if (o->revision > INT_MAX)
		return err_set(e, ERR_USAGE, "there is no revision %llu",
			       (unsigned long long)o->revision);
	ao.revision = (int)o->revision;
	if (cli_trailer_opts(c, &o->trailers, &ao, &sign_off, e) < 0 ||
	    cli_pick_opts(&o->picks, &ao, &pick, &id, e) < 0)
		return -(int)e->code;
	return series_from_box(box, &ao, ret, e);
}

/* An element may hold several archives between blanks, unless it is one with blanks. */
static void split(const struct strv *given, struct strv *ret)
{
	for (size_t i = 0; i < given->nr; i++) {
		const char *p = given->v[i];

		if (fs_exists(p)) {
			strv_add(ret, p);
			continue;
		}
		while (*(p += strspn(p, " \t\n"))) {
			size_t n = strcspn(p, " \t\n");

			strv_take(ret, xstrndup(p, n));
			p += n;
		}
	}
}

/* Tests are not to wait as long as is polite. */
static uint64_t retry_ms(void)
{
	const char *s = getenv("KILN_RETRY_MS");
	uint64_t ms;

	return s && parse_u64(s, &ms) ? ms : 0;
}

/* What was read of the sources: the mails, the id they name, the series. */
struct reading {
	struct box *box;
	struct source_mails mails;
	struct series *series;
};

static void reading_release(struct reading *r)
{
	source_mails_release(&r->mails);
	box_free(r->box);
	series_free(r->series);
}

/* Whom to ask and how. */
struct asking {
	struct ctx *c;
	struct cli_source_opts o;
	struct source_opts so;
};

static int reading_do(const struct asking *ask, const struct strv *sources,
		      struct reading *ret, struct err *e)
{
	_cleanup_(reading_release) struct reading r = { .box = box_new() };

	r.mails.box = r.box;
	for (size_t i = 0; i < sources->nr; i++)
		if (source_read(sources->v[i], &ask->so, &r.mails, e) < 0)
			return err_wrap(e, "cannot read series from '%s'", sources->v[i]);
	if (cli_series_box(ask->c, &ask->o, r.box, r.mails.message_id, &r.series, e) < 0)
		return err_wrap(e, "cannot assemble the series of '%s'", sources->v[0]);
	for (size_t i = 0; i < r.mails.notes.nr; i++)
		series_note(r.series, NOTE_INFO, NULL, "%s", r.mails.notes.v[i]);
	reading_release(ret);
	*ret = r;
	r = (struct reading){ 0 };
	return 0;
}

/*
 * A series whose author names a newer one is replaced by that, where its source can be
 * asked for it: a file cannot, and a note says so already.
 */
static void follow(const struct asking *ask, struct reading *r)
{
	for (int i = 0; i < MAX_FOLLOW && r->mails.message_id && !ask->o.revision &&
			!ask->o.picks.id && r->series->obsoleted_by;
	     i++) {
		_cleanup_free_ char *old = xstrdup(r->series->message_id);
		_cleanup_strv_ struct strv newer = STRV_INIT;
		_cleanup_err_ struct err e = { 0 };

		strv_take(&newer, xasprintf("<%s>", r->series->obsoleted_by));
		if (reading_do(ask, &newer, r, &e) < 0)
			return;
		series_note(r->series, NOTE_INFO, old,
			    "this series takes the place of the one named");
	}
}

/* The sources without their "@vN", which go into at. */
static int sources_at(const struct cli_source_opts *o, const struct strv *sources,
		      struct cli_source_opts *at, struct strv *ret, struct err *e)
{
	*at = *o;
	for (size_t i = 0; i < sources->nr; i++) {
		const struct cli_source_opts before = *at;
		char *rest;

		if (cli_source_at(&before, sources->v[i], at, &rest, e) < 0)
			return -(int)e->code;
		strv_take(ret, rest);
	}
	return 0;
}

static void asking_init(struct ctx *c, const struct cli_source_opts *o,
			struct strv *archives, struct asking *ret)
{
	split(&o->archives, archives);
	*ret = (struct asking){ .c = c,
				.o = *o,
				.so = { .archives = archives,
					.timeout_s = o->timeout_s,
					.offline = o->offline,
					.refresh = o->refresh,
					.cache_age_s = o->cache_age_s,
					.contact = o->contact,
					.retry_ms = retry_ms(),
					.progress = c->progress } };
}

int cli_series(struct ctx *c, const struct cli_source_opts *o, const struct strv *sources,
	       struct box *ret_box, char **ret_message_id, struct series **ret,
	       struct err *e)
{
	_cleanup_strv_ struct strv archives = STRV_INIT, plain = STRV_INIT;
	_cleanup_(reading_release) struct reading r = { 0 };
	struct asking ask;

	asking_init(c, o, &archives, &ask);
	if (sources_at(o, sources, &ask.o, &plain, e) < 0 ||
	    reading_do(&ask, &plain, &r, e) < 0)
		return -(int)e->code;
	follow(&ask, &r);
	*ret = take_ptr(r.series);
	if (ret_box)
		box_join(ret_box, r.box);
	if (ret_message_id)
		*ret_message_id = take_ptr(r.mails.message_id);
	return 0;
}

int cli_thread(struct ctx *c, const struct cli_source_opts *o, const char *message_id,
	       struct box *ret, struct err *e)
{
	const struct lookup l = { .message_id = message_id };
	_cleanup_strv_ struct strv archives = STRV_INIT;
	struct asking ask;

	asking_init(c, o, &archives, &ask);
	return lookup_threads(&l, &ask.so, ret, e);
}

int cli_series_lookup(struct ctx *c, const struct cli_source_opts *o,
		      const struct lookup *l, struct series **ret, struct err *e)
{
	_cleanup_strv_ struct strv archives = STRV_INIT;
	_cleanup_box_ struct box *box = box_new();
	struct asking ask;

	asking_init(c, o, &archives, &ask);
	if (lookup_threads(l, &ask.so, box, e) < 0)
		return -(int)e->code;
	return cli_series_box(c, o, box, l->message_id, ret, e);
}
