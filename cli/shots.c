// SPDX-License-Identifier: GPL-3.0-or-later
/* Boots that measure, as steps of a run. */
#include "cli/lab-internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/counters.h"
#include "boot/build/module-plan.h"
#include "cli/ahead.h"
#include "cli/held.h"
#include "cli/here.h"
#include "cli/out.h"
#include "cli/shot-tasks.h"
#include "core/base/alloc.h"
#include "core/store/calibrations.h"

void shot_release(struct shot *s)
{
	boot_record_release(&s->first);
	boot_record_release(&s->boot);
	samples_release(&s->samples);
}

void shots_release(struct shots *s)
{
	for (size_t i = 0; i < s->nr; i++)
		shot_release(&s->v[i]);
	free(s->v);
	*s = (struct shots){ 0 };
}

static void cell_add(struct shot *s, const struct cell *cell)
{
	for (size_t i = 0; i < s->nr_cells; i++)
		if (s->cells[i] == cell)
			return;
	s->cells[s->nr_cells++] = cell;
}

void shots_plan(struct shots *s, const struct lab *l, const struct kernel *kernel,
		unsigned int ordinal)
{
	size_t first = s->nr;

	for (size_t i = 0; i < lab_nr_points(l); i++) {
		const struct cell *cell = lab_point(l, i)->cell;
		size_t k = first;

		while (k < s->nr && strcmp(s->v[k].cells[0]->l0, cell->l0))
			k++;
		if (k == s->nr) {
			struct shot *shot = array_push(s->v, s->nr);

			*shot = (struct shot){ .kernel = kernel,
					       .ordinal = ordinal,
					       .all = true,
					       .path = SHOT_KEXEC };
		}
		cell_add(&s->v[k], cell);
	}
}

void shots_plan_counted(struct shots *s, const struct lab *l, const struct kernel *kernel)
{
	size_t first = s->nr;

	shots_plan(s, l, kernel, 0);
	for (size_t i = first; i < s->nr; i++)
		s->v[i].counted = true;
}

void shots_plan_boot(struct shots *s, const struct kernel *kernel, enum shot_path path)
{
	struct shot *shot = array_push(s->v, s->nr);

	*shot = (struct shot){ .kernel = kernel, .path = path };
}

/* What a shot's step works on. */
struct shot_call {
	struct lab *lab;
	struct shot *shot;
	char *console;
	bool acted; /* it was not done before */
};

static char *shot_name(const struct shot *s)
{
	_cleanup_free_ char *kernel = kernel_name(s->kernel);
	_cleanup_buf_ struct buf name = BUF_INIT;

	buf_addf(&name, "boot:%s:%s:%u", kernel,
		 s->nr_cells		    ? s->cells[0]->l0
		 : s->path == SHOT_FIRMWARE ? "firmware"
					    : "kexec",
		 s->ordinal);
	if (s->layout)
		buf_addf(&name, ":layout%u", s->layout);
	if (s->attempt)
		buf_adds(&name, ":again");
	if (s->counted)
		buf_adds(&name, ":counted");
	return buf_take(&name);
}

static int shot_collect(const struct shot_call *call, const struct shot_items *items,
			struct boot_result *result, struct err *e)
{
	struct shot *s = call->shot;

	s->boot = result->record;
	result->record = (struct boot_record){ 0 };
	s->boot.commit = s->kernel->commit;
	s->boot.tree = s->kernel->build.tree;
	if (strcmp(s->boot.status, "ok"))
		return 0;
	return shot_samples(call->lab, items, result, s, e);
}

/* What proves KVM where it is modules. */
struct shot_modules {
	char *candidate, *via;
};

static void shot_modules_release(struct shot_modules *m)
{
	free(m->candidate);
	free(m->via);
}

static int shot_modules(const struct shot_call *call, struct shot_modules *ret,
			struct err *e)
{
	if (module_kvm_ids(call->shot->kernel->build.modules, &ret->candidate, e) < 0)
		return -(int)e->code;
	return module_kvm_ids(call->lab->via.build.modules, &ret->via, e);
}

static struct boot_kernel boot_kernel(const struct build_record *b, const char *modules)
{
	return (struct boot_kernel){ b->image, b->build_id, modules, b->modules };
}

