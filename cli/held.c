// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/held.h"

#include <string.h>

#include "cli/lab-internal.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/git/repo.h"

#define PROGRAM_MAX ((size_t)64 << 20)

char *held_params(const struct lab *l)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	for (const char *const *arg = l->bench->args; *arg; arg++)
		buf_addf(&text, "%s%s", text.len ? " " : "", *arg);
	if (l->opts->append)
		buf_addf(&text, " append %s", l->opts->append);
	return buf_take(&text);
}

int held_digest(const struct lab *l, const struct cell *const *cells, size_t nr,
		char **ret, struct err *e)
{
	_cleanup_buf_ struct buf program = BUF_INIT, text = BUF_INIT;
	_cleanup_free_ char *params = held_params(l);
	struct oid digest;

	if (fs_read(l->program, PROGRAM_MAX, &program, e) < 0)
		return err_wrap(e, "cannot read the program of %s", l->bench->name);
	repo_digest(program.data, program.len, &digest);
	buf_addf(&text, "l1 %s\nprogram %s\nparams %s\n", l->via.build.build_id,
		 digest.hex, params);
	for (size_t i = 0; i < nr; i++)
		buf_addf(&text, "cell %s %s %s\n", cells[i]->name,
			 cells[i]->l0_append ?: "", cells[i]->l1_append ?: "");
	repo_digest(text.data, text.len, &digest);
	*ret = xstrdup(digest.hex);
	return 0;
}

int identity_alike(const struct identity *base, const struct identity *patched,
		   struct err *e)
{
	const struct {
		const char *name, *base, *patched;
	} parts[] = {
		{ "target", base->target, patched->target },
		{ "accelerator", base->accel, patched->accel },
		{ "path", base->path, patched->path },
		{ "environment (L1's kernel, the benchmark and its arguments)",
		  base->held, patched->held },
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!parts[i].base || !parts[i].patched ||
		    !strcmp(parts[i].base, parts[i].patched))
			continue;
		err_set(e, ERR_USAGE,
			"the two sides are not alike: their %s is '%.20s' and '%.20s'",
			parts[i].name, parts[i].base, parts[i].patched);
		return err_hint(e, "measure both sides in one `kiln compare`");
	}
	return 0;
}
