// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * git patch-id --stable: a hash of each file's diff without blanks and line numbers, the
 * hashes summed up, so that the order of the files does not matter. Line for line what
 * git 2.39 does, except that an empty context line counts as one (git loses step there).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/git/diff-internal.h"
#include "core/git/patch.h"
#include "core/git/sha1.h"

struct patch_id {
	struct sha1 *sha;
	unsigned char sum[20];
	size_t hashed;
	bool in_header, in_binary, any_hunk;
	unsigned long old_nr, new_nr; /* lines the hunk still owes */
	char old_id[41], new_id[41];
};

static bool starts(const char *s, size_t n, const char *word)
{
	size_t k = strlen(word);

	return n >= k && !memcmp(s, word, k);
}

static void flush(struct patch_id *id)
{
	unsigned char hash[20];
	unsigned int carry = 0;

	sha1_end(id->sha, hash);
	for (int i = 0; i < 20; i++) {
		carry += id->sum[i] + hash[i];
		id->sum[i] = (unsigned char)carry;
		carry >>= 8;
	}
}

static void add_line(struct patch_id *id, const char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t k = i;

		while (k < n && !isspace((unsigned char)s[k]))
			k++;
		sha1_add(id->sha, s + i, k - i);
		id->hashed += k - i;
		for (i = k; i < n && isspace((unsigned char)s[i]);)
			i++;
	}
}

static void keep_ids(struct patch_id *id, const char *s, size_t n)
{
	const char *dots = memmem(s, n, "..", 2), *end = s + n, *blank;
	size_t a, b;

	if (!dots)
		return;
	blank = memchr(dots, ' ', (size_t)(end - dots));
	a = (size_t)(dots - s);
	b = (size_t)((blank ? blank : end) - dots - 2);
	snprintf(id->old_id, sizeof(id->old_id), "%.*s", (int)(a > 40 ? 40 : a), s);
	snprintf(id->new_id, sizeof(id->new_id), "%.*s", (int)(b > 40 ? 40 : b),
		 dots + 2);
}

/* A header line. 1 = hash it, 0 = it is done with, -1 = the diff ended. */
static int header_line(struct patch_id *id, const char *s, size_t n)
{
	if (starts(s, n, "GIT binary patch") || starts(s, n, "Binary files")) {
		id->in_binary = true;
		id->in_header = false;
		sha1_add(id->sha, id->old_id, strlen(id->old_id));
		sha1_add(id->sha, id->new_id, strlen(id->new_id));
		flush(id);
		return 0;
	}
	if (starts(s, n, "index ")) {
		keep_ids(id, s + 6, n - 6);
		return 0;
	}
	if (starts(s, n, "--- ")) {
		id->in_header = false;
		id->old_nr = id->new_nr = 1; /* this line and the "+++ " behind it */
		return 1;
	}
	return n && isalpha((unsigned char)s[0]) ? 1 : -1;
}

static void hunk_header(struct patch_id *id, const char *s, size_t n)
{
	const char *p = s + 4, *end = s + n;
	unsigned long pos, *nr[] = { &id->old_nr, &id->new_nr };

	for (int i = 0; i < 2; i++) {
		*nr[i] = 1;
		if (!diff_number(&p, end, &pos))
			return;
		if (p < end && *p == ',') {
			p++;
			if (!diff_number(&p, end, nr[i]))
				return;
		}
		if (end - p >= 2 && !memcmp(p, " +", 2))
			p += 2;
	}
}

/* Between hunks. As header_line(). */
static int between(struct patch_id *id, const char *s, size_t n)
{
	if (starts(s, n, "@@ -")) {
		hunk_header(id, s, n);
		id->any_hunk = true;
		return 0;
	}
	if (!starts(s, n, "diff "))
		return -1;
	if (id->any_hunk)
		flush(id);
	id->in_header = true;
	id->any_hunk = false;
	return 1;
}

static int id_line(struct patch_id *id, const char *s, size_t n)
{
	bool common = !n || *s == ' ';
	int r = 1;

	if (n > 11 && starts(s, n, "\\ "))
		return 0;
	if (!id->hashed && !starts(s, n, "diff "))
		return 0;
	if (id->in_header) {
		r = header_line(id, s, n);
		if (r <= 0)
			return r;
	}
	if (id->in_binary) {
		/* The line that ends binary data is not hashed. */
		if (starts(s, n, "diff ")) {
			id->in_binary = false;
			id->in_header = true;
		}
		return 0;
	}
	if (!id->in_header && !id->old_nr && !id->new_nr) {
		r = between(id, s, n);
	}
	if (r <= 0)
		return r;
	if (!id->in_header) {
		id->old_nr -= (common || *s == '-') && id->old_nr;
		id->new_nr -= (common || *s == '+') && id->new_nr;
	}
	add_line(id, s, n);
	return 1;
}

char *diff_patch_id(const struct diff *d)
{
	struct patch_id id = { .in_header = true };
	_cleanup_sha1_ struct sha1 *sha = sha1_new();
	_cleanup_buf_ struct buf hex = BUF_INIT;
	const char *p = d->text, *end = d->text + d->len;
	int r = 0;

	id.sha = sha;
	while (r >= 0 && p < end) {
		size_t len = diff_line_len(p, end);

		r = id_line(&id, p, len - (p[len - 1] == '\n'));
		p += len;
	}
	flush(&id);
	if (!id.hashed)
		return NULL;
	for (size_t i = 0; i < sizeof(id.sum); i++)
		buf_addf(&hex, "%02x", id.sum[i]);
	return buf_take(&hex);
}
