// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/arch/x86_64/kvm.h"

#include <linux/kvm.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "core/base/alloc.h"

/* KVM has these on a host of this architecture only; elsewhere no guest of it nests. */
#ifdef __x86_64__
#define CPUID_ENTRIES 256 /* KVM's own limit */

/* Modules and parameters do not tell, some kinds of KVM have neither. */
bool kvm_nests(int kvm)
{
	_cleanup_free_ struct kvm_cpuid2 *c =
		xzalloc(sizeof(*c) + CPUID_ENTRIES * sizeof(c->entries[0]));

	c->nent = CPUID_ENTRIES;
	if (ioctl(kvm, KVM_GET_SUPPORTED_CPUID, c) < 0)
		return false;
	for (unsigned int i = 0; i < c->nent; i++) {
		const struct kvm_cpuid_entry2 *entry = &c->entries[i];

		if ((entry->function == 1 && entry->ecx & 1u << 5) ||
		    (entry->function == 0x80000001 && entry->ecx & 1u << 2))
			return true;
	}
	return false;
}
#else
bool kvm_nests(int kvm)
{
	(void)kvm;
	return false;
}
#endif
