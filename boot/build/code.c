// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/code.h"

#include <string.h>
#include <sys/stat.h>

#include "boot/build/elf.h"
#include "core/base/alloc.h"
#include "core/git/repo.h"

#define SECTIONS_MAX 65535
#define SECTION_MAX (1u << 30)
#define CHECKSUM 4 /* at the end of an image */

/* The build-id is made from the whole file, so it says what the rest must not. */
static void blank_build_id(unsigned char *p, size_t len)
{
	while (len >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr n;
		uint64_t name, size;

		memcpy(&n, p, sizeof(n));
		name = sizeof(n) + (((uint64_t)n.n_namesz + 3) & ~(uint64_t)3);
		size = name + (((uint64_t)n.n_descsz + 3) & ~(uint64_t)3);
		if (name + n.n_descsz > len)
			return;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(p + sizeof(n), ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)))
			memset(p + name, 0, n.n_descsz);
		if (size >= len)
			return;
		p += size;
		len -= size;
	}
}

static int add_range(int fd, const char *name, uint64_t at, uint64_t len, bool notes,
		     struct buf *ret, struct err *e)
{
	_cleanup_free_ unsigned char *p = NULL;
	struct oid digest;
	struct stat st;

	if (fstat(fd, &st) < 0 || len > SECTION_MAX || len > (uint64_t)st.st_size)
		return err_set(e, ERR_TRUNCATED, "'%s' ends too early", name);
	p = xzalloc(len + 1);
	if (elf_read_at(fd, name, p, len, at, e) < 0)
		return -(int)e->code;
	if (notes)
		blank_build_id(p, len);
	repo_digest(p, len, &digest);
	buf_addf(ret, " %llu %s\n", (unsigned long long)len, digest.hex);
	return 0;
}

static bool is_loaded(const Elf64_Shdr *s)
{
	return (s->sh_flags & SHF_ALLOC) && s->sh_size;
}

static int add_section(int fd, const char *name, const Elf64_Shdr *s, struct buf *ret,
		       struct err *e)
{
	buf_addf(ret, "section %u %llx %llx", s->sh_type, (unsigned long long)s->sh_flags,
		 (unsigned long long)s->sh_addr);
	if (s->sh_type != SHT_NOBITS)
		return add_range(fd, name, s->sh_offset, s->sh_size,
				 s->sh_type == SHT_NOTE, ret, e);
	buf_addf(ret, " %llu\n", (unsigned long long)s->sh_size);
	return 0;
}

int code_add_sections(int fd, const char *name, struct buf *ret, struct err *e)
{
	Elf64_Ehdr eh;
	struct stat st;
	uint64_t left;

	if (elf_read_header(fd, name, &eh, e) < 0)
		return -(int)e->code;
	if (!eh.e_shnum || eh.e_shnum >= SECTIONS_MAX || eh.e_shoff > INT64_MAX / 2 ||
	    eh.e_shentsize != sizeof(Elf64_Shdr))
		return err_set(e, ERR_NOT_FOUND, "'%s' has no table of sections", name);
	buf_addf(ret, "entry %llx\n", (unsigned long long)eh.e_entry);
	if (fstat(fd, &st) < 0)
		return err_set(e, ERR_TRUNCATED, "'%s' is gone", name);
	left = (uint64_t)st.st_size;
	for (unsigned int i = 0; i < eh.e_shnum; i++) {
		Elf64_Shdr s;

		if (elf_read_at(fd, name, &s, sizeof(s), eh.e_shoff + i * sizeof(s), e) <
		    0)
			return -(int)e->code;
		if (!is_loaded(&s))
			continue;
		/* One file is read once, however many sections claim to have it. */
		if (s.sh_type != SHT_NOBITS && s.sh_size > left)
			return err_set(e, ERR_TRUNCATED,
				       "'%s' has more sections than bytes", name);
		left -= s.sh_type != SHT_NOBITS ? s.sh_size : 0;
		if (add_section(fd, name, &s, ret, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

/* The code that unpacks: all but the packed kernel and the checksum over both. */
static int add_shell(const struct built *b, struct buf *ret, struct err *e)
{
	uint64_t size, end;
	struct payload p;
	struct stat st;

	if (!b->arch->payload || !b->arch->payload(b->image_fd, &p))
		return 0;
	if (fstat(b->image_fd, &st) < 0)
		return err_set(e, ERR_TRUNCATED, "'%s' is gone", b->arch->image);
	size = (uint64_t)st.st_size;
	end = p.at + p.len;
	if (end < p.at || size < CHECKSUM || end > size - CHECKSUM)
		return err_set(e, ERR_TRUNCATED, "'%s' ends too early", b->arch->image);
	buf_addf(ret, "head %llu", (unsigned long long)p.len);
	if (add_range(b->image_fd, b->arch->image, 0, p.at, false, ret, e) < 0)
		return -(int)e->code;
	buf_adds(ret, "tail");
	return add_range(b->image_fd, b->arch->image, end, size - CHECKSUM - end, false,
			 ret, e);
}

int code_digest(const struct built *b, const struct buf *modules, char **ret,
		struct err *e)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	struct oid digest;

	buf_adds(&text, "kiln-code 1\n");
	if (code_add_sections(b->vmlinux_fd, "vmlinux", &text, e) < 0 ||
	    add_shell(b, &text, e) < 0)
		return -(int)e->code;
	buf_add(&text, modules->data, modules->len);
	repo_digest(text.data, text.len, &digest);
	*ret = xstrdup(digest.hex);
	return 0;
}
