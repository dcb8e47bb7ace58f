// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * How a bisection asks one point: a number measured, or a predicate that passes or fails.
 * The search knows questions and answers only; what is booted for them is the probe's.
 * A probe never takes for an answer what is none: a wrong kernel, a failure of the
 * machine, a symptom hidden behind another one.
 */
#include "cli/bisect/space.h"
#include "cli/stages.h"
#include "core/bisect/bisect.h"

struct lab_ahead;

struct question {
	struct kernel *kernel; /* built, status "ok", unless the probe asks builds */
	unsigned int boot;     /* ordinal of this kernel's boots within the search */
	unsigned int runs;     /* wanted in it; the probe may make more */
	unsigned int layout;   /* 0 the usual build */
};

struct answer {
	enum { ANSWER_RUNS, ANSWER_PASS, ANSWER_UNTESTABLE } kind;
	double *runs; /* with ANSWER_RUNS: proven ones only, at least one */
	size_t nr_runs;
	unsigned int passed, failed; /* with ANSWER_PASS */
	enum bisect_stage stage;     /* with ANSWER_UNTESTABLE */
	char *reason;		     /* why untestable or failed, else NULL */
	double seconds;		     /* the boot's, for the costs */
};

struct probe_opts {
	const struct cell *cells[4]; /* the first one is asked, the others ride along */
	size_t nr_cells;
	const char *splat; /* extended regular expression over a report's first line */
	const char *test;  /* command for sh */
	uint64_t test_timeout_s; /* 0 = 1 hour */
	bool timeout_is_bad;
	struct repo *repo; /* with test */
	struct run *run;   /* with test */
	const char *dir;   /* with test: of the run */
};

struct probe {
	const char *name; /* "number", "boot", "build", "splat", "test" */
	enum bisect_kind kind;
	bool asks_build; /* a kernel that does not build is an answer, not a failure */
	/*
	 * Answer nr questions, several machines at once where the lab allows, while the
	 * kernels of ahead (may be NULL) are built. Results of boots that were done are
	 * in the journal, so asking again after a kill is cheap. A kernel that fails is
	 * an answer; only the environment's failures are errors.
	 */
	int (*ask)(const struct probe *p, struct lab *l, const struct question *q,
		   size_t nr, struct lab_ahead *ahead, struct answer *ret, struct err *e);
	/* Build a point, or find its build, whatever its status; NULL: lab_build(). */
	int (*build)(const struct probe *p, struct lab *l, const struct point *pt,
		     unsigned int layout, struct kernel *ret, struct err *e);
	struct probe_opts o;
	void *ctx; /* of a test's own probe */
};

/* The number of one cell of the lab's benchmark. */
struct probe probe_number(const struct cell *cell);

/*
 * The probe by its name; ERR_USAGE for an unknown one, and for options that do not go
 * with it. Without a name it is the one the options imply, else "number".
 */
_must_check_ int probe_make(const char *name, const struct probe_opts *o,
			    struct probe *ret, struct err *e);

/* Whether it works without machine and known-good kernel. */
bool probe_needs_machine(const struct probe *p);

/*
 * Boot the questions' kernels into shots: with the probe's cells, or only booted and
 * proven when it has none. What ran another kernel is done once more, and then an error.
 */
_must_check_ int probe_shots(const struct probe *p, struct lab *l,
			     const struct question *q, size_t nr, struct lab_ahead *ahead,
			     struct shots *ret, struct err *e);

/* An untestable answer for a boot that did not end well. */
void answer_no_boot(const struct shot *shot, struct answer *ret);

void answer_release(struct answer *a);

int probe_ask_number(const struct probe *p, struct lab *l, const struct question *q,
		     size_t nr, struct lab_ahead *ahead, struct answer *ret,
		     struct err *e);
int probe_ask_boot(const struct probe *p, struct lab *l, const struct question *q,
		   size_t nr, struct lab_ahead *ahead, struct answer *ret, struct err *e);
int probe_ask_splat(const struct probe *p, struct lab *l, const struct question *q,
		    size_t nr, struct lab_ahead *ahead, struct answer *ret,
		    struct err *e);
int probe_ask_build(const struct probe *p, struct lab *l, const struct question *q,
		    size_t nr, struct lab_ahead *ahead, struct answer *ret,
		    struct err *e);
int probe_ask_test(const struct probe *p, struct lab *l, const struct question *q,
		   size_t nr, struct lab_ahead *ahead, struct answer *ret, struct err *e);
