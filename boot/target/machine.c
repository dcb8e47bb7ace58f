// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/machine.h"

#include <stdlib.h>

const struct machine_type *machine_find(enum target_kind kind)
{
	if (kind == TARGET_SSH)
		return &machine_remote;
	return kind == TARGET_QEMU ? &machine_qemu : NULL;
}

void machine_event_release(struct machine_event *ev)
{
	console_mark_release(&ev->mark);
	free(ev->text);
	frame_release(&ev->frame);
	*ev = (struct machine_event){ 0 };
}
