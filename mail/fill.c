// SPDX-License-Identifier: GPL-3.0-or-later
/* What the diffs tell about the patches of a series. */
#include "mail/assemble.h"

#include "core/base/alloc.h"
#include "core/git/patch.h"
#include "core/git/rules.h"

/* `git format-patch --no-prefix` is in order, if one knows: who applies it has to say so. */
static bool has_no_prefix(const struct patch *p, struct diff **ret)
{
	struct apply_rules rules = APPLY_RULES_INIT;
	_cleanup_err_ struct err e = { 0 };

	rules.strip = 0;
	return diff_parse_rules(buf_str(&p->diff), p->diff.len, &rules, ret, &e) == 0;
}

/* A diff that does not parse is no failure here: the patch says what is wrong with it. */
void patch_fill(struct patch *p)
{
	_cleanup_diff_ struct diff *d = NULL;
	_cleanup_err_ struct err e = { 0 };

	if (diff_parse(buf_str(&p->diff), p->diff.len, &d, &e) < 0 &&
	    !has_no_prefix(p, &d)) {
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
		patch_fill(&(*ret)->patches[i]);
	return r;
}
