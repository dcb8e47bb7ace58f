#!/bin/bash
test_description='kiln apply --3way: the commits of git am -3, or its refusal with names'
. "$(dirname "$0")/lib.sh"

# commit MESSAGE: all of repo's files
commit() {
	git -C repo add -A && git -C repo commit -q -m "$1"
}

# series BASE: the commits since BASE as series.mbox
series() {
	git -C repo format-patch -q --stdout ${2:---full-index} "$1" >series.mbox
}

# onto BRANCH: git am -3 on it: $want is its head, or empty when it refuses
onto() {
	rm -rf wt && git clone -q repo wt && git -C wt checkout -q "$1" && want= &&
	if git -C wt am -q -3 --committer-date-is-author-date ../series.mbox >am.log 2>&1; then
		want=$(git -C wt rev-parse HEAD)
	fi
}

# ours BRANCH [OPTION...]: what kiln makes of it, as a document in out.json
ours() {
	local branch=$1

	shift
	kiln apply --tree repo --onto "$branch" --3way --json "$@" series.mbox >out.json 2>err
}

field() {
	python3 -c 'import json, sys; d = json.load(open("out.json")); print(eval(sys.argv[1]))' "$1"
}

# agree BRANCH: both apply, with the same commit
agree() {
	onto "$1" && test -n "$want" && ours "$1" && test "$(field 'd["head"]')" = "$want"
}

# disagree BRANCH CODE: both refuse, kiln with this code
disagree() {
	onto "$1" && test -z "$want" && test_expect_code 1 ours "$1" &&
	test "$(field 'd["failed"]["code"]')" = "$2"
}

test_expect_success 'a base, a series of two on it, and branches that drifted' '
	git init -q -b main repo &&
	seq 1 40 >repo/file && seq 101 140 >repo/other && mkdir repo/dir &&
	seq 201 240 >repo/dir/third &&
	commit base && git -C repo tag base &&
	sed -i "s/^20$/twenty/" repo/file && commit one &&
	sed -i "s/^120$/hundred/" repo/other && commit two &&
	git -C repo tag topic && series base &&
	git -C repo checkout -q -b near base && sed -i "s/^17$/seventeen/" repo/file && commit near &&
	git -C repo checkout -q -b clash base && sed -i "s/^20$/zwanzig/" repo/file && commit clash &&
	git -C repo checkout -q -b moved base && git -C repo mv file dir/file &&
	sed -i "s/^1$/eins/" repo/dir/file && commit moved &&
	git -C repo checkout -q -b gone base && git -C repo rm -q file && commit gone &&
	git -C repo checkout -q -b has base && sed -i "s/^20$/twenty/; s/^30$/thirty/" repo/file && commit has
'

