// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The queues of newer versions beside one. */
#include "mail/queue-files.h"

/*
 * Add "../queue-X.Y" for each newer version: the commits its patches say they come from,
 * one a line. Nothing where the folder is no queue of a checkout.
 */
_must_check_ int queue_siblings_read(struct queue_files *f, struct err *e);
