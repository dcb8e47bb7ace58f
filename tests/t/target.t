#!/bin/bash
test_description='kiln target: sections, what they refuse'
. "$(dirname "$0")/lib.sh"

# refused PATTERN SETTING...: what a target "lab" with these settings is told
refused() {
	local pattern=$1 args=()
	shift
	for setting; do
		args+=(-c "target.lab.$setting")
	done
	kiln "${args[@]}" target list >out && grep -- "^lab *- *error: .*$pattern" out ||
		{ cat out; return 1; }
}

test_expect_success 'qemu is there without a section' '
	kiln target list >out &&
	grep "^qemu *qemu *accelerator auto, 1024 MiB, 1 processors" out
'

test_expect_success 'a target is added, listed and removed' '
	kiln target add lab kind=ssh host=root@lab "console=nc lab 4001" 2>err &&
	grep "kiln target check lab" err &&
	git config --global target.lab.console >out && grep "^nc lab 4001$" out &&
	kiln target list >out && grep "^lab *ssh *root@lab, console" out &&
	kiln target list --json >out && grep "\"kind\": \"ssh\"" out &&
	kiln target remove lab && kiln target list >out && ! grep lab out
'

test_expect_success 'adding one twice, or without a word, is refused' '
	kiln target add twice kind=local 2>/dev/null &&
	test_expect_code 129 "$KILN" target add twice kind=local 2>err &&
	grep "already" err && grep "^hint: " err &&
	test_expect_code 129 "$KILN" target add third 2>err && grep "KEY=VALUE" err &&
	test_expect_code 129 "$KILN" target add third kind 2>err && grep "KEY=VALUE" err
'

test_expect_success 'a section that would not do is not written' '
	test_expect_code 128 "$KILN" target add bad kind=ssh 2>err &&
	grep "no host" err && grep "^hint: .*target.bad.host" err &&
	! git config --global target.bad.kind
'

test_expect_success 'removing what is not there' '
	test_expect_code 129 "$KILN" target remove nowhere 2>err && grep "nowhere" err
'

test_expect_success 'every bad value names its key' '
	refused "target .lab. has no kind" host=a &&
	refused "target.lab.kind is not qemu, ssh or local" kind=moon &&
	refused "target.lab.host is not one word" kind=ssh "host=-oProxyCommand=x" &&
	refused "target.lab.host is not one word" kind=ssh "host=a b" &&
	refused "target.lab.port" kind=ssh host=a port=0 &&
	refused "target.lab.port" kind=ssh host=a port=65536 &&
	refused "target.lab.port" kind=ssh host=a port=many &&
	refused "target.lab.dir is not an absolute path" kind=ssh host=a dir=tmp &&
	refused "target.lab.dir is not an absolute path" kind=ssh host=a "dir=/a;b" &&
	refused "target.lab.initrd is not an absolute path" kind=ssh host=a initrd=x &&
	refused "target.lab.watchdog" kind=ssh host=a watchdog=1s &&
	refused "target.lab.watchdog" kind=ssh host=a watchdog=soon &&
	refused "target.lab.return" kind=ssh host=a return=1s &&
	refused "target.lab.accel is not auto, kvm or tcg" kind=qemu accel=hvf &&
	refused "target.lab.memory" kind=qemu memory=1 &&
	refused "target.lab.smp" kind=qemu smp=0 &&
	refused "target.lab.cpu is not one word" kind=qemu "cpu=a b" &&
	refused "target.lab.allowReboot" kind=local allowReboot=perhaps
'

test_expect_success 'a key of another kind, or with a typo, is refused' '
	refused "target.lab.power means nothing on a target of kind qemu" kind=qemu power=x &&
	refused "target.lab.cpu means nothing on a target of kind ssh" kind=ssh host=a cpu=x &&
	refused "target.lab.hots is not a key" kind=ssh hots=a
'

test_expect_success 'a verb that is none' '
	test_expect_code 129 "$KILN" target fly 2>err && grep "^hint: " err &&
	test_expect_code 129 "$KILN" target add 2>err && grep "too few" err
'

test_done
