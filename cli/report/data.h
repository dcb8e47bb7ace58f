// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* A finished run as a report wants it: all from the store, nothing measured again. */
#include "bench/environment.h"
#include "cli/bisect/print.h"
#include "cli/run-data.h"

struct ctx;
struct json_t;

struct report_data {
	const struct cfg *cfg; /* borrowed */
	struct run_data run;
	struct json_t
		*document; /* of a triage or queue: what --json printed; else NULL */
	bool compared;	   /* sides and rows are there */
	struct run_sides sides;
	struct comparison *rows;
	size_t nr_rows;
	struct benchmark **benches; /* of rows and bisection */
	size_t nr_benches;
	struct strv unknown; /* benchmarks with samples that kiln knows nothing of */
	bool bisected;
	struct bisect_log log;
	struct bisection bisection;
	struct bisect_asked asked;
	bool virtual_clock;
	enum likeness likeness; /* of the environments of all boots that measured */
	char *unlike;		/* why; NULL when alike */
};

/* ERR_NOT_FOUND without such a run; ERR_STORE when what it remembers is damaged. The user's
 * own benchmarks are described by c's configuration. */
_must_check_ int report_data_load(const struct ctx *c, const char *id,
				  struct report_data *ret, struct err *e);
void report_data_release(struct report_data *d);

/* "base", "patched", or "kernel" where nothing was compared. Constant. */
const char *report_side(const struct report_data *d, const struct oid *commit);

/* The run's document is kept under this fact, by who prints it. */
#define REPORT_DOCUMENT "document"
_must_check_ int report_keep_document(struct run *r, const struct json_t *doc,
				      struct err *e);
