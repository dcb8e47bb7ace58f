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
#include "mail/source.h"

int cli_series_box(const struct cli_source_opts *o, const struct box *box,
		   const char *message_id, struct series **ret, struct err *e)
{
	struct assemble_opts ao = { .message_id = message_id,
				    .no_cover_trailers = o->no_cover_trailers };

	if (o->revision > INT_MAX)
		return err_set(e, ERR_USAGE, "there is no revision %llu",
			       (unsigned long long)o->revision);
	ao.revision = (int)o->revision;
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

int cli_series(struct ctx *c, const struct cli_source_opts *o, const struct strv *sources,
	       struct box *ret_box, char **ret_message_id, struct series **ret,
	       struct err *e)
{
	_cleanup_strv_ struct strv archives = STRV_INIT;
	_cleanup_box_ struct box *box = box_new();
	_cleanup_source_mails_ struct source_mails m = { .box = box };
	struct source_opts so = { .archives = &archives,
				  .timeout_s = o->timeout_s,
				  .offline = o->offline,
				  .refresh = o->refresh,
				  .cache_age_s = o->cache_age_s,
				  .contact = o->contact,
				  .retry_ms = retry_ms(),
				  .progress = c->progress };

	split(&o->archives, &archives);
	for (size_t i = 0; i < sources->nr; i++)
		if (source_read(sources->v[i], &so, &m, e) < 0)
			return err_wrap(e, "cannot read series from '%s'", sources->v[i]);
	if (cli_series_box(o, box, m.message_id, ret, e) < 0)
		return err_wrap(e, "cannot assemble the series of '%s'", sources->v[0]);
	for (size_t i = 0; i < m.notes.nr; i++)
		series_note(*ret, NOTE_INFO, NULL, "%s", m.notes.v[i]);
	if (ret_box)
		box_join(ret_box, box);
	if (ret_message_id)
		*ret_message_id = take_ptr(m.message_id);
	return 0;
}
