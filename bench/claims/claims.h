// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Benchmark results that commit messages and cover letters claim: tables with rules and
 * pipes, aligned columns, "before: / after:" pairs and prose. A text goes in, a list of
 * claims comes out, each with its own arithmetic done again from the values it gives.
 *
 * Reading never fails: what is no claim is passed over, and what cannot be read for sure
 * (a row that does not fit its heading) is counted, not guessed. Linear in the text, and
 * bounded: some thousand claims.
 */
#include <stdbool.h>
#include <stddef.h>

#include "bench/bench.h"
#include "core/base/strv.h"

enum claim_shape { CLAIM_TABLE, CLAIM_COLUMNS, CLAIM_PAIR, CLAIM_PROSE };
enum claim_better { CLAIM_UNSAID, CLAIM_HIGHER, CLAIM_LOWER };

/* What a word says of a change that has no sign: "improves" is GOOD, "drops" is DOWN. */
enum claim_way { CLAIM_WAY_UNSAID, CLAIM_UP, CLAIM_DOWN, CLAIM_GOOD, CLAIM_BAD };

/* The claimed change against the one recomputed from its values. */
enum claim_arithmetic {
	CLAIM_UNCHECKED,  /* not both values, or no change claimed */
	CLAIM_RIGHT,	  /* within the precision printed */
	CLAIM_AS_GAIN,	  /* right in size; the sign counts what is better, not more */
	CLAIM_AS_POINTS,  /* difference of two percentages, not their ratio */
	CLAIM_OF_PATCHED, /* the difference over the patched value, not the base: wrong,
			       except for "N% faster" of a time, which means that */
	CLAIM_SPEED,	  /* that exception */
	CLAIM_WRONG_SIGN, /* right in size, and the sign contradicts the metric */
	CLAIM_WRONG,
};

struct claim {
	int number; /* of the patch in its series, 0: the cover, or no series */
	enum claim_shape shape;
	unsigned int line; /* of the text, from 1 */
	char *metric;	   /* as written: "cpuid_rate"; "" when none is named */
	char *label; /* what tells rows of one metric apart: "NPT, Shadow"; may be "" */
	char *unit;  /* as written, may be "" */
	const struct cell *cell; /* when the row names paging of L0 and L1 */
	bool impossible_cell;	 /* it names nested paging over shadow paging */
	bool has_base, has_patched, has_change;
	double base, patched;		/* scales ("K") applied, both in the same unit */
	double base_half, patched_half; /* half a unit of the last digit printed */
	double change;	    /* claimed, a fraction; negative where way says DOWN */
	double change_half; /* half a unit of its last digit */
	bool change_approx; /* "~4%", "up to 4%" */
	bool change_signed; /* written with a sign */
	bool change_ratio;  /* "1.5x" */
	bool units_differ;  /* base and patched are in units that do not compare */
	enum claim_way way;
	bool faster; /* the change is one of speed: "25% faster" */
	enum claim_better better;
	unsigned int runs; /* N as said, 0 unsaid */
	bool emulated;	   /* the text says it was measured under emulation */
	char *machine;	   /* named by the text: "Milan"; NULL */
	/* recomputed */
	bool has_recomputed;
	double recomputed, recomputed_lo, recomputed_hi; /* by the values' precision */
	enum claim_arithmetic arithmetic;
	/* meaning */
	const struct benchmark *benchmark; /* of the registry, NULL */
	bool stand_in;	       /* which is not the one that is named, but alike */
	const char *elsewhere; /* why a known benchmark cannot run here, NULL; static */
};

struct claims {
	struct claim *v;
	size_t nr;
	unsigned int misfits;	  /* rows of tables that do not fit their heading */
	unsigned int misfit_line; /* the first of them */
};
#define CLAIMS_INIT \
	{           \
		0   \
	}

struct series;

/* Append the claims of one text; text is any bytes up to a NUL. */
void claims_parse(const char *text, struct claims *ret);

/* Append those of the cover and of every commit message. */
void claims_of_series(const struct series *s, struct claims *ret);

/* Whether the claim's own numbers contradict each other. */
bool claim_is_wrong(const struct claim *c);

/* How many of them do. */
int claims_wrong(const struct claims *c);

/* Whether it says better (1) or worse (-1), 0 when its text does not say which is which:
 * a bare number is never called a regression. */
int claim_sense(const struct claim *c);

/* The change to hold a measurement against: recomputed, else claimed. False when there is
 * none, or its sign is not known. */
bool claim_effect(const struct claim *c, double *ret, double *ret_half);

/* The claimed change as a text ("~+4%", "1.5x") with the digits it was given in, "" without
 * one; owned by the caller. */
_must_check_ char *claim_change_text(const struct claim *c);

/* Append what a reader should know of the claim, a phrase each. */
void claim_remarks(const struct claim *c, struct strv *ret);

void claims_release(struct claims *c);
#define _cleanup_claims_ _cleanup_(claims_release)
