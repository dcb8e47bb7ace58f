// SPDX-License-Identifier: GPL-3.0-or-later
/* Bytes as the message of a commit, as a patch of a queue and as its list of what was dropped. */
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/stable/queue-names.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check(const struct commit_names *v)
{
	for (size_t i = 0; i < v->nr; i++) {
		const struct commit_name *n = &v->v[i];
		size_t len = n->hex ? strlen(n->hex) : 7;

		if ((!n->hex && !n->title) || len < 7 || len > 64 ||
		    (n->hex && !parse_is_hex(n->hex, len)))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	_cleanup_commit_notes_ struct commit_notes n = { 0 };
	_cleanup_queue_names_ struct queue_names q = { 0 };
	_cleanup_free_ char *text = xstrndup((const char *)data, size);

	commit_notes_read(text, &n);
	check(&n.fixes);
	check(&n.reverts);
	if (n.fixes.nr > 100 || n.reverts.nr > 100 || n.links.nr > 100)
		abort();
	for (size_t i = 0; i < n.links.nr; i++)
		free(message_id_series(n.links.v[i]));
	queue_patch_read(text, &q.queued);
	queue_dropped_read(text, "6.1", &q.dropped);
	check(&q.queued);
	check(&q.dropped);
	return 0;
}
