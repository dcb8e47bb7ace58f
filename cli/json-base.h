// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
struct base_choice;
struct json_t;

/* base_choice of `kiln apply --json`. */
struct json_t *json_base(const struct base_choice *b);
