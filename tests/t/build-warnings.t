#!/bin/bash
test_description='kiln build --base: the warnings that one build has and another has not (a toy kernel)'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/store.sh"
. "$KILN_SOURCE/tests/t/toy.sh"

# listed FILE: file:line of the new warnings of the first build
listed() {
	jq_py "$1" "' '.join('%s:%d' % (w['file'], w['line']) for w in d['warnings'][0]['new'])"
}

warn() {
	printf "static int unused_%s(void)\n{\n\treturn 0;\n}\n" "$1" >>"tree/$2"
}

test_expect_success BWRAP 'a new warning is listed with its place, and the exit code tells' '
	cp -r "$KILN_SOURCE/tests/data/toy-kernel" tree &&
	printf "CONFIG_NET=y\nCONFIG_NET_9P=y\n" >frag &&
	git init -q -b main tree && warn old main.c && commit base && git -C tree tag base &&
	warn new lib.c && line=$(($(wc -l <tree/lib.c) - 3)) && commit warns && git -C tree tag warns &&
	test_expect_code 1 kiln build --tree tree --fragment frag --against base warns >out &&
	grep "1 warning that .* has not:" out &&
	grep "^  lib.c:$line: .unused_new. defined but not used .-Wunused-function.$" out
'

test_expect_success BWRAP 'one that moved is not new, though the object of another was not compiled' '
	sed -i "1i /* moved */" tree/lib.c && commit moved && git -C tree tag moved &&
	build --against warns moved >out && grep "has 0 warnings that" out &&
	log=$(build --json moved | sed -n "s/^ *\"log\": \"\(.*\)\",*/\1/p") && ! grep "CC  *main" "$log"
'

test_expect_success BWRAP 'one in an object that was not compiled this time is not lost' '
	echo "/* more */" >>tree/main.c && commit more &&
	test_expect_code 1 kiln build --tree tree --fragment frag --json --against base HEAD >out.json &&
	test "$(listed out.json)" = "lib.c:$((line + 1))" &&
	build --against warns HEAD >out && grep "has 0 warnings" out
'

test_expect_success BWRAP 'a second of the same kind in one file is new, one that went is not' '
	warn other lib.c && commit other && git -C tree tag other &&
	test_expect_code 1 kiln build --tree tree --fragment frag --json --against warns other >out.json &&
	test "$(listed out.json | wc -w)" = 1 && build --against other base >/dev/null
'

test_expect_success BWRAP 'the warnings of a file that is gone go with it' '
	git -C tree reset -q --hard base && sed -i "s/^objs := .*/& \$(O)\/gone.o/" tree/Makefile &&
	: >tree/gone.c && warn gone gone.c && commit "with gone.c" && git -C tree tag gone &&
	test_expect_code 1 kiln build --tree tree --fragment frag --against base gone >out && grep "gone.c:1" out &&
	git -C tree rm -q gone.c && git -C tree checkout -q base -- Makefile && echo "/* other */" >>tree/lib.c && commit without && git -C tree tag without &&
	build --json without >/dev/null && ! grep gone "$(worktree)/warnings"
'

test_expect_success BWRAP 'what nobody kept cannot be told: 125, not 0' '
	git -C tree reset -q --hard base && echo "/* a */" >>tree/lib.c && commit a &&
	printf "kiln-warnings 1\ncut off" >"$(worktree)/warnings" &&
	test_expect_code 125 kiln build --tree tree --fragment frag --against base HEAD >out &&
	grep "not all could be told: objects were compiled before warnings were kept" out &&
	echo "/* b */" >>tree/lib.c && commit b &&
	build --against HEAD~1 HEAD >out && grep "has 0 warnings" out &&
	rm "$cache"/builds/*/warnings &&
	test_expect_code 125 kiln build --tree tree --fragment frag --against base HEAD >out &&
	grep "the base was built before warnings were kept" out
'

test_expect_success BWRAP 'a base that does not build is an error, as is one that is not there' '
	echo "#error planted" >>tree/lib.c && commit bad && git -C tree tag bad &&
	test_expect_code 125 kiln build --tree tree --fragment frag --against bad base 2>err && grep "nothing to compare" err &&
	test_expect_code 128 kiln build --tree tree --fragment frag --against none base
'

test_done
