// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stable/symbols.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/base/stop.h"
#include "core/git/objects.h"
#include "core/git/changed-files.h"
#include "core/store/history.h"

#define MAGIC "kiln symbols 1\n"
#define MAX_FILE ((size_t)32 << 20) /* a source file above this is data */
#define MAX_CACHE ((size_t)512 << 20)
#define BATCH ((size_t)4 << 20) /* words collected before they are made unique */
#define SHORTEST 4		/* shorter words are everywhere */

struct words {
	uint64_t *v;
	size_t nr, cap;
};

struct symbols {
	struct oid tree;
	struct words known; /* sorted, each once */
	struct words fresh;
	uint64_t config; /* the number of Kconfig definitions is not 0 */
};

static uint64_t hash_word(const char *p, size_t n)
{
	return history_path_add(HISTORY_PATH_START, p, n);
}

static uint64_t hash_config(const char *p, size_t n)
{
	return history_path_add(history_path_add(HISTORY_PATH_START, "config ", 7), p, n);
}

static int by_value(const void *va, const void *vb)
{
	uint64_t a = *(const uint64_t *)va, b = *(const uint64_t *)vb;

	return (a > b) - (a < b);
}

static bool has(const struct words *w, uint64_t key)
{
	return w->nr && bsearch(&key, w->v, w->nr, sizeof(*w->v), by_value);
}

static void push(struct words *w, uint64_t value)
{
	if (w->nr == w->cap) {
		w->cap = w->cap ? w->cap * 2 : 1024;
		w->v = xreallocarray(w->v, w->cap, sizeof(*w->v));
	}
	w->v[w->nr++] = value;
}

static void make_unique(struct words *w, size_t from)
{
	size_t to = from;

	if (w->nr > from)
		qsort(w->v + from, w->nr - from, sizeof(*w->v), by_value);
	for (size_t i = from; i < w->nr; i++)
		if (to == from || w->v[to - 1] != w->v[i])
			w->v[to++] = w->v[i];
	w->nr = to;
}

/* Move what is fresh to what is known. */
static void merge(struct symbols *s)
{
	struct words all = { 0 };
	size_t i = 0, k = 0;

	make_unique(&s->fresh, 0);
	while (i < s->known.nr || k < s->fresh.nr) {
		bool old = k == s->fresh.nr ||
			   (i < s->known.nr && s->known.v[i] <= s->fresh.v[k]);
		uint64_t value = old ? s->known.v[i++] : s->fresh.v[k++];

		if (!all.nr || all.v[all.nr - 1] != value)
			push(&all, value);
	}
	free(s->known.v);
	s->known = all;
	s->fresh.nr = 0;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void add_words(struct symbols *s, const struct buf *text)
{
	const char *p = buf_str(text), *end = p + text->len;
	size_t from = s->fresh.nr;

	while (p < end) {
		const char *start = p;

		while (p < end && is_word(*p))
			p++;
		if (p - start >= SHORTEST && !isdigit((unsigned char)*start))
			push(&s->fresh, hash_word(start, (size_t)(p - start)));
		p += p == start;
	}
	make_unique(&s->fresh, from);
}

/* "config NAME" and "menuconfig NAME" lines. */
static void add_config(struct symbols *s, const struct buf *text)
{
	static const char *const heads[] = { "config ", "menuconfig " };

	for (const char *p = buf_str(text); *p;) {
		size_t line = strcspn(p, "\n");
		const char *q = p + strspn(p, " \t");

		for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
			size_t n = strlen(heads[i]), len = 0;

			if (strncmp(q, heads[i], n))
				continue;
			q += n + strspn(q + n, " \t");
			while (is_word(q[len]))
				len++;
			push(&s->fresh, hash_config(q, len));
			s->config++;
		}
		p += line + (p[line] == '\n');
	}
}

enum kind { KIND_NONE, KIND_SOURCE, KIND_KCONFIG };

static enum kind kind_of(const char *path)
{
	static const char *const ends[] = { ".c", ".h", ".S", ".s", ".cc", ".rs" };
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	if (!strncmp(base, "Kconfig", 7))
		return KIND_KCONFIG;
	for (size_t i = 0; dot && i < ARRAY_SIZE(ends); i++)
		if (!strcmp(dot, ends[i]))
			return KIND_SOURCE;
	return KIND_NONE;
}

struct reading {
	struct repo *r;
	struct symbols *s;
	const struct progress *progress;
	uint64_t nr;
};

