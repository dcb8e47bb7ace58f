// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Folders of mails: which files are in one, and in which order. */
#include "core/base/err.h"
#include "core/base/strv.h"

/*
 * Append the paths of the mails in a folder: of a maildir those in cur and new (tmp is
 * not delivered yet) in the order of git mailsplit, numbers by value; of an MH folder the
 * files whose names are numbers; else the *.patch, *.diff and *.eml files, numbers by
 * value. Flags in names are not looked at: a mail marked as deleted may still be part of a
 * series. ERR_USAGE when it is none of these, ERR_IO.
 */
_must_check_ int folder_list(const char *path, struct strv *ret, struct err *e);
