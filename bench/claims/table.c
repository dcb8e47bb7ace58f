// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/claims/arithmetic.h"
#include "bench/claims/known.h"
#include "bench/claims/layout.h"
#include "core/base/alloc.h"
#include "core/base/buf.h"

enum { MAX_CLAIMS = 4000, MAX_NAME = 60, MAX_MERGED = 16 };

struct claim *claims_add(struct claims *c, enum claim_shape shape, unsigned int line)
{
	struct claim *n;

	if (c->nr >= MAX_CLAIMS)
		return NULL;
	n = array_push(c->v, c->nr);
	*n = (struct claim){ .shape = shape, .line = line };
	return n;
}

void claim_set_values(struct claim *c, const struct quantity *base,
		      const struct quantity *patched, struct span unit)
{
	struct span bu = base && base->unit.n ? base->unit : unit;
	struct span pu = patched && patched->unit.n ? patched->unit : unit;
	double f = base && patched ? unit_factor(bu, pu) : 1;

	c->has_base = base && base->has_value;
	c->has_patched = patched && patched->has_value;
	c->units_differ = f == 0;
	if (c->has_base) {
		c->base = base->value.v * (f == 0 ? 1 : f);
		c->base_half = base->value.half * (f == 0 ? 1 : f);
	}
	if (c->has_patched) {
		c->patched = patched->value.v;
		c->patched_half = patched->value.half;
	}
	if (!c->unit)
		c->unit = span_dup(pu.n ? pu : bu, MAX_NAME);
}

void claim_set_change(struct claim *c, const struct change *change)
{
	c->has_change = true;
	c->change = change->fraction;
	c->change_half = change->half;
	c->change_approx |= change->approx;
	c->change_signed = change->signed_;
	c->change_ratio = change->ratio;
}

static struct span whole(const char *s)
{
	return (struct span){ s ? s : "", s ? strlen(s) : 0 };
}

void claim_finish(struct claim *c, struct span around)
{
	if (!c->metric)
		c->metric = xstrdup("");
	if (!c->label)
		c->label = xstrdup("");
	if (!c->unit)
		c->unit = xstrdup("");
	if (c->better == CLAIM_UNSAID)
		c->better = words_better_name(whole(c->metric));
	claim_name(c, around);
	claim_check_arithmetic(c);
}

/* A cell, or where merged cells left it empty, the one above. */
static struct span cell_or_above(const struct matrix *m, size_t row, size_t col)
{
	for (size_t i = 0; i < MAX_MERGED && row >= m->heads; i++, row--) {
		if (m->row[row].cell[col].n)
			return m->row[row].cell[col];
		if (m->shape != CLAIM_TABLE || !row)
			break;
	}
	return SPAN_NONE;
}

static bool is_label(const struct layout *l, size_t k)
{
	enum role r = l->col[k].role;

	return r == ROLE_L0 || r == ROLE_L1 ||
	       (r == ROLE_NONE && (!k || !l->col[k].numeric));
}

/* The cells that say what the row is about, the first of them on its own. */
static void labels(const struct matrix *m, const struct layout *l, size_t row,
		   struct strv *ret)
{
	for (size_t k = 0; k < m->cols; k++) {
		struct span s = cell_or_above(m, row, k);

		if (is_label(l, k) && s.n)
			strv_take(ret, span_dup(s, MAX_NAME));
	}
}

/* The cell of paging that the row names in its columns, or in one label as "L0/L1". */
static void set_cell(struct claim *c, const struct matrix *m, const struct layout *l,
		     size_t row)
{
	const char *l0 = NULL, *l1 = NULL;
	const struct cell *cell;

	for (size_t k = 0; k < m->cols; k++) {
		struct span s = cell_or_above(m, row, k);
		const char *slash = is_label(l, k) && s.n ? memchr(s.p, '/', s.n) : NULL;

		if (l->col[k].role == ROLE_L0)
			l0 = words_paging(s);
		else if (l->col[k].role == ROLE_L1)
			l1 = words_paging(s);
		else if (slash && !l0) {
			size_t n = (size_t)(slash - s.p);

			l0 = words_paging((struct span){ s.p, n });
			l1 = words_paging(span_skip(s, n + 1));
		}
	}
	if (!l0 || !l1)
		return;
	for (size_t i = 0; (cell = cell_at(NULL, i)); i++)
		if (!strcmp(cell->l0, l0) && !strcmp(cell->l1, l1))
			c->cell = cell;
	c->impossible_cell = !c->cell;
}

static void set_names(struct claim *c, const struct strv *names, const char *metric)
{
	struct strv rest = *names;
	bool own = *metric || c->cell || c->impossible_cell;

	c->metric = xstrdup(own || !names->nr ? metric : names->v[0]);
	if (!own && rest.nr) {
		rest.v++;
		rest.nr--;
	}
	c->label = strv_join(&rest, ", ");
}

/* "latency (us)" says the unit of a row. */
static struct span unit_of_name(const char *name)
{
	_cleanup_free_ char *rest = NULL;
	struct span unit;

	rest = words_metric(whole(name), &unit);
	return unit;
}

