// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/rejoin.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/target/proof.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/parse.h"
#include "core/git/sha1.h"

#define MAGIC "kiln-boot 1"
#define STATE_MAX ((size_t)1 << 20)
#define PROGRAM_MAX ((size_t)256 << 20)
#define TOKEN_LEN 32

void rejoin_release(struct rejoin *r)
{
	free(r->token);
	free(r->base_boot_id);
	free(r->load);
	strv_release(&r->guests);
	*r = (struct rejoin){ 0 };
}

/* Each text ends with its NUL byte, so that none runs into the next. */
static void add(struct sha1 *s, const char *text)
{
	text = text ?: "";
	sha1_add(s, text, strlen(text) + 1);
}

static int add_file(struct sha1 *s, const char *path, struct err *e)
{
	_cleanup_buf_ struct buf b = BUF_INIT;

	add(s, path);
	if (fs_read(path, PROGRAM_MAX, &b, e) < 0)
		return -(int)e->code;
	sha1_add(s, b.data, b.len);
	return 0;
}

static int add_task(struct sha1 *s, const struct boot_task *t, struct err *e)
{
	_cleanup_free_ char *flags =
		xasprintf("%d %d %d", t->level, t->joins, t->brings_kernel);

	add(s, t->name);
	add(s, flags);
	add(s, t->append);
	for (size_t i = 0; i < t->args.nr; i++)
		add(s, t->args.v[i]);
	return add_file(s, t->program, e);
}

static void add_shape(struct sha1 *s, const struct boot_shape *shape)
{
	_cleanup_free_ char *text = xasprintf("%u %d %d %d", shape->vcpus, shape->pin,
					      shape->huge_pages, shape->mitigations);

	add(s, text);
}

int rejoin_digest(const struct boot_spec *spec, const char *qemu, char **ret,
		  struct err *e)
{
	const struct target *t = spec->target;
	const char *const texts[] = { t->name,
				      t->host,
				      t->dir,
				      t->initrd,
				      t->cmdline,
				      spec->candidate.build_id,
				      spec->candidate.modules,
				      spec->guest.build_id,
				      spec->append,
				      qemu };
	_cleanup_sha1_ struct sha1 *s = sha1_new();

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		add(s, texts[i]);
	add_shape(s, &spec->shape);
	for (size_t i = 0; spec->counters && i < spec->counters->nr; i++)
		add(s, spec->counters->v[i]);
	if (add_file(s, spec->agent, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; spec->tasks && i < spec->tasks->nr; i++)
		if (add_task(s, &spec->tasks->v[i], e) < 0)
			return -(int)e->code;
	*ret = sha1_end_hex(s);
	return 0;
}

static char *state_path(const char *console)
{
	return xasprintf("%s.boot", console);
}

int rejoin_write(const char *console, const char *digest, const struct rejoin *r,
		 struct err *e)
{
	_cleanup_free_ char *path = state_path(console);
	_cleanup_buf_ struct buf b = BUF_INIT;

	buf_addf(&b, MAGIC "\n%s\n%s\n%s\n%s\n", digest, r->token, r->base_boot_id,
		 r->load);
	for (size_t i = 0; i < r->guests.nr; i++)
		buf_addf(&b, "%s\n", r->guests.v[i]);
	if (fs_write(path, b.data, b.len, e) < 0)
		return err_wrap(e, "cannot note which boot is under way");
	return 0;
}

/* They go into the commands of another machine. */
static bool is_token(const char *s)
{
	return strlen(s) == TOKEN_LEN && parse_is_hex(s, TOKEN_LEN);
}

static bool parse(char *text, const char *digest, struct rejoin *ret)
{
	_cleanup_strv_ struct strv lines = STRV_INIT;

	for (char *line; text && (line = strsep(&text, "\n"));)
		if (*line)
			strv_add(&lines, line);
	if (lines.nr < 5 || strcmp(lines.v[0], MAGIC) != 0 ||
	    strcmp(lines.v[1], digest) != 0 || !is_token(lines.v[2]) ||
	    !proof_is_boot_id(lines.v[3]) || strlen(lines.v[4]) != 2)
		return false;
	for (size_t i = 5; i < lines.nr; i++)
		if (!is_token(lines.v[i]))
			return false;
	ret->token = xstrdup(lines.v[2]);
	ret->base_boot_id = xstrdup(lines.v[3]);
	ret->load = xstrdup(lines.v[4]);
	for (size_t i = 5; i < lines.nr; i++)
		strv_add(&ret->guests, lines.v[i]);
	return true;
}

bool rejoin_read(const char *console, const char *digest, struct rejoin *ret)
{
	_cleanup_free_ char *path = state_path(console);
	_cleanup_buf_ struct buf b = BUF_INIT;
	_cleanup_err_ struct err ignored = { 0 };

	return fs_exists(path) && fs_read(path, STATE_MAX, &b, &ignored) == 0 && b.len &&
	       parse(b.data, digest, ret);
}

void rejoin_forget(const char *console)
{
	_cleanup_free_ char *path = state_path(console);

	unlink(path);
}
