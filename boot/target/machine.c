// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/machine.h"

#include <stdlib.h>
#include <string.h>

static const struct machine_type *const types[] = { &machine_qemu };

const struct machine_type *machine_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i]->name, name))
			return types[i];
	return NULL;
}

void machine_event_release(struct machine_event *ev)
{
	console_mark_release(&ev->mark);
	free(ev->text);
	frame_release(&ev->frame);
	*ev = (struct machine_event){ 0 };
}
