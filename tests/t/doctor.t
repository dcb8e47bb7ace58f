#!/bin/bash
test_description='kiln doctor: what is there, what is not, and what to do'
. "$(dirname "$0")/lib.sh"

# line NAME: of the table in out
line() {
	grep "^$1 " out
}

test_expect_success 'every check has a line with a state; what is not ok has a fix' '
	{ kiln doctor >out 2>err || test $? = 125; } &&
	test_must_be_empty err &&
	head -n 1 out | grep "^CHECK .*STATE .*FOUND" &&
	for name in kvm nested sandbox compiler-x86_64 compiler-powerpc64le compiler-arm64 qemu qemu-powerpc64le kexec \
		git make flex bison bc lz4 ccache clang lld ssh disk agent agent-powerpc64le libnotmuch; do
		line $name || return 1
	done &&
	! sed 1d out | grep -vE "^[^ ]+ +ok " | grep -v " -> "
'

test_expect_success 'ok and missing are what is on PATH' '
	mkdir bin && ln -s "$(command -v git)" bin/git &&
	test_expect_code 125 env PATH="$PWD/bin" "$KILN" doctor >out &&
	line git | grep " ok .*git version" &&
	line qemu | grep " missing .*qemu-system-x86_64 is not there.* -> install qemu-system-x86" &&
	line compiler-x86_64 | grep " missing .*gcc is not installed -> install" &&
	line compiler-arm64 | grep " optional .* -> install gcc-aarch64-linux-gnu" &&
	line qemu-powerpc64le | grep " optional .* -> install qemu-system-ppc" &&
	line ccache | grep " optional .* -> install ccache" &&
	line sandbox | grep " optional .*bwrap.* -> install bubblewrap"
'

test_expect_success 'a program that is there and does not run is not there' '
	printf "#!/bin/sh\nexit 1\n" >bin/flex && chmod +x bin/flex &&
	test_expect_code 125 env PATH="$PWD/bin:/usr/bin:/bin" "$KILN" doctor >out &&
	line flex | grep " missing "
'

test_expect_success 'what a program says of itself is made safe and short' '
	printf "#!/bin/sh\nprintf \"\\033[31mred %%0200d\\\\n\" 1\n" >bin/bc && chmod +x bin/bc &&
	PATH="$PWD/bin:$PATH" "$KILN" doctor >out; line bc | grep "red 00" &&
	! grep "$(printf "\\033")" out && test "$(line bc | wc -c)" -lt 150
'

test_expect_success 'a full disk is missing space' '
	cat >small.sh <<-\EOT &&
	mount -t tmpfs -o size=1m none cache && KILN_HOME=$PWD/cache "$KILN" doctor >out
	EOT
	mkdir cache &&
	{ ! unshare -rm true 2>/dev/null || { test_expect_code 125 unshare -rm sh small.sh && line disk | grep " missing .*GiB free.* -> "; }; }
'

test_expect_success 'only problems; as a document' '
	{ kiln doctor --problems >out || test $? = 125; } && ! grep " ok " out &&
	{ kiln doctor --json >doc.json; code=$?; test $code = 0 || test $code = 125; } &&
	python3 - doc.json $code <<-\EOT
	import json, sys
	d = json.load(open(sys.argv[1]))
	assert d["ready"] == (sys.argv[2] == "0"), d
	assert d["ready"] == all(c["state"] != "missing" for c in d["checks"])
	for c in d["checks"]:
	    assert c["state"] in ("ok", "optional", "missing") and c["found"]
	    assert (c["fix"] is None) == (c["state"] == "ok"), c
	EOT
'

test_expect_success 'arguments are refused' '
	test_expect_code 129 "$KILN" doctor me 2>err
'

test_done
