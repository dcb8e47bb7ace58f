// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * The e-value of paired differences against "no difference", with the prior variance of
 * the effect g times that of a pair:
 *	(1 + n g)^-1/2 [(1 + t^2 / (n-1)) / (1 + t^2 / ((n-1) (1 + n g)))]^(n/2)
 * It may be looked at after every pair: it passes 1/a with probability a at most when
 * there is no difference. 1 for fewer than two pairs; infinite when all are equal and
 * none is zero.
 */
#include <stddef.h>

double e_value(const double *d, size_t nr, double g);
