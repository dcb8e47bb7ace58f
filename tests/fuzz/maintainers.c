// SPDX-License-Identifier: GPL-3.0-or-later
/* Bytes as a MAINTAINERS file, and as words for trees and versions. */
#include <stdint.h>
#include <stdlib.h>

#include "core/base/alloc.h"
#include "core/git/base-hint.h"
#include "core/git/maintainers.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_free_ char *word = xmemdup(data, size), *path = base_url_path(word);
	struct base_ref ref = { .name = (char *)"origin/linux-6.1.y",
				.remote = (char *)"origin",
				.kind = BASE_REF_REMOTE };
	_cleanup_strv_ struct strv paths = STRV_INIT;
	_cleanup_buf_ struct buf text = BUF_INIT;
	struct maintainers_trees trees;
	struct version lo, hi;

	strv_addl(&paths, "arch/x86/kvm/svm/nested.c", "Makefile", "", NULL);
	buf_add(&text, data, size);
	maintainers_find(&text, &paths, &trees);
	maintainers_release(&trees);
	if (version_range(word, &lo, &hi) && version_cmp(&lo, &hi, 2) > 0)
		abort();
	return base_hint_rank(word, &ref, word) < -1;
}