static struct span unit_of(const struct matrix *m, const struct layout *l,
			   const struct pair *p, size_t row)
{
	size_t k = p->patched != SIZE_MAX ? p->patched : p->change;

	for (size_t i = 0; i < m->cols; i++)
		if (l->col[i].role == ROLE_UNIT && m->row[row].cell[i].n)
			return m->row[row].cell[i];
	if (l->col[k].unit.n)
		return l->col[k].unit;
	return p->base != SIZE_MAX ? l->col[p->base].unit : SPAN_NONE;
}

static unsigned int runs_of(const struct matrix *m, const struct layout *l, size_t row)
{
	struct quantity q;

	for (size_t k = 0; k < m->cols; k++)
		if (l->col[k].role == ROLE_RUNS &&
		    quantity_read(m->row[row].cell[k], &q) && q.value.v >= 1 &&
		    q.value.v <= 1e6)
			return (unsigned int)q.value.v;
	return 0;
}

static bool read_cell(const struct matrix *m, size_t row, size_t col,
		      struct quantity *ret)
{
	*ret = (struct quantity){ 0 };
	return col != SIZE_MAX && quantity_read(m->row[row].cell[col], ret);
}

/* The change of a row: in a column of its own, where a plain number is per cent if the
 * heading says so, or behind the patched value. */
static bool row_change(const struct matrix *m, const struct layout *l,
		       const struct pair *p, size_t row, struct change *ret)
{
	struct quantity q;

	if (read_cell(m, row, p->change, &q)) {
		if (!q.has_change && q.has_value &&
		    strchr(l->col[p->change].heading, '%') && !q.unit.n) {
			q.has_change = true;
			q.change = (struct change){ q.value.v / 100, q.value.half / 100,
						    q.value.approx, q.value.signed_,
						    false };
		}
		*ret = q.change;
		if (q.has_change)
			return true;
	}
	if (!read_cell(m, row, p->patched, &q) || !q.has_change || q.change.ratio)
		return false;
	*ret = q.change;
	/* "45%" beside "42%" is a value, "+4%" beside "1234" is a change */
	return !q.alone || !(read_cell(m, row, p->base, &q) && q.alone);
}

static enum claim_better better_of(const struct matrix *m, const struct layout *l,
				   const struct pair *p, const struct around *a)
{
	size_t k = p->patched != SIZE_MAX ? p->patched : p->change;
	enum claim_better b = words_better(whole(l->col[k].heading));

	if (b == CLAIM_UNSAID)
		b = words_better(m->title);
	return b == CLAIM_UNSAID ? words_better(a->before) : b;
}

static void row_claim(const struct matrix *m, const struct layout *l,
		      const struct pair *p, size_t row, const struct around *a,
		      struct claims *ret)
{
	_cleanup_strv_ struct strv names = STRV_INIT;
	struct quantity base, patched;
	bool has_base = read_cell(m, row, p->base, &base) && base.has_value;
	bool has_patched = read_cell(m, row, p->patched, &patched) && patched.has_value &&
			   (!patched.alone || (has_base && base.alone));
	struct change change = { 0 };
	bool has_change = row_change(m, l, p, row, &change);
	struct span unit;
	struct claim *c;

	/* one cell over both columns compares nothing */
	if (p->base != SIZE_MAX && has_base && has_patched &&
	    m->row[row].cell[p->base].p == m->row[row].cell[p->patched].p)
		return;
	if (!(has_base && has_patched) && !has_change)
		return;
	c = claims_add(ret, m->shape, m->row[row].line);
	if (!c)
		return;
	labels(m, l, row, &names);
	set_cell(c, m, l, row);
	set_names(c, &names, p->metric);
	unit = unit_of(m, l, p, row);
	if (!unit.n && names.nr)
		unit = unit_of_name(names.v[0]);
	claim_set_values(c, has_base ? &base : NULL, has_patched ? &patched : NULL, unit);
	if (has_change)
		claim_set_change(c, &change);
	c->runs = runs_of(m, l, row);
	if (!c->runs)
		c->runs = a->runs;
	c->better = better_of(m, l, p, a);
	if (c->better == CLAIM_UNSAID && names.nr)
		c->better = words_better(whole(names.v[0]));
	claim_finish(c, m->title.n ? m->title : a->before);
}

/* Tables of how large code became: bloat-o-meter, size(1). */
static bool is_code_size(const struct layout *l)
{
	static const char *const words[] = { "function", "symbol", "text", "bss", NULL };

	for (size_t k = 0; k < l->nr_cols; k++)
		if (span_in(whole(l->col[k].heading), words))
			return true;
	return false;
}

bool table_claims(struct matrix *m, const struct around *a, struct claims *ret)
{
	_cleanup_layout_ struct layout l = { 0 };
	size_t before = ret->nr;

	layout_of(m, &l);
	if (is_code_size(&l))
		return false;
	if (!l.nr_pairs && layout_is_turned(m, &l) && matrix_transpose(m)) {
		layout_release(&l);
		layout_of(m, &l);
	}
	for (size_t i = m->heads; i < m->nr; i++)
		for (size_t k = 0; k < l.nr_pairs; k++)
			row_claim(m, &l, &l.pair[k], i, a, ret);
	if (!l.nr_pairs)
		loose_claims(m, a, ret);
	if (ret->nr > before && m->misfits) {
		if (!ret->misfits)
			ret->misfit_line = m->misfit_line;
		ret->misfits += m->misfits;
	}
	return ret->nr > before;
}
