// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/proof.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "boot/build/build.h"
#include "boot/cmdline.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"

/* Bits of /proc/sys/kernel/tainted (Documentation/admin-guide/tainted-kernels.rst). */
#define TAINT_MACHINE_CHECK (1u << 4)
#define TAINT_BAD_PAGE (1u << 5)
#define TAINT_DIE (1u << 7)
#define TAINT_WARN (1u << 9)

#define DECLINED "declined" /* agent.h */

static void unhex(const char *hex, size_t len, struct buf *ret)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i + 1 < len; i += 2) {
		const char *hi = strchr(digits, hex[i]), *lo = strchr(digits, hex[i + 1]);

		if (!hi || !lo)
			return;
		buf_addc(ret, (char)((hi - digits) << 4 | (lo - digits)));
	}
}

/* A kernel without the note proves nothing, which the comparison will say. */
static char *id_of_notes(const char *hex, size_t len)
{
	_cleanup_buf_ struct buf notes = BUF_INIT;
	_cleanup_err_ struct err ignored = { 0 };
	char *id = NULL;

	unhex(hex, len, &notes);
	if (build_id_of_notes(buf_str(&notes), notes.len, &id, &ignored) < 0)
		return xstrdup("none");
	return id;
}

static bool is_word(const char *s, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(s, word, len);
}

/* "kvm=NOTES kvm_amd=NOTES" to the same with build-ids. */
static char *ids_of_modules(const char *s)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	while (*s) {
		size_t len = strcspn(s, " "), name = strcspn(s, "= ");
		const char *value = s + name + (len > name);
		size_t n = len > name ? len - name - 1 : 0;
		_cleanup_free_ char *id = is_word(value, n, DECLINED)
						  ? xstrdup(DECLINED)
						  : id_of_notes(value, n);

		buf_addf(&b, "%s%.*s=%s", b.len ? " " : "", (int)name, s, id);
		s += len;
		s += *s == ' ';
	}
	return buf_take(&b);
}

void proof_read(const struct frame *f, size_t first, struct proof *ret)
{
	const char *notes = frame_word(f, first + 1);

	*ret = (struct proof){
		.boot_id = xstrdup(frame_word(f, first)),
		.build_id = id_of_notes(notes, strlen(notes)),
		.release = xstrdup(frame_word(f, first + 2)),
		.cmdline = xstrdup(frame_word(f, first + 4)),
		.oops = xstrdup(frame_word(f, first + 5)),
		.warn = xstrdup(frame_word(f, first + 6)),
		.taint = xstrdup(frame_word(f, first + 7)),
		.modules = ids_of_modules(frame_word(f, first + 8)),
	};
}

bool proof_is_boot_id(const char *s)
{
	static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	for (size_t i = 0; i < sizeof(shape); i++)
		if (shape[i] == 'x' ? !parse_is_hex(s + i, 1) : s[i] != shape[i])
			return false;
	return true;
}

static char *check_cmdline(const struct proof *p, const struct proof_want *w)
{
	_cleanup_free_ char *token = cmdline_value(p->cmdline, "kiln.token");
	_cleanup_free_ char *via = cmdline_value(p->cmdline, "kiln.via");
	_cleanup_free_ char *want = xasprintf("%s:%s", w->path, w->token);

	if (!token || strcmp(token, w->token) != 0)
		return xstrdup("the run token is not on its command line");
	if (w->path && (!via || strcmp(via, want) != 0))
		return xasprintf("it did not come by %s", w->path);
	return NULL;
}

/* The value of NAME= in a list of modules, n bytes of which are the name; NULL when it is
 * not there. */
static const char *id_in(const char *list, const char *name, size_t n)
{
	for (const char *s = list; *s; s += strcspn(s, " "), s += *s == ' ')
		if (!strncmp(s, name, n) && s[n] == '=')
			return s + n + 1;
	return NULL;
}

/* Only a vendor's half can be for another processor. */
static bool may_decline(const char *name, size_t n)
{
	return is_word(name, n, "kvm_amd") || is_word(name, n, "kvm_intel");
}

