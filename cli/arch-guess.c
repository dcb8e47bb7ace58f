// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arch-guess.h"

#include "cli/out.h"
#include "core/arch/arch.h"

/* The first path of the series in the source of an architecture; NULL: none. */
static const char *path_of(const struct series *s, const struct arch *a)
{
	for (size_t i = 0; i < s->nr_patches; i++) {
		const struct strv *files = &s->patches[i].files;

		for (size_t k = 0; k < files->nr; k++)
			if (arch_of_path(files->v[k]) == a)
				return files->v[k];
	}
	return NULL;
}

int arch_guess(const struct ctx *c, const struct series *s, char **arch, struct err *e)
{
	const struct arch *found = NULL, *a;
	const char *path = NULL;

	if (*arch)
		return 0;
	for (unsigned int i = 0; (a = arch_at(i)); i++) {
		const char *here = a->qemu ? path_of(s, a) : NULL;

		if (!here)
			continue;
		if (found) {
			err_set(e, ERR_USAGE, "the series touches %s and %s", path, here);
			return err_hint(e,
					"say which is measured: --arch %s or --arch %s",
					found->name, a->name);
		}
		found = a;
		path = here;
	}
	if (!found || found == arch_find(NULL))
		return 0;
	if (!c->quiet)
		out_talk("arch  %s, as the series touches %s", found->name, path);
	*arch = (char *)found->name;
	return 0;
}
