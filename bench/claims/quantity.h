// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Numbers as people write them into mails: "1,234", "1.2M", "3.957e+09", "15.3 ms",
 * "17,3%", "+04.88%", "~4 %", "1.5x", "(-0.2% +- 0.1%)". Every one carries half a unit of
 * its last printed digit, which is all the precision it claims.
 */
#include "bench/claims/span.h"

struct number {
	double v;
	double half; /* half a unit of the last digit */
	bool approx; /* behind "~", "about" */
	bool signed_;
};

/*
 * Take a number off the front of *s: separators, exponent and a scale of K, M, G or T
 * included. False, *s untouched, for anything that only looks like one: hex, versions,
 * dates, counters like 3/7, a name that starts with digits.
 */
bool number_take(struct span *s, struct number *ret);

struct change {
	double fraction; /* 0.0488 */
	double half;	 /* of the last digit, as a fraction too */
	bool approx;	 /* "~4%" */
	bool signed_;	 /* "+4%" */
	bool ratio;	 /* "1.5x": fraction is 0.5 */
};

/* Take "+4.9%", "~ 4 %" or "1.5x" off the front of *s, false and untouched otherwise. */
bool change_take(struct span *s, struct change *ret);

/* What one cell of a table says. */
struct quantity {
	bool has_value, has_change;
	bool alone; /* a percentage and nothing else: value and change are the same */
	struct number value;
	struct span unit; /* "ms", "%", may be empty */
	struct change change;
};

/*
 * Read a whole cell: a value with unit, scatter and a change behind it, or a change
 * alone, which counts as a value in per cent too. False when there is anything else in
 * it; an empty cell, "n/a" and "-" are false too.
 */
bool quantity_read(struct span s, struct quantity *ret);

/*
 * The factor that takes values of unit a to unit b ("us" to "ms": 0.001), 1 for the same
 * unit or when one of them is empty, 0 when they do not compare.
 */
double unit_factor(struct span a, struct span b);

/* Whether the word is a unit of time, size, rate or count. */
bool unit_known(struct span s);
