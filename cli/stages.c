// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/lab-internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/build/build.h"
#include "boot/target/machine.h"
#include "cli/out.h"
#include "cli/paths.h"
#include "cli/run-data.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/git/repo.h"

#define DEFAULT_BOOTS 2

void kernel_release(struct kernel *k)
{
	free(k->subject);
	free(k->variant);
	build_record_release(&k->build);
	*k = (struct kernel){ 0 };
}

char *kernel_name(const struct kernel *k)
{
	return xasprintf("%.12s%s%s", k->commit.hex, k->variant ? "+" : "",
			 k->variant ?: "");
}

void lab_free(struct lab *l)
{
	if (!l)
		return;
	kernel_release(&l->via);
	free(l->agent);
	lab_choice_release(&l->choice);
	free(l->accel);
	target_free(l->target);
	free(l->dir);
	strv_release(&l->environments);
	free(l);
}

struct repo *lab_repo(const struct lab *l)
{
	return l->c->repo;
}

struct run *lab_run(const struct lab *l)
{
	return l->run;
}

bool lab_quiet(const struct lab *l)
{
	return l->c->quiet;
}

const struct progress *lab_progress(const struct lab *l)
{
	return l->c->progress;
}

const char *lab_dir(const struct lab *l)
{
	return l->dir;
}

size_t lab_nr_points(const struct lab *l)
{
	return l->choice.nr_points;
}

const struct lab_point *lab_point(const struct lab *l, size_t i)
{
	return &l->choice.points[i];
}

int lab_one_bench(const struct stage_opts *opts, struct err *e)
{
	if (opts->benches.nr <= 1)
		return 0;
	err_set(e, ERR_USAGE, "%zu benchmarks are given, but one number is looked at",
		opts->benches.nr);
	return err_hint(e, "name one --bench");
}

const struct benchmark *lab_bench(const struct lab *l)
{
	return l->choice.points[0].bench;
}

/* Points are ordered by benchmark: those of the first stand in front. */
size_t lab_nr_cells(const struct lab *l)
{
	size_t n = 0;

	while (n < l->choice.nr_points && l->choice.points[n].bench == lab_bench(l))
		n++;
	return n;
}

const struct cell *lab_cell(const struct lab *l, size_t i)
{
	return l->choice.points[i].cell;
}

const struct arch *lab_arch(const struct lab *l)
{
	return l->arch;
}

const char *lab_accel(const struct lab *l)
{
	return l->accel;
}

const char *lab_clock(const struct lab *l)
{
	return lab_is_emulated(l) ? "virtual" : "host";
}

bool lab_is_emulated(const struct lab *l)
{
	return !strcmp(l->accel, "tcg");
}

unsigned int lab_boots(const struct lab *l)
{
	return l->opts->boots ? (unsigned int)l->opts->boots : DEFAULT_BOOTS;
}

static int choose_machine(struct lab *l, struct err *e)
{
	const char *name = l->opts->target ? l->opts->target : "qemu", *accel;

	if (target_read(l->c->cfg, name, &l->target, e) < 0)
		return -(int)e->code;
	if (l->target->kind != TARGET_QEMU) {
		l->accel = xstrdup("none");
		return 0;
	}
	accel = l->opts->accel ?: l->target->accel ?: "auto";
	if (!strcmp(accel, "auto"))
		accel = boot_accel(l->arch);
	if (!strcmp(accel, "kvm") && l->arch->qemu && !l->arch->qemu->kvm_nests) {
		err_set(e, ERR_USAGE, "a machine for %s is always emulated",
			l->arch->name);
		return err_hint(e, "leave --accel out, or say tcg");
	}
	if (strcmp(accel, "kvm") && strcmp(accel, "tcg"))
		return err_set(e, ERR_USAGE, "accelerator '%s' is not auto, kvm or tcg",
			       accel);
	l->accel = xstrdup(accel);
	return 0;
}

static int find_arch(struct lab *l, struct err *e)
{
	return build_arch(l->opts->build.arch, &l->arch, e);
}

