// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "bench/claims/claims.h"

/* Recompute the change from base and patched, and judge the claimed one by it. */
void claim_check_arithmetic(struct claim *c);
