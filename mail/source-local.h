// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Inside mail: sources on this machine; rows for source.c. */
#include "mail/source-kind.h"

extern const struct source_kind source_stdin;	/* "-", and "id:-" for its thread */
extern const struct source_kind source_notmuch; /* notmuch:QUERY */
extern const struct source_kind source_file;	/* a file or folder that is there */
