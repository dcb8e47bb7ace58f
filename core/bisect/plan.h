// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The boots a search among commits needs at least, for error eps, a boot's variance and a
 * step of effect (both of logs): max(log2 n, (8 ln n + 2 ln 1/eps) s^2 / d^2). */
double bound_boots(double commits, double eps, double variance, double effect);
