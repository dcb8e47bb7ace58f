// SPDX-License-Identifier: GPL-3.0-or-later
/* Any mail to the header of its reply: only known fields, each on lines of its own, one
 * blank line at the end. */
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "mail/reply.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check_line(const char *line, size_t len)
{
	static const char *const fields[] = {
		"From: ",	 "To: ",	"Cc: ",		  "Subject: ",
		"In-Reply-To: ", "References:", "MIME-Version: ", "Content-",
	};

	for (size_t i = 0; i < len; i++)
		if (line[i] == '\r' || line[i] == '\0')
			abort();
	if (*line == '\t' || *line == ' ')
		return;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (!strncmp(line, fields[i], strlen(fields[i])))
			return;
	abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_buf_ struct buf mail = BUF_INIT, head = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };
	const char *line, *end, *nl;

	buf_add(&mail, data, size);
	if (reply_head(&mail, "A <a@example.org>", &head, &e) < 0)
		return 0;
	line = buf_str(&head);
	end = line + head.len - 1;
	if (head.len < 2 || end[0] != '\n' || end[-1] != '\n')
		abort();
	for (; line < end; line = nl + 1) {
		nl = memchr(line, '\n', head.len);
		if (nl == line)
			abort();
		check_line(line, (size_t)(nl - line));
	}
	return 0;
}
