// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/arch/arch.h"

#include <string.h>
#include <sys/utsname.h>

#include "core/arch/rows.h"
#include "core/base/base.h"

static const struct arch *const archs[] = { &arch_x86_64, &arch_powerpc64le,
					    &arch_arm64 };

const struct arch *arch_at(unsigned int i)
{
	return i < ARRAY_SIZE(archs) ? archs[i] : NULL;
}

const struct arch *arch_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (!name || !strcmp(archs[i]->name, name))
			return archs[i];
	return NULL;
}

const char *arch_prefix(const struct arch *a)
{
	struct utsname u;

	return !uname(&u) && !strcmp(u.machine, a->machine) ? "" : a->tools;
}

const struct arch *arch_of_path(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		size_t len = strlen(archs[i]->source);

		if (!strncmp(path, "arch/", 5) &&
		    !strncmp(path + 5, archs[i]->source, len) && path[5 + len] == '/')
			return archs[i];
	}
	return NULL;
}

static bool has_cell(const struct cell *table, const struct cell *c)
{
	for (; table && table->name; table++)
		if (table == c)
			return true;
	return false;
}

const struct arch *arch_of_cell(const struct cell *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (has_cell(archs[i]->cells, c) || has_cell(archs[i]->direct, c))
			return archs[i];
	return archs[0];
}

bool arch_has_benchmark(const struct arch *a, const char *name)
{
	for (const char *const *p = a->benchmarks; p && *p; p++)
		if (!strcmp(*p, name))
			return true;
	return false;
}
