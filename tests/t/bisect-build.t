#!/bin/bash
test_description='kiln bisect on a toy kernel: what broke the build, or a test'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/store.sh"
. "$KILN_SOURCE/tests/t/toy.sh"

bisect() {
	kiln bisect --tree tree --fragment frag "$@"
}

# The test of this history: does a file say that it is slow?
fast='! git --git-dir="$KILN_TREE" grep -q SLOW "$KILN_COMMIT" -- lib.c'

# What a bisection found. Which commits it asked depends on what builds cost, which a kill changes;
# that no answer is lost or counted twice does not.
essence() {
	jq_py "$1" '[d["verdict"], d["culprit"], d["confidence"] >= 0.99, d["set"], d["question"],
		d["boots"] == sum(s["stage"] == "boot" for s in d["steps"])]'
}

# edit N [TEXT]: the N-th commit, with a line in lib.c
edit() {
	echo "/* $1 ${2-} */" >>tree/lib.c && commit "commit $1"
}

# side N: the same on a branch, in a file of its own
side() {
	echo "/* $1 */" >>tree/side.c && commit "side $1"
}

# A merge with three commits aside; the second of them does not build, nor do two after it.
test_expect_success BWRAP 'a history with a merge, unbuildable commits, a slow one' '
	cp -r "$KILN_SOURCE/tests/data/toy-kernel" tree &&
	printf "CONFIG_NET=y\nCONFIG_NET_9P=y\n" >frag &&
	git init -q -b main tree && commit base && git -C tree tag start &&
	edit 1 && edit 2 &&
	git -C tree checkout -q -b aside && side 3 && side 4 && side 5 &&
	git -C tree checkout -q main && edit 6 && edit 7 &&
	git -C tree merge -q --no-edit aside &&
	edit 8 && edit 9 SLOW && git -C tree tag slow && edit 10 &&
	echo "#error span" >>tree/main.c && commit broken && git -C tree tag broken &&
	edit 11 && sed -i "/#error/d" tree/main.c && commit mended && git -C tree tag mended &&
	edit 12 && git -C tree tag end
'

test_expect_success BWRAP 'the commit that broke the build is named, in the words of git' '
	bisect --for build start broken >out 2>err &&
	head -n 1 out >line &&
	echo "$(git -C tree rev-parse broken) is the first bad commit" >want &&
	test_cmp want line &&
	grep "0 boots" out && grep "^plan  .* builds" err
'

test_expect_success BWRAP 'the same again costs no build' '
	bisect --for build --json start broken >again.json 2>err &&
	test "$(jq_py again.json "d[\"verdict\"]")" = found &&
	test "$(jq_py again.json "d[\"builds\"]")" = 0
'

test_expect_success BWRAP '--fixed finds what mended it, with words of its own' '
	bisect --for build --fixed broken end >out 2>err &&
	grep "^$(git -C tree rev-parse mended) is the first fixed commit" out
'

test_expect_success BWRAP 'C127: terms of the user are used everywhere' '
	bisect --for build --fixed --term-old=ill --term-new=well broken end >out 2>err &&
	grep "is the first well commit" out && grep "  ill: failed" err &&
	kiln bisect log --git >log.git && grep "^git bisect start .--term-old=ill. .--term-new=well." log.git &&
	grep "^git bisect well $(git -C tree rev-parse mended)" log.git
'

test_expect_success BWRAP 'ends that do not answer as claimed: refused with what they answered' '
	test_expect_code 125 "$KILN" bisect --tree tree --fragment frag --for build start end 2>err &&
	grep "bad end .* was bad 0 times of 1" err &&
	test_expect_code 125 "$KILN" bisect --tree tree --fragment frag --for build broken mended 2>err &&
	grep "good end .* was good 0 times of 1" err && grep "hint: .*--fixed" err
'

test_expect_success BWRAP '--test finds the slow commit behind a merge and a span that does not build' '
	bisect --test "$fast" --json start end >want.json 2>err &&
	test "$(jq_py want.json "d[\"verdict\"]")" = found &&
	test "$(jq_py want.json "d[\"culprit\"][\"commit\"]")" = "$(git -C tree rev-parse slow)" &&
	essence want.json >want
'

test_expect_success BWRAP 'D1, C125: the culprit is among commits that do not build: a set' '
	test_expect_code 125 "$KILN" bisect --tree tree --fragment frag --json \
		--test "! git --git-dir=\"\$KILN_TREE\" grep -q \"/[*] 11\" \$KILN_COMMIT" \
		start end >out.json 2>err &&
	test "$(jq_py out.json "d[\"verdict\"]")" = set &&
	git -C tree rev-list mended~2..mended >span && git -C tree rev-parse broken >>span &&
	jq_py out.json "\"\\n\".join(s[\"commit\"] for s in d[\"set\"])" | sort >got &&
	sort span >span.sorted && test_cmp span.sorted got
'

test_expect_success BWRAP 'a log replayed gives the same result, and git reads its form of it' '
	kiln bisect log >log && bisect --test "$fast" --json start end >want.json 2>err &&
	kiln bisect log >log && kiln bisect --replay log --json >got.json &&
	test_cmp want.json got.json &&
	kiln bisect log --git >log.git && git -C tree bisect replay ../log.git >out &&
	git -C tree bisect log | grep "first bad commit: \[$(git -C tree rev-parse slow)\]" &&
	git -C tree bisect reset
'

