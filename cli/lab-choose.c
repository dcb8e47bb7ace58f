// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/lab-choose.h"

#include <stdlib.h>
#include <string.h>

#include "bench/spec.h"
#include "cli/paths.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/git/repo.h"

#define PROGRAM_MAX ((size_t)64 << 20)

/* Processors the embedded kernel can have. */
#define VCPUS_MAX 4

void lab_choice_release(struct lab_choice *c)
{
	for (size_t i = 0; i < c->nr_benches; i++) {
		bench_free(c->benches[i].bench);
		free(c->benches[i].program);
		free(c->benches[i].digest);
	}
	for (size_t i = 0; i < c->nr_absent; i++)
		free(c->absent[i].what);
	free(c->benches);
	free(c->points);
	free(c->absent);
	free(c->setup);
	*c = (struct lab_choice){ 0 };
}

static void absent_add(struct lab_choice *c, char *what, const char *why)
{
	struct lab_absent *a = array_push(c->absent, c->nr_absent);

	*a = (struct lab_absent){ what, why };
}

static int choose_benches(struct lab_choice *c, const struct cfg *cfg,
			  const struct strv *specs, struct err *e)
{
	for (size_t i = 0; i < (specs->nr ? specs->nr : 1); i++) {
		struct benchmark *b;

		if (bench_open_for(c->arch, specs->nr ? specs->v[i] : NULL, cfg, &b, e) <
		    0)
			return -(int)e->code;
		for (size_t k = 0; b && k < c->nr_benches; k++) {
			if (!strcmp(c->benches[k].bench->name, b->name)) {
				bench_free(b);
				b = NULL;
			}
		}
		if (b)
			*array_push(c->benches, c->nr_benches) =
				(struct lab_bench){ .bench = b };
	}
	return 0;
}

static void cell_add(struct lab_choice *c, const struct cell *cell)
{
	for (size_t i = 0; i < c->nr_cells; i++)
		if (c->cells[i] == cell)
			return;
	c->cells[c->nr_cells++] = cell;
}

static int choose_cells(struct lab_choice *c, const struct strv *names, struct err *e)
{
	bool all = !names->nr;

	for (size_t i = 0; i < names->nr; i++) {
		const struct cell *cell;

		if (!strcmp(names->v[i], "all")) {
			/* the whole matrix, and what is missing in it */
			all = true;
			if (c->arch->impossible)
				absent_add(c, xstrdup(c->arch->impossible),
					   c->arch->impossible_why);
			continue;
		}
		if (cell_parse(c->arch, names->v[i], &cell, e) < 0)
			return -(int)e->code;
		cell_add(c, cell);
	}
	for (size_t i = 0; all && cell_at(c->arch, i); i++)
		cell_add(c, cell_at(c->arch, i));
	return 0;
}

static void point_add(struct lab_choice *c, const struct benchmark *b,
		      const struct cell *cell)
{
	for (size_t i = 0; i < c->nr_points; i++)
		if (c->points[i].bench == b && c->points[i].cell == cell)
			return;
	*array_push(c->points, c->nr_points) = (struct lab_point){ b, cell };
}

/* Whether the processor is AMD's; what TCG emulates is. */
static bool has_svm(const char *machine)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err ignored = { 0 };

	if (strcmp(machine, "kvm") != 0)
		return strncmp(machine, "vmx", 3) != 0;
	return (fs_read("/proc/cpuinfo", 16 << 20, &b, &ignored) == 0 &&
		strstr(buf_str(&b), "AuthenticAMD"));
}

/* A benchmark in a cell, or why it is not to be had there. */
static void choose_point(struct lab_choice *c, const struct benchmark *b,
			 const struct cell *cell, bool svm)
{
	if (b->needs && !svm)
		absent_add(c, xasprintf("%s %s", b->name, cell->name),
			   "its payload needs an AMD processor");
	else if (b->level == 1)
		point_add(c, b, cell_direct(cell));
	else if (!strcmp(cell->l1, "-"))
		absent_add(c, xasprintf("%s %s", b->name, cell->name),
			   "its payload is L2, which that cell has not");
	else
		point_add(c, b, cell);
}

