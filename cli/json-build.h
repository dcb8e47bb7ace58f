// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/err.h"
#include "core/store/records.h"

/* A build as one line of text for the journal, owned by the caller, and back. */
_must_check_ char *json_build_text(const struct build_record *b);
_must_check_ int json_build_parse(const char *text, struct build_record *ret,
				  struct err *e);
