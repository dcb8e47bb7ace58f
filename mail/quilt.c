// SPDX-License-Identifier: GPL-3.0-or-later
/* The folder: which patches there are, which of them count, and as one mailbox. */
#include "mail/quilt.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "core/base/oid.h"
#include "core/git/repo.h"
#include "mail/box.h"
#include "mail/write.h"

#define SERIES_MAX ((size_t)4 << 20)

/* The folder with the file "series": the one named, or "patches" in it. */
static char *folder_of(const char *source)
{
	_cleanup_free_ char *here = fs_path(source, "series");
	_cleanup_free_ char *below = fs_path(source, "patches/series");

	if (!fs_is_dir(source))
		return NULL;
	if (fs_exists(here) && !fs_is_dir(here))
		return xstrdup(source);
	return fs_exists(below) ? fs_path(source, "patches") : NULL;
}

bool quilt_knows(const char *source)
{
	_cleanup_free_ char *folder = folder_of(source);

	return folder != NULL;
}

struct quilt {
	const char *folder;
	struct quilt_list list;
	struct series *s;
	struct strv *notes;
	size_t left; /* bytes that may still be read */
};

/* Of two patches with one id the second would be taken for a copy of the first. */
static bool is_taken(const struct quilt *qu, const struct patch *p)
{
	for (size_t i = 0; i + 1 < qu->s->nr_patches; i++)
		if (!strcmp(qu->s->patches[i].message_id, p->message_id))
			return true;
	return false;
}

/* The same patch has the same id wherever its folder lies. */
static char *make_id(const struct quilt_entry *q, const struct buf *text)
{
	_cleanup_free_ char *name = xstrdup(q->name);
	struct oid digest;

	repo_digest(buf_str(text), text->len, &digest);
	for (char *p = name; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789._-",
			    *p))
			*p = '-';
	return xasprintf("%.12s.%s@quilt.invalid", digest.hex, name);
}

/* git makes no commit without an author; who is unknown is not the user. */
static void fill_unknown(struct quilt *qu, const struct quilt_entry *q, struct patch *p)
{
	const struct patch *last = qu->s->nr_patches > 1 ? p - 1 : NULL;

	if (!p->author_email) {
		free(p->author_name);
		p->author_name = xstrdup("unknown");
		p->author_email = xstrdup("unknown@quilt.invalid");
		strv_addf(qu->notes, "patch '%s' names no author", q->name);
	}
	if (p->date)
		return;
	strv_addf(qu->notes, "patch '%s' has no date", q->name);
	if (last) {
		p->date = last->date;
		p->date_tz = last->date_tz;
	}
}

static int add_patch(struct quilt *qu, const struct quilt_entry *q, struct err *e)
{
	_cleanup_free_ char *path = fs_path(qu->folder, q->name);
	_cleanup_buf_ struct buf text = BUF_INIT;
	struct patch *p;

	if (!fs_exists(path)) {
		err_set(e, ERR_NOT_FOUND, "series line %lu: no file '%s' in '%s'",
			q->line, q->name, qu->folder);
		return err_hint(e, "put the patch there, or take its line out");
	}
	if (q->reverse) {
		err_set(e, ERR_USAGE, "series line %lu: '%s' is to be taken back (-R)",
			q->line, q->name);
		return err_hint(e, "write the patch the other way round and drop -R");
	}
	if (fs_read(path, qu->left, &text, e) < 0)
		return -(int)e->code;
	qu->left -= text.len;
	p = series_add_patch(qu->s);
	p->number = (int)qu->s->nr_patches;
	quilt_patch_read(&text, q, p);
	if (p->message_id && is_taken(qu, p))
		free(take_ptr(p->message_id));
	if (!p->message_id)
		p->message_id = make_id(q, &text);
	fill_unknown(qu, q, p);
	return 0;
}

static bool is_listed(const struct quilt *qu, const char *name)
{
	for (size_t i = 0; i < qu->list.nr; i++)
		if (!strcmp(qu->list.v[i].name, name))
			return true;
	return false;
}

static bool has_end(const char *name, const char *end)
{
	size_t n = strlen(name), k = strlen(end);

	return n > k && !strcmp(name + n - k, end);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Patches that lie about and will not be applied. */
static void note_others(struct quilt *qu)
{
	_cleanup_strv_ struct strv others = STRV_INIT;
	DIR *d = opendir(qu->folder);
	const struct dirent *entry;

	while (d && (entry = readdir(d)))
		if ((has_end(entry->d_name, ".patch") ||
		     has_end(entry->d_name, ".diff")) &&
		    !is_listed(qu, entry->d_name))
			strv_add(&others, entry->d_name);
	if (d)
		closedir(d);
	if (others.nr)
		qsort(others.v, others.nr, sizeof(*others.v), by_text);
	for (size_t i = 0; i < others.nr; i++)
		strv_addf(qu->notes, "'%s' is in the folder and not in its series",
			  others.v[i]);
}

static int read_patches(struct quilt *qu, struct err *e)
{
	_cleanup_free_ char *path = fs_path(qu->folder, "series");
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (fs_read(path, SERIES_MAX, &text, e) < 0 ||
	    quilt_list_read(&text, &qu->list, e) < 0)
		return -(int)e->code;
	if (!qu->list.nr)
		return err_set(e, ERR_NO_PATCHES, "'%s' names no patch", path);
	for (size_t i = 0; i < qu->list.nr; i++)
		if (add_patch(qu, &qu->list.v[i], e) < 0)
			return -(int)e->code;
	qu->s->total = (int)qu->s->nr_patches;
	note_others(qu);
	return 0;
}

int quilt_read(const char *source, const struct source_opts *o, struct source_mails *ret,
	       struct err *e)
{
	_cleanup_free_ char *folder = folder_of(source);
	_cleanup_series_ struct series *s = series_new();
	struct quilt qu = { .folder = folder,
			    .s = s,
			    .notes = &ret->notes,
			    .left = o->max_bytes ? o->max_bytes : SOURCE_MAX_BYTES };
	_cleanup_buf_ struct buf mbox = BUF_INIT;
	int r = read_patches(&qu, e);

	if (r == 0) {
		series_to_mbox(s, &mbox);
		r = box_split(ret->box, &mbox, e);
	}
	quilt_list_release(&qu.list);
	return r;
}
