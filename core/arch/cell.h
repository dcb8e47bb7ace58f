// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Who pages for whom, and what is counted beside a rate: tables of an architecture. */

/* Paging of L0 and of L1. Of x86, EPT counts as "npt": assisted by hardware. */
struct cell {
	const char *name; /* "npt/npt"; "npt/-" when the payload is L1 itself */
	const char *l0, *l1;
	const char *l0_append; /* of L0: "kvm_amd.npt=1 kvm_intel.ept=1" */
	const char *l1_append;
};

struct counter_row {
	const char *name;
	const char *alias; /* of other kernels, NULL: none */
	const char *summary;
};

/* A word for paging, the one that cells are named by, and how mails write it. */
struct paging_word {
	const char *alias, *word, *title;
};
