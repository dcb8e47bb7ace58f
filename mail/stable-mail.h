// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Mails of the stable maintainers, in the forms of the stable queue's scripts: a note
 * that a patch was added to a queue, one that it failed to apply, a -rc review series.
 */
#include "core/series/series.h"
#include "mail/mime.h"

/*
 * What the cover letter or single mail says; NULL when it is about no stable tree. The
 * notes of other trees begin with the same words. Owned by the caller.
 */
_must_check_ struct stable_note *stable_note_read(const struct mail *m);

/*
 * A patch as it came out of such a mail: the words in front of it are removed, author,
 * title and date are those of the patch in it. Fills p->upstream for patches of any kind.
 */
void stable_patch_read(const struct mail *m, struct patch *p);
