// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/source.h"

#include <limits.h>

#include "core/base/alloc.h"
#include "mail/assemble.h"
#include "mail/source.h"

int cli_series_bytes(const struct cli_source_opts *o, const struct buf *raw,
		     const char *message_id, struct series **ret, struct err *e)
{
	struct assemble_opts ao = { .message_id = message_id,
				    .no_cover_trailers = o->no_cover_trailers };

	if (o->revision > INT_MAX)
		return err_set(e, ERR_USAGE, "there is no revision %llu",
			       (unsigned long long)o->revision);
	ao.revision = (int)o->revision;
	return series_from_mbox(raw, &ao, ret, e);
}

int cli_series(struct ctx *c, const struct cli_source_opts *o, const char *source,
	       struct buf *ret_raw, char **ret_message_id, struct series **ret,
	       struct err *e)
{
	struct source_opts so = { .archive = o->archive,
				  .timeout_s = o->timeout_s,
				  .progress = c->progress };
	_cleanup_buf_ struct buf raw = BUF_INIT;
	_cleanup_free_ char *id = NULL;

	if (source_read(source, &so, &raw, &id, e) < 0)
		return err_wrap(e, "cannot read series from '%s'", source);
	if (cli_series_bytes(o, &raw, id, ret, e) < 0)
		return err_wrap(e, "cannot assemble the series of '%s'", source);
	if (ret_raw)
		buf_add(ret_raw, buf_str(&raw), raw.len);
	if (ret_message_id)
		*ret_message_id = take_ptr(id);
	return 0;
}
