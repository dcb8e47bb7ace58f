// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/records.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

bool build_same_code(const struct build_record *a, const struct build_record *b)
{
	if (a->code && b->code)
		return !strcmp(a->code, b->code);
	return false;
}

void build_record_release(struct build_record *b)
{
	free(b->config);
	free(b->toolchain);
	free(b->arch);
	free(b->status);
	free(b->reason);
	free(b->build_id);
	free(b->code);
	free(b->image);
	free(b->modules);
	free(b->log);
	*b = (struct build_record){ 0 };
}

void boot_record_release(struct boot_record *b)
{
	free(b->target);
	free(b->accel);
	free(b->path);
	free(b->token);
	free(b->boot_id);
	free(b->build_id);
	free(b->status);
	free(b->reason);
	free(b->title);
	free(b->load);
	free(b->environment);
	free(b->console);
	*b = (struct boot_record){ 0 };
}

void sample_release(struct sample *s)
{
	free(s->token);
	free(s->benchmark);
	free(s->l0);
	free(s->l1);
	free(s->unit);
	free(s->clock);
	free(s->path);
	free(s->setup);
	free(s->guest);
	free(s->qemu);
	free(s->payload);
	*s = (struct sample){ 0 };
}

struct sample *samples_add(struct samples *s)
{
	struct sample *n = array_push(s->v, s->nr);

	*n = (struct sample){ 0 };
	return n;
}

void samples_copy(const struct samples *from, struct samples *to)
{
	for (size_t i = 0; i < from->nr; i++) {
		struct sample *s = samples_add(to);

		*s = from->v[i];
		s->token = xstrdup(s->token);
		s->benchmark = xstrdup(s->benchmark);
		s->l0 = xstrdup(s->l0);
		s->l1 = xstrdup(s->l1);
		s->unit = xstrdup(s->unit);
		s->clock = xstrdup(s->clock);
		s->path = xstrdup(s->path);
		s->setup = xstrdup(s->setup);
		s->guest = xstrdup(s->guest);
		s->qemu = xstrdup(s->qemu);
		s->payload = xstrdup(s->payload);
	}
}

void samples_release(struct samples *s)
{
	for (size_t i = 0; i < s->nr; i++)
		sample_release(&s->v[i]);
	free(s->v);
	*s = (struct samples)SAMPLES_INIT;
}
