// SPDX-License-Identifier: GPL-3.0-or-later
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/json-series.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/source.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/fs.h"
#include "mail/write.h"

struct series_opts {
	struct cli_source_opts source;
	char *output;
};

static const struct opt series_table[] = {
	SOURCE_OPTS(struct series_opts, source),
	{ "output", 'o', OPT_STRING, offsetof(struct series_opts, output), "FILE",
	  "write the patches as mbox for git am --patch-format=mboxrd; - is standard "
	  "output",
	  NULL },
	{ 0 },
};

/* "2, 5-7" of ascending numbers; owned by the caller. */
static char *ranges(const int *v, size_t nr)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0, k; i < nr; i = k) {
		for (k = i + 1; k < nr && v[k] == v[k - 1] + 1; k++)
			;
		buf_addf(&b, "%s%d", i ? ", " : "", v[i]);
		if (k - i > 1)
			buf_addf(&b, "-%d", v[k - 1]);
	}
	return buf_take(&b);
}

static void print_head(const struct series *s)
{
	const struct patch *first = &s->patches[0];
	const char *name = s->cover ? s->cover->author_name : first->author_name;
	const char *email = s->cover ? s->cover->author_email : first->author_email;
	_cleanup_free_ char *date = clock_iso(first->date);
	_cleanup_free_ char *revisions = ranges(s->revisions, s->nr_revisions);

	out_text("%s\n\n", s->title);
	out_text("revision  v%d%s%s", s->revision, s->rfc ? ", RFC" : "",
		 s->resend ? ", resent" : "");
	if (s->nr_revisions > 1)
		out_text(" (here: %s)", revisions);
	out_text("\nauthor    %s <%s>\ndate      %.10s\nid        %s\n", name, email,
		 date, s->message_id);
	if (s->base_commit)
		out_text("base      %s\n", s->base_commit);
	for (size_t i = 0; i < s->nr_prerequisites; i++)
		out_text("needs     %s %s\n", s->prerequisites[i].kind,
			 s->prerequisites[i].value);
	out_text("patches   %d of %d%s\n",
		 s->picked ? (int)s->nr_patches : s->total - (int)s->nr_missing, s->total,
		 s->picked	 ? ", picked"
		 : s->nr_missing ? ""
				 : ", complete");
	if (s->nr_missing) {
		_cleanup_free_ char *missing = ranges(s->missing, s->nr_missing);

		out_text("missing   %s\n", missing);
	}
}

static void print_patches(const struct series *s)
{
	out_text("\n");
	for (size_t i = 0; i < s->nr_patches; i++) {
		const struct patch *p = &s->patches[i];

		out_text("%3d/%d  %s\n", p->number, s->total, p->subject);
		if (p->damage)
			out_text("       damaged: %s\n", p->damage);
		for (size_t k = 0; k < p->nr_trailers; k++)
			if (p->trailers[k].state == TRAILER_ADDED)
				out_text("       + %s: %s\n", p->trailers[k].key,
					 p->trailers[k].value);
	}
}

static void print_notes(const struct series *s)
{
	if (s->nr_notes)
		out_text("\n");
	for (size_t i = 0; i < s->nr_notes; i++) {
		out_text("%s: %s\n",
			 s->notes[i].level == NOTE_WARNING ? "warning" : "note",
			 s->notes[i].text);
		if (s->notes[i].message_id)
			out_text("      in <%s>\n", s->notes[i].message_id);
	}
}

/* Names that look like the request for another form, rather than for a file. */
static int check_output(const char *output, struct err *e)
{
	static const char *const forms[] = { "quilt", "maildir" };

	for (size_t i = 0; output && i < ARRAY_SIZE(forms); i++) {
		size_t n = strlen(forms[i]);

		if (strncmp(output, forms[i], n) || (output[n] && output[n] != ':'))
			continue;
		err_set(e, ERR_USAGE, "series are written as mbox only, not as %s",
			forms[i]);
		return err_hint(e, "for a file of that name write -o ./%s", output);
	}
	return 0;
}

static int write_output(const struct series *s, const char *output, struct err *e)
{
	_cleanup_buf_ struct buf mbox = BUF_INIT;

	series_to_mbox(s, &mbox);
	if (!strcmp(output, "-"))
		return fs_write_fd(STDOUT_FILENO, mbox.data, mbox.len, e);
	return fs_write(output, mbox.data, mbox.len, e);
}

static int series_run(struct ctx *c, const void *opts, const struct strv *args,
		      struct err *e)
{
	const struct series_opts *o = opts;
	_cleanup_series_ struct series *s = NULL;
	bool to_stdout = o->output && !strcmp(o->output, "-");

	if (check_output(o->output, e) < 0)
		return -(int)e->code;
	if (to_stdout && c->json)
		return err_set(e, ERR_USAGE, "--json and -o - both want standard output");
	if (cli_series(c, &o->source, args, NULL, NULL, &s, e) < 0)
		return -(int)e->code;
	if (o->output && write_output(s, o->output, e) < 0)
		return err_wrap(e, "cannot write the series to '%s'", o->output);
	if (c->json) {
		out_json(json_series(s));
	} else if (!to_stdout) {
		print_head(s);
		print_patches(s);
		print_notes(s);
	}
	if (s->nr_missing && !c->quiet && (c->json || to_stdout)) {
		_cleanup_free_ char *missing = ranges(s->missing, s->nr_missing);

		out_talk("kiln: missing patches: %s", missing);
	}
	return s->nr_missing ? 1 : 0;
}

const struct cmd cmd_series = {
	.name = "series",
	.summary = "Fetch and assemble a patch series; print it or write it as mbox",
	.usage = "SOURCE...",
	.opts = series_table,
	.opts_size = sizeof(struct series_opts),
	.min_args = 1,
	.max_args = -1,
	.run = series_run,
};
