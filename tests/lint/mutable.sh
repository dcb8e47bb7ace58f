#!/bin/sh
# File-scope data that changes is limited to what is known here: the log level, the signal flag and
# the time of the last progress line. Looks into the built libraries of $KILN_BUILD.
set -eu
known='level stop_signal last'
build=${KILN_BUILD:?}
command -v objdump >/dev/null || { echo "objdump is not installed"; exit 77; }
bad=0
for library in "$build"/libkiln_*.a; do
	[ -e "$library" ] || { echo "no libraries in $build"; exit 1; }
	# Flags fill columns 18 to 24, "O" is an object; a static in a function has a number behind.
	objdump -t "$library" | awk -v library="$(basename "$library")" -v known=" $known " '
		/\.c\.o:/ { file = $1 }
		/ O (\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && !/ \.data\.rel\.ro/ {
			name = $NF
			sub(/\.[0-9]+$/, "", name)
			if (name ~ /^(__|\.L|_ZZ)/ || index(known, " " name " "))
				next
			print library ": " file " " name " is mutable file-scope data"
			bad = 1
		}
		END { exit bad }' || bad=1
done
exit $bad
