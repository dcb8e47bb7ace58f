// SPDX-License-Identifier: GPL-3.0-or-later
int lib(void)
{
	return 1;
}
