// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/target.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"

#define DEFAULT_DIR "/var/tmp/kiln"
#define DEFAULT_RETURN_S 600

static const char *const kinds[] = {
	[TARGET_QEMU] = "qemu", [TARGET_SSH] = "ssh", [TARGET_LOCAL] = "local"
};

enum { QEMU = 1 << TARGET_QEMU, SSH = 1 << TARGET_SSH, LOCAL = 1 << TARGET_LOCAL };

/* What a value must look like. */
enum form { WORD, TEXT, PATH, ACCEL, NUMBER, SECONDS, LIST, YES };

static const char *const form_words[] = {
	[WORD] = "one word that does not begin with '-'",
	[TEXT] = "a line of text",
	[PATH] = "an absolute path of letters, digits and '/._-'",
	[ACCEL] = "auto, kvm or tcg",
	[LIST] = "a line of text",
	[YES] = "true or false",
};

/* The keys of a section. */
static const struct key {
	const char *name;
	unsigned int kinds;
	enum form form;
	size_t offset;
	uint64_t min, max; /* of NUMBER and SECONDS */
} keys[] = {
	{ "accel", QEMU, ACCEL, offsetof(struct target, accel), 0, 0 },
	{ "cpu", QEMU, WORD, offsetof(struct target, cpu), 0, 0 },
	{ "memory", QEMU, NUMBER, offsetof(struct target, memory_mib), 512, 1 << 20 },
	{ "smp", QEMU, NUMBER, offsetof(struct target, smp), 1, 255 },
	{ "qemuArg", QEMU, LIST, offsetof(struct target, qemu_args), 0, 0 },
	{ "host", SSH, WORD, offsetof(struct target, host), 0, 0 },
	{ "port", SSH, NUMBER, offsetof(struct target, port), 1, 65535 },
	{ "sshOption", SSH, LIST, offsetof(struct target, ssh_options), 0, 0 },
	{ "dir", SSH | LOCAL, PATH, offsetof(struct target, dir), 0, 0 },
	{ "initrd", SSH | LOCAL, PATH, offsetof(struct target, initrd), 0, 0 },
	{ "cmdline", SSH | LOCAL, TEXT, offsetof(struct target, cmdline), 0, 0 },
	{ "console", SSH, TEXT, offsetof(struct target, console), 0, 0 },
	{ "power", SSH, TEXT, offsetof(struct target, power), 0, 0 },
	{ "sysrq", SSH, TEXT, offsetof(struct target, sysrq), 0, 0 },
	{ "kexec", SSH | LOCAL, PATH, offsetof(struct target, kexec), 0, 0 },
	{ "watchdog", SSH | LOCAL, SECONDS, offsetof(struct target, watchdog_s), 10,
	  2000 },
	{ "return", SSH, SECONDS, offsetof(struct target, return_s), 5, 86400 },
	{ "resume", LOCAL, TEXT, offsetof(struct target, resume), 0, 0 },
	{ "allowReboot", LOCAL, YES, offsetof(struct target, reboot), 0, 0 },
};

const char *target_kind_word(enum target_kind kind)
{
	return kinds[kind];
}

static bool only(const char *s, const char *more)
{
	for (; *s; s++)
		if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
		      (*s >= '0' && *s <= '9') || strchr(more, *s)))
			return false;
	return true;
}

const char *target_name_check(const char *name)
{
	if (!*name || strlen(name) > 64)
		return "it has 1 to 64 characters";
	if (*name == '.' || *name == '-')
		return "it begins with a letter or digit";
	return only(name, "._-") ? NULL : "it has only letters, digits and '._-'";
}

static bool is_line(const char *s)
{
	if (!*s || strlen(s) > 4096)
		return false;
	for (; *s; s++)
		if (*s < ' ' || *s > '~')
			return false;
	return true;
}

static bool form_fits(enum form form, const char *v)
{
	switch (form) {
	case WORD:
		return is_line(v) && *v != '-' && !strchr(v, ' ');
	case PATH:
		/* it is a word of a shell on the other side */
		return *v == '/' && is_line(v) && only(v, "/._-");
	case ACCEL:
		return !strcmp(v, "auto") || !strcmp(v, "kvm") || !strcmp(v, "tcg");
	case NUMBER:
	case SECONDS:
	case YES:
		return true;
	case TEXT:
	case LIST:
		break;
	}
	return is_line(v);
}

/* What git has as the whole name of a key. Owned. */
static char *full(const char *target, const char *key)
{
	return xasprintf("target.%s.%s", target, key);
}

static int bad(const char *name, const char *value, const char *want, struct err *e)
{
	err_set(e, ERR_CONFIG, "'%s' for %s is not %s", value, name, want);
	return err_hint(e, "correct it with `git config %s VALUE`", name);
}

static int read_number(const struct cfg *cfg, const struct key *k, const char *name,
		       uint64_t *ret, struct err *e)
{
	_cleanup_free_ char *text = cfg_get(cfg, name), *want = NULL;
	uint64_t n = 0;
	int r = k->form == SECONDS ? cfg_duration(cfg, name, 0, &n, e)
				   : cfg_u64(cfg, name, 0, &n, e);

	if (r < 0)
		return r;
	if (n < k->min || n > k->max) {
		want = xasprintf("between %llu and %llu%s", (unsigned long long)k->min,
				 (unsigned long long)k->max,
				 k->form == SECONDS ? " seconds" : "");
		return bad(name, text, want, e);
	}
	*ret = n;
	return 0;
}

