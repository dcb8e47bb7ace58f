// SPDX-License-Identifier: GPL-3.0-or-later
/* What the boots of a campaign measured with. */
#include "cli/lab-internal.h"

#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "core/base/alloc.h"

static const char *group_of(const struct shot *s)
{
	return s->nr_cells ? s->cells[0]->l0 : "";
}

enum likeness shots_likeness(const struct shots *s, const struct kernel *base,
			     char **ret_why)
{
	_cleanup_free_ struct measured_with *v = xcalloc(s->nr, sizeof(*v));

	for (size_t i = 0; i < s->nr; i++)
		v[i] = (struct measured_with){
			.environment = s->v[i].boot.environment,
			.accel = s->v[i].boot.accel,
			.group = group_of(&s->v[i]),
			.side = s->v[i].kernel == base ? "base" : "patched",
		};
	return environments_alike(v, s->nr, ret_why);
}

/* That of the lab's first boot in this group; NULL when there was none yet. */
static const char *first_of(const struct lab *l, const char *group)
{
	for (size_t i = 0; i + 1 < l->environments.nr; i += 2)
		if (!strcmp(l->environments.v[i], group))
			return l->environments.v[i + 1];
	return NULL;
}

void lab_watch_environment(struct lab *l, const struct shots *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct boot_record *b = &s->v[i].boot;
		const char *group = group_of(&s->v[i]);
		const char *first = first_of(l, group);
		_cleanup_free_ char *why = NULL;

		if (!s->v[i].nr_cells || !b->environment)
			continue;
		if (!first)
			strv_addl(&l->environments, group, b->environment, NULL);
		else if (environment_alike(first, b->environment, b->accel, &why) ==
				 ENVIRONMENT_UNLIKE &&
			 !l->c->quiet)
			out_talk("warning: boot %.12s measured in another environment "
				 "than the first: %s",
				 b->token, why);
	}
}
