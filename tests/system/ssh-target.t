#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A machine of its own behind a real OpenSSH server: kernels are entered there by kexec for real,
# proven, and left by a reset; and what happens when one of the two does not come up.
test_description='a target reached by ssh'
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-ssh.sh"

driver() {
	"$KILN_BUILD/tests/boot-driver" "$KILN_BUILD/kiln-agent" "$PWD/console.log" \
		"$KILN_TEST_IMAGE" target=lab candidate-id="$KILN_TEST_BUILD_ID" "$@"
}

has() {
	grep -E "$1" out >/dev/null || { cat out; tail -5 console.log; return 1; }
}

set_target() {
	git config --global "target.lab.$1" "$2"
}

test_expect_success 'a kernel, and a machine that runs it' '
	kiln build --tree "$tree" --json HEAD >base.json &&
	KILN_TEST_IMAGE=$(json base.json "d[\"builds\"][0][\"image\"]") &&
	KILN_TEST_BUILD_ID=$(json base.json "d[\"builds\"][0][\"build_id\"]") &&
	root_make "$PWD" && lab_start "$PWD" "$KILN_TEST_IMAGE" &&
	set_target console "nc -U \"$PWD/serial\""
'

test_expect_success 'check finds what it lacks, and changes nothing' '
	kiln target check lab >out && has "^ok +reach" && has "^ok +root" &&
	has "^ok +kexec +kexec-tools" && has "^warning +watchdog"
'

test_expect_success 'firmware is refused, with the reason, before anything happens' '
	test_expect_code 129 driver direct=yes >out && has "^error usage" &&
	has "^cause .*no boot entry" && has "^hint .*--path kexec"
'

# The connection is cut while the task runs: it goes on, and nothing is lost or doubled.
test_expect_success 'a kernel is entered, proven and works, whatever the connection does' '
	mkfifo progress && {
		"$KILN_BUILD/tests/boot-driver" "$KILN_BUILD/kiln-agent" "$PWD/console.log" \
			"$KILN_TEST_IMAGE" target=lab candidate-id="$KILN_TEST_BUILD_ID" \
			-- work 0 "" "$KILN_BUILD/guest-payload" cpuid windows=40 count=200 \
			-- dynamic 0 "" "$(type -P printf)" "%s and its libraries\n" loader \
			>out 2>progress &
	} && driver=$! &&
	while read -r word; do
		if test "$word" = work; then
			kill $(ps -o pid=,comm= --ppid $driver | sed -n "s/ ssh$//p")
		fi
	done <progress &&
	wait $driver && has "^status ok" && has "^proven 1" && has "^path kexec" &&
	has "^accel none" && has "^load -[cs]" && has "^build_id $KILN_TEST_BUILD_ID" &&
	has "^task work ended 1 status 0 proven 1" &&
	test $(grep -c "^line work cpuid_rate" out) = 40 &&
	has "^task dynamic ended 1 status 0 proven 1" && has "^line dynamic loader and its libraries" &&
	grep "Starting new kernel" console.log && grep " return$" console.log.times
'

test_expect_success 'the machine is back in its base kernel' '
	kiln target check lab >out && has "^ok +base"
'

test_expect_success 'kiln boot without a console: a panic is found in pstore' '
	git config --global --unset target.lab.console &&
	test_expect_code 125 "$KILN" boot --tree "$tree" --target lab --path kexec \
		--append kiln.sick=panic --json HEAD >boot.json &&
	test "$(json boot.json "d[\"boots\"][0][\"status\"]")" = panic &&
	json boot.json "d[\"boots\"][0][\"reason\"]" | grep "sysrq triggered crash" &&
	test "$(json boot.json "d[\"boots\"][0][\"target\"]")" = lab &&
	test "$(json boot.json "d[\"boots\"][0][\"proven\"]")" = false &&
	console=$(json boot.json "d[\"boots\"][0][\"console\"]") &&
	grep " pstore$" "$console.times" && grep "kiln.sick=panic" "$console"
'

# It has a kernel that works, and nobody behind its network: a break on the console reaches it.
test_expect_success 'a candidate that answers nobody is asked over its console, and reset from there' '
	: >letters && set_target console "$(lab_console "$PWD")" && set_target return 40s &&
	printf "%s\n" ". \"\$KILN_SOURCE/tests/system/lib-ssh.sh\"" "lab_sysrq \"$PWD\" \$1" >sysrq.sh &&
	set_target sysrq "bash \"$PWD/sysrq.sh\"" &&
	driver append=kiln.sick=deaf timeout=40 >out 2>/dev/null && has "^status hang" &&
	has "^reason .*sysrq still works" && ! has "does not come back" &&
	grep "sysrq: Show backtrace" console.log && grep "sysrq: Resetting" console.log &&
	git config --global --unset target.lab.sysrq
'

test_expect_success 'a machine that does not come back is marked so' '
	set_target console "nc -U \"$PWD/serial\"" && set_target return 10s && : >lab/deaf &&
	driver append=kiln.sick=panic >out 2>/dev/null &&
	has "^status panic" && has "^reason .*; then target .lab. does not come back" &&
	has "last console line: " &&
	test_expect_code 1 "$KILN" target check lab >out &&
	has "^error +away +it did not come back since .*last console line" &&
	test_expect_code 128 driver >out 2>/dev/null && has "^error" && has "did not come back"
'

# Its server says that it listens before it does so at a processor that slow: check until it is reached.
answers() {
	local end=$((SECONDS + 100))
	until "$KILN" target check lab >out; test $? = 1 && ! grep -q "^error *reach" out
	do
		test $SECONDS -lt $end || return 1
	done
}

test_expect_success 'its power brings it back, with a kernel that may not load any' '
	rm lab/deaf && : >lab/no-kexec && set_target return 90s &&
	printf "%s\n" ". \"\$KILN_SOURCE/tests/system/lib-ssh.sh\"" "lab_\$1 \"$PWD\"" >power.sh &&
	set_target power "bash \"$PWD/power.sh\"" &&
	kiln target power lab reset && answers &&
	has "^error +kexec +kernel.kexec_load_disabled is 1" && ! has "away"
'

test_expect_success 'a target that forbids it is the environment, not the kernel' '
	test_expect_code 128 driver >out 2>/dev/null &&
	has "^error target-policy" && has "kexec_load_disabled"
'

lab_stop
test_done
