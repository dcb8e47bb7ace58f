// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/modules.h"

#include "boot/build/module-plan.h"
#include "boot/target/share.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

static void order(const struct module_plan *plan, struct buf *ret)
{
	for (size_t i = 0; i < plan->nr; i++)
		buf_addf(ret, "%s\n", plan->v[i].name);
}

int modules_pack(struct cpio *c, const char *dir, bool guest, struct err *e)
{
	_cleanup_module_plan_ struct module_plan plan = { 0 };
	_cleanup_buf_ struct buf names = BUF_INIT;

	if (module_plan_make(dir, guest, &plan, e) < 0)
		return -(int)e->code;
	if (!plan.nr)
		return 0;
	order(&plan, &names);
	if (cpio_dir(c, "modules", e) < 0 ||
	    cpio_data(c, "modules/order", 0644, &names, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < plan.nr; i++) {
		_cleanup_free_ char *name = xasprintf("modules/%s.ko", plan.v[i].name);

		if (cpio_file(c, name, plan.v[i].path, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

int modules_share(const char *share, const char *dir, struct err *e)
{
	_cleanup_module_plan_ struct module_plan plan = { 0 };
	_cleanup_free_ char *to = fs_path(share, "modules"), *list = fs_path(to, "order");
	_cleanup_buf_ struct buf names = BUF_INIT;

	if (module_plan_make(dir, false, &plan, e) < 0 || fs_mkdirs(to, e) < 0)
		return -(int)e->code;
	order(&plan, &names);
	for (size_t i = 0; i < plan.nr; i++) {
		_cleanup_free_ char *name = xasprintf("%s.ko", plan.v[i].name);

		if (share_add(to, name, plan.v[i].path, e) < 0)
			return -(int)e->code;
	}
	return fs_write(list, buf_str(&names), names.len, e);
}
