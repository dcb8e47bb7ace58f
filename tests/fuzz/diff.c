// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A mail's text: parsed, its id taken, binary data inflated, and every hunk put on a
 * small file, both ways.
 */
#include <stdlib.h>

#include "core/git/diff-internal.h"
#include "core/git/image.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const char file[] = "a\nb\nc\n\nint main(void)\n{\n\treturn 0;\n}\n\na\nb\nc\nend";

static void apply(const struct file_diff *f, bool reverse)
{
	_cleanup_image_ struct image img = { 0 };
	_cleanup_buf_ struct buf out = BUF_INIT;
	struct hunk_lines l[8] = { 0 };
	static const struct apply_rules rules = APPLY_RULES_INIT;
	struct fit fit = { &rules, reverse, 100000 };
	size_t nr = f->nr_hunks < 8 ? f->nr_hunks : 8;

	image_init(&img, file, sizeof(file) - 1);
	for (size_t i = 0; i < nr; i++) {
		struct place at;

		hunk_lines_init(&l[i], &f->hunks[i], reverse);
		if (image_find(&img, &f->hunks[i], &l[i], &fit, &at) == PLACE_FOUND)
			image_replace(&img, at.found, &l[i]);
		else
			image_explain(&img, &l[i], &at, &out);
	}
	image_text(&img, &out);
	for (size_t i = 0; i < nr; i++)
		hunk_lines_release(&l[i]);
}

static void binary(const struct file_diff *f)
{
	_cleanup_buf_ struct buf old = BUF_INIT, new = BUF_INIT;
	_cleanup_err_ struct err e = { 0 };

	buf_add(&old, file, sizeof(file) - 1);
	if (f->forward.kind != BINARY_NONE &&
	    binary_data(&f->forward, &old, &new, &e) < 0)
		return;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_diff_ struct diff *d = NULL;
	_cleanup_err_ struct err e = { 0 };
	_cleanup_strv_ struct strv paths = STRV_INIT;

	if (diff_parse((const char *)data, size, &d, &e) < 0)
		return 0;
	diff_paths(d, &paths);
	free(diff_patch_id(d));
	for (size_t i = 0; i < d->nr; i++) {
		apply(&d->files[i], false);
		apply(&d->files[i], true);
		binary(&d->files[i]);
	}
	return 0;
}
