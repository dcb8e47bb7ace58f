// SPDX-License-Identifier: GPL-3.0-or-later
/* Boots that measure, as steps of a run. */
#include "cli/lab-internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/ahead.h"
#include "cli/out.h"
#include "core/base/alloc.h"

#define TASK_TIMEOUT_S 180

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

void shots_plan(struct shots *s, const struct lab *l, const struct kernel *kernel,
		unsigned int ordinal)
{
	size_t first = s->nr;

	for (size_t i = 0; i < l->nr_cells; i++) {
		const struct cell *cell = l->cells[i];
		size_t k = first;

		while (k < s->nr && strcmp(s->v[k].cells[0]->l0, cell->l0))
			k++;
		if (k == s->nr) {
			struct shot *shot = array_push(s->v, s->nr);

			*shot = (struct shot){ .kernel = kernel,
					       .ordinal = ordinal,
					       .path = SHOT_KEXEC };
		}
		s->v[k].cells[s->v[k].nr_cells++] = cell;
	}
}

void shots_plan_boot(struct shots *s, const struct kernel *kernel, enum shot_path path)
{
	struct shot *shot = array_push(s->v, s->nr);

	*shot = (struct shot){ .kernel = kernel, .path = path };
}

/* What a shot's step works on. */
struct shot_call {
	const struct lab *lab;
	struct shot *shot;
	char *console;
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
	return buf_take(&name);
}

static void tasks_fill(const struct shot_call *call, struct task_list *tasks)
{
	const struct benchmark *b = call->lab->bench;

	for (size_t i = 0; i < call->shot->nr_cells; i++) {
		const struct cell *cell = call->shot->cells[i];
		struct boot_task *t = array_push(tasks->v, tasks->nr);
		char *name = xstrdup(cell->name);

		*strchrnul(name, '/') = '-';
		*t = (struct boot_task){
			.name = name,
			.level = 1,
			.append = cell->l1_append,
			.program = call->lab->program,
			.timeout_s = TASK_TIMEOUT_S,
		};
		for (const char *const *arg = b->args; *arg; arg++)
			strv_add(&t->args, *arg);
	}
}

static void tasks_release(struct task_list *tasks)
{
	for (size_t i = 0; i < tasks->nr; i++) {
		free((char *)tasks->v[i].name);
		strv_release(&tasks->v[i].args);
	}
	free(tasks->v);
}

/* A kernel that runs but lets the guest fail has given no result; it is not proof of
 * anything. */
static void shot_no_result(struct shot *s, const struct task_result *t)
{
	free(s->boot.status);
	free(s->boot.reason);
	s->boot.status = xstrdup("no-result");
	s->boot.reason = t->reason ? xstrdup(t->reason)
				   : xasprintf("guest %s ended with status %d", t->name,
					       t->status);
}

static int task_samples(const struct shot_call *call, size_t i,
			const struct task_result *t, struct err *e)
{
	struct shot *s = call->shot;
	size_t first = s->samples.nr;

	if (!t->ended || t->status) {
		shot_no_result(s, t);
		return 0;
	}
	if (bench_parse(call->lab->bench, &t->lines, &s->samples, e) < 0)
		return err_wrap(e, "no samples from guest %s", t->name);
	for (size_t k = first; k < s->samples.nr; k++) {
		struct sample *sample = &s->samples.v[k];

		sample->token = xstrdup(s->boot.token);
		sample->commit = s->boot.commit;
		sample->tree = s->boot.tree;
		sample->l0 = xstrdup(s->cells[i]->l0);
		sample->l1 = xstrdup(s->cells[i]->l1);
		sample->clock =
			xstrdup(strcmp(call->lab->accel, "tcg") ? "host" : "virtual");
		sample->path = xstrdup(s->boot.path);
		sample->proven = s->boot.proven && t->proven;
	}
	return 0;
}

static int shot_collect(const struct shot_call *call, struct boot_result *result,
			struct err *e)
{
	struct shot *s = call->shot;

	s->boot = result->record;
	result->record = (struct boot_record){ 0 };
	s->boot.commit = s->kernel->commit;
	s->boot.tree = s->kernel->build.tree;
	if (strcmp(s->boot.status, "ok"))
		return 0;
	for (size_t i = 0; i < s->nr_cells; i++) {
		if (i >= result->nr_tasks)
			return err_set(e, ERR_AGENT, "the agent left out cell %s",
				       s->cells[i]->name);
		if (task_samples(call, i, &result->tasks[i], e) < 0)
			return -(int)e->code;
	}
	return 0;
}

static int shot_boot(struct shot_call *call, const char *console, struct err *e)
{
	const struct lab *l = call->lab;
	const struct build_record *build = &call->shot->kernel->build;
	_cleanup_(tasks_release) struct task_list tasks = { 0 };
	_cleanup_boot_ struct boot_result *result = NULL;
	_cleanup_free_ char *append = NULL;
	struct boot_spec spec = {
		.target = l->target,
		.accel = l->accel,
		.base = { l->via.build.image, l->via.build.build_id },
		.candidate = { build->image, build->build_id },
		.guest = { l->via.build.image, l->via.build.build_id },
		.agent = l->agent,
		.console = console,
		.direct = call->shot->path == SHOT_FIRMWARE,
		.boot_timeout_s = l->opts->boot_timeout,
		.tasks = &tasks,
	};

	append = xasprintf("%s%s%s",
			   call->shot->nr_cells ? call->shot->cells[0]->l0_append : "",
			   l->opts->append ? " " : "",
			   l->opts->append ? l->opts->append : "");
	spec.append = append;
	tasks_fill(call, &tasks);
	if (boot_run(&spec, &result, e) < 0 || shot_collect(call, result, e) < 0)
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

	if (shot_boot(call, call->console, e) < 0)
		return -(int)e->code;
	if (!is_silence(&s->boot))
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

static unsigned int machines(const struct lab *l)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (l->opts->machines)
		return (unsigned int)l->opts->machines;
	/* The virtual clock does not notice a busy host; a real one does. */
	return !strcmp(l->accel, "tcg") && processors > 1 ? (unsigned int)processors : 1;
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
		calls[i] = (struct shot_call){ l, &s->v[i],
					       xasprintf("%s/%s.console", l->dir, file) };
	}
	r = lab_steps(l, &shot_step, steps, s->nr, machines(l), ahead, e);
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