static int choose_points(struct lab_choice *c, const char *machine, struct err *e)
{
	bool svm = has_svm(machine);

	for (size_t i = 0; i < c->nr_benches; i++)
		for (size_t k = 0; k < c->nr_cells; k++)
			choose_point(c, c->benches[i].bench, c->cells[k], svm);
	if (!c->nr_points)
		return err_set(e, ERR_USAGE, "nothing can be measured; %s: n/a, %s",
			       c->absent[0].what, c->absent[0].why);
	return 0;
}

static int choose_mitigations(struct lab_choice *c, const struct stage_opts *o,
			      struct err *e)
{
	const char *word = o->mitigations;

	if (!word || !strcmp(word, "off"))
		return 0;
	if (strcmp(word, "auto"))
		return err_set(e, ERR_USAGE, "mitigations are auto or off, not '%.40s'",
			       word);
	if (!o->build.fragment) {
		err_set(e, ERR_USAGE,
			"mitigations=auto: n/a, the embedded configuration has none");
		return err_hint(e, "give a configuration that has them with --fragment");
	}
	c->shape.mitigations = true;
	return 0;
}

static int choose_shape(struct lab_choice *c, const struct stage_opts *o, struct err *e)
{
	_cleanup_strv_ struct strv words = STRV_INIT;

	if (o->vcpus > VCPUS_MAX)
		return err_set(e, ERR_USAGE, "machines have 1 to %d processors, not %llu",
			       VCPUS_MAX, (unsigned long long)o->vcpus);
	if (choose_mitigations(c, o, e) < 0)
		return -(int)e->code;
	c->shape.vcpus = (unsigned int)o->vcpus;
	c->shape.pin = o->pin;
	c->shape.huge_pages = o->huge_pages;
	if (c->shape.vcpus > 1)
		strv_addf(&words, "vcpus=%u", c->shape.vcpus);
	if (c->shape.pin)
		strv_add(&words, "pin");
	if (c->shape.huge_pages)
		strv_add(&words, "huge-pages");
	if (c->shape.mitigations)
		strv_add(&words, "mitigations=auto");
	c->setup = strv_join(&words, ",");
	return 0;
}

int lab_choose(const struct cfg *cfg, const struct stage_opts *o, const char *machine,
	       struct lab_choice *ret, struct err *e)
{
	ret->arch = arch_find(o->build.arch);
	if (choose_benches(ret, cfg, &o->benches, e) < 0 ||
	    choose_cells(ret, &o->cells, e) < 0 || choose_points(ret, machine, e) < 0)
		return -(int)e->code;
	return choose_shape(ret, o, e);
}

int lab_program(const struct arch *a, const char *name, char **ret, struct err *e)
{
	_cleanup_free_ char *file = xasprintf("%s%s", a->libexec, name);
	char *path = paths_data(file);

	if (path) {
		*ret = path;
		return 0;
	}
	err_set(e, ERR_TOOL_MISSING, "kiln's own program '%s' not found", file);
	if (a->libexec_packages)
		return err_hint(e, "install %s and build kiln again",
				a->libexec_packages);
	return err_hint(e, "build all targets, or point KILN_LIBEXEC at the folder that "
			   "has it");
}

static int find_program(const struct arch *a, struct lab_bench *b, struct err *e)
{
	_cleanup_buf_ struct buf bytes = BUF_INIT;
	struct oid digest;

	if (!b->bench->payload)
		b->program = xstrdup(b->bench->program);
	else if (lab_program(a, b->bench->program, &b->program, e) < 0)
		return -(int)e->code;
	if (fs_read(b->program, PROGRAM_MAX, &bytes, e) < 0)
		return err_wrap(e, "cannot run benchmark '%s'", b->bench->name);
	repo_digest(bytes.data, bytes.len, &digest);
	b->digest = xstrdup(digest.hex);
	return 0;
}

int lab_choose_programs(struct lab_choice *c, struct err *e)
{
	for (size_t i = 0; i < c->nr_benches; i++)
		if (find_program(c->arch, &c->benches[i], e) < 0)
			return -(int)e->code;
	return 0;
}
