// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stdbool.h>

/* Whether guests of /dev/kvm, open as kvm, could have KVM themselves: their processor
 * would have SVM or VMX. */
bool kvm_nests(int kvm);
