#!/bin/sh
# The lint tests themselves: each passes on a small good tree and fails, naming the place, on that
# tree with one thing wrong.
set -eu
: "${1:?usage: self.sh ROOT}"
lint=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
spdx='// SPDX-License-Identifier: GPL-3.0-or-later'
bad=0
unset KILN

# put FILE LINES: a source file with its licence line.
put() {
	mkdir -p "$(dirname "$tree/$1")"
	{
		echo "$spdx"
		printf '%b' "$2"
	} >"$tree/$1"
}

good_tree() {
	rm -rf "$tree"
	mkdir -p "$tree/scripts" "$tree/cli/man" "$tree/tests/t"
	cp "$lint/../../.clang-format" "$tree/.clang-format"
	put core/base/a.h '#pragma once\nint a_get(void);\n'
	put core/base/a.c '#include "core/base/a.h"\n\nint a_get(void)\n{\n\treturn 1;\n}\n'
	put mail/m.c '#include "core/base/a.h"\n'
	put boot/b.h '#pragma once\n'
	put bench/b.c '#include <gsl/gsl_cdf.h>\n'
	put cli/cmds.c 'const struct cmd *const cmds[] = {\n\t&cmd_x,\n\tNULL,\n};\n'
	put cli/cmd-x.c 'const struct cmd cmd_x = {\n\t.name = "x",\n};\n'
	printf '#!/bin/sh\necho "$1"\n' >"$tree/scripts/s"
	echo '*-o*, *--only* _N_' >"$tree/cli/man/kiln-x.1.scd"
	echo 'true' >"$tree/tests/t/x.t"
}

# passes LINT: on the tree as it is.
passes() {
	sh "$lint/$1.sh" "$tree" >"$work/out" 2>&1 ||
		{ echo "$1 fails on a good tree:"; cat "$work/out"; bad=1; }
}

# fails LINT WHAT...: on the tree as it is, with each WHAT (a pattern) in its output; then a good tree
# again.
fails() {
	name=$1
	shift
	if sh "$lint/$name.sh" "$tree" >"$work/out" 2>&1; then
		echo "$name passes on a bad tree"
		bad=1
	fi
	for what; do
		grep -q -e "$what" "$work/out" && continue
		echo "$name does not say: $what"
		cat "$work/out"
		bad=1
	done
	good_tree
}

good_tree
put boot/quoted.c '/* system(x) and printf(x) */\nconst char *b = "system(x)";\nint c = a->exit(1);\n'
for name in layers headers banned size commands format shell; do
	passes "$name"
done

put core/base/a.c '#include "mail/m.h"\n#include "core/store/store.h"\n'
put mail/m.c '#include "boot/b.h"\n#include "m.h"\n#include <sqlite3.h>\n'
put bench/b.h '#include <gsl/gsl_cdf.h>\n'
fails layers 'core/base/a.c:2: core must not include mail/m.h' \
	'core/base/a.c:3: core/base/ must not include core/store/store.h' \
	'mail/m.c:2: mail must not include boot/b.h' 'mail/m.c:3: .*not relative to the root' \
	'mail/m.c:4: <sqlite3.h> belongs to core/store/' 'bench/b.h:2: .*in a header'

put boot/b1.h '#pragma once\nsize_t b_get(void);\n'
put boot/b2.h 'int b_get(void);\n'
put boot/b3.h '#pragma once\n#include "mail/m.h"\n'
printf 'int a;\n' >"$tree/core/base/a.c"
fails headers 'boot/b1.h: does not' 'boot/b2.h:2: no #pragma once' 'boot/b3.h: does not' 'core/base/a.c:1: no SPDX' \
	'mail/m.h: No such file'

note=TO
put cli/cmd-x.c 'int x(void)\n{\n\tstrcpy(a, b);\n\tsprintf (a, b);\n\tsystem(a);\n\tatoi(a);\n}\n'
put core/base/a.c 'void a(void)\n{\n\tstrtok(a, b);\n\tstrtol(a, 0, 10);\n\tchar x[256];\n}\n'
put mail/m.c "void m(void)\\n{\\n\\tprintf(0);\\n\\texit(1); /* ${note}DO later */\\n}\\n"
fails banned 'cli/cmd-x.c:4: strcpy()' 'cli/cmd-x.c:5: sprintf()' 'cli/cmd-x.c:6: system()' \
	'cli/cmd-x.c:7: atoi()' 'a.c:4: strtok()' 'a.c:5: strtol()' 'a.c:6: fixed buffer' \
	'mail/m.c:4: printf() below cli' 'mail/m.c:5: exit() below cli' 'mail/m.c:5: note to self'

put core/base/a.c "int a(void)\\n{\\n$(yes '\ta();\n' | head -n 100 | tr -d '\n')}\\n"
put core/base/b.c "$(yes 'int b;\n' | head -n 800 | tr -d '\n')"
put boot/b.h "#pragma once\\n$(yes 'int b;\n' | head -n 150 | tr -d '\n')"
put mail/m.c 'int m(void)\n{\n\t_cleanup_free_ char *p = 0;\n\n\tgoto out;\nout:\n\treturn 1;\n}\n'
fails size 'a() has 103 lines' 'b.c:801: .*limit 800' 'limit 150' 'm() mixes goto and _cleanup_'

put cli/cmd-y.c ''
rm "$tree/cli/man/kiln-x.1.scd" "$tree/tests/t/x.t" "$tree/cli/cmd-x.c"
echo >"$tree/cli/man/kiln-z.1.scd"
fails commands 'no row for cli/cmd-y.c' 'kiln-x.1.scd: missing' 'tests/t/x.t: missing' \
	'cli/cmd-x.c: missing' 'kiln-z.1.scd: no such command'

if command -v clang-format >/dev/null; then
	put boot/b.c 'int  b( void )  { return 1; }\n'
	fails format boot/b.c
fi
if command -v shellcheck >/dev/null; then
	printf '#!/bin/sh\ncd "$1"\nread x < $(echo a)\n' >"$tree/scripts/s"
	fails shell scripts/s
fi

# A kiln whose help has the options given, for the check of pages against help.
fake_kiln() {
	cat >"$work/kiln" <<-EOT
	#!/bin/sh
	case "\$*" in
	help) echo "  x          does x" ;;
	'help help') echo "  -h, --help    this text" ;;
	*) printf '  %s\n' $* "'-h, --help    this text'" ;;
	esac
	EOT
	chmod +x "$work/kiln"
	KILN=$work/kiln
	export KILN
}
fake_kiln "'-o, --only N    one'"
passes doc-vs-help
fake_kiln "'-o, --only N    one'" "'    --new    two'"
fails doc-vs-help 'does not document --new'
fake_kiln "'    --only N    one'"
fails doc-vs-help 'documents unknown -o'

KILN_BUILD=$work/build
export KILN_BUILD
mkdir "$KILN_BUILD"
library() {
	echo "$1" >"$work/one.c"
	rm -f "$KILN_BUILD"/*.a
	(cd "$work" && ${CC:-gcc} -fPIE -c one.c -o one.c.o && ar rc "$KILN_BUILD/libkiln_x.a" one.c.o)
}
library 'static const char *const names[] = { "a" }; static int level;
	const char *f(int i) { static const int n = 0; level++; return names[i + n]; }'
passes mutable
library 'static int counter; int f(void) { return counter++; }'
fails mutable 'one.c.o: counter is mutable'
library 'int f(void) { static int calls = 3; return calls++; }'
fails mutable 'calls is mutable'
exit $bad
