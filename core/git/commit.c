// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/git/commit.h"

#include <inttypes.h>
#include <string.h>

#include "core/git/objects.h"

/* What git takes off both ends of a name. */
static bool is_crud(char c)
{
	return (unsigned char)c <= 32 || strchr(".,:;<>\"\\'", c);
}

static void add_clean(struct buf *b, const char *s, size_t n)
{
	while (n && is_crud(*s)) {
		s++;
		n--;
	}
	while (n && is_crud(s[n - 1]))
		n--;
	for (size_t i = 0; i < n; i++)
		if (s[i] != '\n' && s[i] != '<' && s[i] != '>')
			buf_addc(b, s[i]);
}

static int add_ident(struct buf *b, const char *key, const struct ident *id,
		     struct err *e)
{
	_cleanup_buf_ struct buf name = BUF_INIT, email = BUF_INIT;
	int tz = id->tz < 0 ? -id->tz : id->tz;

	add_clean(&email, id->email ? id->email : "", strlen(id->email ? id->email : ""));
	add_clean(&name, id->name ? id->name : "", strlen(id->name ? id->name : ""));
	if (!email.len)
		return err_set(e, ERR_BAD_PATCH, "the %s has no address", key);
	buf_addf(b, "%s %s <%s> %" PRId64 " %c%02d%02d\n", key,
		 buf_str(name.len ? &name : &email), buf_str(&email),
		 id->date > 0 ? id->date : 0, id->tz < 0 ? '-' : '+', tz / 60, tz % 60);
	return 0;
}

int commit_write(struct repo *r, const struct commit_data *c, struct oid *ret,
		 struct err *e)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	buf_addf(&b, "tree %s\nparent %s\n", c->tree.hex, c->parent.hex);
	if (add_ident(&b, "author", &c->author, e) < 0 ||
	    add_ident(&b, "committer", &c->committer, e) < 0)
		return -(int)e->code;
	buf_addf(&b, "\n%s", c->message);
	if (b.data[b.len - 1] != '\n')
		buf_addc(&b, '\n');
	return repo_put(r, OBJECT_COMMIT, &b, NULL, ret, e);
}
