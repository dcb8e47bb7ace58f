// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Modules of the running kernel, where the agent is who loads them. */
#include "boot/agent/agent.h"

/*
 * Load the modules in a folder, in the order its file says; nothing without it. false: one
 * of them was refused, and ret has the words of the message about it.
 */
bool modules_load(struct port *p, const char *dir, struct strv *ret);

/* What is built in is not. */
bool module_is_loaded(const char *name);
