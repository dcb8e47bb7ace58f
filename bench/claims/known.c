// SPDX-License-Identifier: GPL-3.0-or-later
/* Names of benchmarks that mails use, to those kiln has. */
#include "bench/claims/known.h"

#include <ctype.h>
#include <string.h>

/*
 * Benchmarks of others, and what kiln has in their place. arithoh is UnixBench's loop
 * without arithmetic, which shows how much of the processor a guest gets.
 */
static const struct {
	const char *name, *ours;
} stands_for[] = { { "arithoh", "spin_rate" } };

/* Events counted over a whole run: how many there are depends on how long it was. */
static const struct {
	const char *name, *why;
} elsewhere[] = {
	{ "kvm_hv:", "a total of one run; bench --count counts it by operation" },
	{ "kvmppc_", "calls of a function, which kiln does not count" },
};

static char fold(char c)
{
	return c == '-' ? '_' : (char)tolower((unsigned char)c);
}

static bool part_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Whether s names a benchmark: "cpuid_rate", "cpuid-rate", no part of a longer word. */
static bool names(struct span s, const char *name)
{
	size_t len = strlen(name), k;

	for (size_t i = 0; i + len <= s.n; i++) {
		if (i && part_of_name(s.p[i - 1]))
			continue;
		for (k = 0; k < len && fold(s.p[i + k]) == fold(name[k]); k++)
			;
		if (k == len && (i + len == s.n || !part_of_name(s.p[i + len])))
			return true;
	}
	return false;
}

static bool name_in(struct claim *c, struct span s)
{
	const struct benchmark *b;

	for (size_t i = 0; (b = bench_at(i)); i++) {
		if (names(s, b->name)) {
			c->benchmark = b;
			return true;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(stands_for); i++) {
		if (span_has(s, stands_for[i].name)) {
			c->benchmark = bench_find(stands_for[i].ours);
			c->stand_in = true;
			return true;
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(elsewhere); i++) {
		if (span_has(s, elsewhere[i].name)) {
			c->elsewhere = elsewhere[i].why;
			return true;
		}
	}
	return false;
}

bool claims_known(struct span s)
{
	struct claim c = { 0 };

	return name_in(&c, s);
}

static struct span whole(const char *s)
{
	return (struct span){ s, strlen(s) };
}

void claim_name(struct claim *c, struct span around)
{
	if (!name_in(c, whole(c->metric)) && !name_in(c, whole(c->label)))
		/* a name in the sentence before a table is the table's only when its own
		 * headings name no other metric */
		if (!*c->metric)
			name_in(c, around);
	if (c->benchmark && c->better == CLAIM_UNSAID)
		c->better = c->benchmark->higher_is_better ? CLAIM_HIGHER : CLAIM_LOWER;
}
