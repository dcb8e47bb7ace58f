// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json-build.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"

char *json_build_text(const struct build_record *b)
{
	json_t *j = json_build(b);
	char *s = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(10));

	json_decref(j);
	if (!s)
		abort();
	return s;
}

static char *member(const json_t *j, const char *key)
{
	return xstrdup(json_string_value(json_object_get(j, key)));
}

static bool member_oid(const json_t *j, const char *key, struct oid *ret)
{
	const char *s = json_string_value(json_object_get(j, key));

	if (!s || strlen(s) != sizeof(ret->hex) - 1 || !parse_is_hex(s, strlen(s)))
		return false;
	memcpy(ret->hex, s, sizeof(ret->hex));
	return true;
}

int json_build_parse(const char *line, struct build_record *ret, struct err *e)
{
	json_auto_t *j = json_loads(line, 0, NULL);
	struct build_record b = { 0 };

	if (!member_oid(j, "commit", &b.commit) || !member_oid(j, "tree", &b.tree) ||
	    !json_is_string(json_object_get(j, "status")))
		return err_set(e, ERR_STORE,
			       "the journal's record of a build is damaged");
	b.config = member(j, "config");
	b.toolchain = member(j, "toolchain");
	b.arch = member(j, "arch");
	b.status = member(j, "status");
	b.reason = member(j, "reason");
	b.build_id = member(j, "build_id");
	b.code = member(j, "code");
	b.modules = member(j, "modules");
	b.image = member(j, "image");
	b.log = member(j, "log");
	b.cached = json_is_true(json_object_get(j, "cached"));
	b.seconds = json_number_value(json_object_get(j, "seconds"));
	*ret = b;
	return 0;
}
