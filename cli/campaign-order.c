// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/campaign-order.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/random.h>

#include "core/base/parse.h"

static int draw(void *ctx, struct err *e)
{
	uint64_t *seed = ctx;
	uint32_t bits;

	if (*seed)
		return 0;
	if (getrandom(&bits, sizeof(bits), 0) != sizeof(bits))
		return err_sys(e, errno, "cannot draw a random order");
	*seed = bits ? bits : 1;
	return 0;
}

static int save(void *ctx, struct run *r, struct buf *detail, struct err *e)
{
	const uint64_t *seed = ctx;

	(void)r;
	(void)e;
	buf_addf(detail, "%" PRIu64, *seed);
	return 0;
}

static int load(void *ctx, struct run *r, const char *detail, struct err *e)
{
	(void)r;
	if (!parse_u64(detail, ctx))
		return err_set(e, ERR_STORE, "the journal's order '%.40s' is damaged",
			       detail);
	return 0;
}

int order_seed(struct lab *l, uint64_t told, uint64_t *ret, struct err *e)
{
	static const struct step step = { draw, save, load };
	uint64_t seed = told;

	if (run_step(lab_run(l), &step, "order", &seed, e) < 0)
		return -(int)e->code;
	*ret = seed;
	return 0;
}

bool order_base_first(uint64_t seed, unsigned int n)
{
	bool reverse = seed >> (n / 2 % 32) & 1;

	return (n % 2 == 0) != reverse;
}
