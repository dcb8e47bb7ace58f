// SPDX-License-Identifier: GPL-3.0-or-later
/* Which modules a boot loads and in which order, from files made for it. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boot/build/module-info.h"
#include "boot/build/module-plan.h"
#include "boot/cmdline.h"
#include "core/base/alloc.h"
#include "core/base/buf.h"
#include "core/base/fs.h"

#define ID "0102030405060708090a0b0c0d0e0f1011121314"

static const char names[] = "\0.modinfo\0.note.gnu.build-id\0.shstrtab";

enum { NULL_SECTION, MODINFO, NOTE, NAMES, NR_SECTIONS };

static void section(struct buf *b, Elf64_Shdr *s, uint32_t name, const void *p, size_t n)
{
	*s = (Elf64_Shdr){ .sh_name = name,
			   .sh_type = SHT_PROGBITS,
			   .sh_offset = b->len,
			   .sh_size = n };
	buf_add(b, p, n);
}

/* The file of a module with those tags, which are separated by '|'; last: of its build-id. */
static void make_ko(const char *tags, unsigned char last, struct buf *ret)
{
	Elf64_Ehdr eh = { .e_type = ET_REL,
			  .e_shentsize = sizeof(Elf64_Shdr),
			  .e_shnum = NR_SECTIONS,
			  .e_shstrndx = NAMES };
	unsigned char note[36] = { 4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U' };
	_cleanup_free_ char *text = xstrdup(tags);
	Elf64_Shdr s[NR_SECTIONS] = { 0 };

	memcpy(eh.e_ident, ELFMAG, SELFMAG);
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	for (unsigned char i = 0; i < 20; i++)
		note[16 + i] = i < 19 ? (unsigned char)(i + 1) : last;
	for (char *p = text; *p; p++)
		*p = *p == '|' ? '\0' : *p;
	buf_add(ret, &eh, sizeof(eh));
	section(ret, &s[MODINFO], 1, text, strlen(tags) + 1);
	section(ret, &s[NOTE], 10, note, sizeof(note));
	section(ret, &s[NAMES], 29, names, sizeof(names));
	eh.e_shoff = ret->len;
	buf_add(ret, s, sizeof(s));
	memcpy(ret->data, &eh, sizeof(eh));
}

/* A folder of a build. */
struct folder {
	char path[32];
};

static void folder_make(struct folder *f)
{
	*f = (struct folder){ "/tmp/kiln-plan-XXXXXX" };
	assert_non_null(mkdtemp(f->path));
}

static void folder_release(struct folder *f)
{
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(fs_remove_tree(f->path, &e), 0);
}

static void put(const struct folder *f, const char *file, const char *tags)
{
	_cleanup_free_ char *path = fs_path(f->path, file);
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	make_ko(tags, 0x14, &b);
	assert_int_equal(fs_write(path, b.data, b.len, &e), 0);
}

/* The names of a plan, blank-separated, or the error's word. */
static char *plan_of(const struct folder *f, bool guest)
{
	_cleanup_module_plan_ struct module_plan p = { 0 };
	_cleanup_err_ struct err e = { 0 };
	_cleanup_buf_ struct buf b = BUF_INIT;

	if (module_plan_make(f->path, guest, &p, &e) < 0)
		return xstrdup(err_word(e.code));
	for (size_t i = 0; i < p.nr; i++)
		buf_addf(&b, "%s%s", i ? " " : "", p.v[i].name);
	return xstrdup(buf_str(&b));
}

static void expect_plan(const struct folder *f, bool guest, const char *want)
{
	_cleanup_free_ char *got = plan_of(f, guest);

	assert_string_equal(got, want);
}

static void put_kvm(const struct folder *f)
{
	put(f, "irqbypass.ko", "license=GPL v2|depends=|name=irqbypass");
	put(f, "kvm.ko", "parm=x:y||||depends=irqbypass|intree=Y|name=kvm");
	put(f, "kvm-amd.ko", "depends=kvm,ccp,irqbypass|name=kvm_amd");
	put(f, "kvm-intel.ko", "depends=kvm,irqbypass|name=kvm_intel");
	put(f, "ccp.ko", "depends=|name=ccp");
}

static void closure_in_order(void **state)
{
	_cleanup_(folder_release) struct folder f;
	_cleanup_free_ char *ids = NULL;
	_cleanup_err_ struct err e = { 0 };

	(void)state;
	folder_make(&f);
	put_kvm(&f);
	put(&f, "9p.ko", "depends=9pnet,netfs|name=9p");
	put(&f, "9pnet.ko", "depends=|name=9pnet");
	put(&f, "netfs.ko", "depends=fscache|name=netfs");
	put(&f, "fscache.ko", "depends=|name=fscache");
	put(&f, "virtio_console.ko", "depends=virtio-ring|name=virtio_console");
	put(&f, "virtio_ring.ko", "depends=|name=virtio_ring");
	put(&f, "dm-mod.ko", "depends=|name=dm_mod"); /* nobody's business */
	expect_plan(&f, false,
		    "virtio_ring virtio_console 9pnet fscache netfs 9p irqbypass kvm ccp "
		    "kvm_amd kvm_intel");
	expect_plan(&f, true,
		    "virtio_ring virtio_console irqbypass kvm ccp kvm_amd kvm_intel");
	assert_int_equal(module_kvm_ids(f.path, &ids, &e), 0);
	assert_string_equal(ids, "kvm=" ID " kvm_amd=" ID " kvm_intel=" ID);
}

static void nothing_to_load(void **state)
{
	_cleanup_(folder_release) struct folder f;
	_cleanup_module_plan_ struct module_plan p = { 0 };
	_cleanup_err_ struct err e = { 0 };
	char *ids = NULL;

	(void)state;
	folder_make(&f);
	put(&f, "dm-mod.ko", "depends=|name=dm_mod");
	expect_plan(&f, false, "");
	assert_int_equal(module_plan_make(NULL, false, &p, &e), 0);
	assert_int_equal(p.nr, 0);
	assert_int_equal(module_kvm_ids(f.path, &ids, &e), 0);
	assert_null(ids);
	assert_int_equal(module_kvm_ids(NULL, &ids, &e), 0);
	assert_null(ids);
}

/* What a folder may hold that nobody should load. */
static void hostile_folders(void **state)
{
	static const struct {
		const char *file, *tags, *want;
	} table[] = {
		{ "kvm-amd.ko", "depends=kvm,gone|name=kvm_amd", "not-found" },
		{ "irqbypass.ko", "depends=kvm|name=irqbypass", "not-found" },
		{ "kvm.ko", "depends=kvm|name=kvm", "not-found" },
		{ "kvm.ko", "depends=|name=evil", "not-found" },
		{ "kvm.ko", "depends=../../evil|name=kvm", "not-found" },
		{ "kvm.ko", "depends=|name=kvm|name=kvm", "not-found" },
		{ "kvm.ko", "depends=|name=k vm", "not-found" },
		{ "kvm.ko", "depends=", "not-found" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		_cleanup_(folder_release) struct folder f;

		folder_make(&f);
		put_kvm(&f);
		put(&f, table[i].file, table[i].tags);
		expect_plan(&f, true, table[i].want);
	}
}

/* A file cut anywhere gives an error, and never less of a module. */
static void cut_files(void **state)
{
	_cleanup_(folder_release) struct folder f;
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_free_ char *path = NULL;

	(void)state;
	folder_make(&f);
	path = fs_path(f.path, "kvm.ko");
	make_ko("depends=irqbypass|name=kvm", 0x14, &b);
	for (size_t n = 0; n < b.len; n++) {
		_cleanup_module_info_ struct module_info m = { 0 };
		_cleanup_err_ struct err e = { 0 };

		assert_int_equal(fs_write(path, b.data, n, &e), 0);
		assert_true(module_info_read(path, &m, &e) < 0);
		assert_null(m.name);
	}
}

/* The kernel hands such words to what is built in only. */
static void parameters(void **state)
{
	static const struct {
		const char *line, *module, *want;
	} table[] = {
		{ "kvm_amd.npt=0", "kvm_amd", "npt=0" },
		{ "kvm-amd.npt=0 quiet kvm_amd.sev=1\n", "kvm_amd", "npt=0 sev=1" },
		{ "kvm.halt_poll_ns=0 kvm_amd.npt=1", "kvm", "halt_poll_ns=0" },
		{ "kvm_amd.npt=1 kvm_amd.npt=0", "kvm_amd", "npt=1 npt=0" },
		{ "kvm_amd.x=\"a b\" kvm_amd.nested", "kvm_amd", "x=\"a b\" nested" },
		{ "xkvm.a=1 kvm=1 kvm. kvmx.a=1 kv.a=1", "kvm", "" },
		{ "quiet -- kvm.a=1", "kvm", "" },
		{ "", "kvm", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		_cleanup_free_ char *args =
			cmdline_module_args(table[i].line, table[i].module);

		assert_string_equal(args, table[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closure_in_order), cmocka_unit_test(nothing_to_load),
		cmocka_unit_test(hostile_folders),  cmocka_unit_test(cut_files),
		cmocka_unit_test(parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
