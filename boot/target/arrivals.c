// SPDX-License-Identifier: GPL-3.0-or-later
#include "boot/target/arrivals.h"

#include "core/base/alloc.h"

static bool next_message(struct arrivals *a, struct machine_event *ret)
{
	enum frame_status status = FRAME_OK;
	const char *why = NULL;

	if (a->holds)
		ret->frame = a->held;
	a->held = (struct frame){ 0 };
	if (!a->holds)
		do
			status = frame_next(&a->parser, &ret->frame, &why);
		while (status == FRAME_GARBAGE);
	a->holds = false;
	if (status == FRAME_NONE)
		return false;
	ret->type = status == FRAME_OK ? MACHINE_FRAME : MACHINE_BROKEN;
	ret->text = why ? xstrdup(why) : NULL;
	return true;
}

/* A message from before the jump. Each kernel's agent counts its own from 0: such a one is
 * of the kernel that was jumped to. */
static bool message_before_jump(struct arrivals *a, struct machine_event *ret)
{
	if (a->holds || !next_message(a, ret))
		return false;
	if (ret->type != MACHINE_FRAME || ret->frame.seq)
		return true;
	a->held = ret->frame;
	a->holds = true;
	ret->frame = (struct frame){ 0 };
	return false;
}

bool arrivals_next(struct arrivals *a, struct machine_event *ret)
{
	const struct console_mark *mark = console_peek(&a->console);

	if (mark && mark->event == CONSOLE_KEXEC && message_before_jump(a, ret))
		return true;
	if (!mark)
		return next_message(a, ret);
	ret->type = MACHINE_MARK;
	ret->mark = console_mark_copy(console_next(&a->console));
	return true;
}

void arrivals_release(struct arrivals *a)
{
	console_release(&a->console);
	frame_parser_release(&a->parser);
	frame_release(&a->held);
	a->holds = false;
}
