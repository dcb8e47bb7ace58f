// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* What a mail of the stable maintainers says of the patches in it. */
#include "core/base/base.h"
#include "core/base/strv.h"

enum stable_state {
	STABLE_QUEUED, /* "has been added to the X.Y-stable tree": queued, not released */
	STABLE_FAILED, /* "failed to apply to X.Y-stable tree" */
	STABLE_REVIEW, /* a -rc review series */
};

/* Strings are NULL where the mail does not say. */
struct stable_note {
	enum stable_state state;
	char *version;	   /* "6.9" */
	char *queue;	   /* folder of the stable queue: "queue-6.9" */
	char *file;	   /* name of the patch in it, never with a slash */
	char *commit;	   /* commit in the stable tree a note shows, hex */
	char *release;	   /* of a review: "6.6.1-rc1" */
	char *deadline;	   /* of a review, as written */
	struct strv tests; /* X-KernelTest headers of a review: "Branch: linux-6.6.y" */
};

/* "queued", "failed", "review". */
const char *stable_state_word(enum stable_state state);

void stable_note_free(struct stable_note *n);
DEFINE_FREEP(stable_note_free, struct stable_note *)
#define _cleanup_stable_note_ _cleanup_(stable_note_freep)
