// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/qemu-args.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

/*
 * Memory of L1, and how many huge pages of 2 MiB that is; the payload of a level below
 * takes fewer.
 */
#define GUEST_MB 256
#define HUGE_PAGES 128

#define TEXT(x) TEXT_OF(x)
#define TEXT_OF(x) #x

static const struct arch_qemu *machine_of(const struct arch *a)
{
	return (a ?: arch_find(NULL))->qemu;
}

char *qemu_params(const struct arch *a, const char *accel)
{
	const struct arch_qemu *q = machine_of(a);

	return xasprintf("%s%s%s", q->params, q->l0_params,
			 strcmp(accel, "tcg") ? "" : q->virtual_params);
}

const char *qemu_guest_params(const struct arch *a)
{
	return machine_of(a)->guest_params;
}

char *qemu_shape_params(const struct boot_shape *s, bool guest)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (s->pin)
		buf_adds(&b, " kiln.pin=1");
	if (s->huge_pages && !guest)
		buf_adds(&b, " hugepages=" TEXT(HUGE_PAGES));
	if (s->mitigations)
		buf_adds(&b, " mitigations=auto");
	return xstrdup(buf_str(&b));
}

/* A comma in an option's value is written twice. */
static char *escape(const char *value)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (; *value; value++) {
		if (*value == ',')
			buf_addc(&b, ',');
		buf_addc(&b, *value);
	}
	return buf_take(&b);
}

static void add_share(struct strv *ret, const char *id, const char *dir)
{
	_cleanup_free_ char *path = escape(dir);

	strv_add(ret, "-fsdev");
	strv_addf(ret,
		  "local,id=%s,path=%s,security_model=none,readonly=on,multidevs=remap",
		  id, path);
	strv_add(ret, "-device");
	strv_addf(ret, "virtio-9p-pci,fsdev=%s,mount_tag=kiln.%s", id, id);
}

static void add_smp(unsigned int vcpus, struct strv *ret)
{
	strv_add(ret, "-smp");
	strv_addf(ret, "%u", vcpus ?: 1);
}

void qemu_args(const struct machine_opts *o, struct strv *ret)
{
	bool kvm = !strcmp(o->accel, "kvm");
	const struct target *t = o->target;
	const struct arch_qemu *q = machine_of(o->arch);

	strv_addl(ret, q->program, "-machine", q->machine, "-accel", o->accel, NULL);
	if (!kvm)
		strv_addl(ret, "-icount", q->icount, NULL);
	strv_addl(ret, "-cpu", t->cpu ?: kvm ? "host" : q->tcg_cpu, "-m", NULL);
	strv_addf(ret, "%llu", (unsigned long long)(t->memory_mib ?: q->memory_mib));
	add_smp(o->vcpus ?: t->smp, ret);
	strv_addl(ret, "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
		  "-kernel", o->kernel, "-initrd", o->initrd, "-append", o->append, NULL);
	strv_addl(ret, "-chardev", "socket,id=channel,fd=3", "-device",
		  "virtio-serial-pci", "-device",
		  "virtserialport,chardev=channel,name=kiln.0", NULL);
	strv_addl(ret, "-chardev", "socket,id=control,fd=4", "-mon",
		  "chardev=control,mode=control", NULL);
	strv_addl(ret, "-chardev", "socket,id=console,fd=5", "-serial", "chardev:console",
		  NULL);
	for (const char *const *word = q->devices; word && *word; word++)
		strv_add(ret, *word);
	if (q->shares)
		add_share(ret, "boot", o->boot_dir);
	if (q->shares && o->tools_dir)
		add_share(ret, "tools", o->tools_dir);
	for (size_t i = 0; i < t->qemu_args.nr; i++)
		strv_add(ret, t->qemu_args.v[i]);
}

/* A file of a folder, behind its option if that has a name. */
static void add_path(const char *option, const char *dir, const char *name,
		     struct strv *ret)
{
	if (*option)
		strv_add(ret, option);
	strv_addf(ret, "%s/%s", dir, name);
}

void qemu_guest_args(const struct qemu_guest *g, struct strv *ret)
{
	add_path("", g->tools, "ld.so", ret);
	strv_add(ret, "--library-path");
	add_path("", g->tools, "lib", ret);
	add_path("", g->tools, "qemu", ret);
	add_path("-L", g->tools, "fw", ret);
	strv_addl(ret, "-machine", machine_of(g->arch)->machine, "-accel", "kvm", "-cpu",
		  "host", "-m", TEXT(GUEST_MB), "-nodefaults", "-no-user-config",
		  "-display", "none", "-no-reboot", NULL);
	add_smp(g->shape->vcpus, ret);
	if (g->shape->huge_pages)
		strv_addl(ret, "-mem-path", g->huge_pages, "-mem-prealloc", NULL);
	add_path("-kernel", g->place, g->kernel, ret);
	add_path("-initrd", g->place, g->initrd, ret);
	strv_addl(ret, "-append", g->append, NULL);
	strv_addl(ret, "-chardev", "socket,id=channel,fd=3", "-device",
		  "virtio-serial-pci", "-device",
		  "virtserialport,chardev=channel,name=kiln.0", NULL);
	strv_addl(ret, "-chardev", "socket,id=console,fd=4", "-serial", "chardev:console",
		  NULL);
}
