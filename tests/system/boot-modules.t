#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A kernel that has hardly anything built in: the port, the shares and KVM are modules. It is Debian's,
# as it is, so no kernel is built here.
test_description='modules come along, are loaded in order with their parameters, and are proven'
. "$(dirname "$0")/lib.sh"

package=/usr/src/linux-image-amd64.deb
if [ ! -e "$package" ]; then
	echo "this test needs $package: run scripts/packages check" >&2
	exit 1
fi

# boot ARGS...: result lines in "out", exit status that of the error
boot() {
	"$KILN_BUILD/tests/boot-driver" "$KILN_BUILD/kiln-agent" "$PWD/console.log" "$PWD/kernel" \
		base-id="$id" candidate-id="$id" guest-id="$id" modules="$PWD/modules" module-ids="$ids" \
		timeout=120 "$@" >out 2>progress
}

has() {
	grep -aE "$1" out >/dev/null || { cat out; tail -5 console.log; return 1; }
}

# tamper NAME WHAT: folder "planted" is the modules, with one that is not of the build
tamper() {
	rm -rf planted && cp -rl modules planted &&
	python3 - "planted/$1.ko" "$2" <<-\EOF
	import os, struct, sys
	path, what = sys.argv[1:]
	b = bytearray(open(path, "rb").read())
	# the signature goes: this kernel only notes that it is missing
	end = b"~Module signature appended~\n"
	assert b.endswith(end)
	size = struct.unpack(">I", b[-len(end) - 4:-len(end)])[0]
	del b[-len(end) - 12 - size:]
	if what == "id":
	    at = b.index(struct.pack("<III", 4, 20, 3) + b"GNU\0") + 16
	    b[at:at + 20] = bytes(20)
	else:
	    at = b.index(b"SMP", b.index(b"\0vermagic="))
	    b[at:at + 3] = b"XMP"
	os.unlink(path)  # a link to the real one
	open(path, "wb").write(b)
	EOF
}

test_expect_success 'the kernel and its modules' '
	mkdir unpacked modules &&
	dpkg-deb --fsys-tarfile "$package" |
		tar -x -C unpacked --wildcards "./boot/vmlinuz-*" "./lib/modules/*.ko" &&
	mv unpacked/boot/vmlinuz-* kernel &&
	find unpacked -name "*.ko" -exec mv -t modules {} + &&
	ids=$(for m in kvm kvm-amd kvm-intel; do
		readelf -n modules/$m.ko | sed -n "s/^ *Build ID: /${m/-/_}=/p"
	done | paste -s -d " ") &&
	echo "# $ids" >&2 &&
	grep -E "^kvm=[0-9a-f]{40} kvm_amd=[0-9a-f]{40} kvm_intel=[0-9a-f]{40}$" <<<"$ids"
'

# What its build-id is only the kernel says: it is packed.
test_expect_success 'its port is modules too, and it says which kernel it is' '
	boot direct=yes candidate-id=00 && has "^status wrong-kernel" &&
	id=$(sed -n "s/^build_id \([0-9a-f]\{40\}\)$/\1/p" out) && test -n "$id"
'

test_expect_success 'base, jump, candidate, L1: KVM is unloaded on the way, and loaded with its parameters' '
	cat >look <<-\EOF &&
	#!/bin/sh
	read -r npt </sys/module/kvm_amd/parameters/npt
	echo "npt $npt"
	while read -r name rest; do echo "module $name"; done </proc/modules
	EOF
	chmod +x look &&
	boot base-append=kvm_amd.npt=1 append=kvm-amd.npt=0 -- look 0 "" "$PWD/look" \
		-- l1 1 kvm_amd.npt=0 "$PWD/look" &&
	has "^status ok" && has "^proven 1" && has "^path kexec" &&
	has "^line look npt (0|N)$" && has "^line look module kvm_amd$" && has "^line look module 9p$" &&
	! grep "^line look module kvm_intel" out &&
	has "^task l1 ended 1 status 0 proven 1" && has "^line l1 npt (0|N)$" && ! grep "^line l1 module 9p" out &&
	test "$(grep -ac "Linux version" console.log)" = 2 &&
	grep -ao "Nested Paging [a-z]*" console.log >paging &&
	printf "Nested Paging %s\n" enabled disabled >want && test_cmp want paging
'

test_expect_success 'a KVM module of another build is not proven' '
	tamper kvm-amd id &&
	boot direct=yes candidate-modules="$PWD/planted" && has "^status wrong-kernel" && has "^proven 0" &&
	has "^reason the KVM module kvm_amd=0{40} is loaded instead of [0-9a-f]{40}$"
'

test_expect_success 'a module that its kernel does not take is named' '
	tamper kvm-amd version &&
	boot direct=yes candidate-modules="$PWD/planted" && has "^status wrong-kernel" &&
	has "^reason its module .kvm_amd. is refused: Exec format error: kvm_amd: version magic"
'

test_expect_success 'also where there is no port to say so' '
	tamper virtio_console version &&
	boot direct=yes candidate-modules="$PWD/planted" && has "^status wrong-kernel" &&
	has "^reason its module .virtio_console. is refused: Exec format error"
'

test_expect_success 'a value that a module does not know is the error of who gave it' '
	test_expect_code 129 boot direct=yes append=kvm_amd.npt=banana && has "^error usage" &&
	has "^cause module .kvm_amd. does not take its parameters: .*banana"
'

test_expect_success 'a module whose needs are missing never gets that far' '
	rm -rf planted && cp -rl modules planted && rm planted/irqbypass.ko &&
	test_expect_code 128 boot direct=yes candidate-modules="$PWD/planted" && has "^error not-found" &&
	has "^cause module .kvm. needs .irqbypass., which is not in"
'

test_done
