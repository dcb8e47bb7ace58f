#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The fault matrix: a kernel that falls ill on request, an agent and a channel that go away, a flooded
# console, bad images, a base that may not jump. Each ends with its own status, in a real QEMU.
test_description='sick kernels, each called by its name'
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/sick.sh"

# boot ARGS...: result lines in "out", exit status that of the error
boot() {
	"$KILN_BUILD/tests/boot-driver" "$KILN_BUILD/kiln-agent" "$PWD/console.log" \
		"$base_image" base-id="$base_id" candidate="$sick_image" \
		candidate-id="$sick_id" guest-id="$base_id" timeout=60 "$@" >out 2>progress
}

# work ARGS...: the same with a task
work() {
	boot "$@" -- work 0 "" "$KILN_BUILD/guest-payload" cpuid windows=1 count=10
}

has() {
	grep -aE "$1" out >/dev/null || { cat out; tail -5 console.log; return 1; }
}

test_expect_success 'a base and a kernel that falls ill' '
	kiln build --tree "$tree" --json HEAD >base.json &&
	base_image=$(json base.json "d[\"builds\"][0][\"image\"]") &&
	base_id=$(json base.json "d[\"builds\"][0][\"build_id\"]") &&
	sick_kernel
'

test_expect_success 'not asked to, it is well: loaded, entered and proven' '
	work && has "^status ok" && has "^proven 1" && has "^load -c" && has "^title -" &&
	grep " attempt" console.log.times
'

test_expect_success 'panic early' '
	boot append=kvm_amd.kiln_sick=panic && has "^status panic" &&
	has "^reason Kernel panic - not syncing: kiln: asked to" &&
	has "^title Kernel panic - not syncing: kiln: asked to"
'

test_expect_success 'panic late' '
	work append=kiln.sick=panic && has "^status panic" && has "^task work ended 0"
'

test_expect_success 'triple fault early, late' '
	boot append=kvm_amd.kiln_sick=triple && has "^status silent-reset" &&
	work append=kiln.sick=triple && has "^status silent-reset"
'

test_expect_success 'hang with interrupts off: the watchdog bites, and the kernel says where it is' '
	work append="kiln.sick=hang kiln.watchdog=1" && has "^status hang" &&
	has "^reason the watchdog bit: Kernel panic - not syncing: NMI"
'

test_expect_success 'hang before there is a console driver: died early, powered off' '
	boot timeout=5 append=kvm_amd.kiln_sick=hang && has "^status died-early" &&
	has "^reason .*answers to nothing" && has "^reason .*last line: .*kiln_sick=hang|command line"
'

test_expect_success 'oops while running' '
	work append="kiln.sick=oops sysctl.kernel.panic_on_oops=0" && has "^status kernel-bug" &&
	has "^title BUG: kernel NULL pointer dereference" && has "^proven 0"
'

test_expect_success 'oops that panics keeps the title of its cause' '
	work append=kiln.sick=bug && has "^status panic" &&
	has "^title kernel BUG at arch/x86/kvm/svm/nested.c"
'

test_expect_success 'warning while running' '
	work append=kiln.sick=warn && has "^status kernel-warning" &&
	has "^title WARNING at arch/x86/kvm/svm/nested.c" && has "^proven 0"
'

test_expect_success 'a stall that no counter counts' '
	work append=kiln.sick=stall && has "^status kernel-bug" &&
	has "^title INFO: task blocked"
'

test_expect_success 'hardware that reports an error is the environment, whatever comes of it' '
	test_expect_code 128 work append="kiln.sick=mce kiln.fault=crash" && has "^error hardware-error"
'

test_expect_success 'agent killed' '
	work append=kiln.fault=exit && has "^status panic" && has "^reason .*Attempted to kill init"
'

test_expect_success 'virtio-serial cut: the agent says so and ends, no kernel is blamed' '
	test_expect_code 128 work append=kiln.fault=cut && has "^error agent-protocol" &&
	has "^cause .*port to the host is gone"
'

test_expect_success 'console flooded and interleaved: nothing is believed, all is kept' '
	work append=kiln.fault=flood && has "^status ok" && has "^proven 1" &&
	test $(grep -ac "not syncing: no" console.log) -gt 19000
'

test_expect_success 'disk full in the machine' '
	work append=kiln.fault=full && has "^status ok" && has "^task work ended 1 status 0 proven 1"
'

test_expect_success 'disk full here: the console cannot be kept' '
	ln -sf /dev/full full.log &&
	test_expect_code 128 "$KILN_BUILD/tests/boot-driver" "$KILN_BUILD/kiln-agent" \
		"$PWD/full.log" "$base_image" candidate-id="$base_id" timeout=30 >out 2>progress &&
	has "^error disk-full"
'

test_expect_success 'kexec disabled by sysctl' '
	test_expect_code 128 boot base-append=sysctl.kernel.kexec_load_disabled=1 &&
	has "^error target-policy" && has "^cause .*kexec_load_disabled"
'

test_expect_success 'wrong kernel loaded' '
	boot candidate="$base_image" && has "^status wrong-kernel" &&
	has "^reason build-id $base_id runs instead of $sick_id"
'

test_expect_success 'a KVM module nobody built is a wrong kernel too' '
	boot module-ids=kvm=00 && has "^status wrong-kernel" && has "^reason the KVM module kvm is not loaded"
'

test_expect_success 'command line too long' '
	test_expect_code 128 boot append="$(printf "%2000d" 0 | tr " " x)" && has "^error too-big"
'

test_expect_success 'initramfs corrupted: no user space' '
	cp "$KILN_BUILD/kiln-agent" bad-agent && truncate -s 1000 bad-agent &&
	"$KILN_BUILD/tests/boot-driver" "$PWD/bad-agent" "$PWD/console.log" "$base_image" \
		candidate-id="$base_id" direct=yes timeout=30 >out 2>progress &&
	has "^status panic" && has "^proven 0"
'

test_expect_success 'the image is cut short: nothing comes after the jump' '
	head -c 100000 "$sick_image" >short.image &&
	boot timeout=6 candidate="$PWD/short.image" && has "^status jump-failed" &&
	has "^reason .*after the jump"
'

test_done
