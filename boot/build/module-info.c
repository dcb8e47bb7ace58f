// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/module-info.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "boot/build/build.h"
#include "boot/build/elf.h"
#include "core/base/alloc.h"

#define NAME_MAX_LEN 55 /* MODULE_NAME_LEN of the kernel without its NUL */
#define DEPENDS_MAX 256

void module_info_release(struct module_info *m)
{
	free(m->name);
	strv_release(&m->depends);
	free(m->build_id);
	*m = (struct module_info){ 0 };
}

void module_name_fold(char *name)
{
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
}

/* It becomes the name of a file, and a word on a command line. */
static bool is_name(const char *s, size_t len)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

	return len && len <= NAME_MAX_LEN && strspn(s, good) >= len;
}

static int bad(const char *file, const char *what, struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "'%s' is no sound module: %s", file, what);
}

/* "irqbypass,ccp"; "" of a module that needs none. */
static int add_depends(const char *s, const char *file, struct module_info *m,
		       struct err *e)
{
	while (*s) {
		size_t n = strcspn(s, ",");
		_cleanup_free_ char *name = xstrndup(s, n);

		if (!is_name(name, n) || m->depends.nr == DEPENDS_MAX)
			return bad(file, "what it depends on are no modules", e);
		module_name_fold(name);
		if (!strv_has(&m->depends, name))
			strv_take(&m->depends, take_ptr(name));
		s += n;
		s += *s == ',';
	}
	return 0;
}

static int add_tag(const char *tag, const char *file, struct module_info *m,
		   struct err *e)
{
	if (!strncmp(tag, "depends=", 8))
		return add_depends(tag + 8, file, m, e);
	if (strncmp(tag, "name=", 5) != 0)
		return 0;
	if (m->name || !is_name(tag + 5, strlen(tag + 5)))
		return bad(file, "it has no one name", e);
	m->name = xstrdup(tag + 5);
	module_name_fold(m->name);
	return 0;
}

/* Tags "KEY=VALUE", each ended by a NUL byte, with more of those between for alignment. */
static int read_tags(const struct buf *tags, const char *file, struct module_info *m,
		     struct err *e)
{
	const char *s = buf_str(tags);

	for (size_t i = 0; i < tags->len; i += strlen(s + i) + 1)
		if (add_tag(s + i, file, m, e) < 0)
			return -(int)e->code;
	return m->name ? 0 : bad(file, "it does not say its name", e);
}

int module_info_read_fd(int fd, const char *name, struct module_info *ret, struct err *e)
{
	_cleanup_module_info_ struct module_info m = { 0 };
	_cleanup_buf_ struct buf tags = BUF_INIT, notes = BUF_INIT;
	_cleanup_err_ struct err none = { 0 };

	if (elf_section(fd, name, ".modinfo", &tags, e) < 0 ||
	    read_tags(&tags, name, &m, e) < 0)
		return -(int)e->code;
	if (elf_section(fd, name, ".note.gnu.build-id", &notes, &none) == 0 &&
	    build_id_of_notes(buf_str(&notes), notes.len, &m.build_id, &none) < 0)
		m.build_id = NULL;
	*ret = m;
	m = (struct module_info){ 0 };
	return 0;
}

int module_info_read(const char *path, struct module_info *ret, struct err *e)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return err_sys(e, errno, "cannot open '%s'", path);
	return module_info_read_fd(fd, path, ret, e);
}
