// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/spawn.h"

void program_release(struct program *p)
{
	free(p->path);
	free(p->loader);
	strv_release(&p->libs);
	*p = (struct program){ 0 };
}

/* The interpreter an ELF file names. Stays NULL for a static one. */
static int read_interpreter(struct program *p, struct err *e)
{
	_cleanup_close_ int fd = open(p->path, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr h;
	Elf64_Phdr ph;

	if (fd < 0)
		return err_sys(e, errno, "cannot read '%s'", p->path);
	if (pread(fd, &h, sizeof(h), 0) != sizeof(h) ||
	    memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
	    h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_phentsize != sizeof(ph))
		return err_set(e, ERR_TOOL_FAILED, "'%s' is no 64-bit ELF program",
			       p->path);
	for (int i = 0; i < h.e_phnum; i++) {
		off_t at = (off_t)(h.e_phoff + (size_t)i * sizeof(ph));

		if (pread(fd, &ph, sizeof(ph), at) != sizeof(ph))
			break;
		if (ph.p_type != PT_INTERP || ph.p_filesz < 2 || ph.p_filesz > PATH_MAX)
			continue;
		p->loader = xzalloc(ph.p_filesz + 1);
		if (pread(fd, p->loader, ph.p_filesz, (off_t)ph.p_offset) ==
		    (ssize_t)ph.p_filesz)
			return 0;
		break;
	}
	return p->loader ? err_set(e, ERR_TOOL_FAILED, "'%s' is cut short", p->path) : 0;
}

/* One line of the loader's list: "\tlibc.so.6 => /lib/.../libc.so.6 (0x...)". */
static int list_line(char *line, struct program *p, struct err *e)
{
	char *path = strstr(line, "=> ");
	char *end = strstr(line, " (0x");

	line += strspn(line, "\t ");
	if (path && !strncmp(path, "=> not found", 12))
		return err_set(e, ERR_TOOL_FAILED, "'%s' lacks the library '%.*s'",
			       p->path, (int)strcspn(line, " "), line);
	path = path ? path + 3 : line;
	/* linux-vdso has no file, and the loader itself goes elsewhere */
	if (*path != '/' || !end)
		return 0;
	*end = '\0';
	if (strcmp(path, p->loader) != 0)
		strv_add(&p->libs, path);
	return 0;
}

static int list_libs(struct program *p, struct err *e)
{
	_cleanup_strv_ struct strv argv = STRV_INIT;
	_cleanup_buf_ struct buf out = BUF_INIT;
	struct spawn s = {
		.argv = &argv, .timeout_ms = 60000, .out = &out, .out_max = 1 << 20
	};
	char *rest;

	strv_addl(&argv, p->loader, "--list", p->path, NULL);
	if (spawn_check(&s, e) < 0)
		return err_wrap(e, "cannot find the libraries of '%s'", p->path);
	rest = out.len ? out.data : NULL;
	for (char *line; (line = strsep(&rest, "\n"));)
		if (list_line(line, p, e) < 0)
			return -(int)e->code;
	return 0;
}

int program_resolve(const char *name, struct program *ret, struct err *e)
{
	_cleanup_program_ struct program p = { .path = fs_find_program(name) };

	if (!p.path) {
		err_set(e, ERR_TOOL_MISSING, "program '%s' not found", name);
		return err_hint(e, "install the package that has it, or fix PATH");
	}
	if (read_interpreter(&p, e) < 0 || (p.loader && list_libs(&p, e) < 0))
		return -(int)e->code;
	*ret = p;
	p = (struct program){ 0 };
	return 0;
}
