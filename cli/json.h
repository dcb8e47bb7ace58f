// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* Records as JSON objects with the keys of docs/json.md; new references. */
#include "core/store/records.h"
#include "core/store/run.h"

struct json_t;

/* A string, or null for NULL. Bytes that are no UTF-8 become '?', as nothing else would
 * be JSON. */
struct json_t *json_text(const char *s);

struct json_t *json_strv(const struct strv *v);

/* Seconds since the epoch as ISO 8601 text, null for 0. */
struct json_t *json_time(int64_t epoch);

struct json_t *json_build(const struct build_record *b);
struct json_t *json_boot(const struct boot_record *b);
struct json_t *json_sample(const struct sample *s);
struct json_t *json_run(const struct run_info *i);

/* State of a run in one word: "active", "interrupted", "done", "failed". */
const char *run_state_word(const struct run_info *i);
