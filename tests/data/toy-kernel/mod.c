// SPDX-License-Identifier: GPL-3.0-or-later
int mod(void);
int mod(void)
{
	return 1;
}
