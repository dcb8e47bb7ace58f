// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/stop.h"
#include "mail/packing.h"
#include "mail/spool.h"

#define BLOCK ((size_t)64 << 10)

/* What is read of the descriptor and not yet used. */
struct input {
	int fd;
	const char *name;
	unsigned char *block;
	size_t pos, len;
	bool ended;
};

static const struct packing *packing_of(const void *p, size_t n)
{
	for (const struct packing *k = packings; k->name; k++)
		if (n >= k->magic_len && !memcmp(p, k->magic, k->magic_len))
			return k;
	return NULL;
}

bool unpack_is_packed(const void *p, size_t n)
{
	return packing_of(p, n) != NULL;
}

/* Have at least n bytes in the block, unless the input ends. */
static int fill(struct input *in, size_t n, struct err *e)
{
	if (in->len - in->pos >= n)
		return 0;
	memmove(in->block, in->block + in->pos, in->len - in->pos);
	in->len -= in->pos;
	in->pos = 0;
	while (in->len < n && !in->ended) {
		ssize_t got = read(in->fd, in->block + in->len, BLOCK - in->len);

		if (got < 0 && errno == EINTR) {
			if (stop_check(e) < 0)
				return err_wrap(e, "cannot read '%s'", in->name);
			continue;
		}
		if (got < 0)
			return err_sys(e, errno, "cannot read '%s'", in->name);
		in->ended = got == 0;
		in->len += (size_t)got;
	}
	return 0;
}

static int copy(struct input *in, size_t max, struct spool *ret, struct err *e)
{
	while (in->pos < in->len) {
		size_t n = in->len - in->pos;

		if (ret->len + n > max)
			return err_set(e, ERR_TOO_BIG, "'%s' is larger than %zu bytes",
				       in->name, max);
		if (spool_add(ret, in->block + in->pos, n, e) < 0)
			return -(int)e->code;
		in->pos = in->len;
		if (fill(in, 1, e) < 0)
			return -(int)e->code;
	}
	return 0;
}

static int bad(const struct input *in, const struct packing *k, bool cut, struct err *e)
{
	if (cut)
		return err_set(e, ERR_TRUNCATED, "the %s data of '%s' ends too early",
			       k->name, in->name);
	return err_set(e, ERR_CORRUPT, "the %s data of '%s' is damaged", k->name,
		       in->name);
}

/* One member: from its first byte to its checksum. */
static int member(struct input *in, const struct packing *k, void *state, size_t max,
		  struct spool *ret, struct err *e)
{
	_cleanup_free_ unsigned char *out = xcalloc(1, BLOCK);

	for (;;) {
		struct pack_stream s = { in->block + in->pos, in->len - in->pos, out,
					 BLOCK };
		size_t had = s.in_len, got;
		enum pack_step r = k->run(state, &s);

		got = BLOCK - s.out_len;
		in->pos = in->len - s.in_len;
		if (r == PACK_BAD)
			return bad(in, k, false, e);
		if (ret->len + got > max)
			return err_set(e, ERR_DECOMPRESSION_BOMB,
				       "'%s' unpacks to more than %zu bytes", in->name,
				       max);
		if (got && spool_add(ret, out, got, e) < 0)
			return -(int)e->code;
		if (r == PACK_END)
			return 0;
		if (fill(in, 1, e) < 0 || stop_check(e) < 0)
			return -(int)e->code;
		if (in->pos == in->len && !got)
			return bad(in, k, true, e);
		if (!got && s.in_len == had && in->ended)
			return bad(in, k, true, e); /* it waits for what never comes */
	}
}

static int unpack(struct input *in, const struct packing *k, size_t max,
		  struct spool *ret, struct err *e)
{
	/* Bytes of another kind behind the last member are ignored, as gzip does. */
	do {
		void *state = k->open();
		int r;

		if (!state)
			return err_set(e, ERR_INTERNAL, "cannot start to unpack %s",
				       k->name);
		r = member(in, k, state, max, ret, e);
		k->close(state);
		if (r < 0 || fill(in, UNPACK_MAGIC, e) < 0)
			return -(int)e->code;
	} while (packing_of(in->block + in->pos, in->len - in->pos) == k);
	return 0;
}

int unpack_fd(int fd, const char *name, size_t max, struct spool *ret, struct err *e)
{
	_cleanup_free_ unsigned char *block = xcalloc(1, BLOCK);
	struct input in = { .fd = fd, .name = name, .block = block };
	const struct packing *k;

	if (fill(&in, UNPACK_MAGIC, e) < 0)
		return -(int)e->code;
	k = packing_of(block, in.len);
	return k ? unpack(&in, k, max, ret, e) : copy(&in, max, ret, e);
}
