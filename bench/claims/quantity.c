// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/claims/quantity.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/parse.h"

enum { MAX_DIGITS = 40, MAX_UNIT = 24 };

static bool digit_at(struct span s, size_t i)
{
	return i < s.n && isdigit((unsigned char)s.p[i]);
}

static bool alnum_at(struct span s, size_t i)
{
	return i < s.n && (isalnum((unsigned char)s.p[i]) || s.p[i] == '_');
}

static size_t digits_at(struct span s, size_t i)
{
	size_t n = 0;

	while (digit_at(s, i + n))
		n++;
	return n;
}

/* A comma with three digits behind it, and no fourth, parts thousands; others are the
 * decimal point of much of the world. */
static bool thousands(struct span s, size_t i)
{
	return i < s.n && (s.p[i] == ',' || s.p[i] == '\'' || s.p[i] == '_') &&
	       digits_at(s, i + 1) == 3;
}

struct scan {
	struct span s;
	size_t i;	  /* read so far */
	struct buf plain; /* as parse_double() wants it */
	int decimals;
};

static void scan_digits(struct scan *c, size_t n)
{
	buf_add(&c->plain, c->s.p + c->i, n);
	c->i += n;
}

static void scan_mantissa(struct scan *c)
{
	scan_digits(c, digits_at(c->s, c->i));
	/* no more than three digits stand before the first separator */
	if (c->plain.len <= 3)
		while (thousands(c->s, c->i)) {
			c->i++;
			scan_digits(c, 3);
		}
	if (c->i < c->s.n && (c->s.p[c->i] == '.' || c->s.p[c->i] == ',')) {
		size_t n = digits_at(c->s, c->i + 1);

		if (!n || (c->s.p[c->i] == ',' && n > 3))
			return;
		buf_addc(&c->plain, '.');
		c->i++;
		scan_digits(c, n);
		c->decimals = (int)n;
	}
}

static int scan_exponent(struct scan *c)
{
	size_t i = c->i, sign, n;
	int exponent = 0;

	if (i >= c->s.n || tolower((unsigned char)c->s.p[i]) != 'e')
		return 0;
	sign = i + 1 < c->s.n && strchr("+-", c->s.p[i + 1]) ? 1 : 0;
	n = digits_at(c->s, i + 1 + sign);
	if (!n || n > 2)
		return 0;
	for (size_t k = 0; k < n; k++)
		exponent = exponent * 10 + (c->s.p[i + 1 + sign + k] - '0');
	c->i = i + 1 + sign + n;
	return sign && c->s.p[i + 1] == '-' ? -exponent : exponent;
}

/* K, M, G and T alone behind a number scale it; "MB" and "ms" are units. */
static double scan_scale(struct scan *c)
{
	static const char letters[] = "kmgt";
	const char *at;

	if (c->i >= c->s.n || alnum_at(c->s, c->i + 1) || c->s.p[c->i] == 'm')
		return 1;
	at = strchr(letters, tolower((unsigned char)c->s.p[c->i]));
	if (!at || !*at)
		return 1;
	c->i++;
	return pow(1000, (double)(at - letters + 1));
}

/* What must not follow: then it was a version, a date, a counter, hex or a name. */
static bool ends_well(struct span s, size_t i)
{
	if (i >= s.n)
		return true;
	if (strchr(".-:/,'", s.p[i]))
		return !alnum_at(s, i + 1) || (s.p[i] == '/' && !digit_at(s, i + 1));
	if (s.p[i] == '_' || s.p[i] == '@' || s.p[i] == '=')
		return false;
	/* "0x10", "3rd", "6a9": units are letters only */
	while (i < s.n && isalpha((unsigned char)s.p[i]))
		i++;
	return !digit_at(s, i);
}

static bool minus_sign(struct span s)
{
	return span_starts(s, "\xe2\x88\x92"); /* U+2212 */
}

/* "~", "about" and the like in front of a number. */
static bool take_approx(struct span *s)
{
	static const char *const marks[] = {
		"~",	    "\xe2\x89\x88", "about ",  "around ",  "approximately ",
		"approx. ", "nearly ",	    "almost ", "roughly ", "ca. ",
		NULL
	};

	for (const char *const *m = marks; *m; m++) {
		if (span_starts(*s, *m)) {
			*s = span_trim(span_skip(*s, strlen(*m)));
			return true;
		}
	}
	return false;
}

/* -1, 0 or 1 for "-", nothing, "+"; blanks behind it are skipped. */
static int take_sign(struct span *s)
{
	int sign = 0;

	if (minus_sign(*s)) {
		*s = span_skip(*s, 3);
		sign = -1;
	} else if (s->n && (s->p[0] == '-' || s->p[0] == '+')) {
		sign = s->p[0] == '-' ? -1 : 1;
		*s = span_skip(*s, 1);
	}
	while (sign && s->n && s->p[0] == ' ')
		*s = span_skip(*s, 1);
	return sign;
}

/* The number itself; the rest of the span is s->p + c->i. False for what is none. */
static bool scan_number(struct scan *c, struct number *ret)
{
	int exponent;
	double v, scale;

	if (!digit_at(c->s, 0) || digits_at(c->s, 0) > MAX_DIGITS)
		return false;
	scan_mantissa(c);
	exponent = scan_exponent(c);
	scale = pow(10, exponent) * scan_scale(c);
	if (c->plain.len > MAX_DIGITS || !ends_well(c->s, c->i) ||
	    !parse_double(buf_str(&c->plain), &v))
		return false;
	ret->v = v * scale;
	ret->half = 0.5 * pow(10, -c->decimals) * scale;
	return isfinite(ret->v);
}

