// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "boot/build/build.h"
#include "core/base/alloc.h"

#define NOTES_MAX (1u << 20)
#define SEGMENTS_MAX 1024
#define SECTION_MAX (1u << 20)
#define ID_MIN 8
#define ID_MAX 64

static size_t round4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static char *hex_of(const unsigned char *p, size_t n)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		buf_addf(&b, "%02x", p[i]);
	return buf_take(&b);
}

/* 1 and *ret when the notes hold the build-id, 0 when they do not. */
static int notes_find(const unsigned char *p, size_t len, char **ret)
{
	while (len >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr n;
		size_t name, desc;

		memcpy(&n, p, sizeof(n));
		p += sizeof(n);
		len -= sizeof(n);
		name = round4(n.n_namesz);
		desc = round4(n.n_descsz);
		/* The last descriptor may lack its padding. */
		if (name > len || n.n_descsz > len - name)
			return 0;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(p, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) &&
		    n.n_descsz >= ID_MIN && n.n_descsz <= ID_MAX) {
			*ret = hex_of(p + name, n.n_descsz);
			return 1;
		}
		if (desc > len - name)
			return 0;
		p += name + desc;
		len -= name + desc;
	}
	return 0;
}

int build_id_of_notes(const void *notes, size_t len, char **ret, struct err *e)
{
	if (notes_find(notes, len, ret))
		return 0;
	return err_set(e, ERR_NOT_FOUND, "no GNU build-id in %zu bytes of notes", len);
}

int elf_read_at(int fd, const char *name, void *p, size_t n, uint64_t at, struct err *e)
{
	char *to = p;

	if (at > INT64_MAX - n)
		return err_set(e, ERR_TRUNCATED, "'%s' is no sound ELF file", name);
	for (size_t done = 0; done < n;) {
		ssize_t got = pread(fd, to + done, n - done, (off_t)(at + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(e, errno, "cannot read '%s'", name);
		if (!got)
			return err_set(e, ERR_TRUNCATED, "'%s' ends too early", name);
		done += (size_t)got;
	}
	return 0;
}

int elf_read_header(int fd, const char *name, Elf64_Ehdr *ret, struct err *e)
{
	if (elf_read_at(fd, name, ret, sizeof(*ret), 0, e) < 0)
		return -(int)e->code;
	if (memcmp(ret->e_ident, ELFMAG, SELFMAG) ||
	    ret->e_ident[EI_CLASS] != ELFCLASS64 ||
	    ret->e_ident[EI_DATA] != ELFDATA2LSB ||
	    (ret->e_phnum && ret->e_phentsize != sizeof(Elf64_Phdr)) ||
	    ret->e_phnum > SEGMENTS_MAX || ret->e_phoff > INT64_MAX)
		return err_set(e, ERR_TRUNCATED, "'%s' is no 64-bit ELF file", name);
	return 0;
}

static int read_shdr(int fd, const char *name, const Elf64_Ehdr *eh, unsigned int i,
		     Elf64_Shdr *ret, struct err *e)
{
	uint64_t at = (uint64_t)i * sizeof(*ret);

	return elf_read_at(fd, name, ret, sizeof(*ret), eh->e_shoff + at, e);
}

/* The bytes of a section, which a file must really have before room is made for them. */
static int read_bytes(int fd, const char *name, const Elf64_Shdr *s, struct buf *ret,
		      struct err *e)
{
	struct stat st;

	if (s->sh_type == SHT_NOBITS || s->sh_size > SECTION_MAX || fstat(fd, &st) < 0 ||
	    s->sh_size > (uint64_t)st.st_size)
		return err_set(e, ERR_TRUNCATED, "'%s' has a section that cannot be",
			       name);
	buf_clear(ret);
	if (elf_read_at(fd, name, buf_room(ret, s->sh_size), s->sh_size, s->sh_offset,
			e) < 0)
		return -(int)e->code;
	buf_grew(ret, s->sh_size);
	return 0;
}

int elf_section(int fd, const char *name, const char *section, struct buf *ret,
		struct err *e)
{
	_cleanup_buf_ struct buf names = BUF_INIT;
	size_t len = strlen(section);
	Elf64_Ehdr eh;
	Elf64_Shdr s;

	if (elf_read_header(fd, name, &eh, e) < 0)
		return -(int)e->code;
	if (!eh.e_shnum || eh.e_shstrndx >= eh.e_shnum || eh.e_shoff > INT64_MAX / 2 ||
	    eh.e_shentsize != sizeof(s))
		return err_set(e, ERR_NOT_FOUND, "'%s' has no table of sections", name);
	if (read_shdr(fd, name, &eh, eh.e_shstrndx, &s, e) < 0 ||
	    read_bytes(fd, name, &s, &names, e) < 0)
		return -(int)e->code;
	for (unsigned int i = 0; i < eh.e_shnum; i++) {
		if (read_shdr(fd, name, &eh, i, &s, e) < 0)
			return -(int)e->code;
		/* the terminating NUL byte is part of the name */
		if (s.sh_name < names.len && names.len - s.sh_name > len &&
		    !memcmp(names.data + s.sh_name, section, len + 1))
			return read_bytes(fd, name, &s, ret, e);
	}
	return err_set(e, ERR_NOT_FOUND, "'%s' has no section '%s'", name, section);
}

int elf_build_id(int fd, const char *name, char **ret, struct err *e)
{
	Elf64_Ehdr eh;

	if (elf_read_header(fd, name, &eh, e) < 0)
		return -(int)e->code;
	for (unsigned int i = 0; i < eh.e_phnum; i++) {
		_cleanup_free_ unsigned char *notes = NULL;
		uint64_t at = (uint64_t)i * sizeof(Elf64_Phdr);
		Elf64_Phdr ph;

		if (elf_read_at(fd, name, &ph, sizeof(ph), eh.e_phoff + at, e) < 0)
			return -(int)e->code;
		if (ph.p_type != PT_NOTE || ph.p_filesz > NOTES_MAX)
			continue;
		notes = xzalloc(ph.p_filesz + 1);
		if (elf_read_at(fd, name, notes, ph.p_filesz, ph.p_offset, e) < 0)
			return -(int)e->code;
		if (notes_find(notes, ph.p_filesz, ret))
			return 0;
	}
	return err_set(e, ERR_NOT_FOUND, "'%s' has no GNU build-id", name);
}

int elf_check_machine(int fd, const char *name, unsigned int machine, struct err *e)
{
	Elf64_Ehdr eh;

	if (elf_read_header(fd, name, &eh, e) < 0)
		return -(int)e->code;
	if (eh.e_machine == machine)
		return 0;
	return err_set(e, ERR_NOT_FOUND, "'%s' is for another machine: %u, not %u", name,
		       eh.e_machine, machine);
}

int build_id_of_elf(const char *path, char **ret, struct err *e)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return err_sys(e, errno, "cannot open '%s'", path);
	return elf_build_id(fd, path, ret, e);
}
