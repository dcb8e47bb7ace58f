// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/shot-tasks.h"

#include <stdlib.h>
#include <string.h>

#include "bench/counters.h"
#include "core/base/alloc.h"

#define TASK_TIMEOUT_S 300

static bool is_point(const struct lab *l, const struct benchmark *b,
		     const struct cell *cell)
{
	for (size_t i = 0; i < l->choice.nr_points; i++)
		if (l->choice.points[i].bench == b && l->choice.points[i].cell == cell)
			return true;
	return false;
}

void shot_items(const struct lab *l, const struct shot *s, struct shot_items *ret)
{
	for (size_t i = 0; i < s->nr_cells; i++) {
		for (size_t k = 0; k < (s->all ? l->choice.nr_benches : 1); k++) {
			const struct lab_bench *b = &l->choice.benches[k];

			if (is_point(l, b->bench, s->cells[i]))
				*array_push(ret->v, ret->nr) =
					(struct shot_item){ b, s->cells[i] };
		}
	}
}

void shot_items_release(struct shot_items *items)
{
	free(items->v);
	*items = (struct shot_items){ 0 };
}

void shot_tasks(const struct shot_items *items, bool counted, struct task_list *ret)
{
	for (size_t i = 0; i < items->nr; i++) {
		const struct shot_item *item = &items->v[i];
		const struct benchmark *b = item->bench->bench;
		struct boot_task *t = array_push(ret->v, ret->nr);
		char *name = xasprintf("%s-%zu", item->cell->name, i);

		*strchrnul(name, '/') = '-';
		*t = (struct boot_task){
			.name = name,
			.level = b->level - 1,
			.joins = i && b->level == 2 && item[-1].cell == item->cell,
			.append = item->cell->l1_append,
			.program = item->bench->program,
			.brings_kernel = b->brings_kernel,
			.timeout_s = b->timeout_s ?: TASK_TIMEOUT_S,
		};
		for (char *const *arg = b->args; *arg; arg++)
			strv_add(&t->args, *arg);
		if (counted && b->payload)
			strv_add(&t->args, "marks=1");
	}
}

void shot_tasks_release(struct task_list *tasks)
{
	for (size_t i = 0; i < tasks->nr; i++) {
		free((char *)tasks->v[i].name);
		strv_release(&tasks->v[i].args);
	}
	free(tasks->v);
	*tasks = (struct task_list){ 0 };
}

/* A kernel that runs but lets the guest fail has given no result; it is not proof of
 * anything. */
static void no_result(struct shot *s, const struct shot_item *item,
		      const struct task_result *t)
{
	if (strcmp(s->boot.status, "ok"))
		return; /* the first failure tells most */
	free(s->boot.status);
	s->boot.status = xstrdup("no-result");
	free(s->boot.reason);
	s->boot.reason = xasprintf("%s in %s: %s", item->bench->bench->name,
				   item->cell->name, t->reason ?: "it did not end");
}

/* What all samples of a task have in common. */
static void complete(const struct lab *l, const struct shot *s,
		     const struct shot_item *item, const struct boot_result *result,
		     const struct task_result *t, struct sample *ret)
{
	ret->token = xstrdup(s->boot.token);
	ret->commit = s->boot.commit;
	ret->tree = s->boot.tree;
	ret->l0 = xstrdup(item->cell->l0);
	ret->l1 = xstrdup(item->cell->l1);
	ret->clock = xstrdup(lab_clock(l));
	ret->path = xstrdup(s->boot.path);
	ret->setup = xstrdup(l->choice.setup);
	if (item->bench->bench->level == 2) {
		ret->guest = xstrdup(t->guest_build_id);
		ret->qemu = xstrdup(result->qemu);
	}
	ret->payload = xstrdup(item->bench->digest);
	ret->proven = s->boot.proven && t->proven;
}

/* Counters that this kernel has, as samples by operation; the others stay absent. */
static void counter_samples(const struct lab *l, const struct shot_item *item,
			    const struct task_result *t, struct samples *ret)
{
	double value;

	for (size_t i = 0; counter_at(l->arch, i); i++) {
		struct sample *sample;

		if (!counter_per_op(counter_at(l->arch, i), t->marks, t->ops, &value))
			continue;
		sample = samples_add(ret);
		sample->benchmark = xasprintf("%s#%s", item->bench->bench->name,
					      counter_at(l->arch, i)->name);
		sample->unit = xstrdup("/op");
		sample->value = value;
	}
}

int shot_samples(const struct lab *l, const struct shot_items *items,
		 const struct boot_result *result, struct shot *s, struct err *e)
{
	for (size_t i = 0; i < items->nr; i++) {
		const struct shot_item *item = &items->v[i];
		const struct task_result *t;
		size_t first = s->samples.nr;

		if (i >= result->nr_tasks)
			return err_set(e, ERR_AGENT, "the agent left out cell %s",
				       item->cell->name);
		t = &result->tasks[i];
		if (!t->ended || t->status) {
			no_result(s, item, t);
			continue;
		}
		if (s->counted)
			counter_samples(l, item, t, &s->samples);
		else if (bench_parse(item->bench->bench, &t->lines, &s->samples, e) < 0)
			return err_wrap(e, "no samples of %s from cell %s",
					item->bench->bench->name, item->cell->name);
		for (size_t k = first; k < s->samples.nr; k++)
			complete(l, s, item, result, t, &s->samples.v[k]);
	}
	return 0;
}
