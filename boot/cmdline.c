// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/cmdline.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

void cmdline_add(struct buf *line, const char *word)
{
	if (line->len)
		buf_addc(line, ' ');
	buf_adds(line, word);
}

static bool is_own(const char *word)
{
	static const char *const starts[] = { "kiln.", "BOOT_IMAGE=", "initrd=",
					      "acpi_rsdp=", "elfcorehdr=" };

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (!strncmp(word, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* Length of the next word; blanks between double quotes belong to it. */
static size_t word_len(const char *s)
{
	bool quoted = false;
	size_t n = 0;

	for (; s[n] && (quoted || (s[n] != ' ' && s[n] != '\n')); n++)
		quoted ^= s[n] == '"';
	return n;
}

void cmdline_carry(const char *running, struct buf *ret)
{
	for (const char *s = running + strspn(running, " \n"); *s;
	     s += strspn(s, " \n")) {
		size_t n = word_len(s);
		_cleanup_free_ char *word = xstrndup(s, n);

		if (!is_own(word))
			cmdline_add(ret, word);
		s += n;
	}
}

char *cmdline_value(const char *line, const char *key)
{
	size_t len = strlen(key);
	const char *found = NULL;

	for (const char *s = line + strspn(line, " \n"); *s; s += strspn(s, " \n")) {
		if (!strncmp(s, key, len) && s[len] == '=')
			found = s + len + 1;
		s += word_len(s);
	}
	return found ? xstrndup(found, word_len(found)) : NULL;
}

/* The rest of a word behind "MODULE.", dash and underscore being the same; NULL when it is
 * for nobody or another one. */
static const char *behind_module(const char *word, const char *module)
{
	for (; *module; word++, module++)
		if (*word != *module &&
		    (!strchr("-_", *word) || !*word || !strchr("-_", *module)))
			return NULL;
	return *word == '.' ? word + 1 : NULL;
}

char *cmdline_module_args(const char *line, const char *module)
{
	_cleanup_buf_ struct buf args = BUF_INIT;

	for (const char *s = line + strspn(line, " \n"); *s; s += strspn(s, " \n")) {
		_cleanup_free_ char *word = xstrndup(s, word_len(s));
		const char *arg = behind_module(word, module);

		if (!strcmp(word, "--"))
			break;
		if (arg && *arg)
			cmdline_add(&args, arg);
		s += strlen(word);
	}
	return xstrdup(buf_str(&args));
}

const char *cmdline_check(const char *line)
{
	for (const char *p = line; *p; p++)
		if (*p < ' ' || *p > '~')
			return "it has a control character";
	return strlen(line) > CMDLINE_MAX ? "it has more than 2047 bytes" : NULL;
}

char *cmdline_rsdp(const char *systab)
{
	static const char *const keys[] = { "ACPI20=0x", "ACPI=0x" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		for (const char *s = systab; (s = strstr(s, keys[i])); s++) {
			const char *hex = s + strlen(keys[i]);
			size_t n = strspn(hex, "0123456789abcdefABCDEF");

			if ((s == systab || s[-1] == '\n') && n && n <= 16 &&
			    (!hex[n] || hex[n] == '\n'))
				return xasprintf("0x%.*s", (int)n, hex);
		}
	}
	return NULL;
}
