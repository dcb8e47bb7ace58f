// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/counters.h"

#include <string.h>

#include "core/base/parse.h"

static const struct counter_row rows[] = {
	{ "kvm:kvm_exit", NULL, "exits to L0, of L1 and of L2" },
	/* renamed when it came to serve VMX too */
	{ "kvm:kvm_nested_vmenter", "kvm:kvm_nested_vmrun", "entries of L2 for L1" },
	{ "kvm:kvm_nested_vmexit", NULL, "exits of L2" },
	{ "kvm:kvm_nested_vmexit_inject", NULL, "exits of L2 handed to L1" },
	{ "kvm:kvm_userspace_exit", NULL, "exits that go on to user space" },
	{ "kvm:kvm_page_fault", NULL, "page faults that exit" },
	{ "kvm:kvm_inj_virq", NULL, "interrupts injected" },
	{ "kvm:kvm_mmio", NULL, "accesses emulated" },
	{ "stat:exits", NULL, "exits, by KVM's statistics" },
	{ "stat:nested_run", NULL, "entries of L2, likewise" },
	{ "stat:tlb_flush", NULL, "TLB flushes" },
	{ "stat:pf_taken", NULL, "page faults taken" },
	{ "stat:insn_emulation", NULL, "instructions emulated" },
};

const struct counter_row *counter_at(size_t i)
{
	return i < ARRAY_SIZE(rows) ? &rows[i] : NULL;
}

void counter_names(struct strv *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		strv_add(ret, rows[i].name);
		if (rows[i].alias)
			strv_add(ret, rows[i].alias);
	}
}

static bool find(const struct strv *mark, const char *name, uint64_t *ret)
{
	for (size_t i = 0; name && i + 1 < mark->nr; i += 2)
		if (!strcmp(mark->v[i], name))
			return parse_u64(mark->v[i + 1], ret);
	return false;
}

static bool find_all(const char *name, const struct strv marks[3], uint64_t v[3])
{
	for (int i = 0; i < 3; i++)
		if (!find(&marks[i], name, &v[i]) || (i && v[i] < v[i - 1]))
			return false;
	return true;
}

bool counter_per_op(const struct counter_row *c, const struct strv marks[3], uint64_t ops,
		    double *ret)
{
	uint64_t v[3], work, cost;

	if (!ops || (!find_all(c->name, marks, v) && !find_all(c->alias, marks, v)))
		return false;
	work = v[2] - v[1];
	cost = v[1] - v[0];
	*ret = work > cost ? (double)(work - cost) / (double)ops : 0;
	return true;
}
