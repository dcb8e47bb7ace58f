// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/machine.h"

#include <stdlib.h>

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
	err_set(e, ERR_USAGE,
		"target '%s' is of kind local, and kiln does not boot the machine it "
		"runs on",
		t->name);
	return err_hint(e, "name this machine as a target of kind ssh from another one");
}

void machine_event_release(struct machine_event *ev)
{
	console_mark_release(&ev->mark);
	free(ev->text);
	frame_release(&ev->frame);
	*ev = (struct machine_event){ 0 };
}
