// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/source.h"

#include <limits.h>

#include "core/base/alloc.h"
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

int cli_series(struct ctx *c, const struct cli_source_opts *o, const char *source,
	       struct box *ret_box, char **ret_message_id, struct series **ret,
	       struct err *e)
{
	struct source_opts so = { .archive = o->archive,
				  .timeout_s = o->timeout_s,
				  .progress = c->progress };
	_cleanup_box_ struct box *box = box_new();
	_cleanup_free_ char *id = NULL;

	if (source_read(source, &so, box, &id, e) < 0)
		return err_wrap(e, "cannot read series from '%s'", source);
	if (cli_series_box(o, box, id, ret, e) < 0)
		return err_wrap(e, "cannot assemble the series of '%s'", source);
	if (ret_box)
		box_join(ret_box, box);
	if (ret_message_id)
		*ret_message_id = take_ptr(id);
	return 0;
}
