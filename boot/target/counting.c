// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/counting.h"

#include <string.h>

#include "core/base/parse.h"

enum counting counting_line(const char *text, struct task_result *out)
{
	uint64_t n;

	if (!strncmp(text, "@ops ", 5) && parse_u64(text + 5, &n)) {
		out->ops = n;
		return COUNTING_TAKEN;
	}
	if (!strncmp(text, "@mark ", 6) && parse_u64(text + 6, &n) &&
	    n == out->nr_marks && n < BOOT_MARKS)
		return COUNTING_MARK;
	return COUNTING_NOT;
}

void counting_take(const struct frame *f, struct task_result *out)
{
	if (out->nr_marks == BOOT_MARKS)
		return;
	for (size_t i = 2; i < f->words.nr; i++)
		strv_add(&out->marks[out->nr_marks], f->words.v[i]);
	out->nr_marks++;
}

void counting_go(const char *task, const char *guest_token, uint64_t seq, size_t nr,
		 struct strv *ret)
{
	_cleanup_strv_ struct strv words = STRV_INIT;
	_cleanup_buf_ struct buf line = BUF_INIT;

	strv_addl(ret, "tell", task, NULL);
	if (!guest_token) {
		strv_add(ret, "go");
		return;
	}
	strv_add(&words, "tell");
	strv_addf(&words, "%zu", nr);
	strv_add(&words, "go");
	frame_format(guest_token, seq, &words, &line);
	while (line.len && line.data[line.len - 1] == '\n')
		line.data[--line.len] = '\0';
	strv_add(ret, buf_str(&line));
}
