// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/counters.h"

#include <string.h>

#include "core/base/parse.h"

const struct counter_row *counter_at(const struct arch *a, size_t i)
{
	const struct counter_row *row = (a ?: arch_find(NULL))->counters;

	while (row && row->name && i--)
		row++;
	return row && row->name ? row : NULL;
}

void counter_names(const struct arch *a, struct strv *ret)
{
	const struct counter_row *row;

	for (size_t i = 0; (row = counter_at(a, i)); i++) {
		strv_add(ret, row->name);
		if (row->alias)
			strv_add(ret, row->alias);
	}
}

static bool find(const struct strv *mark, const char *name, uint64_t *ret)
{
	for (size_t i = 0; name && i + 1 < mark->nr; i += 2)
		if (!strcmp(mark->v[i], name))
			return parse_u64(mark->v[i + 1], ret);
	return false;
}

static bool find_all(const char *name, const struct strv marks[3], uint64_t v[3])
{
	for (int i = 0; i < 3; i++)
		if (!find(&marks[i], name, &v[i]) || (i && v[i] < v[i - 1]))
			return false;
	return true;
}

bool counter_per_op(const struct counter_row *c, const struct strv marks[3], uint64_t ops,
		    double *ret)
{
	uint64_t v[3], work, cost;

	if (!ops || (!find_all(c->name, marks, v) && !find_all(c->alias, marks, v)))
		return false;
	work = v[2] - v[1];
	cost = v[1] - v[0];
	*ret = work > cost ? (double)(work - cost) / (double)ops : 0;
	return true;
}