static int add_file(void *ctx, const char *path, const struct oid *blob, struct err *e)
{
	struct reading *rd = ctx;
	enum kind kind = kind_of(path);
	_cleanup_buf_ struct buf text = BUF_INIT;
	size_t size;

	if (kind == KIND_NONE || repo_blob_size(rd->r, blob, &size, e) < 0)
		return kind == KIND_NONE ? 0 : -(int)e->code;
	if (size > MAX_FILE)
		return 0;
	if (repo_get(rd->r, OBJECT_BLOB, blob, &text, e) < 0 || stop_check(e) < 0)
		return -(int)e->code;
	if (kind == KIND_SOURCE)
		add_words(rd->s, &text);
	else
		add_config(rd->s, &text);
	if (rd->s->fresh.nr > BATCH)
		merge(rd->s);
	if (++rd->nr % 256 == 0)
		progress_update(rd->progress, "read the words of the tree", rd->nr, 0);
	return 0;
}

static char *cache_path(struct repo *r)
{
	_cleanup_free_ char *cache = fs_cache_dir(), *name = NULL;
	const char *dir = repo_common_dir(r);
	struct oid key;

	repo_digest(dir, strlen(dir), &key);
	name = xasprintf("symbols-%.16s", key.hex);
	return fs_path(cache, name);
}

/* What was kept, if it is whole; it is a cache, so nothing about it is an error. */
static void load(const char *path, struct symbols *s)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_err_ struct err ignored = { 0 };
	size_t head = strlen(MAGIC) + sizeof(s->tree) + sizeof(s->config), nr;
	const char *p;

	if (!fs_exists(path) || fs_read(path, MAX_CACHE, &text, &ignored) < 0)
		return;
	p = buf_str(&text);
	if (text.len < head || (text.len - head) % sizeof(*s->known.v) ||
	    memcmp(p, MAGIC, strlen(MAGIC)) || p[head - sizeof(s->config) - 1])
		return;
	memcpy(&s->tree, p + strlen(MAGIC), sizeof(s->tree));
	memcpy(&s->config, p + strlen(MAGIC) + sizeof(s->tree), sizeof(s->config));
	nr = (text.len - head) / sizeof(*s->known.v);
	s->known.v = xcalloc(nr + 1, sizeof(*s->known.v));
	memcpy(s->known.v, p + head, nr * sizeof(*s->known.v));
	s->known.nr = s->known.cap = nr;
}

static void save(const char *path, const struct symbols *s)
{
	_cleanup_free_ char *dir = fs_cache_dir();
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	buf_adds(&text, MAGIC);
	buf_add(&text, &s->tree, sizeof(s->tree));
	buf_add(&text, &s->config, sizeof(s->config));
	buf_add(&text, s->known.v, s->known.nr * sizeof(*s->known.v));
	if (fs_mkdirs(dir, &e) < 0 || fs_write(path, text.data, text.len, &e) < 0)
		log_debug("cannot keep the words of the tree: %s", e.frame[0]);
}

static int bring_to(struct repo *r, struct symbols *s, const struct oid *tree,
		    const struct progress *progress, struct err *e)
{
	struct reading rd = { .r = r, .s = s, .progress = progress };
	const struct oid *from = oid_is_none(&s->tree) ? NULL : &s->tree;

	if (changed_files(r, from, tree, &(struct changed_files){ add_file, &rd }, e) <
	    0) {
		if (!from || e->code == ERR_INTERRUPTED)
			return -(int)e->code;
		/* The old tree is gone (gc): begin anew. */
		err_release(e);
		s->known.nr = s->fresh.nr = 0;
		if (changed_files(r, NULL, tree, &(struct changed_files){ add_file, &rd },
				  e) < 0)
			return -(int)e->code;
	}
	merge(s);
	s->tree = *tree;
	return 0;
}

int symbols_open(struct repo *r, const struct oid *commit,
		 const struct progress *progress, struct symbols **ret, struct err *e)
{
	_cleanup_free_ char *path = cache_path(r);
	struct symbols *s = xzalloc(sizeof(*s));
	struct commit_info info;
	int rc = repo_commit(r, commit, &info, e);

	if (rc < 0) {
		free(s);
		return rc;
	}
	load(path, s);
	if (!oid_equal(&s->tree, &info.tree)) {
		rc = bring_to(r, s, &info.tree, progress, e);
		if (rc == 0)
			save(path, s);
	}
	commit_info_release(&info);
	if (rc < 0) {
		symbols_free(s);
		return err_wrap(e, "cannot read the words of the tree");
	}
	*ret = s;
	return 0;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	free(s->known.v);
	free(s->fresh.v);
	free(s);
}

bool symbols_has(const struct symbols *s, const char *word, size_t n)
{
	return n < SHORTEST || has(&s->known, hash_word(word, n));
}

bool symbols_has_config(const struct symbols *s, const char *word, size_t n)
{
	return has(&s->known, hash_config(word, n));
}

bool symbols_knows_config(const struct symbols *s)
{
	return s->config > 0;
}
