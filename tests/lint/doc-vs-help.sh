#!/bin/sh
# The options in `kiln help COMMAND` are those of its man page. The options every command has are
# documented in kiln-help(1); another page may repeat them.
set -eu
root=${1:?usage: doc-vs-help.sh ROOT}
: "${KILN:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# Options at the beginning of a line of help, or of a line of a page that begins with one.
help_options() {
	"$KILN" help "$@" | sed -n 's/^  *\(-[^ ].*\)/\1/p' |
		sed 's/  .*//' | grep -oE -- '(^|[ ,])--?[a-zA-Z0-9][a-z0-9-]*' | tr -d ' ,' | sort -u
}
page_options() {
	grep '^\*-' "$1" | grep -oE '\*--?[a-zA-Z0-9][a-z0-9-]*\*' | tr -d '*' | sort -u
}

help_options help >"$work/common"
for command in $("$KILN" help | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
	page=$root/cli/man/kiln-$command.1.scd
	[ -e "$page" ] || { echo "$page: missing"; bad=1; continue; }
	help_options "$command" >"$work/help"
	page_options "$page" >"$work/page" || :
	if [ "$command" = help ]; then
		cp "$work/help" "$work/must"
	else
		comm -23 "$work/help" "$work/common" >"$work/must"
	fi
	comm -23 "$work/must" "$work/page" | sed "s|^|$page: does not document |" >"$work/diff"
	comm -13 "$work/help" "$work/page" | sed "s|^|$page: documents unknown |" >>"$work/diff"
	[ ! -s "$work/diff" ] || { cat "$work/diff"; bad=1; }
done
exit $bad
