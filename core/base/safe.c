// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/safe.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Length of the UTF-8 sequence at p and its code point; 0 when it is none (RFC 3629). */
static size_t decode(const unsigned char *p, uint32_t *ret)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *p < 0x80   ? 1
		   : *p < 0xc2 ? 0
		   : *p < 0xe0 ? 2
		   : *p < 0xf0 ? 3
		   : *p < 0xf5 ? 4
			       : 0;
	uint32_t c;

	if (n < 2) {
		*ret = *p;
		return n;
	}
	c = *p & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
		return 0;
	*ret = c;
	return n;
}

static bool is_unsafe(uint32_t c, bool lines)
{
	if (c < 0x20)
		return !(lines && (c == '\n' || c == '\t'));
	return (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

char *safe_text(char *s, bool lines)
{
	for (unsigned char *p = (unsigned char *)s; *p;) {
		uint32_t c;
		size_t n = decode(p, &c);

		if (n == 0 || is_unsafe(c, lines)) {
			n = n ? n : 1;
			memset(p, '?', n);
		}
		p += n;
	}
	return s;
}
