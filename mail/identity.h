// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/*
 * Whether two addresses are one person. People write from "a+lists@x.org" or
 * "a@mail.x.org" and sign as "a@x.org"; more than a tag behind '+' or one label of the
 * domain is another address, which only an equal name makes the same person.
 */
#include <stdbool.h>

/* The address in "Name <address>" or "address", lower case; NULL when there is none.
 * Owned. */
char *identity_address(const char *value);

/* Whether two lower-case addresses are one person's. */
bool identity_is_same_address(const char *a, const char *b);

/* Whether "Name <address>" is the person with that name and address. */
bool identity_is(const char *value, const char *name, const char *email);

/* Whether two values are one person, told apart by the tag where both have one:
 * "syzbot+1@x.org" and "syzbot+2@x.org" are two. */
bool identity_is_same_value(const char *a, const char *b);
