// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Stable queues from folders and from mails. What is wrong with single files does not stop
 * the reading: it becomes a flaw of the queue.
 */
#include "core/stable/queue.h"
#include "mail/queue-files.h"

/*
 * The queue in a folder's files. Flaws: a file that is named and absent, there and not
 * named, named twice, a damaged diff, Windows line ends. ERR_NO_PATCHES when no patch
 * could be read and nothing is wrong with the series either.
 */
_must_check_ int queue_from_files(const char *name, const struct queue_files *f,
				  struct queue **ret, struct err *e);

/*
 * The queue a -rc review thread is, or the patches of a note; takes s over, which is NULL
 * afterwards. Patches that are missing from the thread are a flaw.
 */
_must_check_ struct queue *queue_from_series(const char *name, struct series **s);
