// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>
#include <string.h>

#include "cli/each.h"
#include "cli/json.h"
#include "cli/out.h"
#include "core/base/alloc.h"

static const struct boot_record *boot_of(const struct each_patch *p)
{
	return p->shots.nr && p->shots.v[0].boot.status ? &p->shots.v[0].boot : NULL;
}

static void add_row(const struct each *r, size_t i, struct strv *cells)
{
	const struct each_patch *p = &r->v[i];
	const struct build_record *b = &p->kernel.build;
	const struct boot_record *boot = boot_of(p);

	if (i)
		strv_addf(cells, "%zu", i);
	else
		strv_add(cells, "base");
	strv_addf(cells, "%.12s", r->range.space.v[i].commit.hex);
	strv_add(cells, b->status ?: "-");
	strv_add(cells, boot ? boot->status : "-");
	if (b->status)
		strv_addf(cells, "%.1f", b->seconds + (boot ? boot->seconds : 0));
	else
		strv_add(cells, "-");
	strv_addl(cells, each_verdict_name(p->verdict), p->subject, NULL);
}

/* The base is shown where it was asked. */
static size_t first_row(const struct each *r)
{
	return r->nr && r->v[0].verdict != EACH_LEFT ? 0 : 1;
}

static void print_cause(const struct each_patch *p, const struct oid *commit)
{
	const struct build_record *b = &p->kernel.build;
	const struct boot_record *boot = boot_of(p);

	if (b->reason)
		out_text("\n%.12s %s: %s\nlog: %s\n", commit->hex, b->status, b->reason,
			 b->log);
	if (boot && strcmp(boot->status, "ok") != 0)
		out_text("\n%.12s %s: %s\nconsole: %s\n", commit->hex, boot->status,
			 boot->reason ?: "no cause recorded", boot->console);
}

void each_print(const struct each *r, const char *run)
{
	static const struct column cols[] = { { "PATCH", true },   { "COMMIT", false },
					      { "BUILD", false },  { "BOOT", false },
					      { "SECONDS", true }, { "VERDICT", false },
					      { "SUBJECT", false } };
	_cleanup_strv_ struct strv cells = STRV_INIT;

	(void)run;
	for (size_t i = first_row(r); i < r->nr; i++)
		add_row(r, i, &cells);
	out_table(cols, ARRAY_SIZE(cols), &cells);
	for (size_t i = first_row(r); i < r->nr; i++)
		print_cause(&r->v[i], &r->range.space.v[i].commit);
}

static json_t *patch_json(const struct each *r, size_t i)
{
	const struct each_patch *p = &r->v[i];
	const struct boot_record *boot = boot_of(p);

	return json_pack(
		"{s:I, s:s, s:o, s:s, s:o, s:o}", "number", (json_int_t)i, "commit",
		r->range.space.v[i].commit.hex, "subject", json_text(p->subject),
		"verdict", each_verdict_name(p->verdict), "build",
		p->kernel.build.status ? json_build(&p->kernel.build) : json_null(),
		"boot", boot ? json_boot(boot) : json_null());
}

void each_print_json(const struct each *r, const char *run)
{
	json_t *patches = json_array();

	for (size_t i = 1; i < r->nr; i++)
		json_array_append_new(patches, patch_json(r, i));
	out_json(json_pack("{s:s, s:o, s:o}", "run", run, "base", patch_json(r, 0),
			   "patches", patches));
}
