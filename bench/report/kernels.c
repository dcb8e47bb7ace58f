// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/report/report.h"

#include <string.h>

/* Whether an earlier proven boot of the same commit had this boot_id: then it was not a
 * boot of its own. */
static bool seen(const struct boot_record *boots, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (boots[k].proven && boots[k].boot_id &&
		    oid_equal(&boots[k].commit, &boots[i].commit) &&
		    !strcmp(boots[k].boot_id, boots[i].boot_id))
			return true;
	return false;
}

static void count(const struct boot_record *boots, size_t i, struct report_kernel *ret)
{
	const struct boot_record *b = &boots[i];

	ret->boots++;
	if (!ret->path)
		ret->path = b->path;
	if (b->proven) {
		ret->proven++;
		ret->boot_ids += b->boot_id && !seen(boots, i);
	} else if (!ret->boot_failed) {
		ret->boot_failed = b->status;
		ret->failed_reason = b->reason;
	}
}

void report_kernel_fill(const char *name, const struct build_record *build,
			const struct boot_record *boots, size_t nr,
			struct report_kernel *ret)
{
	*ret = (struct report_kernel){ .name = name,
				       .commit = build->commit,
				       .status = build->status,
				       .reason = build->reason,
				       .build_id = build->build_id };
	for (size_t i = 0; i < nr; i++)
		if (oid_equal(&boots[i].commit, &build->commit))
			count(boots, i, ret);
}
