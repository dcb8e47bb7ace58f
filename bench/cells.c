// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench.h"

#include <string.h>
#include <strings.h>

#define NPT_ON "kvm_amd.npt=1 kvm_intel.ept=1"
#define NPT_OFF "kvm_amd.npt=0 kvm_intel.ept=0"

/* Three of four: KVM offers nested paging to L1 only while it uses it itself. */
static const struct cell cells[] = {
	{ "npt/npt", "npt", "npt", NPT_ON, NPT_ON },
	{ "npt/shadow", "npt", "shadow", NPT_ON, NPT_OFF },
	{ "shadow/shadow", "shadow", "shadow", NPT_OFF, NPT_OFF },
};

/* L1 is the payload itself and pages nobody. */
static const struct cell direct[] = {
	{ "npt/-", "npt", "-", NPT_ON, "" },
	{ "shadow/-", "shadow", "-", NPT_OFF, "" },
};

const char cell_impossible[] = "L1 gets nested paging only from an L0 that uses it";

const struct cell *cell_direct(const struct cell *c)
{
	return &direct[strcmp(c->l0, "npt") ? 1 : 0];
}

const struct cell *cell_at(size_t i)
{
	return i < ARRAY_SIZE(cells) ? &cells[i] : NULL;
}

/* Canonical word for the n bytes at s: "npt", "shadow", or NULL. */
static const char *paging(const char *s, size_t n)
{
	static const struct {
		const char *alias, *word;
	} words[] = {
		{ "npt", "npt" }, { "ept", "npt" }, { "shadow", "shadow" }, { "-", "-" }
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i].alias) == n && !strncasecmp(words[i].alias, s, n))
			return words[i].word;
	return NULL;
}

int cell_parse(const char *text, const struct cell **ret, struct err *e)
{
	const char *slash = strchr(text, '/');
	const char *l0 = slash ? paging(text, (size_t)(slash - text)) : NULL;
	const char *l1 = slash ? paging(slash + 1, strlen(slash + 1)) : NULL;

	if (!l0 || !l1 || !strcmp(l0, "-")) {
		err_set(e, ERR_USAGE, "'%.60s' is not a cell of the form l0/l1", text);
		return err_hint(e, "cells are npt/npt, npt/shadow and shadow/shadow");
	}
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
		if (!strcmp(cells[i].l0, l0) && !strcmp(cells[i].l1, l1)) {
			*ret = &cells[i];
			return 0;
		}
	}
	if (!strcmp(l1, "-") && strcmp(l0, "-")) {
		*ret = &direct[strcmp(l0, "npt") ? 1 : 0];
		return 0;
	}
	err_set(e, ERR_USAGE, "cell '%.60s' is impossible: %s", text, cell_impossible);
	return err_hint(e, "measure shadow/shadow or npt/npt instead");
}
