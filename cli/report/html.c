// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>

#include "bench/report/plot.h"
#include "cli/paths.h"
#include "cli/report/forms.h"
#include "core/base/alloc.h"
#include "core/base/fs.h"

#define TEMPLATE_MAX (1 << 20)

int report_html(struct page *p, struct buf *ret, struct err *e)
{
	_cleanup_free_ char *path = NULL, *dir = NULL;
	_cleanup_buf_ struct buf template = BUF_INIT;

	if (paths_need("page.html.in", &path, e) < 0 ||
	    fs_read(path, TEMPLATE_MAX, &template, e) < 0)
		return -(int)e->code;
	dir = xstrndup(path, (size_t)(strrchr(path, '/') - path));
	if (page_draw(p, dir, e) < 0)
		return -(int)e->code;
	page_to_html(p, buf_str(&template), ret);
	return 0;
}