bool number_take(struct span *s, struct number *ret)
{
	struct number found = { 0 };
	struct scan c = { .s = *s };
	bool ok;
	int sign;

	found.approx = take_approx(&c.s);
	sign = take_sign(&c.s);
	ok = scan_number(&c, &found);
	buf_release(&c.plain);
	if (!ok)
		return false;
	found.v = sign < 0 ? -found.v : found.v;
	found.signed_ = sign != 0;
	*s = span_skip(c.s, c.i);
	*ret = found;
	return true;
}

/* "%", " %", " percent", " per cent" */
static bool take_percent(struct span *s)
{
	static const char *const words[] = { "%", "percent", "per cent", "pct", NULL };
	struct span rest = *s;

	if (rest.n && rest.p[0] == ' ')
		rest = span_skip(rest, 1);
	for (const char *const *w = words; *w; w++) {
		if (span_starts(rest, *w) && !alnum_at(rest, strlen(*w))) {
			*s = span_skip(rest, strlen(*w));
			return true;
		}
	}
	return false;
}

/* "x", "X", the multiplication sign, " times" */
static bool take_times(struct span *s)
{
	if (s->n && (s->p[0] == 'x' || s->p[0] == 'X') && !alnum_at(*s, 1)) {
		*s = span_skip(*s, 1);
		return true;
	}
	if (span_starts(*s, "\xc3\x97")) {
		*s = span_skip(*s, 2);
		return true;
	}
	if (span_starts(*s, " times ")) {
		*s = span_skip(*s, strlen(" times"));
		return true;
	}
	return false;
}

bool change_take(struct span *s, struct change *ret)
{
	struct span rest = *s;
	struct number n;

	if (!number_take(&rest, &n))
		return false;
	if (take_percent(&rest)) {
		*ret = (struct change){ .fraction = n.v / 100,
					.half = n.half / 100,
					.approx = n.approx,
					.signed_ = n.signed_ };
	} else if (!n.signed_ && n.v > 0 && take_times(&rest)) {
		*ret = (struct change){ .fraction = n.v - 1,
					.half = n.half,
					.approx = n.approx,
					.ratio = true };
	} else {
		return false;
	}
	*s = rest;
	return true;
}

static struct span skip_blanks(struct span s)
{
	while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
		s = span_skip(s, 1);
	return s;
}

/* Skip "+- 0.3", "+/- 2%", or the sign for it in any encoding, with what it says. */
static struct span skip_scatter(struct span s)
{
	struct span rest = skip_blanks(s);
	struct number n;

	if (span_starts(rest, "+/-"))
		rest = span_skip(rest, 3);
	else if (span_starts(rest, "+-"))
		rest = span_skip(rest, 2);
	else if (rest.n && (unsigned char)rest.p[0] >= 0x80 && !minus_sign(rest))
		while (rest.n && (unsigned char)rest.p[0] >= 0x80)
			rest = span_skip(rest, 1);
	else
		return s;
	rest = skip_blanks(rest);
	if (!number_take(&rest, &n))
		return s;
	take_percent(&rest);
	return rest;
}

/* The bytes of a letter a unit may be made of; 0 at what ends it. */
static size_t unit_letter(struct span s)
{
	if (span_starts(s, "\xc2\xb5") || span_starts(s, "\xce\xbc"))
		return 2; /* micro */
	if (!s.n || (unsigned char)s.p[0] >= 0x80 || strchr("([+0123456789*-", s.p[0]))
		return 0;
	return 1;
}

/* What stands up to a bracket, digit or sign, if it is short enough for a unit. */
static bool take_unit(struct span *s, struct span *ret)
{
	size_t n = 0, step;

	while (n <= MAX_UNIT && (step = unit_letter(span_skip(*s, n))))
		n += step;
	if (n > MAX_UNIT)
		return false;
	*ret = span_trim((struct span){ s->p, n });
	*s = span_skip(*s, n);
	return true;
}

/* Brackets, stars and the like that set a change off: "(+4%)", "[-1 %]", "*   5.31%*" */
static struct span bare(struct span s)
{
	for (s = span_trim(s); s.n && strchr("([{*`:,", s.p[0]);)
		s = span_trim(span_skip(s, 1));
	while (s.n && strchr(")]}*`,", s.p[s.n - 1]))
		s = span_trim((struct span){ s.p, s.n - 1 });
	return s;
}

/* A change and nothing behind it but its own scatter. */
static bool only_change(struct span s, struct change *ret)
{
	s = bare(s);
	return change_take(&s, ret) && !skip_blanks(skip_scatter(s)).n;
}

bool quantity_read(struct span s, struct quantity *ret)
{
	struct quantity q = { 0 };
	struct span rest = bare(s);

	if (only_change(s, &q.change)) {
		q.has_change = true;
		if (!q.change.ratio && number_take(&rest, &q.value)) {
			q.has_value = q.alone = true;
			q.unit = (struct span){ "%", 1 };
		}
		*ret = q;
		return true;
	}
	rest = span_trim(s);
	while (rest.n && strchr("*`", rest.p[0]))
		rest = span_trim(span_skip(rest, 1));
	if (!number_take(&rest, &q.value))
		return false;
	q.has_value = true;
	if (take_percent(&rest))
		q.unit = (struct span){ "%", 1 };
	rest = skip_scatter(rest);
	if (!q.unit.n && !take_unit(&rest, &q.unit))
		return false;
	rest = skip_blanks(skip_scatter(rest));
	while (rest.n && strchr("*`", rest.p[rest.n - 1]) && rest.n == 1)
		rest.n--;
	if (rest.n && !only_change(rest, &q.change))
		return false;
	q.has_change = rest.n > 0;
	*ret = q;
	return true;
}
