// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/trailer-opts.h"

#include <stdlib.h>

#include "core/base/alloc.h"
#include "mail/own-trailers.h"

static char *identity(const struct ctx *c, const char *variable, const char *key)
{
	const char *v = getenv(variable);

	return v && *v ? xstrdup(v) : cfg_get(c->cfg, key);
}

static int sign_off(const struct ctx *c, char **ret, struct err *e)
{
	_cleanup_free_ char *name = identity(c, "GIT_COMMITTER_NAME", "user.name");
	_cleanup_free_ char *email = identity(c, "GIT_COMMITTER_EMAIL", "user.email");

	if (name && *name && email && *email) {
		*ret = xasprintf("%s <%s>", name, email);
		return 0;
	}
	err_set(e, ERR_CONFIG, "there is no name and address to sign off with");
	return err_hint(e, "set user.name and user.email with git config");
}

int cli_trailer_opts(const struct ctx *c, const struct cli_trailer_opts *o,
		     struct assemble_opts *ret, char **ret_sign_off, struct err *e)
{
	const char *format = o->link_format ? o->link_format : LINK_FORMAT_DEFAULT;

	if ((o->link && link_format_check(format, e) < 0) ||
	    (o->sign_off && sign_off(c, ret_sign_off, e) < 0))
		return -(int)e->code;
	ret->no_trailers = o->none;
	ret->no_cover_trailers = o->no_cover;
	ret->sloppy_trailers = o->sloppy;
	ret->ignore_from = &o->ignore_from;
	ret->link_format = o->link ? format : NULL;
	ret->sign_off = *ret_sign_off;
	return 0;
}