/* Each loaded one must be of the build, each of the build loaded. */
static char *check_modules(const char *have, const char *want)
{
	for (const char *s = have; *s; s += strcspn(s, " "), s += *s == ' ') {
		size_t n = strcspn(s, "= "), len = strcspn(s, " ");
		const char *id = id_in(want, s, n);
		size_t id_len = id ? strcspn(id, " ") : 0;

		if (!id)
			return xasprintf("the KVM module %.*s is loaded, which its build "
					 "did not make",
					 (int)n, s);
		if (len == n + 1 + id_len && !memcmp(s + n + 1, id, id_len))
			continue;
		if (!may_decline(s, n) || !is_word(s + n + 1, len - n - 1, DECLINED))
			return xasprintf("the KVM module %.*s is loaded instead of %.*s",
					 (int)len, s, (int)id_len, id);
	}
	for (const char *s = want; *s; s += strcspn(s, " "), s += *s == ' ') {
		size_t n = strcspn(s, "= ");

		if (!id_in(have, s, n))
			return xasprintf("the KVM module %.*s is not loaded", (int)n, s);
	}
	return NULL;
}

static bool is_count(const char *s)
{
	uint64_t n;

	return parse_u64(s, &n);
}

char *proof_check(const struct proof *p, const struct proof_want *w)
{
	char *why;

	if (!w->build_id || strcmp(p->build_id, w->build_id) != 0)
		return xasprintf("build-id %s runs instead of %s", p->build_id,
				 w->build_id ?: "a known one");
	why = check_cmdline(p, w);
	if (why)
		return why;
	if (!proof_is_boot_id(p->boot_id))
		return xstrdup("its boot id is malformed");
	if (w->other_boot_id && !strcmp(p->boot_id, w->other_boot_id))
		return xstrdup("the boot id did not change");
	why = check_modules(p->modules, w->modules ?: "");
	if (why)
		return why;
	/* older kernels have no counts, but all have taint */
	if (!is_count(p->taint))
		return xstrdup("it does not show whether it is tainted");
	return NULL;
}

static uint64_t taint_of(const struct proof *p)
{
	uint64_t n = 0;

	return parse_u64(p->taint, &n) ? n : UINT64_MAX;
}

char *proof_harmed(const struct proof *p)
{
	uint64_t taint = taint_of(p), oops;

	if ((taint & TAINT_DIE) || (parse_u64(p->oops, &oops) && oops))
		return xstrdup("it had an oops while it started");
	if (taint & TAINT_MACHINE_CHECK)
		return xstrdup("its processor reported an error");
	if (taint & TAINT_BAD_PAGE)
		return xstrdup("it had a bad page while it started");
	return NULL;
}

const char *proof_refusal(const struct frame *f, size_t first)
{
	static const int loader[] = { ENOEXEC, ENOENT, EINVAL,	     EPERM,  EEXIST,
				      ENOKEY,  ENOPKG, EKEYREJECTED, EBADMSG };
	int sys;

	if (!parse_int(frame_word(f, first + 1), 1, 4095, &sys))
		return "wrong-kernel";
	if (sys == EINVAL && strstr(frame_word(f, first + 2), "invalid for parameter"))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(loader); i++)
		if (sys == loader[i])
			return "wrong-kernel";
	return "kernel-bug";
}

char *proof_compare(const struct proof *before, const struct proof *after,
		    const char **ret_status)
{
	uint64_t taint = taint_of(after) & ~taint_of(before);

	*ret_status = "wrong-kernel";
	if (strcmp(before->boot_id, after->boot_id) != 0)
		return xstrdup("another boot than the proven one answers");
	if (strcmp(before->build_id, after->build_id) != 0)
		return xasprintf("build-id %s answers instead of %s", after->build_id,
				 before->build_id);
	if (strcmp(before->cmdline, after->cmdline) != 0)
		return xstrdup("its command line is another one");
	if (strcmp(before->modules, after->modules) != 0)
		return xasprintf("its KVM modules are now '%s'", after->modules);
	*ret_status = "kernel-bug";
	if (strcmp(before->oops, after->oops) != 0 || (taint & TAINT_DIE))
		return xstrdup("it had an oops");
	*ret_status = "kernel-warning";
	if (strcmp(before->warn, after->warn) != 0 || (taint & TAINT_WARN))
		return xstrdup("it warned");
	if (strcmp(before->taint, after->taint) != 0)
		return xasprintf("its taint went from %s to %s", before->taint,
				 after->taint);
	return NULL;
}

void proof_release(struct proof *p)
{
	free(p->boot_id);
	free(p->build_id);
	free(p->release);
	free(p->cmdline);
	free(p->oops);
	free(p->warn);
	free(p->taint);
	free(p->modules);
	*p = (struct proof){ 0 };
}