test_expect_success BWRAP 'kill -9 at journal records (KILN_TEST_STRIDE=1: at every one), then resume: the same end' '
	for n in $(seq 1 "${KILN_TEST_STRIDE:-7}" 60); do
		(
			KILN_HOME=$PWD/kill-$n && export KILN_HOME && mkdir -p "$KILN_HOME" &&
			ln -s "$cache" "$KILN_HOME/cache" &&
			KILN_KILL_AT=$n "$KILN" bisect --tree tree --fragment frag --test "$fast" --json start end >got.json 2>err
			code=$?
			echo $code >code
			test $code = 0 && exit 0
			test $code = 137 && kiln resume last >got.json 2>err
		) &&
		essence got.json >got && test_cmp want got || return 1
		test "$(cat code)" != 0 || break
	done &&
	test "$(cat code)" = 0 && test "$n" -gt 14
'

test_expect_success BWRAP 'exit codes of git bisect run: 125 skips, 128 and more are tried again, then untestable' '
	commit_9=$(git -C tree rev-parse slow) &&
	bisect --json --test "echo \$KILN_COMMIT >>asked;
		case \$KILN_COMMIT in $(git -C tree rev-parse slow~1)) exit 137;; esac; $fast" start end >out.json 2>err || : &&
	test "$(jq_py out.json "d[\"verdict\"]")" = set &&
	test "$(grep -c "$(git -C tree rev-parse slow~1)" asked)" = 2 &&
	jq_py out.json "[s[\"reason\"] for s in d[\"steps\"] if s[\"reason\"] and \"137\" in s[\"reason\"]]" >reasons &&
	grep "status 137" reasons &&
	jq_py out.json "\"\\n\".join(s[\"commit\"] for s in d[\"set\"])" >got && grep $commit_9 got
'

test_expect_success BWRAP 'D2: a test that hangs is no answer, unless the user says so' '
	hang="test \$KILN_COMMIT != $(git -C tree rev-parse end) || exec sleep 86396; $fast" &&
	test_expect_code 125 "$KILN" bisect --tree tree --fragment frag --test "$hang" --test-timeout 1s start end 2>err &&
	grep "end .* gives no answer: .*in time" err && grep "hint: --timeout-is bad" err &&
	bisect --test "$hang" --test-timeout 1s --timeout-is bad start end >out 2>err &&
	grep "^$(git -C tree rev-parse slow) is the first bad commit" out
'

test_expect_success BWRAP 'a plan over the budget is refused before anything is built' '
	test_expect_code 125 "$KILN" bisect --tree tree --fragment frag --test "touch ran" --budget 1s start end 2>err &&
	grep "the plan of .* boots and .* builds takes about .*, the budget is 1 s" err &&
	grep "hint: " err && test ! -e ran &&
	test_expect_code 125 "$KILN" bisect --json --tree tree --fragment frag --test true --budget 1s start end >out.json 2>err &&
	grep "\"code\": \"over-budget\"" out.json
'

test_expect_success BWRAP 'data by hand: remembered by the run, reckoned with by resume' '
	test_expect_code 125 "$KILN" bisect --tree tree --fragment frag --max-boots 5 --test "$fast" start end >out 2>err &&
	grep "not decided" out &&
	(cd tree && kiln bisect good last slow~1 20 && kiln bisect bad last slow 20) 2>err &&
	grep "kiln resume" err &&
	kiln resume last >out 2>err &&
	grep "^$(git -C tree rev-parse slow) is the first bad commit" out &&
	kiln bisect log >log && test "$(grep -c hand=yes log)" = 2
'

test_expect_success BWRAP 'data by hand that cannot be is refused' '
	oid=$(git -C tree rev-parse slow) &&
	test_expect_code 129 "$KILN" bisect sample last $oid 18531.5 2>err && grep "yes or no" err &&
	test_expect_code 129 "$KILN" bisect skip last $(git -C tree rev-parse end) 2>err &&
	grep "end cannot be skipped" err &&
	test_expect_code 129 "$KILN" bisect sideways last $oid 2>err && grep "good, bad, skip and sample" err &&
	test_expect_code 129 "$KILN" bisect good last 0123456789 2>err && grep "not among" err &&
	test_expect_code 129 "$KILN" bisect good last $oid 0 2>err && grep "no number of times" err &&
	test_expect_code 128 "$KILN" bisect good 0123456789ab $oid 2>err
'

test_expect_success BWRAP 'a kernel is built ahead while a test runs; --no-speculate builds none' '
	for how in "" --no-speculate; do
		(
			KILN_HOME=$PWD/home$how && export KILN_HOME &&
			bisect $how --json --test "sleep 0.2; $fast" start end >ahead$how.json 2>err
		) || return 1
	done &&
	test "$(jq_py ahead--no-speculate.json "d[\"builds_ahead\"]")" = 0 &&
	if test "$(nproc)" -gt 1; then test "$(jq_py ahead.json "d[\"builds_ahead\"]")" -gt 0; fi &&
	test "$(jq_py ahead.json "d[\"culprit\"]")" = "$(jq_py ahead--no-speculate.json "d[\"culprit\"]")"
'

# mended~1 does not build either: with both skipped, git cannot tell them apart.
test_expect_success BWRAP 'git bisect run kiln build: what does not build is skipped, or bad when said so' '
	run="\"$KILN\" build -q --tree . --fragment ../frag HEAD" &&
	git -C tree bisect start mended~1 start >out &&
	test_expect_code 2 git -C tree bisect run sh -c "$run" >out 2>&1 &&
	grep "only .skip.ped commits left" out &&
	git -C tree bisect reset && git -C tree bisect start mended~1 start >out &&
	git -C tree bisect run sh -c "$run || exit 1" >out 2>&1 &&
	grep "^$(git -C tree rev-parse broken) is the first bad commit" out &&
	git -C tree bisect reset
'

test_done
