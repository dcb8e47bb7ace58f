// SPDX-License-Identifier: GPL-3.0-or-later
/* What a comparison rests on, in lines below its table. */
#include <inttypes.h>
#include <math.h>

#include "bench/stats/rank.h"
#include "cli/campaign.h"

static void add_beside(const char *name, const struct estimate *v, struct buf *ret)
{
	if (isfinite(v->ci_hi))
		buf_addf(ret, "  %s %+.2f%% [%+.2f%%, %+.2f%%], p %.4f\n", name,
			 100 * v->change, 100 * v->ci_lo, 100 * v->ci_hi, v->p);
}

/* How the row was decided, and what the other ways say. */
static void add_basis(const struct comparison *row, size_t rows, struct buf *ret)
{
	static const char *const by[] = {
		[BASIS_NONE] = "nothing to decide by",
		[BASIS_KNOWN] = "by the known scatter of boots",
		[BASIS_WELCH] = "by Welch's interval",
		[BASIS_RANK] = "by ranks (Hodges-Lehmann, Mann-Whitney)",
		[BASIS_SEQUENCE] = "by pairs in sequence (e-value)",
	};

	buf_addf(ret, "%s: ", row->cell->name);
	if (row->verdict == VERDICT_SAME)
		buf_addf(ret, "same within %.3g %%, ", 100 * row->same_within);
	buf_adds(ret, by[row->basis]);
	if (row->basis == BASIS_WELCH) {
		unsigned int n = rank_needs((1 - row->confidence) / (double)rows);

		buf_addf(ret, "; ranks take %u+%u boots", n, n);
	}
	if (row->drifts)
		buf_adds(ret, "; the pairs contradict each other, so nothing is said");
	buf_addc(ret, '\n');
	if (row->basis != BASIS_RANK)
		add_beside("ranks", &row->rank, ret);
	if (row->basis != BASIS_WELCH)
		add_beside("Welch", &row->welch, ret);
}

void campaign_text(const struct campaign *c, struct buf *ret)
{
	if (c->same_code) /* the table says so */
		return;
	for (size_t i = 0; i < c->nr; i++) {
		add_basis(&c->rows[i], c->nr, ret);
		buf_adds(ret, "  ");
		noise_text(&c->noise[i], ret);
		buf_addc(ret, '\n');
	}
	if (c->seed)
		buf_addf(ret, "boots in turn, in an order by seed %" PRIu64 "\n",
			 c->seed);
	else if (c->nr)
		buf_addf(ret, "all boots are from the store; nothing was measured\n");
	if (c->out_of_time)
		buf_adds(ret, "the budget ended it\n");
}
