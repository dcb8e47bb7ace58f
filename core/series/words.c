// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series/words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"

#define MAX_SENTENCE 500

bool words_blank(char c)
{
	return isspace((unsigned char)c);
}

bool words_skip(const char **p, const char *word)
{
	const char *s = *p;
	size_t n = strlen(word);

	while (words_blank(*s))
		s++;
	if (strncasecmp(s, word, n) ||
	    (isalnum((unsigned char)word[n - 1]) && isalnum((unsigned char)s[n])))
		return false;
	s += n;
	while (words_blank(*s))
		s++;
	*p = s;
	return true;
}

char *words_hash(const char **p)
{
	size_t n = strspn(*p, "0123456789abcdefABCDEF");
	char *h;

	if (n < WORDS_MIN_HEX || n > WORDS_MAX_HEX || isalnum((unsigned char)(*p)[n]))
		return NULL;
	h = xstrndup(*p, n);
	for (char *c = h; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	*p += n;
	while (words_blank(**p))
		++*p;
	return h;
}

char *words_sentence(const char *p)
{
	size_t n = 0;

	while (p[n] && n < MAX_SENTENCE && !(p[n] == '\n' && p[n + 1] == '\n'))
		n++;
	return xstrndup(p, n);
}
