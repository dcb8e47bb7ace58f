#!/bin/bash
test_description='kiln queue builds what applies (a toy kernel)'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/store.sh"
. "$KILN_SOURCE/tests/t/toy.sh"

# queue_of NAME: the commits start..NAME as a quilt folder
queue_of() {
	mkdir -p "$1" && git -C tree format-patch -q -o "$PWD/$1" start.."$1" >/dev/null &&
	(cd "$1" && ls -- *.patch >series)
}

queue() {
	kiln queue --tree tree --fragment frag --onto start --only S23 "$@"
}

# findings FILE CHECK: severity and patch of what the check found
findings() {
	jq_py "$1" "'\n'.join(['%s %s' % (f['severity'], p['file']) for p in d['patches'] for f in p['findings']
		if f['check'] == '$2'] + ['%s -' % f['severity'] for f in d['findings'] if f['check'] == '$2'])"
}

status() { jq_py "$1" 'd["status"] + " " + " ".join(d["checked"])'; }
unchecked() { jq_py "$1" '" ".join(sorted({u["check"] for u in d["unchecked"]}))'; }
nothing() { jq_py "$1" 'not d["builds"] and d["bisect"] is None'; }

test_expect_success BWRAP 'three queues: sound, broken and mended again, broken in the middle' '
	cp -r "$KILN_SOURCE/tests/data/toy-kernel" tree &&
	printf "CONFIG_NET=y\nCONFIG_NET_9P=y\n" >frag &&
	git init -q -b main tree && commit base && git -C tree tag start &&
	for n in 1 2 3; do echo "/* $n */" >>tree/lib.c && commit "sound $n" || return 1; done &&
	git -C tree tag sound && git -C tree reset -q --hard start &&
	echo "/* 1 */" >>tree/lib.c && commit "first" &&
	echo "#error planted" >>tree/main.c && commit "broken" && git -C tree tag broken &&
	sed -i "/#error/d" tree/main.c && commit "mended" && git -C tree tag mended &&
	git -C tree reset -q --hard broken && echo "/* 3 */" >>tree/lib.c && commit "last" && git -C tree tag middle &&
	git -C tree reset -q --hard start &&
	queue_of sound && queue_of mended && queue_of middle
'

test_expect_success BWRAP 'a sound queue: the tip builds, and that only the tip did is said' '
	queue --json sound >out.json &&
	test "$(status out.json)" = "ok S23" &&
	findings out.json S23 >got && echo "info -" >want && test_cmp want got &&
	queue --each --json sound >out.json &&
	findings out.json S23 >got && test_cmp want got && grep "of 2 steps before the tip 0 were built whole.* the 2 objects" out.json
'

test_expect_success BWRAP 'a step that does not build is found with --each, whatever comes behind' '
	queue mended >out && ! grep ERR out &&
	test_expect_code 1 "$KILN" queue --tree tree --fragment frag --onto start --only S23 --each --json mended >out.json &&
	findings out.json S23 >got && printf "error 0002-broken.patch\ninfo -\n" >want && test_cmp want got
'

test_expect_success BWRAP 'a step is asked about once, by whichever run' '
	queue --each -v sound >out 2>talk && ! grep "CC  *lib" "$(worktree)/log" && grep "the 2 objects" out
'

test_expect_success BWRAP 'a header: what includes it is compiled; a Makefile: all is' '
	git -C tree reset -q --hard start && echo "/* apart */" >>tree/lib.c && commit "apart" && git -C tree tag apart &&
	echo "/* h */" >tree/lib.h && sed -i "1i #include \"lib.h\"" tree/main.c && commit "header" &&
	echo "#error of the header" >>tree/lib.h && commit "header breaks" &&
	sed -i "/#error/d" tree/lib.h && commit "header mended" &&
	echo "# nothing" >>tree/Makefile && commit "makefile" &&
	echo "/* text */" >>tree/lib.c && commit "end" &&
	git -C tree format-patch -q -o "$PWD/headers" apart.. >/dev/null && (cd headers && ls -- *.patch >series) &&
	test_expect_code 1 "$KILN" queue --tree tree --fragment frag --onto apart --only S23 --each --json headers >out.json &&
	findings out.json S23 >got && printf "error 0002-header-breaks.patch\ninfo -\n" >want && test_cmp want got &&
	grep "lib.h:2:2: error: #error of the header" out.json && grep "of 4 steps before the tip 3 were built whole.* the 1 objects" out.json
'

test_expect_success BWRAP 'new warnings: of the patch that brings them, and never those of the tree' '
	git -C tree reset -q --hard start &&
	printf "static int old(void)\n{\n\treturn 0;\n}\n" >>tree/lib.c && commit "old" && git -C tree tag old &&
	echo "/* 1 */" >>tree/main.c && commit "first" &&
	sed -i "1i /* moved */" tree/lib.c && printf "static int new(void)\n{\n\treturn 0;\n}\n" >>tree/lib.c && commit "warns" &&
	echo "/* 2 */" >>tree/main.c && commit "last" && git -C tree tag warns &&
	git -C tree format-patch -q -o "$PWD/warns" old..warns >/dev/null && (cd warns && ls -- *.patch >series) &&
	kiln queue --tree tree --fragment frag --onto old --only S24 --json warns >out.json &&
	findings out.json S24 >got && echo "warning 0002-warns.patch" >want && test_cmp want got &&
	grep "did not before: lib.c:[0-9]*: .new. defined but not used" out.json && test "$(status out.json)" = "warnings S24"
'

test_expect_success BWRAP 'a tip that does not build: the patch is found, and what cannot be told is said' '
	test_expect_code 1 "$KILN" queue --tree tree --fragment frag --onto start --only S23,S25,S26 --json middle >out.json &&
	findings out.json S23 >got && printf "error 0002-broken.patch\ninfo -\n" >want && test_cmp want got &&
	test "$(jq_py out.json "d[\"bisect\"][\"culprit\"][\"subject\"]")" = broken &&
	test "$(unchecked out.json)" = "S25 S26"
'

test_expect_success BWRAP 'a reply to a queue that does not build holds no Tested-by' '
	test_expect_code 1 "$KILN" queue --tree tree --fragment frag --onto start --only S23 --reply middle >out &&
	grep "from this patch on the kernel does not build: .*planted" out && ! grep Tested-by out
'

test_expect_success BWRAP 'a tree that does not build says nothing of its queue: 125, not 1' '
	test_expect_code 125 "$KILN" queue --tree tree --fragment frag --onto broken --only S23,S25,S26 sound >out &&
	grep "not checked: S23 .*the tree without the queue" out
'

test_expect_success BWRAP '--static builds nothing' '
	queue --static --json middle >out.json &&
	test "$(nothing out.json)" = True
'

test_done
