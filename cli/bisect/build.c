// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/bisect/build.h"

#include "core/base/alloc.h"
#include "core/git/derive.h"

#define FIRST_LINKED "init/main.c"
/* Of functions, as the kernel aligns them. */
#define ALIGN 16

/*
 * Functions move by this much, which is odd in units of their alignment, so their place
 * in a cache line changes, and not a divisor of a page, so their place in one does.
 */
unsigned int layout_gap(unsigned int layout)
{
	return layout ? (unsigned int)ALIGN * (2 * layout + 1 + 64 * (layout % 61)) : 0;
}

static int layout_commit(struct repo *r, const struct oid *commit, unsigned int layout,
			 struct oid *ret, struct err *e)
{
	_cleanup_buf_ struct buf text = BUF_INIT;

	if (repo_read_file(r, commit, FIRST_LINKED, &text, e) < 0)
		return err_wrap(e, "no other layout of %.12s", commit->hex);
	if (text.len && text.data[text.len - 1] != '\n')
		buf_addc(&text, '\n');
	/* No-ops, which objtool lets stand anywhere. */
	buf_addf(
		&text,
		"__asm__(\".pushsection .text\\n\\t.skip %u, 0x90\\n\\t.popsection\");\n",
		layout_gap(layout));
	return derive_file(r, commit, FIRST_LINKED, &text, ret, e);
}

bool point_has_layouts(struct repo *r, const struct oid *commit)
{
	_cleanup_buf_ struct buf text = BUF_INIT;
	_cleanup_err_ struct err none = { 0 };

	return repo_read_file(r, commit, FIRST_LINKED, &text, &none) == 0;
}

int point_build(struct lab *l, const struct point *pt, unsigned int layout,
		struct kernel *ret, struct err *e)
{
	struct oid commit = pt->commit;

	if (layout && layout_commit(lab_repo(l), &pt->commit, layout, &commit, e) < 0)
		return -(int)e->code;
	return lab_build_over(l, &commit, pt->overlay, ret, e);
}
