// SPDX-License-Identifier: GPL-3.0-or-later
/* Digests of code, over ELF files made section by section. */
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "boot/build/code.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

/* text, notes, debug information, symbols: the first two are loaded. */
struct parts {
	const char *text, *id, *debug;
	uint64_t addr;
};

static const struct buf none = BUF_INIT;
static const struct parts usual = { "code", "0123456789abcdefghij", "debug", 0x1000 };

static void add_note(struct buf *b, const char *id)
{
	const Elf64_Nhdr n = { 4, (Elf64_Word)strlen(id), NT_GNU_BUILD_ID };

	buf_add(b, &n, sizeof(n));
	buf_add(b, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU));
	buf_adds(b, id);
}

static void elf_make(const struct parts *p, struct buf *ret)
{
	_cleanup_buf_ struct buf note = BUF_INIT;
	Elf64_Shdr s[4] = { 0 };
	Elf64_Ehdr eh = {
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = ARRAY_SIZE(s),
		.e_shoff = sizeof(eh),
	};
	uint64_t at = sizeof(eh) + sizeof(s);

	memcpy(eh.e_ident, ELFMAG, SELFMAG);
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	add_note(&note, p->id);
	s[1] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS,
			     .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
			     .sh_addr = p->addr,
			     .sh_offset = at,
			     .sh_size = strlen(p->text) };
	s[2] = (Elf64_Shdr){ .sh_type = SHT_NOTE,
			     .sh_flags = SHF_ALLOC,
			     .sh_offset = at + s[1].sh_size,
			     .sh_size = note.len };
	s[3] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS,
			     .sh_offset = s[2].sh_offset + note.len,
			     .sh_size = strlen(p->debug) };
	buf_add(ret, &eh, sizeof(eh));
	buf_add(ret, s, sizeof(s));
	buf_adds(ret, p->text);
	buf_add(ret, note.data, note.len);
	buf_adds(ret, p->debug);
}

static int write_file(const char *name, const struct buf *b)
{
	_cleanup_err_ struct err e = { 0 };

	assert_int_equal(fs_write(name, b->data, b->len, &e), 0);
	return open(name, O_RDONLY | O_CLOEXEC);
}

/* Of an ELF file and an image that is one too, without a packed kernel. */
static char *digest_of(const struct parts *p)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_close_ int fd = -1;
	struct built built = { .arch = arch_find("arm64") };
	char *ret = NULL;

	elf_make(p, &b);
	fd = write_file("vmlinux", &b);
	built.vmlinux_fd = built.image_fd = fd;
	assert_int_equal(code_digest(&built, &none, &ret, &e), 0);
	return ret;
}

static void expect(const struct parts *p, bool same)
{
	_cleanup_free_ char *a = digest_of(&usual), *b = digest_of(p);

	assert_int_equal(!strcmp(a, b), same);
}

static void test_what_counts(void **state)
{
	struct parts p = usual;

	(void)state;
	p.debug = "other lines of the same code";
	expect(&p, true);
	p.id = "another id";
	expect(&p, false); /* of another length: the note moves what is behind it */
	p.id = "jihgfedcba9876543210";
	expect(&p, true);
	p.text = "CODE";
	expect(&p, false);
	p = usual;
	p.addr = 0x2000;
	expect(&p, false);
}

static void test_damaged(void **state)
{
	_cleanup_buf_ struct buf b = BUF_INIT, text = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_close_ int fd = -1;

	(void)state;
	elf_make(&usual, &b);
	b.len -= strlen(usual.debug) + 5; /* the note is cut short */
	fd = write_file("cut", &b);
	assert_true(code_add_sections(fd, "cut", &text, &e) < 0);
	assert_int_equal(e.code, ERR_TRUNCATED);
	err_release(&e);
	b.len = sizeof(Elf64_Ehdr) + 20; /* the table is */
	base_closep(&fd);
	fd = write_file("cut", &b);
	assert_true(code_add_sections(fd, "cut", &text, &e) < 0);
	assert_int_equal(e.code, ERR_TRUNCATED);
}

/* A bzImage: setup, stub, payload, tail, checksum. */
static void make_image(const char *stub, const char *payload, const char *sum,
		       struct buf *ret)
{
	const uint32_t offset = (uint32_t)strlen(stub), len = (uint32_t)strlen(payload);
	char setup[2 * 512] = { 0 };

	setup[0x1f1] = 1;
	memcpy(setup + 0x202, "HdrS\x0f\x02", 6);
	memcpy(setup + 0x248, &offset, 4);
	memcpy(setup + 0x24c, &len, 4);
	buf_add(ret, setup, sizeof(setup));
	buf_adds(ret, stub);
	buf_adds(ret, payload);
	buf_adds(ret, "tail");
	buf_adds(ret, sum);
}

static char *image_digest(const char *stub, const char *payload, const char *sum)
{
	_cleanup_buf_ struct buf b = BUF_INIT, elf = BUF_INIT;
	_cleanup_close_ int fd = -1, vmlinux = -1;
	struct built built = { .arch = arch_find("x86_64") };
	_cleanup_err_ struct err e = { 0 };
	char *ret = NULL;

	make_image(stub, payload, sum, &b);
	elf_make(&usual, &elf);
	built.image_fd = fd = write_file("image", &b);
	built.vmlinux_fd = vmlinux = write_file("vmlinux", &elf);
	assert_int_equal(code_digest(&built, &none, &ret, &e), 0);
	return ret;
}

/* The build-id is packed too and changes the payload and the checksum; the stub is code. */
static void test_image_around_the_kernel(void **state)
{
	_cleanup_free_ char *a = image_digest("stub", "packed 1", "sum1");
	_cleanup_free_ char *b = image_digest("stub", "packed 2", "sum2");
	_cleanup_free_ char *c = image_digest("STUB", "packed 1", "sum1");

	(void)state;
	assert_string_equal(a, b);
	assert_string_not_equal(a, c);
}

static int enter(void **state)
{
	char dir[] = "/tmp/kiln-code-XXXXXX";

	*state = mkdtemp(dir) && chdir(dir) == 0 ? xstrdup(dir) : NULL;
	return *state ? 0 : -1;
}

static int leave(void **state)
{
	_cleanup_err_ struct err e = { 0 };
	_cleanup_free_ char *dir = *state;

	return chdir("/") < 0 || fs_remove_tree(dir, &e) < 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_counts),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_image_around_the_kernel),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
