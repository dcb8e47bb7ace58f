#!/bin/sh
# Each header compiles alone, with nothing but what its layer may see, and says what it is.
set -eu
root=$(cd "${1:?usage: headers.sh ROOT}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/bad"

# view LAYER SEEN...: a folder of links to the layers it may include.
view() {
	layer=$1
	mkdir "$work/$layer"
	for seen; do
		[ ! -d "$root/$seen" ] || ln -s "$root/$seen" "$work/$layer/$seen"
	done
}
view core
view mail core
view boot core
view bench core
view cli core mail boot bench

# compiles LAYER HEADER...: each alone and twice, in one call of the compiler.
compiles() {
	layer=$1
	shift
	rm -f "$work"/one-*.c
	for header; do
		printf '#include "%s"\n#include "%s"\n' "$header" "$header" \
			>"$work/one-$(echo "$header" | tr / -).c"
	done
	${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -fsyntax-only -Wall -Wextra -Wstrict-prototypes -Werror \
		-I "$work/$layer" "$work"/one-*.c
}

for layer in core mail boot bench cli; do
	headers=$(cd "$root" && find "$layer" -name '*.h' 2>/dev/null | sort)
	# shellcheck disable=SC2086 # our file names have no blanks
	[ -z "$headers" ] || compiles "$layer" $headers 2>/dev/null || for header in $headers; do
		compiles "$layer" "$header" ||
			{ echo "$header: does not compile alone"; echo "$header" >>"$work/bad"; }
	done
	for header in $headers; do
		[ "$(sed -n 2p "$root/$header")" = '#pragma once' ] ||
			{ echo "$header:2: no #pragma once"; echo "$header" >>"$work/bad"; }
	done
done
for file in $(cd "$root" && find core mail boot bench cli tests -path tests/data -prune -o -name '*.[ch]' -print 2>/dev/null); do
	[ "$(sed -n 1p "$root/$file")" = '// SPDX-License-Identifier: GPL-3.0-or-later' ] ||
		{ echo "$file:1: no SPDX line"; echo "$file" >>"$work/bad"; }
done
[ ! -s "$work/bad" ]
