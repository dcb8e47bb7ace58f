// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/machine.h"

#include <stdlib.h>

#include "boot/target/local.h"

int machine_find(const struct target *t, const struct machine_type **ret, struct err *e)
{
	switch (t->kind) {
	case TARGET_QEMU:
		*ret = &machine_qemu;
		return 0;
	case TARGET_SSH:
		*ret = &machine_remote;
		return 0;
	case TARGET_LOCAL:
		break;
	}
	if (local_check(t, e) < 0)
		return -(int)e->code;
	*ret = &machine_local;
	return 0;
}

void machine_event_release(struct machine_event *ev)
{
	console_mark_release(&ev->mark);
	free(ev->text);
	frame_release(&ev->frame);
	*ev = (struct machine_event){ 0 };
}
