// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/arithmetic.h"

#include <math.h>
#include <string.h>

/* For sums that are equal on paper and not in binary. */
static const double SLACK = 1e-9;

/*
 * A change the author may have printed lies in [lo, hi]: the values are rounded
 * themselves, and some round the result while others cut it off, so that a whole unit of
 * the last digit towards zero is allowed. Twice that where "about" stands before it.
 */
static bool agrees(const struct claim *c, double claimed, double lo, double hi)
{
	double away = (c->change_approx ? 2 : 1) * c->change_half + SLACK;
	double cut = 2 * c->change_half + SLACK;

	return claimed + (claimed < 0 ? away : cut) >= lo &&
	       claimed - (claimed < 0 ? cut : away) <= hi;
}

/* The range of patched over base, less 1, for all values that print as given. */
static bool range(double base, double bh, double patched, double ph, double *lo,
		  double *hi)
{
	double b0 = base - bh, b1 = base + bh;

	if (!(base > 0) || patched < 0)
		return false;
	if (b0 <= 0)
		b0 = base / 2;
	*lo = fmax(patched - ph, 0) / b1 - 1;
	*hi = (patched + ph) / b0 - 1;
	return isfinite(*lo) && isfinite(*hi);
}

static bool in_points(const struct claim *c)
{
	double d = (c->patched - c->base) / 100;
	double half = (c->patched_half + c->base_half) / 100;

	return !strcmp(c->unit, "%") && !c->change_ratio &&
	       (agrees(c, c->change, d - half, d + half) ||
		agrees(c, -c->change, d - half, d + half));
}

/* Size is right, sign is not: what is counted as +? */
static enum claim_arithmetic other_sign(const struct claim *c)
{
	if (c->way == CLAIM_UP || c->way == CLAIM_DOWN)
		return CLAIM_WRONG_SIGN;
	return c->change_signed && c->better == CLAIM_HIGHER ? CLAIM_WRONG_SIGN
							     : CLAIM_AS_GAIN;
}

static enum claim_arithmetic judge(const struct claim *c)
{
	double lo = c->recomputed_lo, hi = c->recomputed_hi, rlo, rhi;

	if (agrees(c, c->change, lo, hi))
		return CLAIM_RIGHT;
	if (c->change_ratio) {
		/* "2x" of a time that halved: base over patched */
		if (range(c->patched, c->patched_half, c->base, c->base_half, &rlo,
			  &rhi) &&
		    agrees(c, c->change, rlo, rhi))
			return CLAIM_SPEED;
		return CLAIM_WRONG;
	}
	if (agrees(c, -c->change, lo, hi))
		return other_sign(c);
	if (in_points(c))
		return CLAIM_AS_POINTS;
	if (!range(c->patched, c->patched_half, c->base, c->base_half, &rlo, &rhi))
		return CLAIM_WRONG;
	if (c->faster && agrees(c, c->change, rlo, rhi))
		return CLAIM_SPEED;
	if (agrees(c, -c->change, rlo, rhi) || agrees(c, c->change, rlo, rhi))
		return CLAIM_OF_PATCHED;
	return CLAIM_WRONG;
}

void claim_check_arithmetic(struct claim *c)
{
	c->arithmetic = CLAIM_UNCHECKED;
	c->has_recomputed = false;
	if (!c->has_base || !c->has_patched || c->units_differ ||
	    !range(c->base, c->base_half, c->patched, c->patched_half, &c->recomputed_lo,
		   &c->recomputed_hi))
		return;
	c->recomputed = c->patched / c->base - 1;
	c->has_recomputed = true;
	if (c->has_change)
		c->arithmetic = judge(c);
}

bool claim_is_wrong(const struct claim *c)
{
	return c->arithmetic == CLAIM_WRONG || c->arithmetic == CLAIM_WRONG_SIGN ||
	       c->arithmetic == CLAIM_OF_PATCHED;
}

int claims_wrong(const struct claims *c)
{
	int nr = 0;

	for (size_t i = 0; i < c->nr; i++)
		nr += claim_is_wrong(&c->v[i]);
	return nr;
}

/* The sign of a change whose text has none; 0 when it is not known. */
static int sign_of(const struct claim *c)
{
	if (c->way == CLAIM_UP || c->way == CLAIM_DOWN)
		return c->way == CLAIM_UP ? 1 : -1;
	if (c->change_signed)
		return 1; /* the value has it */
	if (c->way == CLAIM_WAY_UNSAID)
		return c->shape == CLAIM_PROSE && !c->change_ratio ? 0 : 1;
	if (c->faster)
		return c->way == CLAIM_GOOD ? 1 : -1;
	if (c->better == CLAIM_UNSAID)
		return 0;
	return (c->way == CLAIM_GOOD) == (c->better == CLAIM_HIGHER) ? 1 : -1;
}

bool claim_effect(const struct claim *c, double *ret, double *ret_half)
{
	int sign = sign_of(c);

	if (c->has_recomputed) {
		*ret = c->recomputed;
		*ret_half = fmax(c->recomputed_hi - c->recomputed,
				 c->recomputed - c->recomputed_lo);
		return true;
	}
	if (!c->has_change || !sign)
		return false;
	*ret = c->way == CLAIM_DOWN || sign > 0 ? c->change : -c->change;
	*ret_half = c->change_half * (c->change_approx ? 2 : 1);
	return true;
}

int claim_sense(const struct claim *c)
{
	double effect, half;
	int up;

	if (c->way == CLAIM_GOOD || c->way == CLAIM_BAD)
		return c->way == CLAIM_GOOD ? 1 : -1;
	if (c->better == CLAIM_UNSAID || !claim_effect(c, &effect, &half) || effect == 0)
		return 0;
	up = effect > 0 ? 1 : -1;
	return c->better == CLAIM_HIGHER ? up : -up;
}
