// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/stable-note.h"

#include <stdlib.h>

const char *stable_state_word(enum stable_state state)
{
	static const char *const words[] = { [STABLE_QUEUED] = "queued",
					     [STABLE_FAILED] = "failed",
					     [STABLE_REVIEW] = "review" };

	return words[state];
}

void stable_note_free(struct stable_note *n)
{
	if (!n)
		return;
	free(n->version);
	free(n->queue);
	free(n->file);
	free(n->commit);
	free(n->release);
	free(n->deadline);
	strv_release(&n->tests);
	free(n);
}
