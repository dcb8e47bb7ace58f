// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/report/grid.h"

#include <math.h>
#include <string.h>

#include "core/base/alloc.h"

static size_t width(const struct strv *cells, size_t nr, size_t col)
{
	size_t max = 0;

	for (size_t i = col; i < cells->nr; i += nr) {
		size_t n = strlen(cells->v[i]);

		max = n > max ? n : max;
	}
	return max;
}

static void fill(struct buf *ret, char c, size_t n)
{
	while (n-- > 0)
		buf_addc(ret, c);
}

static void rule(const struct strv *cells, size_t nr, char c, struct buf *ret)
{
	for (size_t k = 0; k < nr; k++) {
		buf_addc(ret, '+');
		fill(ret, c, width(cells, nr, k) + 2);
	}
	buf_adds(ret, "+\n");
}

void grid_ruled(const struct strv *cells, size_t nr, struct buf *ret)
{
	rule(cells, nr, '-', ret);
	for (size_t i = 0; i + nr <= cells->nr; i += nr) {
		for (size_t k = 0; k < nr; k++) {
			const char *s = cells->v[i + k];

			buf_addf(ret, "| %s ", s);
			fill(ret, ' ', width(cells, nr, k) - strlen(s));
		}
		buf_adds(ret, "|\n");
		if (i == 0)
			rule(cells, nr, '=', ret);
	}
	rule(cells, nr, '-', ret);
}

void grid_bare(const struct strv *cells, size_t nr, struct buf *ret)
{
	for (size_t i = 0; i + nr <= cells->nr; i += nr) {
		for (size_t k = 0; k < nr; k++) {
			const char *s = cells->v[i + k];

			buf_adds(ret, s);
			if (k + 1 < nr)
				fill(ret, ' ', width(cells, nr, k) - strlen(s) + 2);
		}
		buf_addc(ret, '\n');
	}
}

void text_add_clean(struct buf *ret, const char *s)
{
	for (const unsigned char *p = (const unsigned char *)(s ? s : ""); *p; p++) {
		if (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0) {
			buf_addc(ret, '?'); /* a C1 control in UTF-8 */
			p++;
		} else {
			buf_addc(ret, *p < 0x20 || *p == 0x7f ? '?' : (char)*p);
		}
	}
}

char *text_percent(double fraction)
{
	double percent = 100 * fraction;

	if (!isfinite(percent))
		return xstrdup("n/a");
	return xasprintf("%+.2f%%", fabs(percent) < 0.005 ? 0.0 : percent);
}
