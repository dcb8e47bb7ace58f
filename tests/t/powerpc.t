#!/bin/bash
test_description='the second architecture: guessed, asked about, refused, before a kernel is built'
. "$(dirname "$0")/lib.sh"

command -v qemu-system-ppc64 >/dev/null && [ -x "$KILN_BUILD/powerpc64le/kiln-agent" ] &&
	test_set_prereq POWERPC
command -v powerpc64le-linux-gnu-gcc >/dev/null && test_set_prereq CROSS

# patch_of NAME PATH...: a mailbox with one patch that changes these files
patch_of() {
	local name=$1 path
	shift
	git -C tree checkout -q -B "$name" base &&
	for path in "$@"; do
		echo two >>"tree/$path" || return 1
	done &&
	git -C tree commit -q -a -m "$name: write two" &&
	git -C tree format-patch -q --stdout -1 >"$name.mbox" &&
	git -C tree checkout -q base
}

test_expect_success 'a repository that is no kernel, with two architectures' '
	git init -q tree && git -C tree checkout -q -b base &&
	mkdir -p tree/arch/x86/kvm tree/arch/powerpc/kvm tree/arch/arm64/kvm tree/virt &&
	for file in arch/x86/kvm/a.c arch/powerpc/kvm/b.c arch/arm64/kvm/c.c virt/d.c; do
		echo one >tree/$file || return 1
	done &&
	git -C tree add -A && git -C tree commit -q -m base &&
	patch_of power arch/powerpc/kvm/b.c virt/d.c && patch_of x86 arch/x86/kvm/a.c &&
	patch_of both arch/x86/kvm/a.c arch/powerpc/kvm/b.c &&
	patch_of neither arch/arm64/kvm/c.c virt/d.c
'

test_expect_success POWERPC 'what a series touches says what it is built for' '
	test_expect_code 125 "$KILN" triage --tree tree power.mbox >out 2>err &&
	grep "^arch  powerpc64le, as the series touches arch/powerpc/kvm/b.c" err &&
	test_expect_code 125 "$KILN" triage -q --tree tree power.mbox >out 2>err &&
	! grep "^arch" err &&
	test_expect_code 125 "$KILN" bisect --tree tree power.mbox >out 2>err &&
	grep "^arch  powerpc64le" err
'

test_expect_success 'the usual one, and none, are not worth a word' '
	for name in x86 neither; do
		test_expect_code 125 "$KILN" triage --tree tree $name.mbox >out 2>err &&
		! grep "^arch" err || return 1
	done
'

test_expect_success 'a series of both is asked about, unless it is said' '
	for command in triage bisect "build --each"; do
		test_expect_code 129 "$KILN" $command --tree tree both.mbox >out 2>err &&
		grep "the series touches arch/x86/kvm/a.c and arch/powerpc/kvm/b.c" err &&
		grep "^hint: .*--arch x86_64 or --arch powerpc64le" err || return 1
	done &&
	test_expect_code 125 "$KILN" triage --arch x86_64 --tree tree both.mbox >out 2>err &&
	! grep "^arch" err
'

test_expect_success POWERPC 'cells, benchmarks and accelerators of another architecture name what there is' '
	refuse() {
		test_expect_code 129 "$KILN" bench --tree tree "$@" base >out 2>err
	} &&
	refuse --arch powerpc64le --cell npt/npt && grep "powerpc64le has no cell .npt/npt." err &&
	grep "^hint: the only cell of powerpc64le is radix/-: guests nest once" err &&
	refuse --arch powerpc64le --cell radix/radix &&
	refuse --cell radix/- && grep "x86_64 has no cell .radix/-." err &&
	refuse --arch powerpc64le --bench cpuid_rate && grep "^hint: there are hypercall_rate, .*spin_rate" err &&
	refuse --bench dec_rate && grep "not to be had on x86_64" err &&
	refuse --arch powerpc64le --bench spin_rate:level=2 && grep "cannot be L2" err &&
	refuse --arch powerpc64le --accel kvm && grep "always emulated" err
'

test_expect_success 'what is missing is named with its package' '
	mkdir lone bin && cp "$KILN" lone/kiln && cp "$KILN_BUILD/kiln-agent" lone/ &&
	for program in git tar xz env sh; do ln -s "$(command -v $program)" bin/$program || return 1; done &&
	test_expect_code 128 env PATH="$PWD/bin" lone/kiln boot --arch powerpc64le --tree tree base 2>err &&
	grep "program .qemu-system-ppc64. not found" err && grep "^hint: install qemu-system-ppc" err
'

test_expect_success POWERPC 'so are the programs for that machine' '
	test_expect_code 128 lone/kiln boot --arch powerpc64le --tree tree base 2>err &&
	grep "own program .powerpc64le/kiln-agent. not found" err &&
	grep "^hint: install .*libc6-dev-ppc64el-cross" err &&
	{ lone/kiln doctor >out || test $? = 125; } &&
	grep "^agent-powerpc64le .*optional .* -> install .*libc6-dev-ppc64el-cross" out
'

test_expect_success CROSS 'a big-endian kernel is refused' '
	cp -r "$KILN_SOURCE/tests/data/toy-kernel" toy && git init -q toy &&
	printf "config CPU_BIG_ENDIAN\n\tbool\n" >>toy/Kconfig &&
	git -C toy add -A && git -C toy commit -q -m toy &&
	printf "CONFIG_NET=y\nCONFIG_CPU_BIG_ENDIAN=y\n" >big &&
	test_expect_code 125 "$KILN" build --tree toy --arch powerpc64le --fragment big HEAD >out &&
	grep "CPU_BIG_ENDIAN=y: kiln.s powerpc64le is little endian" out
'

test_done
