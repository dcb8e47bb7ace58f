// SPDX-License-Identifier: GPL-3.0-or-later
/* Which kernels ran, and how sure that is. */
#include <stdlib.h>
#include <string.h>

#include "bench/report/report.h"
#include "cli/report/page.h"
#include "core/base/alloc.h"

enum { MAX_KERNELS = 100, MAX_IDS = 8 };

/* The boot ids of the commit's proven boots, short, each once. Owned by the caller. */
static char *boot_ids(const struct report_data *d, const struct oid *commit)
{
	_cleanup_strv_ struct strv ids = STRV_INIT;
	size_t more = 0;

	for (size_t i = 0; i < d->run.nr_boots; i++) {
		const struct boot_record *b = &d->run.boots[i];
		_cleanup_free_ char *id = b->boot_id ? xasprintf("%.8s", b->boot_id)
						     : NULL;

		if (!b->proven || !id || !oid_equal(&b->commit, commit) ||
		    strv_has(&ids, id))
			continue;
		if (ids.nr < MAX_IDS)
			strv_add(&ids, id);
		else
			more++;
	}
	if (more)
		strv_addf(&ids, "and %zu more", more);
	return strv_join(&ids, ", ");
}

static char *proof_text(const struct report_kernel *k)
{
	if (!k->build_id)
		return xasprintf("build %s%s%s", k->status ?: "unknown",
				 k->reason ? ": " : "", k->reason ?: "");
	if (!k->boots)
		return xstrdup("not booted");
	return xasprintf("%u of %u proven, by %s%s%s%s%s", k->proven, k->boots,
			 k->path ?: "an unknown path", k->boot_failed ? "; " : "",
			 k->boot_failed ?: "", k->failed_reason ? ": " : "",
			 k->failed_reason ?: "");
}

static void add_kernel(const struct report_data *d, const struct build_record *b,
		       struct strv *cells)
{
	struct report_kernel k;

	report_kernel_fill(report_side(d, &b->commit), b, d->run.boots, d->run.nr_boots,
			   &k);
	strv_addf(cells, "%s %.12s", k.name, b->commit.hex);
	strv_add(cells, run_data_subject(&d->run, &b->commit));
	strv_add(cells, k.build_id ?: "");
	strv_take(cells, proof_text(&k));
	strv_take(cells, boot_ids(d, &b->commit));
}

static void add_accel(const struct report_data *d, struct page *page)
{
	const struct boot_record *b = d->run.nr_boots ? &d->run.boots[0] : NULL;

	if (b && b->accel)
		page_text(page, "Machine: %s, %s.", b->target ?: "unknown",
			  !strcmp(b->accel, "kvm") ? "with KVM" : "emulated (TCG)");
}

void report_page_kernels(const struct report_data *d, struct page *page)
{
	struct strv *cells;

	if (!d->run.nr_builds)
		return;
	page_heading(page, "Kernels, and the proof that they ran");
	cells = page_table(page, "lllll");
	strv_addl(cells, "kernel", "title", "build-id", "boots", "boot ids", NULL);
	for (size_t i = 0; i < d->run.nr_builds && i < MAX_KERNELS; i++)
		add_kernel(d, &d->run.builds[i], cells);
	if (d->run.nr_builds > MAX_KERNELS)
		page_text(page, "And %zu more kernels.", d->run.nr_builds - MAX_KERNELS);
	add_accel(d, page);
}
