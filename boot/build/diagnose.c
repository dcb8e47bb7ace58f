// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/build/diagnose.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/buf.h"

#define REASON_MAX 400

/*
 * What tools print when the machine fails them, anchored where the tool prints it: a
 * compiler quotes source lines, and those may say anything.
 */
enum where { AT_END, ANYWHERE };
static const struct sign {
	enum where where;
	const char *text;
	enum err_code code;
	const char *hint;
} signs[] = {
#define MEMORY "free memory or use fewer jobs (--jobs 1)"
#define SPACE "free space in the cache folder's file system (kiln build --gc)"
	{ AT_END, "No space left on device", ERR_DISK_FULL, SPACE },
	{ AT_END, "Disk quota exceeded", ERR_DISK_FULL, SPACE },
	{ AT_END, "Read-only file system", ERR_IO, NULL },
	{ AT_END, "Input/output error", ERR_IO, "look at the machine's kernel log" },
	{ ANYWHERE, "fatal error: Killed signal terminated program", ERR_TOOL_FAILED,
	  MEMORY },
	{ ANYWHERE, "internal compiler error: Killed", ERR_TOOL_FAILED, MEMORY },
	{ ANYWHERE, "terminated with signal 9", ERR_TOOL_FAILED, MEMORY },
	{ ANYWHERE, "virtual memory exhausted", ERR_TOOL_FAILED, MEMORY },
	{ ANYWHERE, ": out of memory allocating", ERR_TOOL_FAILED, MEMORY },
	{ AT_END, "Cannot allocate memory", ERR_TOOL_FAILED, MEMORY },
	{ AT_END, "memory exhausted", ERR_TOOL_FAILED, MEMORY },
	{ AT_END, "] Killed", ERR_TOOL_FAILED, MEMORY },
	{ AT_END, "] Error 137", ERR_TOOL_FAILED, MEMORY },
};

/* Programs and headers of the host a kernel build needs, and the packages to name. */
static const struct need {
	const char *name, *package;
} needs[] = {
	{ "gcc", "gcc" },
	{ "ld", "binutils" },
	{ "as", "binutils" },
	{ "flex", "flex" },
	{ "bison", "bison" },
	{ "bc", "bc" },
	{ "perl", "perl" },
	{ "python3", "python3" },
	{ "lz4", "lz4" },
	{ "lz4c", "lz4" },
	{ "xz", "xz-utils" },
	{ "zstd", "zstd" },
	{ "gzip", "gzip" },
	{ "cpio", "cpio" },
	{ "rsync", "rsync" },
	{ "pahole", "dwarves" },
	{ "libelf.h", "libelf-dev" },
	{ "gelf.h", "libelf-dev" },
	{ "openssl/opensslv.h", "libssl-dev" },
	{ "openssl/bio.h", "libssl-dev" },
	{ "gmp.h", "libgmp-dev" },
};

static bool ends_with(const char *s, const char *suffix)
{
	size_t n = strlen(s), k = strlen(suffix);

	while (n && strchr("'\"`. ", s[n - 1]))
		n--;
	return n >= k && !strncmp(s + n - k, suffix, k);
}

/* "  12 | code" and "     | ^~~": the source as gcc shows it. */
static bool is_quoted_source(const char *line)
{
	while (*line == ' ' || isdigit((unsigned char)*line))
		line++;
	return !strncmp(line, "| ", 2);
}

static const struct sign *find_sign(const char *line)
{
	if (is_quoted_source(line) || strstr(line, "error: #error") ||
	    strstr(line, "#warning"))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		const struct sign *s = &signs[i];

		if (s->where == AT_END ? ends_with(line, s->text)
				       : strstr(line, s->text) != NULL)
			return s;
	}
	return NULL;
}

/* "/bin/sh: 1: flex: not found", "make: flex: No such file or directory", a host header.
 */
static const struct need *find_need(const char *line)
{
	const char *tail = ends_with(line, ": not found") ? ": not found"
			   : ends_with(line, ": command not found")
				   ? ": command not found"
			   : ends_with(line, ": No such file or directory")
				   ? ": No such file or directory"
				   : NULL;
	bool shell = !strncmp(line, "/bin/sh: ", 9) || !strncmp(line, "sh: ", 4) ||
		     !strncmp(line, "make", 4) || strstr(line, "fatal error: ");

	if (!tail || !shell)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++) {
		_cleanup_free_ char *text = xasprintf(": %s%s", needs[i].name, tail);

		if (strstr(line, text))
			return &needs[i];
	}
	return NULL;
}

/* What names a cause itself, first such line wins; else make's own complaint. */
static bool is_cause(const char *line)
{
	static const char *const texts[] = {
		": error: ",
		": fatal error: ",
		": Error: ",
		": Fatal error: ",
		"undefined reference to ",
		": multiple definition of ",
		"ERROR: modpost: ",
		": syntax error",
		": unknown statement",
		"*** No rule to make",
		"*** missing separator",
		"recursive dependency detected",
		"ld: error: ",
		"can't open file \"",
		"internal compiler error: ",
	};

	/* What ccache says of itself is no word on the kernel. */
	if (is_quoted_source(line) || !strncmp(line, "ccache: ", 8))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (strstr(line, texts[i]))
			return true;
	return !strncmp(line, "error: ", 7);
}

static bool is_complaint(const char *line)
{
	return !strncmp(line, "make", 4) && strstr(line, "*** ");
}

/* The line without the folder in front of its paths, bounded and printable. */
static char *reason_of(const char *line, const char *strip)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	size_t n = strip ? strlen(strip) : 0;

	for (const char *p = line; *p && b.len < REASON_MAX;) {
		if (n && !strncmp(p, strip, n) && p[n] == '/') {
			p += n + 1;
			continue;
		}
		buf_addc(&b, (unsigned char)*p < 0x20 || *p == 0x7f ? ' ' : *p);
		p++;
	}
	return buf_take(&b);
}

static bool judge(const char *line, const char *strip, struct diagnosis *ret)
{
	const struct sign *s = find_sign(line);
	const struct need *n = s ? NULL : find_need(line);

	if (!s && !n)
		return false;
	free(ret->reason);
	ret->code = s ? s->code : ERR_TOOL_MISSING;
	ret->hint = s ? s->hint : NULL;
	ret->reason = s ? reason_of(line, strip)
			: xasprintf("'%s' is missing (package %s)", n->name, n->package);
	return true;
}

void diagnose_log(const char *log, const char *strip, struct diagnosis *ret)
{
	_cleanup_free_ char *complaint = NULL;
	_cleanup_buf_ struct buf line = BUF_INIT;

	*ret = (struct diagnosis){ 0 };
	for (const char *p = log; *p;) {
		size_t n = strcspn(p, "\n");

		buf_clear(&line);
		buf_add(&line, p, n);
		p += n + (p[n] == '\n');
		/* The machine's failure explains every later error, and earlier ones of
		 * other jobs are no verdict on the kernel either. */
		if (judge(buf_str(&line), strip, ret))
			return;
		if (!ret->reason && is_cause(buf_str(&line)))
			ret->reason = reason_of(buf_str(&line), strip);
		else if (!complaint && is_complaint(buf_str(&line)))
			complaint = reason_of(buf_str(&line), strip);
	}
	ret->vague = !ret->reason;
	if (!ret->reason)
		ret->reason = complaint ? take_ptr(complaint)
					: xstrdup("make failed without a message");
}

void diagnosis_release(struct diagnosis *d)
{
	free(d->reason);
	*d = (struct diagnosis){ 0 };
}
