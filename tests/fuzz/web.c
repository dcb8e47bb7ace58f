// SPDX-License-Identifier: GPL-3.0-or-later
/* Pages of web archives and texts saved from them. */
#include <stdlib.h>
#include <string.h>

#include "mail/web-html.h"
#include "mail/web-page.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void html(const char *p, size_t size)
{
	_cleanup_web_html_ struct web_html h = { 0 };

	web_html_read(p, size, &h);
	if (h.body > h.body_end || h.body_end > h.text.len || h.keys.nr != h.values.nr)
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	const char *p = (const char *)data;
	_cleanup_web_page_ struct web_page w = { 0 };

	html(p, size);
	(void)!web_page_looks(p, size);
	web_page_read(p, size, NULL, &w);
	if (!w.site || (w.message_id && !strchr(w.message_id, '@')))
		abort();
	return 0;
}
