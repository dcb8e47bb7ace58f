// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/initrd.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "boot/cpio.h"
#include "boot/target/carry.h"
#include "boot/target/modules.h"
#include "boot/target/program.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

static int start(struct cpio *c, const char *agent, struct err *e)
{
	/* the kernel opens the console before anything can mount devtmpfs */
	if (cpio_dir(c, "dev", e) < 0 || cpio_chardev(c, "dev/console", 5, 1, e) < 0 ||
	    cpio_chardev(c, "dev/null", 1, 3, e) < 0)
		return -(int)e->code;
	return cpio_file(c, "init", agent, e);
}

static int finish(struct cpio *c, const char *path, struct err *e)
{
	cpio_finish(c);
	return fs_write(path, c->out.data, c->out.len, e);
}

static int add_kexec(struct cpio *c, struct err *e)
{
	_cleanup_program_ struct program p = { 0 };

	if (program_resolve("kexec", &p, e) < 0)
		return -(int)e->code;
	if (!p.loader)
		return err_set(e, ERR_TOOL_FAILED,
			       "'%s' is static, which is not supported", p.path);
	if (cpio_dir(c, "kexec", e) < 0 || cpio_dir(c, "kexec/lib", e) < 0 ||
	    cpio_file(c, "kexec/kexec", p.path, e) < 0 ||
	    cpio_file(c, "kexec/ld.so", p.loader, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < p.libs.nr; i++) {
		_cleanup_free_ char *name =
			xasprintf("kexec/lib/%s", strrchr(p.libs.v[i], '/') + 1);

		if (cpio_file(c, name, p.libs.v[i], e) < 0)
			return -(int)e->code;
	}
	return 0;
}

/* A file or a folder of files of the folder that becomes /boot. */
static int add_tree(struct cpio *c, const char *dir, const char *to, struct err *e)
{
	struct dirent **v;
	int nr = scandir(dir, &v, NULL, alphasort), r = 0;

	if (nr < 0)
		return err_sys(e, errno, "cannot read '%s'", dir);
	r = cpio_dir(c, to, e);
	for (int i = 0; i < nr; i++) {
		_cleanup_free_ char *from = fs_path(dir, v[i]->d_name);
		_cleanup_free_ char *name = fs_path(to, v[i]->d_name);

		if (r == 0 && v[i]->d_name[0] != '.')
			r = fs_is_dir(from) ? add_tree(c, from, name, e)
					    : cpio_file(c, name, from, e);
		free(v[i]);
	}
	free(v);
	return r;
}

int initrd_base(const struct boot_spec *spec, const char *dir, const char *path,
		struct err *e)
{
	_cleanup_cpio_ struct cpio c = CPIO_INIT;

	if (start(&c, spec->agent, e) < 0 ||
	    (dir ? add_tree(&c, dir, "boot", e) : add_kexec(&c, e)) < 0 ||
	    modules_pack(&c, spec->base.module_dir, false, e) < 0 ||
	    finish(&c, path, e) < 0)
		return err_wrap(e, "cannot make the base kernel's initramfs");
	return 0;
}

int initrd_candidate(const struct boot_spec *spec, const char *dir, const char *path,
		     struct err *e)
{
	_cleanup_cpio_ struct cpio c = CPIO_INIT;

	if (start(&c, spec->agent, e) < 0 || (dir && add_tree(&c, dir, "boot", e) < 0) ||
	    modules_pack(&c, spec->candidate.module_dir, false, e) < 0 ||
	    finish(&c, path, e) < 0)
		return err_wrap(e, "cannot make the candidate's initramfs");
	return 0;
}

/* What several tasks run is there once: the first of them. */
static size_t first_of(const struct boot_task *tasks, size_t i)
{
	size_t first = 0;

	while (strcmp(tasks[first].program, tasks[i].program) != 0)
		first++;
	return first;
}

static int add_carried(struct cpio *c, const struct carry *carry, const char *prefix,
		       struct err *e)
{
	_cleanup_strv_ struct strv from = STRV_INIT, to = STRV_INIT;
	_cleanup_free_ char *lib = xasprintf("%slib", prefix);

	if (carry->binary.libs.nr && cpio_dir(c, lib, e) < 0)
		return -(int)e->code;
	carry_files(carry, prefix, &from, &to);
	for (size_t i = 0; i < from.nr; i++)
		if (cpio_file(c, to.v[i], from.v[i], e) < 0)
			return -(int)e->code;
	return 0;
}

/* The command of task i, each word ended by a NUL byte. */
static int add_command(struct cpio *c, const struct boot_task *tasks, size_t i,
		       struct err *e)
{
	size_t first = first_of(tasks, i);
	_cleanup_free_ char *prefix = xasprintf("kiln/%zu-", first);
	_cleanup_free_ char *command = xasprintf("kiln/argv-%zu", i);
	_cleanup_carry_ struct carry carry = { 0 };
	_cleanup_buf_ struct buf argv = BUF_INIT;

	if (carry_make(tasks[i].program, &carry, e) < 0)
		return -(int)e->code;
	carry_words(&carry, "/", prefix, &argv);
	for (size_t k = 0; k < tasks[i].args.nr; k++)
		buf_add(&argv, tasks[i].args.v[k], strlen(tasks[i].args.v[k]) + 1);
	if (first == i && add_carried(c, &carry, prefix, e) < 0)
		return -(int)e->code;
	return cpio_data(c, command, 0644, &argv, e);
}

static int add_kernel(struct cpio *c, const struct boot_task *tasks, size_t nr,
		      const char *image, struct err *e)
{
	for (size_t i = 0; i < nr; i++)
		if (tasks[i].brings_kernel)
			return cpio_file(c, "kiln/kernel", image, e);
	return 0;
}

int initrd_guest(const struct boot_spec *spec, size_t i, const char *path, struct err *e)
{
	const struct boot_task *tasks = &spec->tasks->v[i];
	size_t nr = task_group(spec->tasks, i);
	_cleanup_cpio_ struct cpio c = CPIO_INIT;
	int r = start(&c, spec->agent, e);

	if (r == 0)
		r = modules_pack(&c, spec->guest.module_dir, true, e);
	if (r == 0)
		r = cpio_dir(&c, "kiln", e);
	for (size_t k = 0; r == 0 && k < nr; k++)
		r = add_command(&c, tasks, k, e);
	if (r == 0)
		r = add_kernel(&c, tasks, nr, spec->guest.image, e);
	if (r < 0 || finish(&c, path, e) < 0)
		return err_wrap(e, "cannot make the guest initramfs of '%s'",
				tasks[0].name);
	return 0;
}