static int shot_boot(struct shot_call *call, const char *console, struct err *e)
{
	const struct lab *l = call->lab;
	const struct build_record *via = &l->via.build;
	_cleanup_(shot_modules_release) struct shot_modules modules = { 0 };
	_cleanup_(shot_items_release) struct shot_items items = { 0 };
	_cleanup_(shot_tasks_release) struct task_list tasks = { 0 };
	_cleanup_boot_ struct boot_result *result = NULL;
	_cleanup_strv_ struct strv counters = STRV_INIT;
	_cleanup_free_ char *append = NULL;
	struct boot_spec spec = {
		.arch = l->arch,
		.target = l->target,
		.accel = l->accel,
		.agent = l->agent,
		.console = console,
		.direct = call->shot->path == SHOT_FIRMWARE,
		.boot_timeout_s = l->opts->boot_timeout,
		.shape = l->choice.shape,
		.tasks = &tasks,
		.before_jump = l->target->kind == TARGET_LOCAL ? lab_before_jump : NULL,
		.before_jump_ctx = call->lab,
	};

	if (shot_modules(call, &modules, e) < 0)
		return -(int)e->code;
	spec.base = spec.guest = boot_kernel(via, modules.via);
	spec.candidate = boot_kernel(&call->shot->kernel->build, modules.candidate);
	append = xasprintf("%s%s%s",
			   call->shot->nr_cells ? call->shot->cells[0]->l0_append : "",
			   l->opts->append ? " " : "",
			   l->opts->append ? l->opts->append : "");
	spec.append = append;
	shot_items(l, call->shot, &items);
	shot_tasks(&items, call->shot->counted, &tasks);
	counter_names(l->arch, &counters);
	spec.counters = call->shot->counted ? &counters : NULL;
	if (boot_run(&spec, &result, e) < 0 || shot_collect(call, &items, result, e) < 0)
		return err_wrap(e, "cannot boot %.12s '%s'",
				call->shot->kernel->commit.hex,
				call->shot->kernel->subject);
	return 0;
}

/* Silence under load happens to machines too, so it takes two to say it of a kernel. */
static bool is_silence(const struct boot_record *b)
{
	return !strcmp(b->status, "hang") || !strcmp(b->status, "jump-failed") ||
	       !strcmp(b->status, "died-early") || !strcmp(b->status, "no-result");
}

static int shot_act(void *ctx, struct err *e)
{
	struct shot_call *call = ctx;
	struct shot *s = call->shot;
	_cleanup_free_ char *again = xasprintf("%s.again", call->console);

	call->acted = true;
	if (shot_boot(call, call->console, e) < 0)
		return -(int)e->code;
	/* a machine that took kiln along is not asked the same thing twice */
	if (!is_silence(&s->boot) || call->lab->target->kind == TARGET_LOCAL)
		return 0;
	/* is it the kernel, or only the way there? */
	if (s->path == SHOT_AUTO && !strcmp(s->boot.status, "jump-failed") &&
	    call->lab->target->kind == TARGET_QEMU)
		s->path = SHOT_FIRMWARE;
	s->first = s->boot;
	s->boot = (struct boot_record){ 0 };
	samples_release(&s->samples);
	return shot_boot(call, again, e);
}

static void boot_tell(const struct shot *s, const struct boot_record *b)
{
	out_talk("boot  %.12s  %-6s %s, %.1f s%s%s", s->kernel->commit.hex,
		 s->nr_cells ? s->cells[0]->l0 : "-", b->status, b->seconds,
		 b->reason ? ": " : "", b->reason ? b->reason : "");
}

static void shot_tell(const struct shot_call *call)
{
	const struct shot *s = call->shot;

	if (call->lab->c->quiet)
		return;
	if (s->first.status)
		boot_tell(s, &s->first);
	boot_tell(s, &s->boot);
}

/* So that a later run may put its boots beside this one. */
static int add_held(const struct shot_call *call, struct run *r, struct err *e)
{
	const struct shot *s = call->shot;
	_cleanup_free_ char *held = NULL;

	if (held_digest(call->lab, s, &held, e) < 0)
		return -(int)e->code;
	return store_add_held(run_store(r), s->boot.token, held, e);
}

