#!/bin/sh
# Shell scripts are clean under shellcheck. What sharness reads, and what it sets, looks unused and
# unset to it; tests are quoted text that is evaluated later.
set -eu
root=${1:?usage: shell.sh ROOT}
command -v shellcheck >/dev/null || { echo "shellcheck is not installed"; exit 77; }
cd "$root"
{
	[ ! -d scripts ] || find scripts -type f
	[ ! -e .ci/run ] || echo .ci/run
	find tests -path tests/data -prune -o \( -name '*.sh' -o -name '*.t' \) -print
} | sort | while read -r file; do
	case $(head -n 1 "$file") in
	'#!'*python*) ;;
	'#!'*) echo "$file" ;;
	*) echo "$file:bash" ;;
	esac
done | while IFS=: read -r file shell; do
	shellcheck -S warning -e SC2034,SC2154,SC2064 ${shell:+-s "$shell"} "$file" || echo "$file" >&3
done 3>&1 >&2 | { ! grep .; }
