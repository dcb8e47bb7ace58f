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
	refused "target.lab.sysrq means nothing on a target of kind qemu" kind=qemu sysrq=x &&
	refused "target.lab.cpu means nothing on a target of kind ssh" kind=ssh host=a cpu=x &&
	refused "target.lab.hots is not a key" kind=ssh hots=a
'

test_expect_success 'a verb that is none' '
	test_expect_code 129 "$KILN" target fly 2>err && grep "^hint: " err &&
	test_expect_code 129 "$KILN" target add 2>err && grep "too few" err
'

# A real server on loopback, as whoever runs this test.
sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd)
server_start() {
	port=$(python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])') &&
	mkdir -p /run/sshd 2>/dev/null
	rm -f sshd.log
	"$sshd" -D -e -f /dev/null -h "$PWD/$1" -p "$port" -o ListenAddress=127.0.0.1 \
		-o UsePAM=no -o StrictModes=no -o "AuthorizedKeysFile=\"$PWD/key.pub\"" \
		-o PidFile=none -o PermitRootLogin=yes 2>sshd.log &
	server=$!
	wait_lines sshd.log 1 "Server listening" &&
	git config --global --replace-all target.near.port "$port"
}

server_stop() {
	kill $server && { wait $server || :; }
}

test_expect_success 'a server on loopback' '
	ssh-keygen -q -t ed25519 -N "" -f key && ssh-keygen -q -t ed25519 -N "" -f host1 &&
	ssh-keygen -q -t ed25519 -N "" -f host2 &&
	kiln target add near kind=ssh host="$(id -un)@127.0.0.1" dir="/tmp/kiln-near" \
		"sshOption=IdentityFile=\"$PWD/key\"" 2>err &&
	git config --global --add target.near.sshOption IdentitiesOnly=yes &&
	server_start host1
'

# Whatever processor this is: it has no guests, or its guests would have none.
test_expect_success 'guests that cannot run there are refused before anything is built' '
	git init -q tree && git -C tree commit -q --allow-empty -m none &&
	git config --global target.near.cmdline "quiet kvm_amd.nested=0 kvm_intel.nested=N" &&
	test_expect_code 128 "$KILN" bench --tree tree --target near HEAD 2>err &&
	grep -E "^error: (no guest can run on|guests of) target .near" err &&
	grep "^hint: " err && kiln show last >shown && ! grep build: shown &&
	git config --global --unset target.near.cmdline
'

test_expect_success 'check says what it finds, and changes nothing' '
	{ kiln target check near >out; code=$?; test $code = 0 || test $code = 1; } &&
	grep "^ok *reach" out && grep -E "^[a-z]+ +arch" out && grep -E "^[a-z]+ +(kexec|kexec-tools) " out &&
	! test -e /tmp/kiln-near &&
	{ kiln target check near --json >out; grep "\"findings\"" out; }
'

test_expect_success 'its host key is kept apart, and a changed one is refused' '
	test -s "$KILN_HOME/state/targets/near.known_hosts" &&
	server_stop && server_start host2 &&
	test_expect_code 1 "$KILN" target check near >out &&
	grep "^error *reach .*Host key verification failed" out &&
	grep "fix: .*remove .*near.known_hosts" out && server_stop
'

test_expect_success 'a wrong key is refused, with what to do' '
	rm "$KILN_HOME/state/targets/near.known_hosts" && server_start host2 &&
	cp key.pub keep && cp host1.pub key.pub &&
	test_expect_code 1 "$KILN" target check near >out &&
	grep "^error *reach .*Permission denied" out && grep "fix: .*authorized_keys" out &&
	cp keep key.pub && server_stop
'

test_expect_success 'nobody there' '
	test_expect_code 1 "$KILN" target check near >out &&
	grep "^error *reach .*refused" out
'

test_expect_success 'power is the command of the section' '
	test_expect_code 128 "$KILN" target power near reset 2>err && grep "^hint: .*power" err &&
	test_expect_code 129 "$KILN" target power near explode 2>err && grep explode err &&
	git config --global target.near.power "printf %s\\\\n >power.out" &&
	kiln target power near reset && grep "^reset$" power.out &&
	git config --global target.near.power "sh -c \"echo no such outlet >&2; exit 3\"" &&
	test_expect_code 128 "$KILN" target power near off 2>err && grep "no such outlet" err
'

test_expect_success 'console is the command of the section' '
	test_expect_code 128 "$KILN" target console near 2>err && grep "no console" err &&
	git config --global target.near.console "printf \"one\\\\033[2J\\\\ntwo\\\\n\"" &&
	kiln target console near >out && grep "^two$" out && ! grep "$(printf "\033")" out
'

test_expect_success 'this machine is rebooted by nobody without consent' '
	kiln target add here kind=local 2>/dev/null &&
	test_expect_code 1 "$KILN" target check here >out && grep "^error *consent" out &&
	git config --global target.here.allowReboot true &&
	test_expect_code 1 "$KILN" target check here >out && ! grep consent out
'

test_done
