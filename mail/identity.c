// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/identity.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "mail/mailinfo.h"
#include "mail/text.h"

char *identity_address(const char *value)
{
	_cleanup_free_ char *name = NULL;
	char *email = NULL;

	mail_address(value, &name, &email);
	if (!strchr(email, '@')) {
		free(email);
		return NULL;
	}
	for (char *c = email; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return email;
}

/* Bytes of the local part without its tag. */
static size_t user_len(const char *address)
{
	size_t n = strcspn(address, "@"), plus = strcspn(address, "+");

	return plus && plus < n ? plus : n;
}

bool identity_is_same_address(const char *a, const char *b)
{
	size_t user = user_len(a);
	const char *da = strchr(a, '@'), *db = strchr(b, '@');
	size_t la, lb;

	if (!da || !db || user != user_len(b) || strncmp(a, b, user))
		return false;
	la = strlen(++da);
	lb = strlen(++db);
	if (la < lb)
		return identity_is_same_address(b, a);
	if (strcmp(da + la - lb, db))
		return false;
	return la == lb || (da[la - lb - 1] == '.' && strchr(db, '.') &&
			    !memchr(da, '.', la - lb - 1));
}

/* "Doe, Jane" as "Jane Doe". Owned. */
static char *forward_name(const char *name)
{
	const char *comma = strchr(name, ',');
	char *s;

	if (!comma)
		return xstrdup(name);
	s = xasprintf("%s %.*s", comma + 1, (int)(comma - name), name);
	return text_squeeze(text_trim(s));
}

bool identity_is(const char *value, const char *name, const char *email)
{
	_cleanup_free_ char *a = identity_address(value), *b = identity_address(email);
	_cleanup_free_ char *value_name = NULL, *value_email = NULL;
	_cleanup_free_ char *x = NULL, *y = NULL;

	if (a && b && identity_is_same_address(a, b))
		return true;
	mail_address(value, &value_name, &value_email);
	x = forward_name(value_name);
	y = forward_name(name);
	return *x && !strchr(x, '@') && !strcasecmp(x, y);
}

bool identity_is_same_value(const char *a, const char *b)
{
	_cleanup_free_ char *x = identity_address(a), *y = identity_address(b);

	if (!x || !y)
		return false;
	if (!strcmp(x, y))
		return true;
	return !(strchr(x, '+') && strchr(y, '+')) && identity_is_same_address(x, y);
}