static int shot_save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	struct shot_call *call = ctx;
	struct shot *s = call->shot;

	if (s->first.status && store_add_boot(run_store(r), run_id(r), &s->first, e) < 0)
		return -(int)e->code;
	if (store_add_boot(run_store(r), run_id(r), &s->boot, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < s->samples.nr; i++)
		if (store_add_sample(run_store(r), run_id(r), &s->samples.v[i], e) < 0)
			return -(int)e->code;
	if (s->samples.nr && !s->counted && add_held(call, r, e) < 0)
		return -(int)e->code;
	buf_adds(detail, s->boot.token);
	shot_tell(call);
	return 0;
}

static int shot_load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	struct shot *s = ((struct shot_call *)ctx)->shot;

	if (store_boot(run_store(r), detail, &s->boot, e) < 0)
		return -(int)e->code;
	return store_samples(run_store(r), run_id(r), detail, &s->samples, e);
}

static const struct step shot_step = { shot_act, shot_save, shot_load };

unsigned int lab_machines(const struct lab *l)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (l->target->kind != TARGET_QEMU)
		return 1; /* there is but one */
	if (l->opts->machines)
		return (unsigned int)l->opts->machines;
	/* The virtual clock does not notice a busy host; a real one does. */
	return lab_is_emulated(l) && processors > 1 ? (unsigned int)processors : 1;
}

/* On this machine: whatever comes after a jump is another kiln's. A build that would be lost
 * at the jump waits for the end. */
static int measure_here(struct lab *l, const struct step_call *steps, size_t nr,
			struct lab_ahead *ahead, struct err *e)
{
	_cleanup_free_ char *token = NULL;
	int r = lab_here_begin(l, &token, e);

	for (size_t i = 0; i < nr && r == 0; i++) {
		const struct shot_call *call = steps[i].ctx;

		r = run_step(l->run, &shot_step, steps[i].name, steps[i].ctx, e);
		if (r == 0 && token &&
		    (call->acted || !strcmp(call->shot->boot.token, token)))
			r = lab_here_leave(e);
	}
	r = lab_here_end(l, r, e);
	return r == 0 && ahead ? lab_steps(l, &shot_step, steps, 0, 1, ahead, e) : r;
}

int lab_measure(struct lab *l, struct shots *s, struct lab_ahead *ahead, struct err *e)
{
	_cleanup_free_ struct shot_call *calls = xcalloc(s->nr, sizeof(*calls));
	_cleanup_free_ struct step_call *steps = xcalloc(s->nr, sizeof(*steps));
	int r;

	for (size_t i = 0; i < s->nr; i++) {
		_cleanup_free_ char *file = shot_name(&s->v[i]);

		steps[i] = (struct step_call){ xstrdup(file), &calls[i] };
		for (char *p = file; *p; p++)
			*p = *p == ':' ? '-' : *p;
		calls[i] = (struct shot_call){ .lab = l,
					       .shot = &s->v[i],
					       .console = xasprintf("%s/%s.console",
								    l->dir, file) };
	}
	if (l->target->kind == TARGET_LOCAL)
		r = measure_here(l, steps, s->nr, ahead, e);
	else
		r = lab_steps(l, &shot_step, steps, s->nr, lab_machines(l), ahead, e);
	if (r == 0)
		lab_watch_environment(l, s);
	for (size_t i = 0; i < s->nr; i++) {
		free(steps[i].name);
		free(calls[i].console);
	}
	return r;
}

int shot_check(const struct shot *s, struct err *e)
{
	enum err_code code = err_from_word(s->boot.status);

	if (!strcmp(s->boot.status, "ok"))
		return 0;
	/* "no-result": the machine was up, the guest was not; nothing can be told. */
	err_set(e, code == ERR_NONE ? ERR_UNDECIDED : code, "%s: %s", s->boot.status,
		s->boot.reason ? s->boot.reason : "no cause recorded");
	err_wrap(e, "kernel %.12s '%s' gives no measurement", s->kernel->commit.hex,
		 s->kernel->subject);
	return err_hint(e, "the whole console is %s", s->boot.console);
}

void shots_samples(const struct shots *s, const struct kernel *kernel,
		   struct samples *ret)
{
	for (size_t i = 0; i < s->nr; i++)
		if (oid_equal(&s->v[i].kernel->commit, &kernel->commit))
			samples_copy(&s->v[i].samples, ret);
}
