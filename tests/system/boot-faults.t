#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sick kernels and a broken environment, in a real QEMU: each ends with its own name, none hangs.
test_description='boots that go wrong'
. "$(dirname "$0")/lib.sh"

# boot ARGS...: result lines in "out", exit status that of the error
boot() {
	"$KILN_BUILD/tests/boot-driver" "$KILN_BUILD/kiln-agent" "$PWD/console.log" \
		"$KILN_TEST_IMAGE" base-id="$KILN_TEST_BUILD_ID" \
		candidate-id="$KILN_TEST_BUILD_ID" guest-id="$KILN_TEST_BUILD_ID" \
		timeout=60 "$@" >out 2>progress
}

has() {
	grep -E "$1" out >/dev/null || { cat out; tail -5 console.log; return 1; }
}

no_leftovers() {
	test -z "$(ls -A "$KILN_HOME/cache/boots")"
}

test_expect_success 'the base kernel' '
	kiln build --tree "$tree" --json HEAD >base.json &&
	KILN_TEST_IMAGE=$(json base.json "d[\"builds\"][0][\"image\"]") &&
	KILN_TEST_BUILD_ID=$(json base.json "d[\"builds\"][0][\"build_id\"]")
'

test_expect_success 'a healthy kernel is proven' '
	boot && has "^status ok" && has "^proven 1" && has "^path kexec" &&
	has "^build_id $KILN_TEST_BUILD_ID" && has "^boot_id [0-9a-f-]{36}$" &&
	grep "Starting new kernel" console.log &&
	test $(grep -c "Linux version" console.log) = 2 && no_leftovers
'

test_expect_success 'it runs a program' '
	boot -- hello 0 "" "$KILN_BUILD/guest-payload" cpuid windows=2 count=100 &&
	has "^status ok" && has "^task hello ended 1 status 0 proven 1" &&
	test $(grep -c "^line hello cpuid_rate" out) = 2
'

test_expect_success 'a program that fails is no result of the kernel' '
	boot -- bad 0 "" "$KILN_BUILD/guest-payload" nonsense &&
	has "^status ok" && has "^task bad ended 1 status 2 proven 0 reason .*usage" &&
	has "^proven 0"
'

test_expect_success 'direct start by firmware' '
	boot direct=yes && has "^status ok" && has "^proven 1" && has "^path firmware"
'

test_expect_success 'panic: no init' '
	boot append=rdinit=/nonexistent && has "^status panic" &&
	has "^reason Kernel panic - not syncing: No working init found" && has "^proven 0"
'

test_expect_success 'panic: init dies' '
	boot append=kiln.fault=panic && has "^status panic" &&
	has "^reason .*Attempted to kill init"
'

test_expect_success 'hang' '
	boot timeout=12 append=kiln.fault=hang && has "^status hang" && has "^proven 0"
'

test_expect_success 'reset without a word' '
	boot append=kiln.fault=reset && has "^status silent-reset"
'

test_expect_success 'another kernel than the one built' '
	boot candidate-id=0000000000000000000000000000000000000000 &&
	has "^status wrong-kernel" && has "^reason build-id $KILN_TEST_BUILD_ID runs"
'

test_expect_success 'a kernel of another run' '
	boot append=kiln.fault=token && has "^status wrong-kernel" && has "^reason .*run token"
'

test_expect_success 'a base kernel that is not the one built is an error' '
	test_expect_code 128 boot base-id=00 && has "^error wrong-kernel" && no_leftovers
'

test_expect_success 'a message with a bad checksum is an error' '
	test_expect_code 128 boot append=kiln.fault=badsum && has "^error agent-protocol" &&
	has "^cause .*checksum"
'

test_expect_success 'an agent that does nothing is a hang, in the time of the task' '
	boot timeout=12 task-timeout=5 append=kiln.fault=mute \
		-- idle 0 "" "$KILN_BUILD/guest-payload" cpuid &&
	has "^status hang" && has "^task idle ended 0 .*time limit"
'

test_expect_success 'L1 panics: no result, with its words' '
	boot task-timeout=200 -- l1 1 kiln.fault=panic "$KILN_BUILD/guest-payload" cpuid &&
	has "^status no-result" && has "^reason .*L1: Kernel panic - not syncing"
'

test_expect_success 'L1 sends a bad checksum' '
	test_expect_code 128 boot task-timeout=200 -- l1 1 kiln.fault=badsum \
		"$KILN_BUILD/guest-payload" cpuid &&
	has "^error agent-protocol" && has "^cause a message of the guest"
'

test_expect_success 'QEMU missing' '
	mkdir -p only-kexec &&
	ln -sf "$(PATH=$PATH:/usr/sbin:/sbin command -v kexec)" only-kexec/kexec &&
	(PATH=$PWD/only-kexec && boot) ; code=$? &&
	test $code = 128 && has "^error tool-missing" && has "^cause .*qemu-system-x86_64" &&
	has "^hint install" && no_leftovers
'

test_expect_success 'an image that does not exist' '
	test_expect_code 128 boot candidate=/nonexistent && has "^error io" && no_leftovers
'

test_expect_success 'a base that is no kernel' '
	echo nonsense >nonsense &&
	test_expect_code 128 boot timeout=10 base="$PWD/nonsense" && has "^error"
'

test_expect_success 'a candidate that is no kernel is refused by kexec' '
	test_expect_code 128 boot candidate="$PWD/nonsense" && has "^error tool-failed" &&
	has "^cause .*kexec"
'

mkdir -p tiny
if mount -t tmpfs -o size=400k tmpfs tiny 2>/dev/null; then
	test_expect_success 'the cache is full' '
		(KILN_HOME=$PWD/tiny && export KILN_HOME &&
		 test_expect_code 128 boot && has "^error disk-full")
	'
	umount tiny
fi

test_expect_success 'QEMU killed is nobody else'"'"'s fault' '
	rm -f console.log
	"$KILN_BUILD/tests/boot-driver" "$KILN_BUILD/kiln-agent" "$PWD/console.log" \
		"$KILN_TEST_IMAGE" candidate-id=x append=kiln.fault=hang >out 2>progress &
	driver=$!
	wait_lines console.log 1 "Starting new" &&
	kill -9 $(ps -o pid= --ppid $driver) &&
	test_expect_code 128 wait $driver && has "^error tool-failed" &&
	has "^cause the machine is gone" && no_leftovers
'

test_expect_success 'the machine dies with kiln, and the next boot cleans up' '
	rm -f console.log
	"$KILN_BUILD/tests/boot-driver" "$KILN_BUILD/kiln-agent" "$PWD/console.log" \
		"$KILN_TEST_IMAGE" candidate-id=x append=kiln.fault=hang >/dev/null 2>&1 &
	driver=$!
	wait_lines console.log 1 "Linux version" &&
	qemu=$(ps -o pid= --ppid $driver | tr -d " ") &&
	test -n "$qemu" && kill -9 $driver && ! wait $driver &&
	timeout 20 tail --pid=$qemu -f /dev/null &&
	test -n "$(ls -A "$KILN_HOME/cache/boots")" &&
	boot && no_leftovers
'

test_done
