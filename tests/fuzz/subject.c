// SPDX-License-Identifier: GPL-3.0-or-later
/* Subjects and encoded words: the title never grows, numbers stay in bounds. */
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "mail/mailinfo.h"
#include "mail/pick.h"
#include "mail/subject.h"
#include "mail/text.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_buf_ struct buf in = BUF_INIT;
	_cleanup_free_ char *text = NULL, *title = NULL;
	_cleanup_subject_ struct subject s = { 0 };
	_cleanup_pick_ struct pick pick = { 0 };
	_cleanup_err_ struct err e = { 0 };

	buf_add(&in, data, size);
	text = mail_header_decode(buf_str(&in));
	if (!text_is_utf8(text, strlen(text)))
		abort();
	subject_parse(text, &s);
	title = subject_title(text);
	if (strlen(s.title) > strlen(text) || strlen(title) > strlen(text) ||
	    s.number < 0 || s.total < 0 || s.revision < 0)
		abort();
	if (pick_parse(text, &pick, &e) == 0 && !pick_has(&pick, 0, 0, "") && !pick.nr &&
	    !pick.globs.nr)
		abort();
	return 0;
}
