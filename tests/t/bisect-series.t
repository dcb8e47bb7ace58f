#!/bin/bash
test_description='kiln bisect on a series, and on a range limited to paths (a toy kernel)'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/store.sh"
. "$KILN_SOURCE/tests/t/toy.sh"

bisect() {
	kiln bisect --tree tree --fragment frag "$@"
}

fast='! git --git-dir="$KILN_TREE" grep -q SLOW "$KILN_COMMIT" -- lib.c'

test_expect_success BWRAP 'a series of five patches as mails, the fourth of them slow' '
	cp -r "$KILN_SOURCE/tests/data/toy-kernel" tree &&
	printf "CONFIG_NET=y\nCONFIG_NET_9P=y\n" >frag &&
	git init -q -b main tree && commit base && git -C tree tag start &&
	for n in 1 2 3 "4 SLOW" 5; do
		echo "/* $n */" >>tree/lib.c && commit "lib: write $n" || return 1
	done &&
	git -C tree format-patch -q --cover-letter -v2 --stdout start |
		sed "s/\*\*\* SUBJECT HERE \*\*\*/lib: numbers/" >series.mbox &&
	git -C tree tag end &&
	git -C tree reset -q --hard start
'

test_expect_success BWRAP 'the patch is named' '
	bisect --test "$fast" --json series.mbox >out.json 2>err &&
	test "$(jq_py out.json "d[\"verdict\"]")" = found &&
	test "$(jq_py out.json "d[\"culprit\"][\"subject\"]")" = "lib: write 4 SLOW"
'

test_expect_success BWRAP 'applied as kiln apply does it: to a commit of choice' '
	git -C tree commit -q --allow-empty -m later &&
	bisect --test "$fast" --json --onto start series.mbox >onto.json 2>err &&
	kiln apply --tree tree --onto start --json series.mbox >apply.json &&
	jq_py apply.json "d[\"commits\"][3][\"oid\"]" >want &&
	jq_py onto.json "d[\"culprit\"][\"commit\"]" >actual &&
	test_cmp want actual
'

test_expect_success BWRAP 'a series that does not apply is refused before anything is built' '
	sed "s/^ \(.*write 1.*\)/ no \1/; s/^ \/\* 1 \*\//  nothing/" series.mbox >bad.mbox &&
	test_expect_code 1 "$KILN" bisect --tree tree --fragment frag --test "$fast" bad.mbox >out 2>err &&
	grep "does not apply\|cannot apply" err
'

test_expect_success BWRAP 'a range limited to a path holds its commits only' '
	git -C tree reset -q --hard end &&
	mkdir -p tree/doc && echo a >tree/doc/a && commit "doc: a" &&
	echo b >>tree/doc/a && commit "doc: b" && git -C tree tag limit &&
	bisect --test "! git --git-dir=\"\$KILN_TREE\" cat-file -e \"\$KILN_COMMIT:doc/a\"" --json \
		start limit -- doc/ >limit.json 2>err &&
	test "$(jq_py limit.json "d[\"culprit\"][\"subject\"]")" = "doc: a" &&
	grep "^plan  2 commits" err
'

# C119
test_expect_success BWRAP 'a culprit that touches only documentation is said to be implausible' '
	mkdir -p tree/Documentation && echo x >tree/Documentation/x &&
	git -C tree tag before && commit "Documentation: add x" && git -C tree tag after &&
	bisect --test "! git --git-dir=\"\$KILN_TREE\" cat-file -e \"\$KILN_COMMIT:Documentation/x\"" --json \
		before after >doc.json 2>err &&
	test "$(jq_py doc.json "d[\"verdict\"]")" = found &&
	jq_py doc.json "d[\"implausible\"]" | grep Documentation/x
'

# v3 has the slow line in its second patch, which had none in v2; the third is only reworded.
test_expect_success BWRAP 'from one revision to another: the patch that was exchanged' '
	git -C tree reset -q --hard start && rm -f *.patch &&
	for n in 1 2 3; do
		mkdir -p tree/d$n && echo "/* $n */" >tree/d$n/x.c && echo "/* $n */" >>tree/lib.c &&
		commit "lib: part $n" || return 1
	done &&
	git -C tree format-patch -q -v2 --cover-letter --thread --stdout start |
		sed "s/\*\*\* SUBJECT HERE \*\*\*/lib: parts/" >two.mbox &&
	git -C tree reset -q --hard start &&
	for n in 1 2 3; do
		mkdir -p tree/d$n && echo "/* $n */" >tree/d$n/x.c && echo "/* $n */" >>tree/lib.c &&
		{ test $n != 2 || echo "/* SLOW */" >tree/d2/y.c; } &&
		{ test $n != 3 || echo "/* more */" >tree/d3/z.c; } &&
		commit "lib: part $n" || return 1
	done &&
	git -C tree format-patch -q -v3 --cover-letter --thread --stdout start |
		sed "s/\*\*\* SUBJECT HERE \*\*\*/lib: parts/" >three.mbox &&
	git -C tree reset -q --hard start &&
	cat two.mbox three.mbox >both.mbox &&
	slow="! git --git-dir=\"\$KILN_TREE\" grep -q SLOW \"\$KILN_COMMIT\" -- d2" &&
	bisect --test "$slow" --json both.mbox@v2 both.mbox@v3 >rev.json 2>err &&
	test "$(jq_py rev.json "d[\"verdict\"]")" = found &&
	test "$(jq_py rev.json "d[\"culprit\"][\"subject\"]")" = "v3 2/3 lib: part 2" &&
	grep "^plan  2 commits" err
'

test_expect_success BWRAP 'revisions in the wrong order, or of two sources, are refused' '
	test_expect_code 129 "$KILN" bisect --tree tree both.mbox@v3 both.mbox@v2 2>err &&
	grep "earlier and a later revision" err &&
	test_expect_code 129 "$KILN" bisect --tree tree both.mbox@v2 other.mbox@v3 2>err
'

test_expect_success 'words that are none are refused' '
	test_expect_code 129 "$KILN" bisect --tree tree --prior magic start end 2>err &&
	grep "magic" err &&
	test_expect_code 129 "$KILN" bisect --tree tree 2>err &&
	grep "series" err
'

test_done
