// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/module-plan.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "boot/build/module-info.h"
#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/fs.h"

#define PLAN_MAX 128 /* modules in all; a usual boot has a dozen */

/*
 * What the agent cannot do without: its port, the sockets it speaks to programs and to
 * QEMU through, its shares and its watchdog. And KVM, of either vendor: a module that the
 * processor has no use for says so itself.
 */
static const struct {
	const char *name;
	bool guest;
} roots[] = {
	{ "virtio_pci", true }, { "virtio_console", true },
	{ "unix", true },	{ "9pnet_virtio", false },
	{ "9p", false },	{ "i6300esb", false },
	{ "kvm", true },	{ "kvm_amd", true },
	{ "kvm_intel", true },	{ "kvm_hv", true },
};

struct walk {
	const char *dir;
	struct strv files;
	struct strv open; /* modules whose needs are being looked at */
	struct module_plan plan;
};

static void walk_release(struct walk *w)
{
	strv_release(&w->files);
	strv_release(&w->open);
	module_plan_release(&w->plan);
}

void module_plan_release(struct module_plan *p)
{
	for (size_t i = 0; i < p->nr; i++) {
		free(p->v[i].name);
		free(p->v[i].path);
		free(p->v[i].build_id);
	}
	free(p->v);
	*p = (struct module_plan){ 0 };
}

static int list_files(struct walk *w, struct err *e)
{
	DIR *dir = opendir(w->dir);
	struct dirent *d;

	if (!dir)
		return err_sys(e, errno, "cannot read the modules in '%s'", w->dir);
	while ((d = readdir(dir)))
		strv_add(&w->files, d->d_name);
	closedir(dir);
	return 0;
}

/* The file of a module, "kvm-amd.ko" of kvm_amd; NULL when there is none. */
static const char *find_file(const struct walk *w, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < w->files.nr; i++) {
		_cleanup_free_ char *file = xstrdup(w->files.v[i]);

		module_name_fold(file);
		if (!strncmp(file, name, len) && !strcmp(file + len, ".ko"))
			return w->files.v[i];
	}
	return NULL;
}

static bool is_planned(const struct walk *w, const char *name)
{
	for (size_t i = 0; i < w->plan.nr; i++)
		if (!strcmp(w->plan.v[i].name, name))
			return true;
	return false;
}

static int visit(struct walk *w, const char *name, struct err *e);

/* Everything a module needs, then itself. */
static int add(struct walk *w, const char *file, const char *name, struct err *e)
{
	_cleanup_free_ char *path = fs_path(w->dir, file);
	_cleanup_module_info_ struct module_info m = { 0 };

	if (module_info_read(path, &m, e) < 0)
		return -(int)e->code;
	if (strcmp(m.name, name) != 0)
		return err_set(e, ERR_NOT_FOUND, "'%s' is the module '%s'", path, m.name);
	strv_add(&w->open, name);
	for (size_t i = 0; i < m.depends.nr; i++) {
		if (!find_file(w, m.depends.v[i]))
			return err_set(e, ERR_NOT_FOUND,
				       "module '%s' needs '%s', which is not in '%s'",
				       name, m.depends.v[i], w->dir);
		if (visit(w, m.depends.v[i], e) < 0)
			return -(int)e->code;
	}
	free(w->open.v[--w->open.nr]);
	w->open.v[w->open.nr] = NULL;
	*array_push(w->plan.v, w->plan.nr) = (struct module){
		.name = take_ptr(m.name),
		.path = take_ptr(path),
		.build_id = take_ptr(m.build_id),
	};
	return 0;
}

static int visit(struct walk *w, const char *name, struct err *e)
{
	const char *file = find_file(w, name);

	if (!file || is_planned(w, name))
		return 0;
	if (strv_has(&w->open, name))
		return err_set(e, ERR_NOT_FOUND, "module '%s' in '%s' needs itself", name,
			       w->dir);
	if (w->open.nr + w->plan.nr >= PLAN_MAX)
		return err_set(e, ERR_TOO_BIG,
			       "a boot needs more than %d modules of '%s'", PLAN_MAX,
			       w->dir);
	return add(w, file, name, e);
}

int module_plan_make(const char *dir, bool guest, struct module_plan *ret, struct err *e)
{
	_cleanup_(walk_release) struct walk w = { .dir = dir };

	if (dir && list_files(&w, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; dir && i < ARRAY_SIZE(roots); i++)
		if ((!guest || roots[i].guest) && visit(&w, roots[i].name, e) < 0)
			return -(int)e->code;
	*ret = w.plan;
	w.plan = (struct module_plan){ 0 };
	return 0;
}

int module_kvm_ids(const char *dir, char **ret, struct err *e)
{
	_cleanup_module_plan_ struct module_plan plan = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (module_plan_make(dir, true, &plan, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < plan.nr; i++) {
		const struct module *m = &plan.v[i];

		if (strncmp(m->name, "kvm", 3) != 0)
			continue;
		if (!m->build_id)
			return err_set(e, ERR_NOT_FOUND, "'%s' has no build-id", m->path);
		buf_addf(&b, "%s%s=%s", b.len ? " " : "", m->name, m->build_id);
	}
	*ret = b.len ? buf_take(&b) : NULL;
	return 0;
}