/* What boots a kernel of that architecture, before one is built. */
static int check_arch(const struct lab *l, struct err *e)
{
	const struct arch *a = l->arch;
	_cleanup_free_ char *qemu = NULL;

	if (!a->qemu) {
		err_set(e, ERR_USAGE, "a kernel for %s does not boot here", a->name);
		return err_hint(e, "'kiln build' makes it; boot one of another "
				   "architecture");
	}
	if (l->target->kind != TARGET_QEMU && a != arch_at(0)) {
		err_set(e, ERR_USAGE, "kernels for %s boot in QEMU only", a->name);
		return err_hint(e, "leave --target out");
	}
	qemu = fs_find_program(a->qemu->program);
	if (l->target->kind != TARGET_QEMU || qemu)
		return 0;
	err_set(e, ERR_TOOL_MISSING, "program '%s' not found", a->qemu->program);
	return err_hint(e, "install %s", a->qemu->package);
}

static int find_programs(struct lab *l, struct err *e)
{
	const char *dir;

	if (run_dir(l->run, &dir, e) < 0)
		return -(int)e->code;
	l->dir = xstrdup(dir);
	return lab_program(l->arch, "kiln-agent", &l->agent, e) < 0
		       ? -(int)e->code
		       : lab_choose_programs(&l->choice, e);
}

int lab_open(struct ctx *c, struct run *run, const struct stage_opts *opts,
	     const char *via, struct lab **ret, struct err *e)
{
	_cleanup_lab_ struct lab *l = xzalloc(sizeof(*l));
	const struct machine_type *type;
	const char *machine;
	struct oid commit;

	l->c = c;
	l->run = run;
	l->opts = opts;
	via = opts->via ? opts->via : via ? via : "HEAD";
	if (find_arch(l, e) < 0 || choose_machine(l, e) < 0 ||
	    machine_find(l->target, &type, e) < 0 || check_arch(l, e) < 0 ||
	    lab_machine(l, &machine, e) < 0 ||
	    lab_choose(c->cfg, opts, machine, &l->choice, e) < 0 ||
	    lab_check_guests(l, machine, e) < 0 || find_programs(l, e) < 0)
		return -(int)e->code;
	if (step_resolve(c, run, via, &commit, e) < 0 ||
	    lab_build_ok(l, &commit, &l->via, e) < 0)
		return err_wrap(e, "no known-good kernel to start from");
	*ret = take_ptr(l);
	return 0;
}

int lab_open_builder(struct ctx *c, struct run *run, const struct stage_opts *opts,
		     struct lab **ret, struct err *e)
{
	_cleanup_lab_ struct lab *l = xzalloc(sizeof(*l));
	const char *dir;

	l->c = c;
	l->run = run;
	l->opts = opts;
	if (find_arch(l, e) < 0 || choose_machine(l, e) < 0 ||
	    lab_choose(c->cfg, opts, l->accel, &l->choice, e) < 0 ||
	    run_dir(run, &dir, e) < 0)
		return -(int)e->code;
	l->dir = xstrdup(dir);
	*ret = take_ptr(l);
	return 0;
}

int lab_cached(struct lab *l, const struct oid *commits, size_t nr, bool *ret,
	       struct err *e)
{
	return build_cached_commits(l->c, commits, nr, &l->opts->build, ret, e);
}

int lab_build(struct lab *l, const struct oid *commit, struct kernel *ret, struct err *e)
{
	return lab_build_over(l, commit, l->opts->build.overlay, ret, e);
}

int lab_build_over(struct lab *l, const struct oid *commit, const char *overlay,
		   struct kernel *ret, struct err *e)
{
	struct cli_build_opts o = l->opts->build;
	struct commit_info info = { 0 };
	struct kernel k = { .commit = *commit };

	o.overlay = overlay;
	if (repo_commit(l->c->repo, commit, &info, e) < 0)
		return -(int)e->code;
	if (build_variant(&o, &k.variant, e) < 0 ||
	    step_build(l->c, l->run, commit, &o, &k.build, e) < 0) {
		commit_info_release(&info);
		kernel_release(&k);
		return -(int)e->code;
	}
	k.subject = take_ptr(info.subject);
	if (run_keep_subject(l->run, commit, k.subject, e) < 0) {
		commit_info_release(&info);
		kernel_release(&k);
		return -(int)e->code;
	}
	commit_info_release(&info);
	*ret = k;
	return 0;
}

int lab_build_ok(struct lab *l, const struct oid *commit, struct kernel *ret,
		 struct err *e)
{
	struct kernel k = { 0 };

	if (lab_build(l, commit, &k, e) < 0)
		return -(int)e->code;
	if (build_need_ok(&k.build, e) < 0) {
		err_wrap(e, "commit %.12s '%s' does not build", commit->hex, k.subject);
		kernel_release(&k);
		return -(int)e->code;
	}
	*ret = k;
	return 0;
}
