// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/held.h"

#include <string.h>

#include "boot/build/module-plan.h"
#include "cli/lab-internal.h"
#include "cli/shot-tasks.h"
#include "core/base/alloc.h"
#include "core/git/repo.h"

char *held_params(const struct lab *l, const struct benchmark *b)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	for (char *const *arg = b->args; *arg; arg++)
		buf_addf(&text, "%s%s", text.len ? " " : "", *arg);
	if (*l->choice.setup)
		buf_addf(&text, " setup %s", l->choice.setup);
	if (l->opts->append)
		buf_addf(&text, " append %s", l->opts->append);
	return buf_take(&text);
}

int held_digest(const struct lab *l, const struct shot *s, char **ret, struct err *e)
{
	_cleanup_(shot_items_release) struct shot_items items = { 0 };
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_free_ char *modules = NULL;
	struct oid digest;

	shot_items(l, s, &items);
	if (!l->via.build.build_id)
		return err_set(e, ERR_NOT_FOUND, "L1's kernel has no build-id");
	if (module_kvm_ids(l->via.build.modules, &modules, e) < 0)
		return -(int)e->code;
	buf_addf(&text, "l1 %s\n", l->via.build.build_id);
	if (modules)
		buf_addf(&text, "modules %s\n", modules);
	for (size_t i = 0; i < items.nr; i++) {
		const struct shot_item *item = &items.v[i];
		_cleanup_free_ char *params = held_params(l, item->bench->bench);

		buf_addf(&text, "cell %s %s %s\nprogram %s\nparams %s\n",
			 item->cell->name, item->cell->l0_append ?: "",
			 item->cell->l1_append ?: "", item->bench->digest ?: "", params);
	}
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
