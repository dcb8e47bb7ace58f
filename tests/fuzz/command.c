// SPDX-License-Identifier: GPL-3.0-or-later
/* What a hostile host could send to the agent, as the agent reads it. */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "boot/cmdline.h"
#include "boot/command.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void one(const struct frame *f)
{
	_cleanup_free_ char *value = cmdline_value(frame_word(f, 3), "kiln.token");
	_cleanup_free_ char *rsdp = cmdline_rsdp(frame_word(f, 3));
	_cleanup_buf_ struct buf carried = BUF_INIT;
	struct command c;

	cmdline_carry(frame_word(f, 3), &carried);
	assert(carried.len <= strlen(frame_word(f, 3)));
	assert(!rsdp || (strlen(rsdp) > 2 && strlen(rsdp) <= 18));
	if (command_parse(f, &c))
		return;
	if (c.type == COMMAND_RUN) {
		assert(*c.task && c.argv[0][0] == '/');
		assert(c.limits.cpu_s <= COMMAND_LIMIT_MAX);
	}
	if (c.type == COMMAND_EXEC)
		assert(*c.image == '/' && *c.initrd == '/' && c.cmdline);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct frame_parser p = { 0 };
	enum frame_status status = FRAME_OK;
	_cleanup_frame_ struct frame plain = { 0 };
	size_t i = 0;

	frame_feed(&p, data, size);
	while (status != FRAME_NONE) {
		_cleanup_frame_ struct frame f = { 0 };
		const char *why;

		status = frame_next(&p, &f, &why);
		if (status == FRAME_OK)
			one(&f);
	}
	frame_parser_release(&p);
	/* words without the frame, which a fuzzer seldom gets right */
	while (i < size && plain.words.nr < 64) {
		size_t n = strnlen((const char *)data + i, size - i);
		char *word = strndup((const char *)data + i, n);

		strv_take(&plain.words, word);
		i += n + 1;
	}
	if (plain.words.nr)
		one(&plain);
	return 0;
}
