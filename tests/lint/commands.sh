#!/bin/sh
# A command is complete: cli/cmd-NAME.c, its row in cmds.c, its man page and its test; and none of
# these is left over from a command that is gone.
set -eu
root=${1:?usage: commands.sh ROOT}
bad=0
complain() {
	echo "$*"
	bad=1
}

rows=$(grep -oE '&cmd_[a-z_]+,' "$root/cli/cmds.c" | sed 's/&cmd_//; s/,//' | tr _ -)
for file in "$root"/cli/cmd-*.c; do
	name=$(basename "$file" .c)
	name=${name#cmd-}
	echo "$rows" | grep -qx "$name" || complain "cli/cmds.c: no row for cli/cmd-$name.c"
	grep -q "^const struct cmd cmd_$(echo "$name" | tr - _) = {" "$file" ||
		complain "cli/cmd-$name.c: does not define cmd_$name"
done
for name in $rows; do
	[ -e "$root/cli/cmd-$name.c" ] || complain "cli/cmd-$name.c: missing, has a row in cmds.c"
	[ -e "$root/cli/man/kiln-$name.1.scd" ] || complain "cli/man/kiln-$name.1.scd: missing"
	[ -e "$root/tests/t/$name.t" ] || complain "tests/t/$name.t: missing"
	[ -z "${KILN:-}" ] || "$KILN" help | grep -q "^  $name " ||
		complain "kiln help: does not list $name"
done
for page in "$root"/cli/man/kiln-*.1.scd; do
	name=$(basename "$page" .1.scd)
	echo "$rows" | grep -qx "${name#kiln-}" || complain "$page: no such command"
done
exit $bad
