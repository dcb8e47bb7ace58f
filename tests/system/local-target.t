#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# kiln boots the machine it runs on: it goes down with it at each jump, and goes on after each start.
# The machine is QEMU's; the one the test runs on is never a target of kind local.
test_description='the machine kiln runs on as a target'
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-local.sh"

set_target() {
	git config --global "target.here.$1" "$2"
}

# A run that has its kernel and stops before its boot, as nothing answers where its target is said to
# be; its id goes to $run, and what the machine is to do becomes its job.
prepare() {
	{ git config --global --remove-section target.here 2>/dev/null || :; } &&
	set_target kind ssh && set_target host root@127.0.0.1 && set_target port 1 &&
	test_expect_code 128 "$KILN" boot --tree "$tree" --target here --path kexec --json "$@" HEAD \
		>out 2>err && grep "cannot be reached" err &&
	run=$(sed -n "s/^run //p" err) &&
	git config --global --remove-section target.here &&
	set_target kind local && set_target allowReboot true && set_target dir "$here/dir" &&
	set_target initrd "$here/root.cpio" && set_target resume "bash $here/arrange" &&
	echo "\"$KILN\" target check here; \"$KILN\" resume $run" >"$here/job" && : >"$here/said"
}

# Until kiln has come to an end twice, in the candidate and after it, or COUNT times.
go() {
	here_start "$image" "$RAMOOPS" && wait_lines "$here/said" 1 "^end: " &&
	wait_lines "$here/said" "${1:-2}" "^end: " && here_stop
}

has() {
	grep -E "$1" "$here/said" >/dev/null || { cat "$here/said"; tail -20 "$here/serial"; return 1; }
}

boot() {
	json show.json "d[\"boots\"][0][\"$1\"]"
}

test_expect_success 'a kernel, and a machine that has kiln' '
	kiln build --tree "$tree" --json HEAD >base.json &&
	image=$(json base.json "d[\"builds\"][0][\"image\"]") &&
	build_id=$(json base.json "d[\"builds\"][0][\"build_id\"]") &&
	cat >"$here/arrange" <<-EOF &&
		case \$1 in
		on) cp "\$2" "$here/armed" ;;
		off) rm -f "$here/armed" ;;
		esac
	EOF
	here_make
'

test_expect_success 'two runs for it, and a copy of the kernel: the cache is for no machine that dies' '
	prepare --append kiln.sick=panic && sick=$run && mv "$here/job" job.sick &&
	prepare && cp -L "$image" kernel && rm "$KILN_HOME/cache" &&
	mkdir -p "$(dirname "$image")" && mv kernel "$image"
'

test_expect_success 'a kernel is entered, proven, left, and the run goes on in the base kernel' '
	go && has "^start: work" && test $(grep -c "^start: armed" "$here/said") = 2 &&
	has "^ok +resume" && has "^ok +base" && has "the result is kept" &&
	kiln show --json "$run" >show.json &&
	json show.json "[b[\"status\"] for b in d[\"boots\"]]" >statuses && grep "^..ok..$" statuses &&
	test "$(boot proven)" = true && test "$(boot build_id)" = "$build_id" &&
	test "$(boot target)" = here && test "$(json show.json "d[\"run\"][\"exit_code\"]")" = 0 &&
	! test -e "$here/armed" &&
	! test -e "$KILN_HOME/state/targets/here.resume"
'

test_expect_success 'a candidate that dies is named, and not tried again' '
	mv job.sick "$here/job" && : >"$here/said" && go 1 &&
	test $(grep -c "^start: armed" "$here/said") = 1 && has "^end: 125" &&
	kiln show --json "$sick" >show.json &&
	json show.json "[b[\"status\"] for b in d[\"boots\"]]" >statuses && grep "^..panic..$" statuses &&
	test "$(boot proven)" = false && boot reason | grep "sysrq triggered crash" &&
	! test -e "$here/armed"
'

rm -rf "$here"
test_done