test_expect_success 'C080 context drifted: merged, the commit is that of git am -3' '
	agree near &&
	test "$(field "[c[\"method\"] for c in d[\"commits\"]]")" = "['\''3way'\'', '\''exact'\'']"
'

test_expect_success 'without --3way it is refused, and am.threeWay turns it on' '
	test_expect_code 1 "$KILN" apply --tree repo --onto near series.mbox &&
	git -C repo config am.threeWay true &&
	kiln apply --tree repo --onto near series.mbox >out &&
	git -C repo config --unset am.threeWay &&
	grep "  3way    one" out
'

test_expect_success 'C083 a file that was renamed: the change goes to its new name' '
	agree moved &&
	git -C repo show "$want:dir/file" | grep twenty
'

test_expect_success 'a file that is gone: modify/delete, and git refuses, too' '
	disagree gone merge-conflict &&
	test "$(field "d[\"failed\"][\"conflicts\"]")" = "[{'\''path'\'': '\''file'\'', '\''kind'\'': '\''modify/delete'\''}]"
'

test_expect_success 'a conflict is named, and nothing is written' '
	git -C repo count-objects -v | grep -v "^size" >before &&
	disagree clash merge-conflict &&
	grep "file. (content)" err &&
	git -C repo count-objects -v | grep -v "^size" >after &&
	test_cmp before after
'

test_expect_success 'C5/138 a patch that is there already is left out, as git am -3 does' '
	agree has &&
	test "$(field "[s[\"subject\"] for s in d[\"skipped\"]]")" = "['\''one'\'']" &&
	kiln apply --tree repo --onto has --3way series.mbox >out &&
	grep "there   one" out
'

test_expect_success 'C5/138 all of it is there: the head is the base' '
	agree topic &&
	test "$(field "d[\"head\"]")" = "$(git -C repo rev-parse topic)"
'

test_expect_success 'C5/139 C081 blobs that are missing are named with their files' '
	git init -q lone && git -C repo show near:file >lone/file &&
	git -C repo show near:other >lone/other &&
	git -C lone add -A && git -C lone commit -q -m lone &&
	blob=$(git -C repo rev-parse base:file) &&
	test_expect_code 1 "$KILN" apply --tree lone --3way --json series.mbox >out.json 2>err &&
	test "$(field "d[\"failed\"][\"code\"]")" = missing-blob &&
	grep "lacks the blob.*file. ($blob)" err &&
	! git -C lone am -q -3 ../series.mbox &&
	git -C lone am --abort
'

test_expect_success 'no index lines: nothing to merge from, both refuse' '
	sed -i "/^index /d" series.mbox && disagree near missing-blob && grep "no index line" err
'

test_expect_success 'C5/149 a file made and renamed earlier in the series' '
	git -C repo checkout -q -b young base && seq 301 340 >repo/young && commit young &&
	git -C repo mv young dir/young && sed -i "s/^320$/x/" repo/dir/young && commit rename &&
	sed -i "s/^10$/ten/" repo/file && sed -i "s/^330$/y/" repo/dir/young && commit both &&
	series base --abbrev=7 && git -C repo checkout -q base &&
	git -C repo checkout -q -b old base && sed -i "s/^8$/eight/" repo/file && commit old &&
	agree old
'

test_expect_success 'blobs that only an earlier patch of the series made' '
	git clone -q --bare --single-branch -b old repo small.git &&
	kiln apply --tree small.git --onto old --3way --json series.mbox >out.json &&
	test "$(field "d[\"head\"]")" = "$want" &&
	git -C small.git fsck --strict
'

test_expect_success 'both sides add a file: the same is fine, another is a conflict' '
	git -C repo checkout -q -b adds base && seq 1 9 >repo/added &&
	sed -i "s/^5$/five/" repo/file && commit adds && series base &&
	git -C repo checkout -q -b adds-too base && seq 1 9 >repo/added && commit too &&
	agree adds-too &&
	git -C repo checkout -q -b adds-other base && echo x >repo/added && commit other &&
	disagree adds-other merge-conflict
'

test_expect_success 'a binary file that both changed is a conflict' '
	git -C repo checkout -q -b bin base && printf "\0a" >repo/bin && commit bin &&
	git -C repo tag bin-base && printf "\0b" >repo/bin && commit theirs && series bin-base --binary &&
	git -C repo checkout -q -b bin-ours bin-base && printf "\0c" >repo/bin && commit ours &&
	disagree bin-ours merge-conflict && grep "bin. (binary)" err
'

test_expect_success 'C5/128 --3way with -p0' '
	git -C repo checkout -q topic &&
	git -C repo format-patch -q --stdout --no-prefix base >series.mbox &&
	rm -rf wt && git clone -q repo wt && git -C wt checkout -q near &&
	git -C wt am -q -3 -p0 --committer-date-is-author-date ../series.mbox &&
	test_expect_code 1 ours near && grep "^hint: .*--strip 0" err &&
	ours near --strip 0 &&
	test "$(field "d[\"head\"]")" = "$(git -C wt rev-parse HEAD)"
'

test_expect_success 'a directory where the patch has a file' '
	git -C repo checkout -q -b file-dir base && git -C repo rm -q file && mkdir repo/file &&
	echo x >repo/file/x && commit dir && git -C repo checkout -q topic && series base &&
	disagree file-dir merge-conflict
'

test_done
