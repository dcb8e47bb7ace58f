// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/carry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"

enum { LINE_LEN = 4096 };

void carry_release(struct carry *c)
{
	program_release(&c->binary);
	free(c->arg);
	free(c->script);
	*c = (struct carry){ 0 };
}

/* The first line of a script without "#!"; NULL when it is none. Owned. */
static char *first_line(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_buf_ struct buf b = BUF_INIT;
	ssize_t n = fd < 0 ? -1 : read(fd, buf_room(&b, LINE_LEN), LINE_LEN);

	if (n < 3 || memcmp(b.data, "#!", 2) != 0)
		return NULL;
	buf_grew(&b, (size_t)n);
	return xstrndup(b.data + 2, strcspn(b.data + 2, "\n"));
}

/* "/bin/sh -e": one word and the rest, as the kernel takes it. */
static int read_script(const char *path, char *line, struct carry *c, struct err *e)
{
	char *word = line + strspn(line, " \t"), *arg = word + strcspn(word, " \t");

	if (*arg)
		*arg++ = '\0';
	arg += strspn(arg, " \t");
	if (*word != '/')
		return err_set(e, ERR_TOOL_FAILED, "script '%s' names no interpreter",
			       path);
	c->script = xstrdup(path);
	c->arg = *arg ? xstrdup(arg) : NULL;
	if (program_resolve(word, &c->binary, e) < 0)
		return err_wrap(e, "cannot run script '%s'", path);
	return 0;
}

int carry_make(const char *path, struct carry *ret, struct err *e)
{
	_cleanup_carry_ struct carry c = { 0 };
	_cleanup_free_ char *line = first_line(path);

	if (line ? read_script(path, line, &c, e) < 0
		 : program_resolve(path, &c.binary, e) < 0)
		return -(int)e->code;
	*ret = c;
	c = (struct carry){ 0 };
	return 0;
}

static void add(const char *from, const char *prefix, const char *name,
		struct strv *ret_from, struct strv *ret_to)
{
	if (!from)
		return;
	strv_add(ret_from, from);
	strv_addf(ret_to, "%s%s", prefix, name);
}

void carry_files(const struct carry *c, const char *prefix, struct strv *from,
		 struct strv *to)
{
	add(c->binary.path, prefix, "program", from, to);
	add(c->binary.loader, prefix, "ld.so", from, to);
	add(c->script, prefix, "script", from, to);
	for (size_t i = 0; i < c->binary.libs.nr; i++) {
		const char *lib = c->binary.libs.v[i];
		_cleanup_free_ char *name = xasprintf("lib%s", strrchr(lib, '/'));

		add(lib, prefix, name, from, to);
	}
}

static void word(struct buf *ret, const char *dir, const char *prefix, const char *name)
{
	buf_addf(ret, "%s%s%s", dir, prefix, name);
	buf_addc(ret, '\0');
}

void carry_words(const struct carry *c, const char *dir, const char *prefix,
		 struct buf *ret)
{
	if (c->binary.loader) {
		word(ret, dir, prefix, "ld.so");
		word(ret, "--library-path", "", "");
		word(ret, dir, prefix, "lib");
	}
	word(ret, dir, prefix, "program");
	if (c->arg)
		word(ret, c->arg, "", "");
	if (c->script)
		word(ret, dir, prefix, "script");
}
