// SPDX-License-Identifier: GPL-3.0-or-later
/* What the diffs tell about the patches of a series. */
#include "mail/assemble.h"

#include "core/base/alloc.h"
#include "core/git/patch.h"

/* A diff that does not parse is no failure here: the patch says what is wrong with it. */
static void fill(struct patch *p)
{
	_cleanup_diff_ struct diff *d = NULL;
	_cleanup_err_ struct err e = { 0 };

	if (diff_parse(buf_str(&p->diff), p->diff.len, &d, &e) < 0) {
		if (!p->damage)
			p->damage =
				xstrdup(e.nr ? e.frame[0] : "the diff does not parse");
		return;
	}
	diff_paths(d, &p->files);
	p->patch_id = diff_patch_id(d);
}

int series_from_box(const struct box *box, const struct assemble_opts *o,
		    struct series **ret, struct err *e)
{
	int r = assemble_mails(box, o, ret, e);

	for (size_t i = 0; r == 0 && i < (*ret)->nr_patches; i++)
		fill(&(*ret)->patches[i]);
	return r;
}
