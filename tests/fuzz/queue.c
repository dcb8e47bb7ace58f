// SPDX-License-Identifier: GPL-3.0-or-later
/* A stable queue: files parted by NUL bytes, the first of them its series. */
#include <stdlib.h>
#include <string.h>

#include "core/stable/source.h"
#include "mail/queue-read.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void read_words(const struct buf *text)
{
	_cleanup_strv_ struct strv includes = STRV_INIT;
	_cleanup_buf_ struct buf body = BUF_INIT;
	const char *at = buf_str(text), *end = at + strlen(at), *line = at;
	struct source_word w;

	while (source_next_word(&at, line, end, &w))
		if (w.p < line || w.p + w.len > end || !w.len)
			abort();
	source_includes("arch/x86/kvm/x.c", text, &includes);
	if (source_function(text, "x", 1, &body) && !body.len)
		abort();
}

static void check_kept(const struct queue_files *f)
{
	_cleanup_queue_files_ struct queue_files again = { 0 };
	_cleanup_buf_ struct buf packed = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	queue_files_pack(f, &packed);
	if (queue_files_unpack(&packed, &again, &e) < 0 || again.nr != f->nr)
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const char *const names[] = { "../dropped_commits", "../queue-6.6",
					     "a.patch", "b.patch", "series" };
	_cleanup_queue_files_ struct queue_files f = { .folder = strdup("queue-6.1") };
	_cleanup_queue_files_ struct queue_files raw = { 0 };
	_cleanup_queue_ struct queue *q = NULL;
	_cleanup_buf_ struct buf all = BUF_INIT;
	_cleanup_err_ struct err e = { 0 }, ignored = { 0 };
	const unsigned char *end = data + size;

	buf_add(&all, data, size);
	(void)!queue_files_unpack(&all, &raw, &ignored);
	read_words(&all);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const unsigned char *nul =
			data < end ? memchr(data, 0, (size_t)(end - data)) : NULL;
		const unsigned char *stop = nul && i < 4 ? nul : end;

		buf_add(queue_files_add(&f, names[i]), data, (size_t)(stop - data));
		data = nul && i < 4 ? nul + 1 : end;
	}
	check_kept(&f);
	if (queue_from_files("q", &f, &q, &e) < 0)
		return 0;
	for (size_t i = 0; i < q->nr; i++)
		if (!q->v[i].patch || !*queue_entry_name(&q->v[i]))
			abort();
	return 0;
}
