// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/qemu-args.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

/*
 * An emulated processor that is the same for every QEMU version: what 7.2's TCG cannot do
 * is taken out by name, and enforce makes anything else missing an error instead of a
 * warning.
 */
#define TCG_CPU                                                                 \
	"EPYC,+svm,+npt,-rdseed,-sha-ni,-fxsr-opt,-misalignsse,-3dnowprefetch," \
	"-osvw,-topoext,-nrip-save,-xsavec,enforce"

/* Virtual time is the number of instructions: 2^1 ns each. */
#define TCG_ICOUNT "shift=1"

/*
 * oops=panic: whatever an oops leaves behind is not worth measuring. panic=-1 resets at
 * once, and a reset is an end. reboot=t needs no device to do it.
 */
#define COMMON "console=ttyS0 panic=-1 oops=panic reboot=t mitigations=off rdinit=/init"

/*
 * L0 has a watchdog, which the agent feeds; what it does to a machine that hangs is to
 * send an interrupt that cannot be masked, so that the kernel shows where it is.
 */
#define WATCHDOG " unknown_nmi_panic kiln.watchdog=60"

/*
 * Calibrating the APIC timer and checking the PIT's takes 100 ms of virtual time spent in
 * reading the time, several seconds of the host's. The frequency given is exactly that of
 * the virtual clock; measured, it differs from boot to boot. And it is right by definition:
 * a host that is slow for a while makes the kernel distrust it, and count time by jiffies.
 */
#define VIRTUAL_CLOCK " nolapic_timer no_timer_check tsc_early_khz=1000000 tsc=reliable"

/*
 * Memory of L1, and how many huge pages of 2 MiB that is; the payload of a level below
 * takes fewer.
 */
#define GUEST_MB 256
#define HUGE_PAGES 128

#define TEXT(x) TEXT_OF(x)
#define TEXT_OF(x) #x

/* Whatever stops L0 before it has a console still shows. */
#define EARLY " earlycon=uart8250,io,0x3f8,115200n8"

const char *qemu_params(const char *accel)
{
	return strcmp(accel, "tcg") != 0 ? COMMON WATCHDOG EARLY
					 : COMMON WATCHDOG EARLY VIRTUAL_CLOCK;
}

/* quiet: every byte of L1's console is an exit through all levels. A panic shows anyway.
 */
const char *qemu_guest_params(void)
{
	return COMMON " quiet";
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

	strv_addl(ret, "qemu-system-x86_64", "-machine", "q35", "-accel", o->accel, NULL);
	if (!kvm)
		strv_addl(ret, "-icount", TCG_ICOUNT, NULL);
	strv_addl(ret, "-cpu", t->cpu ?: kvm ? "host" : TCG_CPU, "-m", NULL);
	strv_addf(ret, "%llu", (unsigned long long)(t->memory_mib ?: 1024));
	add_smp(o->vcpus ?: t->smp, ret);
	strv_addl(ret, "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
		  "-kernel", o->kernel, "-initrd", o->initrd, "-append", o->append, NULL);
	strv_addl(ret, "-chardev", "socket,id=channel,fd=3", "-device",
		  "virtio-serial-pci", "-device",
		  "virtserialport,chardev=channel,name=kiln.0", NULL);
	strv_addl(ret, "-chardev", "socket,id=control,fd=4", "-mon",
		  "chardev=control,mode=control", NULL);
	strv_addl(ret, "-chardev", "socket,id=console,fd=5", "-serial", "chardev:console",
		  "-device", "i6300esb", "-action", "watchdog=inject-nmi", NULL);
	add_share(ret, "boot", o->boot_dir);
	if (o->tools_dir)
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
	strv_addl(ret, "-machine", "q35", "-accel", "kvm", "-cpu", "host", "-m",
		  TEXT(GUEST_MB), "-nodefaults", "-no-user-config", "-display", "none",
		  "-no-reboot", NULL);
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
