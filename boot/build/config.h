// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Kernel configurations as text: fragments, and what became of them. */
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/strv.h"

/* A symbol that did not survive olddefconfig; strings owned. */
struct config_lost {
	char *symbol; /* "CONFIG_9P_FS" */
	char *wanted; /* "y" */
	char *now;    /* "m", or "n" when it is not set */
};
void config_lost_release(struct config_lost *c);

/*
 * Whether every line is a comment or sets a symbol ("CONFIG_X=v", "# CONFIG_X is not
 * set"); ERR_CONFIG names file and line otherwise.
 */
_must_check_ int config_validate(const char *fragment, const char *name, struct err *e);

/* Value of a symbol in a .config, owned by the caller; "n" when it is not set. */
_must_check_ char *config_value(const char *config, const char *symbol);

/*
 * Append the lines of a fragment that makes the settings of old into those of new, by
 * symbol; a symbol that one of them lacks is "n" there.
 */
void config_diff(const char *old, const char *new, struct strv *ret);

/* 1 and *ret set for the first symbol of the fragment that .config has otherwise, else 0.
 */
_must_check_ int config_check(const char *fragment, const char *config,
			      struct config_lost *ret);

/*
 * Whether a configuration made for one tree holds for another, given the changed paths as
 * a NUL-separated list: true when all of them are files that Kconfig cannot read.
 */
bool config_unaffected(const char *paths, size_t len);
