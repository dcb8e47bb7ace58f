// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The document of `kiln apply --json`. */
struct apply_result;
struct base_choice;
struct json_t;

/*
 * base head ref commits[] failed|null base_choice, null when base is NULL. After a failure head and ref are null: the commits
 * are in the repository, but nothing points at them.
 */
struct json_t *json_apply(const struct apply_result *a, const struct base_choice *base);
