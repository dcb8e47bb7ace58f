// SPDX-License-Identifier: GPL-3.0-or-later
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/json-series.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/series-summary.h"
#include "cli/source.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "mail/write.h"

struct series_opts {
	struct cli_source_opts source;
	char *output, *format;
};

static const struct opt series_table[] = {
	SOURCE_OPTS(struct series_opts, source),
	{ "output", 'o', OPT_STRING, offsetof(struct series_opts, output), "PATH",
	  "write the patches there; - is standard output", NULL },
	{ "format", 0, OPT_STRING, offsetof(struct series_opts, format), "FORMAT",
	  "of --output: mbox (for git am --patch-format=mboxrd), maildir or quilt; "
	  "default: mbox",
	  "kiln.seriesFormat" },
	{ 0 },
};

static int write_mbox(const struct series *s, const char *path, struct err *e)
{
	_cleanup_buf_ struct buf mbox = BUF_INIT;

	series_to_mbox(s, &mbox);
	if (!strcmp(path, "-"))
		return fs_write_fd(STDOUT_FILENO, mbox.data, mbox.len, e);
	return fs_write(path, mbox.data, mbox.len, e);
}

static const struct format {
	const char *name;
	int (*write)(const struct series *s, const char *path, struct err *e);
} formats[] = {
	{ "mbox", write_mbox },
	{ "maildir", series_to_maildir },
	{ "quilt", series_to_quilt },
};

static int find_format(const struct series_opts *o, const struct format **ret,
		       struct err *e)
{
	const char *name = o->format ? o->format : "mbox";

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (strcmp(name, formats[i].name))
			continue;
		*ret = &formats[i];
		if (i == 0 || !o->output || strcmp(o->output, "-"))
			return 0;
		return err_set(e, ERR_USAGE, "a %s is a folder, not standard output",
			       name);
	}
	err_set(e, ERR_USAGE, "series are not written as '%s'", name);
	return err_hint(e, "give --format mbox, maildir or quilt");
}

static int series_run(struct ctx *c, const void *opts, const struct strv *args,
		      struct err *e)
{
	const struct series_opts *o = opts;
	_cleanup_series_ struct series *s = NULL;
	bool to_stdout = o->output && !strcmp(o->output, "-");
	const struct format *format = NULL;

	if (find_format(o, &format, e) < 0)
		return -(int)e->code;
	if (to_stdout && c->json)
		return err_set(e, ERR_USAGE, "--json and -o - both want standard output");
	if (cli_series(c, &o->source, args, NULL, NULL, &s, e) < 0)
		return -(int)e->code;
	if (o->output && format->write(s, o->output, e) < 0)
		return err_wrap(e, "cannot write the series to '%s'", o->output);
	if (c->json)
		out_json(json_series(s));
	else if (!to_stdout)
		series_summary(s);
	if (s->nr_missing && !c->quiet && (c->json || to_stdout)) {
		_cleanup_free_ char *missing = number_ranges(s->missing, s->nr_missing);

		out_talk("kiln: missing patches: %s", missing);
	}
	return s->nr_missing ? 1 : 0;
}

const struct cmd cmd_series = {
	.name = "series",
	.summary = "Fetch and assemble a patch series; print it or write its patches",
	.usage = "SOURCE...",
	.opts = series_table,
	.opts_size = sizeof(struct series_opts),
	.min_args = 1,
	.max_args = -1,
	.run = series_run,
};
