// SPDX-License-Identifier: GPL-3.0-or-later
#include <jansson.h>

#include "cli/cmd.h"
#include "cli/doctor.h"
#include "cli/json.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "core/base/alloc.h"

#define CANNOT 125 /* as for every question that cannot be answered here */

struct doctor_opts {
	bool problems;
};

static const struct opt doctor_table[] = {
	{ "problems", 0, OPT_FLAG, offsetof(struct doctor_opts, problems), NULL,
	  "only what could be better", "kiln.doctorProblems" },
	{ 0 },
};

static bool is_ready(const struct findings *f)
{
	for (size_t i = 0; i < f->nr; i++)
		if (f->v[i].health == HEALTH_MISSING)
			return false;
	return true;
}

static bool is_shown(const struct finding *f, const struct doctor_opts *o)
{
	return !o->problems || f->health != HEALTH_OK;
}

static void print_json(const struct findings *f, const struct doctor_opts *o)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->nr; i++)
		if (is_shown(&f->v[i], o))
			json_array_append_new(list,
					      json_pack("{s:s, s:s, s:o, s:o}", "name",
							f->v[i].name, "state",
							health_name(f->v[i].health),
							"found", json_text(f->v[i].found),
							"fix", json_text(f->v[i].fix)));
	out_json(json_pack("{s:b, s:o}", "ready", is_ready(f), "checks", list));
}

static void print_table(const struct findings *f, const struct doctor_opts *o)
{
	static const struct column cols[] = { { "CHECK", false },
					      { "STATE", false },
					      { "FOUND", false } };
	_cleanup_strv_ struct strv cells = STRV_INIT;

	for (size_t i = 0; i < f->nr; i++) {
		if (!is_shown(&f->v[i], o))
			continue;
		strv_addl(&cells, f->v[i].name, health_name(f->v[i].health), NULL);
		strv_addf(&cells, "%s%s%s", f->v[i].found, f->v[i].fix ? " -> " : "",
			  f->v[i].fix ?: "");
	}
	if (cells.nr)
		out_table(cols, ARRAY_SIZE(cols), &cells);
	else
		out_talk("nothing could be better");
}

static int doctor_run(struct ctx *c, const void *opts, const struct strv *args,
		      struct err *e)
{
	_cleanup_findings_ struct findings f = { 0 };

	(void)args;
	(void)e;
	doctor_look(&f);
	if (c->json)
		print_json(&f, opts);
	else
		print_table(&f, opts);
	return is_ready(&f) ? 0 : CANNOT;
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.summary = "Say what this machine can do, and the fix where it cannot",
	.usage = "",
	.opts = doctor_table,
	.opts_size = sizeof(struct doctor_opts),
	.run = doctor_run,
};
