// SPDX-License-Identifier: GPL-3.0-or-later
/* Units that differ by a factor. */
#include "bench/claims/quantity.h"

#include <string.h>

struct unit {
	const char *name;
	char kind; /* units of one kind compare */
	double scale;
};

/* Thousands and 1024s are units of unlike kinds: which of them a mail means by "KB" is
 * not known well enough to find fault with its percentage. */
static const struct unit units[] = {
	{ "ns", 't', 1e-9 },
	{ "nsec", 't', 1e-9 },
	{ "nsecs", 't', 1e-9 },
	{ "us", 't', 1e-6 },
	{ "usec", 't', 1e-6 },
	{ "usecs", 't', 1e-6 },
	{ "ms", 't', 1e-3 },
	{ "msec", 't', 1e-3 },
	{ "msecs", 't', 1e-3 },
	{ "s", 't', 1 },
	{ "sec", 't', 1 },
	{ "secs", 't', 1 },
	{ "second", 't', 1 },
	{ "seconds", 't', 1 },
	{ "min", 't', 60 },
	{ "minutes", 't', 60 },
	{ "b/s", 'B', 1 },
	{ "kb/s", 'B', 1e3 },
	{ "mb/s", 'B', 1e6 },
	{ "gb/s", 'B', 1e9 },
	{ "kib/s", 'I', 1024. },
	{ "mib/s", 'I', 1048576. },
	{ "gib/s", 'I', 1073741824. },
	{ "kbps", 'b', 1e3 },
	{ "mbps", 'b', 1e6 },
	{ "gbps", 'b', 1e9 },
	{ "kbit/s", 'b', 1e3 },
	{ "mbit/s", 'b', 1e6 },
	{ "gbit/s", 'b', 1e9 },
	{ "mbits/sec", 'b', 1e6 },
	{ "gbits/sec", 'b', 1e9 },
	{ "mb/sec", 'B', 1e6 },
	{ "gb/sec", 'B', 1e9 },
	{ "kb", 'S', 1e3 },
	{ "mb", 'S', 1e6 },
	{ "gb", 'S', 1e9 },
	{ "kib", 'J', 1024. },
	{ "mib", 'J', 1048576. },
	{ "gib", 'J', 1073741824. },
	{ "%", '%', 1 },
	{ "cycles", 'c', 1 },
	{ "ops/s", 'o', 1 },
	{ "ops/sec", 'o', 1 },
	{ "kops/s", 'o', 1e3 },
	{ "mops/s", 'o', 1e6 },
	{ "ops", 'n', 1 },
	{ "iops", 'i', 1 },
	{ "kiops", 'i', 1e3 },
	{ "pps", 'p', 1 },
	{ "kpps", 'p', 1e3 },
	{ "mpps", 'p', 1e6 },
	{ "/s", 'r', 1 },
	{ "/sec", 'r', 1 },
	{ "req/s", 'q', 1 },
	{ "rps", 'q', 1 },
	{ "tps", 'T', 1 },
	{ "exits", 'x', 1 },
	{ "ns/op", 'u', 1e-9 },
	{ "us/op", 'u', 1e-6 },
	{ "instructions", 'C', 1 },
};

static const struct unit *find(struct span s)
{
	if (s.n && s.p[s.n - 1] == '.')
		s.n--;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (span_is(s, units[i].name))
			return &units[i];
	if (span_is(s, "\xc2\xb5s") || span_is(s, "\xce\xbcs"))
		return find((struct span){ "us", 2 });
	return NULL;
}

bool unit_known(struct span s)
{
	return find(s) != NULL;
}

double unit_factor(struct span a, struct span b)
{
	const struct unit *ua, *ub;

	if (!a.n || !b.n || (a.n == b.n && !strncmp(a.p, b.p, a.n)))
		return 1;
	ua = find(a);
	ub = find(b);
	if (ua && ub)
		return ua->kind == ub->kind ? ua->scale / ub->scale : 0;
	return 0;
}
