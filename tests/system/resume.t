#!/bin/bash
test_description='kill -9 at every journal record and in the middle of each stage, then resume'
. "$(dirname "$0")/lib.sh"

# One boot a commit is enough here: what counts is that none is lost and none counts twice.
triage() {
	kiln triage --tree "$tree" --cell npt/npt --boots 1 --machines 1 "$url/$(example_id v1)/"
}

# What a run amounts to, without what differs from boot to boot.
state_of() {
	kiln show --json "$1" >show &&
	json show "sorted([s[\"commit\"], s[\"cell\"][\"l0\"], s[\"cell\"][\"l1\"], s[\"ordinal\"], \
		s[\"proven\"]] for s in d[\"samples\"])" &&
	json show "sorted([b[\"commit\"], b[\"status\"]] for b in d[\"boots\"])" &&
	json show "d[\"run\"][\"exit_code\"]"
}

test_expect_success 'a run that nothing disturbs; one boot a side is undecided' '
	archive_start &&
	test_expect_code 125 triage >out 2>err &&
	state_of last >expect
'

# KILN_KILL_AT=2 dies before a step is recorded as done: its work is lost. =3 dies before the next
# step begins. In turn they take the run through a death at every record it writes.
test_expect_success 'killed at every record in turn, the same end state' '
	test_expect_code 137 env KILN_KILL_AT=1 "$KILN" triage --tree "$tree" --cell npt/npt \
		--boots 1 --machines 1 "$url/$(example_id v1)/" >out 2>err &&
	deaths=1 code=137 &&
	while test $code = 137
	do
		code=0
		KILN_KILL_AT=$((2 + deaths % 2)) "$KILN" resume last >out 2>err || code=$?
		deaths=$((deaths + 1))
		test $deaths -lt 60 || break
	done &&
	test $code = 125 &&
	test $deaths -ge 14 &&
	state_of last >actual &&
	test_cmp expect actual
'

# $1: pattern that a process of the stage has on its command line
kill_during() {
	"$KILN" triage --tree "$tree" --cell npt/npt --boots 1 --machines 1 "${@:2}" \
		"$url/$(example_id v1)/" >out 2>err &
	pid=$!
	until pgrep -f "$1" >/dev/null
	do
		kill -0 $pid || return 1
	done
	kill -9 $pid
	! wait $pid
}

test_expect_success 'killed while a machine runs: the machine is gone, resume goes on' '
	kill_during "qemu-system.*$KILN_TEST_HOME" &&
	for qemu in $(pgrep -f "qemu-system.*$KILN_TEST_HOME")
	do
		timeout 60 tail --pid=$qemu -f /dev/null || exit 1
	done &&
	test_expect_code 125 "$KILN" resume last >out 2>err &&
	state_of last >actual &&
	test_cmp expect actual
'

test_expect_success 'with every run done there is nothing to resume; a done one shows again' '
	test_expect_code 128 "$KILN" resume 2>err &&
	grep "every run is done" err &&
	test_expect_code 125 "$KILN" resume last >again 2>err &&
	test_cmp out again &&
	archive_stop
'

test_done
