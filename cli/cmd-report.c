// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/report/forms.h"
#include "cli/report/page.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

struct report_opts {
	char *format, *output, *origin;
	bool tested_by;
};

static const struct opt report_table[] = {
	{ "format", 'f', OPT_STRING, offsetof(struct report_opts, format), "FORM",
	  "text (default), html, markdown, json, kcidb or mail", "kiln.reportFormat" },
	{ "output", 'o', OPT_STRING, offsetof(struct report_opts, output), "FILE",
	  "write it there instead of standard output", NULL },
	{ "origin", 0, OPT_STRING, offsetof(struct report_opts, origin), "NAME",
	  "with kcidb: the submitter's name there; default kiln", "kiln.origin" },
	{ "tested-by", 0, OPT_FLAG, offsetof(struct report_opts, tested_by), NULL,
	  "with mail: end with Tested-by, if everything is good", "kiln.testedBy" },
	{ 0 },
};

/* The user as git knows him, "Name <address>"; NULL when it does not. Owned. */
static char *user_of(const struct ctx *c)
{
	_cleanup_free_ char *name = cfg_get(c->cfg, "user.name");
	_cleanup_free_ char *email = cfg_get(c->cfg, "user.email");

	return name && email ? xasprintf("%s <%s>", name, email) : NULL;
}

static void add_document(json_t *doc, struct buf *ret)
{
	char *text = json_dumps(doc, JSON_INDENT(2) | JSON_REAL_PRECISION(10));

	buf_addf(ret, "%s\n", text ?: "null");
	free(text);
	json_decref(doc);
}

static bool is_origin(const char *s)
{
	return *s && strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(s);
}

static int kcidb(const struct report_opts *o, const struct report_data *d,
		 struct buf *ret, struct err *e)
{
	const char *origin = o->origin ?: "kiln";

	if (!is_origin(origin))
		return err_set(e, ERR_USAGE, "an origin is of [a-z0-9_], not '%s'",
			       origin);
	add_document(report_kcidb(d, origin), ret);
	return 0;
}

static int mail(const struct ctx *c, const struct report_opts *o,
		const struct report_data *d, struct buf *ret, struct err *e)
{
	_cleanup_free_ char *user = user_of(c);

	if (o->tested_by && !user) {
		err_set(e, ERR_USAGE, "a Tested-by needs a name");
		return err_hint(e, "set user.name and user.email in git's config");
	}
	return report_mail(d, user, o->tested_by ? user : NULL, ret, e);
}

static int make(const struct ctx *c, const struct report_opts *o, const char *format,
		const struct report_data *d, struct buf *ret, struct err *e)
{
	_cleanup_page_ struct page page = { 0 };

	if (!strcmp(format, "kcidb"))
		return kcidb(o, d, ret, e);
	if (!strcmp(format, "mail"))
		return mail(c, o, d, ret, e);
	if (!strcmp(format, "json")) {
		add_document(report_json(d), ret);
		return 0;
	}
	report_page(d, &page);
	if (!strcmp(format, "html"))
		return report_html(&page, ret, e);
	(strcmp(format, "markdown") ? page_to_text : page_to_markdown)(&page, ret);
	return 0;
}

static int check_format(const char *format, struct err *e)
{
	static const char *const formats[] = { "text", "html",	"markdown",
					       "json", "kcidb", "mail" };

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(format, formats[i]))
			return 0;
	err_set(e, ERR_USAGE, "no form '%s' of a report", format);
	return err_hint(e, "text, html, markdown, json, kcidb or mail");
}

static int report_cmd(struct ctx *c, const void *opts, const struct strv *args,
		      struct err *e)
{
	const struct report_opts *o = opts;
	const char *format = o->format ?: (c->json ? "json" : "text");
	_cleanup_(report_data_release) struct report_data d = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (c->json && strcmp(format, "json") != 0 && strcmp(format, "kcidb") != 0)
		return err_set(e, ERR_USAGE, "--json and --format %s contradict", format);
	if (check_format(format, e) < 0 ||
	    report_data_load(c, args->nr ? args->v[0] : "last", &d, e) < 0 ||
	    make(c, o, format, &d, &text, e) < 0)
		return -(int)e->code;
	if (o->output && strcmp(o->output, "-") != 0)
		return fs_write(o->output, text.data, text.len, e);
	out_text("%s", buf_str(&text));
	return 0;
}

const struct cmd cmd_report = {
	.name = "report",
	.summary = "Tell a finished run again: for the list, a browser or a machine",
	.usage = "[RUN]",
	.opts = report_table,
	.opts_size = sizeof(struct report_opts),
	.needs = CMD_STORE,
	.max_args = 1,
	.run = report_cmd,
};
