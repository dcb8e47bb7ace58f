// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The rows, each in the folder of its name; for arch.c, which has the table. */
#include "core/arch/arch.h"

extern const struct arch arch_x86_64, arch_powerpc64le, arch_arm64;
