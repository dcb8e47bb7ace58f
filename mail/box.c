// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/box.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fs.h"
#include "mail/folder.h"
#include "mail/mbox.h"
#include "mail/spool.h"
#include "mail/unpack.h"

struct entry {
	struct mbox_place place;
	size_t part;
};

struct box {
	struct spool *parts;
	size_t nr_parts;
	struct entry *v;
	size_t nr;
	bool adding; /* the last part takes what box_add() gets */
};

struct box *box_new(void)
{
	return xzalloc(sizeof(struct box));
}

static struct spool *new_part(struct box *b)
{
	struct spool *s = array_push(b->parts, b->nr_parts);

	*s = (struct spool)SPOOL_INIT;
	b->adding = false;
	return s;
}

static void add_entry(struct box *b, const struct mbox_place *p, size_t part)
{
	*array_push(b->v, b->nr) = (struct entry){ .place = *p, .part = part };
}

/* Take over the spool and the mails found in it. */
static int add_spool(struct box *b, struct spool *s, struct err *e)
{
	struct mbox_places found = { 0 };

	if (mbox_scan(s, &found, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < found.nr; i++)
		add_entry(b, &found.v[i], b->nr_parts);
	free(found.v);
	*new_part(b) = *s;
	*s = (struct spool)SPOOL_INIT;
	return 0;
}

int box_split(struct box *b, const struct buf *mbox, struct err *e)
{
	_cleanup_spool_ struct spool s = SPOOL_INIT;

	if (spool_add(&s, buf_str(mbox), mbox->len, e) < 0)
		return -(int)e->code;
	return add_spool(b, &s, e);
}

int box_add(struct box *b, const void *mail, size_t len, struct err *e)
{
	struct spool *s = b->adding ? &b->parts[b->nr_parts - 1] : new_part(b);
	struct mbox_place p = { .at = s->len, .len = len, .quoting = MBOX_PLAIN };

	b->adding = true;
	if (spool_add(s, mail, len, e) < 0)
		return -(int)e->code;
	add_entry(b, &p, b->nr_parts - 1);
	return 0;
}

void box_join(struct box *b, struct box *other)
{
	size_t first = b->nr_parts;

	for (size_t i = 0; i < other->nr_parts; i++)
		*new_part(b) = other->parts[i];
	for (size_t i = 0; i < other->nr; i++)
		add_entry(b, &other->v[i].place, first + other->v[i].part);
	free(other->parts);
	free(other->v);
	*other = (struct box){ 0 };
}

size_t box_nr(const struct box *b)
{
	return b->nr;
}

int box_mail(const struct box *b, size_t i, struct buf *ret, struct err *e)
{
	const struct entry *en = &b->v[i];
	size_t n = (size_t)en->place.len;

	buf_clear(ret);
	if (en->place.len > BOX_MAX_MAIL)
		return err_set(e, ERR_TOO_BIG, "mail %zu is larger than %zu bytes", i + 1,
			       BOX_MAX_MAIL);
	if (spool_read(&b->parts[en->part], en->place.at, buf_room(ret, n), n, e) < 0)
		return err_wrap(e, "cannot read mail %zu", i + 1);
	buf_grew(ret, n);
	mbox_unquote(ret, en->place.quoting);
	return 0;
}

static int write_mails(const struct box *b, int fd, struct err *e)
{
	_cleanup_buf_ struct buf mail = BUF_INIT, mbox = BUF_INIT;

	for (size_t i = 0; i < b->nr; i++) {
		if (box_mail(b, i, &mail, e) < 0)
			return -(int)e->code;
		buf_clear(&mbox);
		mbox_add(&mbox, buf_str(&mail), mail.len);
		if (fs_write_fd(fd, buf_str(&mbox), mbox.len, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

int box_save(const struct box *b, const char *path, struct err *e)
{
	_cleanup_free_ char *temp = NULL;
	_cleanup_close_ int fd = -1;

	if (fs_temp(path, &fd, &temp, e) < 0)
		return -(int)e->code;
	if (write_mails(b, fd, e) < 0) {
		unlink(temp);
		return err_wrap(e, "cannot write '%s'", path);
	}
	return fs_temp_commit(fd, temp, path, 0644, e);
}

void box_free(struct box *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->nr_parts; i++)
		spool_release(&b->parts[i]);
	free(b->parts);
	free(b->v);
	free(b);
}

/* Whether the bytes at the beginning say the file is packed. */
static int is_packed(const struct spool *s, struct err *e)
{
	char magic[UNPACK_MAGIC];

	if (s->len < UNPACK_MAGIC)
		return 0;
	if (spool_read(s, 0, magic, UNPACK_MAGIC, e) < 0)
		return -(int)e->code;
	return unpack_is_packed(magic, UNPACK_MAGIC);
}

static int read_stream(struct box *b, int fd, const char *name, size_t max, struct err *e)
{
	_cleanup_spool_ struct spool s = SPOOL_INIT;

	if (unpack_fd(fd, name, max, &s, e) < 0)
		return -(int)e->code;
	return add_spool(b, &s, e);
}

static int read_file(struct box *b, const char *path, size_t max, struct err *e)
{
	_cleanup_spool_ struct spool s = SPOOL_INIT;
	int r;

	if (spool_open(path, &s, e) < 0)
		return -(int)e->code;
	if (!s.seekable)
		return read_stream(b, s.fd, path, max, e);
	r = is_packed(&s, e);
	if (r > 0)
		return read_stream(b, s.fd, path, max, e);
	return r < 0 ? r : add_spool(b, &s, e);
}

/* The files of a folder go into one spool: there may be more than descriptors. */
static int read_folder(struct box *b, const char *path, size_t max, struct err *e)
{
	_cleanup_strv_ struct strv files = STRV_INIT;
	_cleanup_buf_ struct buf mail = BUF_INIT;

	if (folder_list(path, &files, e) < 0)
		return -(int)e->code;
	for (size_t i = 0; i < files.nr; i++) {
		_cleanup_box_ struct box *one = box_new();

		if (read_file(one, files.v[i], max, e) < 0)
			return -(int)e->code;
		for (size_t k = 0; k < one->nr; k++)
			if (box_mail(one, k, &mail, e) < 0 ||
			    box_add(b, buf_str(&mail), mail.len, e) < 0)
				return err_wrap(e, "cannot read '%s'", files.v[i]);
	}
	return 0;
}

int box_read(struct box *b, const char *path, size_t max, struct err *e)
{
	if (!max)
		max = BOX_MAX_BYTES;
	if (!strcmp(path, "-"))
		return read_stream(b, STDIN_FILENO, "standard input", max, e);
	if (fs_is_dir(path))
		return read_folder(b, path, max, e);
	return read_file(b, path, max, e);
}
