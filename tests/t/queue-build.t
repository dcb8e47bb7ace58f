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
	queue --each --json sound >out.json && test -z "$(findings out.json S23)"
'

test_expect_success BWRAP 'a step that does not build is found with --each, whatever comes behind' '
	queue mended >out && ! grep ERR out &&
	test_expect_code 1 "$KILN" queue --tree tree --fragment frag --onto start --only S23 --each --json mended >out.json &&
	findings out.json S23 >got && echo "error 0002-broken.patch" >want && test_cmp want got
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
