// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/bench.h"

#include <string.h>
#include <strings.h>

#include "core/base/base.h"

/* The row of a table with that paging; NULL: none. A table may be missing. */
static const struct cell *find(const struct cell *table, const char *l0, const char *l1)
{
	for (; table && table->name; table++)
		if (!strcmp(table->l0, l0) && !strcmp(table->l1, l1))
			return table;
	return NULL;
}

const struct cell *cell_of(const char *l0, const char *l1)
{
	const struct arch *a;

	for (unsigned int i = 0; (a = arch_at(i)); i++) {
		const struct cell *c = find(a->cells, l0, l1) ?: find(a->direct, l0, l1);

		if (c)
			return c;
	}
	return NULL;
}

const struct cell *cell_direct(const struct cell *c)
{
	return find(arch_of_cell(c)->direct, c->l0, "-") ?: c;
}

const struct cell *cell_at(const struct arch *a, size_t i)
{
	const struct cell *c = (a ?: arch_find(NULL))->cells;

	while (c && c->name && i--)
		c++;
	return c && c->name ? c : NULL;
}

/* Canonical word for the n bytes at s: "npt", "shadow", or NULL. */
static const char *paging(const struct arch *a, const char *s, size_t n)
{
	for (const struct paging_word *w = a->paging; w && w->alias; w++)
		if (strlen(w->alias) == n && !strncasecmp(w->alias, s, n))
			return w->word;
	return NULL;
}

/* The cell of that architecture a text means; NULL with *ret_known: its words are known,
 * but there is no such cell. */
static const struct cell *read(const struct arch *a, const char *text, bool *ret_known)
{
	const char *slash = strchr(text, '/');
	const char *l0 = slash ? paging(a, text, (size_t)(slash - text)) : NULL;
	const char *l1 = slash ? paging(a, slash + 1, strlen(slash + 1)) : NULL;

	*ret_known = l0 && l1 && strcmp(l0, "-") != 0;
	if (!*ret_known)
		return NULL;
	return find(a->cells, l0, l1) ?: find(a->direct, l0, l1);
}

/* The first that has it, or NULL. */
static const struct cell *read_any(const char *text)
{
	const struct cell *c = NULL;
	const struct arch *a;
	bool ignored;

	for (unsigned int i = 0; !c && (a = arch_at(i)); i++)
		c = read(a, text, &ignored);
	return c;
}

int cell_parse(const struct arch *a, const char *text, const struct cell **ret,
	       struct err *e)
{
	const struct arch *asked = a ?: arch_find(NULL);
	const struct cell *c = a ? NULL : read_any(text);
	bool known = false;

	c = c ?: read(asked, text, &known);
	if (c) {
		*ret = c;
		return 0;
	}
	if (known && asked->impossible_why) {
		err_set(e, ERR_USAGE, "cell '%.60s' is impossible: %s", text,
			asked->impossible_why);
		return err_hint(e, "%s", asked->impossible_hint);
	}
	if (read_any(text))
		err_set(e, ERR_USAGE, "%s has no cell '%.60s'", asked->name, text);
	else
		err_set(e, ERR_USAGE, "'%.60s' is not a cell of the form l0/l1", text);
	return err_hint(e, "%s", asked->cell_words);
}
