#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Guests of guests on a machine that is reached by ssh, with the QEMU that kiln brings along; and a run
# that is continued while its machine still works for it. The machine counts instructions, so that its
# own clock runs evenly; for kiln that is a clock like any other.
test_description='guests, and what goes on without kiln, on a target reached by ssh'
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-ssh.sh"

# The user's own command: says where it runs, and ends when the test wants it.
scripts=$(mktemp -d "${TMPDIR:-/tmp}/kiln-ssh.XXXXXX")
cleanup 'rm -rf "$scripts"'

set_target() {
	git config --global "target.lab.$1" "$2"
}

jumps() {
	grep -c 'Starting new kernel' serial.log
}

test_expect_success 'a kernel, and a machine that keeps files' '
	kiln build --tree "$tree" --json HEAD >base.json &&
	image=$(json base.json "d[\"builds\"][0][\"image\"]") &&
	root_make "$PWD" &&
	lab_start "$PWD" "$image" "$LAB_VIRTUAL_CLOCK" -icount shift=1 -virtfs "$(lab_disk "$PWD")" &&
	set_target console "nc -U \"$PWD/serial\""
'

test_expect_success 'check says that guests can run there' '
	kiln target check lab >out && grep -E "^ok +kvm +svm and /dev/kvm" out
'

test_expect_success 'L2 is measured there by the QEMU of this machine, copied once' '
	kiln bench --verbose --json --tree "$tree" --target lab --cell npt/npt --boots 2 \
		--bench cpuid_rate:windows=2,warmup=1,count=200 HEAD >out 2>said &&
	kiln show --json >shown &&
	json shown "\" \".join(sorted(\"%s:%d\" % (b[\"status\"], b[\"proven\"]) for b in d[\"boots\"]))" >boots &&
	echo "ok:1 ok:1" >want && test_cmp want boots &&
	cat >samples.py <<-\EOF &&
	import json
	d = json.load(open("out"))
	assert len(d["samples"]) == 4, d
	for s in d["samples"]:
	    assert s["proven"] and s["value"] > 0 and s["guest"] and s["qemu"], s
	    assert s["clock"] == "host" and s["cell"]["l0"] == s["cell"]["l1"] == "npt", s
	assert len({s["qemu"] for s in d["samples"]}) == 1
	EOF
	python3 samples.py && test $(grep -c "QEMU is copied" said) = 1 && test $(jumps) = 2
'

# ran N: it has begun N times
ran() {
	wait_lines serial.log "$1" "kiln-test: runs in"
}

# start_and_kill N: a run whose command begins for the Nth time, and a kiln that dies then
start_and_kill() {
	rm -f lab/go && {
		"$KILN" bench --json --tree "$tree" --target lab --cell npt/npt --boots 1 \
			--bench waits HEAD >/dev/null 2>&1 &
	} && ran "$1" && kill -9 $! && { wait $! || :; }
}

# went_on WHERE: the only boot of the last run is the one that began there
went_on() {
	: >lab/go && kiln resume --json >out 2>said && kiln show --json >shown &&
	id=$(sed -n "s/.*kiln-test: runs in \([-0-9a-f]*\).*/\1/p" serial.log | sed -n "$1p") &&
	test "$(json shown "[b[\"boot_id\"] for b in d[\"boots\"] if b[\"proven\"]]")" = "['$id']" &&
	test "$(json out "[s[\"value\"] for s in d[\"samples\"] if s[\"proven\"]] == [1, 2]")" = true
}

test_expect_success 'a command that waits, on the machine itself' '
	cat >"$scripts/waits" <<-\EOF &&
	#!/bin/sh
	read -r id </proc/sys/kernel/random/boot_id
	echo "waits 1 things"
	echo "kiln-test: runs in $id" >/dev/kmsg
	until test -e /lab/go; do /bin/busybox sleep 1; done
	echo "waits 2 things"
	EOF
	chmod +x "$scripts/waits" &&
	git config --global benchmark.waits.command "$scripts/waits" &&
	git config --global benchmark.waits.unit things &&
	git config --global benchmark.waits.level L0
'

test_expect_success 'kiln dies while the target works: resume takes what was said, in the same boot' '
	before=$(jumps) && start_and_kill 1 && went_on 1 && test $(jumps) = $((before + 1)) &&
	console=$(json shown "d[\"boots\"][0][\"console\"]") && grep " rejoined" "$console.times" &&
	! test -e "$console.boot"
'

test_expect_success 'the target was reset meanwhile: resume boots again' '
	before=$(jumps) && start_and_kill 2 && starts=$(grep -c "Server listening" serial.log) &&
	lab_reset "$PWD" && wait_lines serial.log $((starts + 1)) "Server listening" &&
	went_on 3 && test $(jumps) = $((before + 2))
'

lab_stop
test_done