static int read_list(const struct cfg *cfg, const struct key *k, const char *name,
		     struct strv *ret, struct err *e)
{
	cfg_list(cfg, name, ret);
	for (size_t i = 0; i < ret->nr; i++)
		if (!form_fits(k->form, ret->v[i]))
			return bad(name, ret->v[i], form_words[k->form], e);
	return 0;
}

static int read_key(const struct cfg *cfg, const struct key *k, struct target *t,
		    struct err *e)
{
	_cleanup_free_ char *name = full(t->name, k->name);
	char *v = cfg_get(cfg, name);
	void *field = (char *)t + k->offset;

	if (v && !(k->kinds & 1u << t->kind)) {
		err_set(e, ERR_CONFIG, "%s means nothing on a target of kind %s", name,
			kinds[t->kind]);
		err_hint(e, "remove it with `git config --unset %s`", name);
	} else if (v && !form_fits(k->form, v)) {
		bad(name, v, form_words[k->form], e);
	} else if (v && (k->form == NUMBER || k->form == SECONDS)) {
		read_number(cfg, k, name, field, e);
	} else if (v && k->form == LIST) {
		read_list(cfg, k, name, field, e);
	} else if (v && k->form == YES) {
		if (cfg_bool(cfg, name, false, field, e) < 0)
			err_wrap(e, "target '%s' will not do", t->name);
	} else if (v) {
		*(char **)field = take_ptr(v);
	}
	free(v);
	return -(int)e->code;
}

static bool is_key(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcasecmp(keys[i].name, name))
			return true;
	return !strcasecmp(name, "kind");
}

/* A key with a typo would be a setting that silently does nothing. */
static int check_keys(const struct cfg *cfg, const char *target, struct err *e)
{
	_cleanup_free_ char *section = xasprintf("target.%s", target);
	_cleanup_strv_ struct strv have = STRV_INIT;

	cfg_keys(cfg, section, &have);
	for (size_t i = 0; i < have.nr; i++) {
		if (is_key(have.v[i]))
			continue;
		err_set(e, ERR_CONFIG, "%s.%s is not a key of a target", section,
			have.v[i]);
		return err_hint(e, "see kiln-target(1) for the keys");
	}
	return 0;
}

static int read_kind(const struct cfg *cfg, struct target *t, struct err *e)
{
	_cleanup_free_ char *name = full(t->name, "kind");
	_cleanup_free_ char *v = cfg_get(cfg, name);

	if (!v && !strcmp(t->name, "qemu"))
		return 0;
	if (!v) {
		err_set(e, ERR_CONFIG, "target '%s' has no kind", t->name);
		return err_hint(e, "say qemu, ssh or local with `git config %s KIND`",
				name);
	}
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (strcmp(v, kinds[i]) != 0)
			continue;
		t->kind = (enum target_kind)i;
		return 0;
	}
	return bad(name, v, "qemu, ssh or local", e);
}

static int unknown(const struct cfg *cfg, const char *name, struct err *e)
{
	_cleanup_strv_ struct strv names = STRV_INIT;
	_cleanup_free_ char *all = NULL;

	target_names(cfg, &names);
	all = strv_join(&names, ", ");
	err_set(e, ERR_USAGE, "no target '%s'", name);
	return err_hint(e, "there is %s; `kiln target add` makes one", all);
}

static int check_whole(struct target *t, struct err *e)
{
	if (t->kind == TARGET_SSH && !t->host) {
		err_set(e, ERR_CONFIG, "target '%s' has no host", t->name);
		return err_hint(e, "say which with `git config target.%s.host USER@HOST`",
				t->name);
	}
	if (!t->dir)
		t->dir = xstrdup(DEFAULT_DIR);
	if (!t->return_s)
		t->return_s = DEFAULT_RETURN_S;
	return 0;
}

int target_read(const struct cfg *cfg, const char *name, struct target **ret,
		struct err *e)
{
	_cleanup_target_ struct target *t = xzalloc(sizeof(*t));
	_cleanup_strv_ struct strv names = STRV_INIT;

	t->name = xstrdup(name);
	target_names(cfg, &names);
	if (target_name_check(name) || !strv_has(&names, name))
		return unknown(cfg, name, e);
	if (cfg && (check_keys(cfg, name, e) < 0 || read_kind(cfg, t, e) < 0))
		return -(int)e->code;
	for (size_t i = 0; cfg && i < ARRAY_SIZE(keys); i++)
		if (read_key(cfg, &keys[i], t, e) < 0)
			return -(int)e->code;
	if (check_whole(t, e) < 0)
		return -(int)e->code;
	*ret = take_ptr(t);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void target_names(const struct cfg *cfg, struct strv *ret)
{
	if (cfg)
		cfg_names(cfg, "target", ret);
	if (!strv_has(ret, "qemu"))
		strv_add(ret, "qemu");
	qsort(ret->v, ret->nr, sizeof(*ret->v), by_name);
}

void target_free(struct target *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].form < NUMBER)
			free(*(char **)((char *)t + keys[i].offset));
	strv_release(&t->qemu_args);
	strv_release(&t->ssh_options);
	free(t->name);
	free(t);
}
