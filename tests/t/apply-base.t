#!/bin/bash
test_description='kiln apply: the base is found, tried, and explained'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/lib-mail.sh"

# commit N TEXT FILE LINE: change a line of a file, at a time of its own.
commit() {
	sed -i "$4s/.*/$2/" "$3" &&
	GIT_COMMITTER_DATE="$((1700000000 + $1 * 1000)) +0000" git commit -qam "$2"
}

# series NAME [OPTIONS]: the newest commit of branch work as a mail in NAME.mbox; leaves main
# checked out, and no branch work.
series() {
	name=$1 && shift &&
	git format-patch -q --stdout -1 "$@" >"../$name.raw" &&
	git checkout -q main && git branch -qD work &&
	sed "s/^\(From: .*\)/\1\nMessage-ID: <$name@example.org>/;t
	     s/^Date: /Date: /" "../$name.raw" >"../$name.mbox"
}

# choice KEY: of base_choice in out.json. base: the commit the series is on.
choice() {
	sed -n "/^  \"base_choice\"/,/^  }/s/^    \"$1\": \"\{0,1\}\([^\",]*\).*/\1/p" "${2-out.json}"
}

base() {
	sed -n 's/^  "base": "\(.*\)",$/\1/p' "${1-out.json}"
}

rev() {
	git -C tree rev-parse "$@"
}

test_expect_success 'a tree of three branches, and series on each' '
	git init -q -b main tree && cd tree &&
	mkdir lib && seq 100 >lib/a && seq 100 >lib/b && seq 100 >lib/c && git add -A &&
	GIT_COMMITTER_DATE="1700000000 +0000" git commit -qm base && git tag v1.0 &&
	for n in 1 2 3; do commit $n main$n lib/a $((n * 10)) || return 1; done &&
	git tag -a -m v1.1 v1.1 && git checkout -q -b work &&
	commit 4 mine lib/a 55 && series mine &&
	for n in 5 6 7; do commit $n later$n lib/a 55 || return 1; done &&
	git checkout -q -b next v1.0 && commit 8 next1 lib/b 50 && commit 9 next2 lib/b 53 &&
	git checkout -q -b work && commit 10 topic lib/b 51 && series topic &&
	cd ..
'

test_expect_success 'by blobs: the newest commit of HEAD whose files are as the patch expects' '
	kiln apply --tree tree --json mine.mbox >out.json 2>err &&
	test "$(base)" = $(rev v1.1^{}) &&
	test "$(choice method)" = blobs &&
	test "$(choice rev)" = HEAD~3 &&
	test "$(choice commit)" = $(rev v1.1^{}) &&
	test "$(choice applies)" = true &&
	grep "^base: HEAD~3 ($(rev --short=12 HEAD~3)): its file is as the patches expect" err
'

test_expect_success 'the same commit as git log --find-object says has the blob' '
	blob=$(sed -n "s/^index \([0-9a-f]*\)\.\..*/\1/p" mine.mbox) &&
	test $(git -C tree log --format=%H --find-object=$blob main -- lib/a | tail -n 1) = $(rev main~3)
'

test_expect_success 'by blobs on another branch' '
	kiln apply --tree tree --json topic.mbox >out.json 2>err &&
	test "$(base)" = $(rev next) &&
	test "$(choice rev)" = next
'

test_expect_success '--branches leaves out what it does not match' '
	test_expect_code 1 "$KILN" apply --tree tree --json --branches "main,v1.*" topic.mbox >out.json 2>err &&
	test "$(choice method)" = none &&
	kiln apply --tree tree --json --branches "ne*" topic.mbox >out.json 2>err &&
	test "$(choice rev)" = next
'

# based FILE TEXT: adds lines at the end of a mail.
based() {
	sed "s|^2\.39\.5$|&\n\n$2|" "$1"
}

test_expect_success 'base-commit: taken when it is there, and the reason says so' '
	based mine.mbox "base-commit: $(rev main~3)" >x.mbox &&
	kiln apply --tree tree --json x.mbox >out.json 2>err &&
	test "$(choice method)" = base-commit &&
	test "$(base)" = $(rev main~3) &&
	grep "^base: $(rev main~3) .*: the series. base-commit$" err
'

test_expect_success 'B4: a base-commit that is a tag' '
	based mine.mbox "base-commit: v1.1" >x.mbox &&
	kiln apply --tree tree --json x.mbox >out.json 2>err &&
	test "$(choice method)" = base-commit &&
	test "$(choice rev)" = v1.1 &&
	test "$(base)" = $(rev v1.1^{})
'

test_expect_success 'B4: prerequisite-base-commit counts, and prose with a hash' '
	based mine.mbox "prerequisite-base-commit: $(rev v1.1^{})" >x.mbox &&
	kiln apply --tree tree --json x.mbox >out.json 2>err &&
	test "$(choice method)" = base-commit &&
	sed "s/^---$/&\nThis is based on commit $(rev v1.1^{})./" mine.mbox >x.mbox &&
	kiln apply --tree tree --json x.mbox >out.json 2>err &&
	test "$(choice method)" = hint &&
	test "$(base)" = $(rev v1.1^{})
'

test_expect_success 'D/1: a base-commit no branch leads to is said to be so' '
	lost=$(git -C tree commit-tree -p v1.1^{} -m lost v1.1^{tree}) &&
	based mine.mbox "base-commit: $lost" >x.mbox &&
	kiln apply --tree tree --json x.mbox >out.json 2>err &&
	test "$(base)" = $lost &&
	grep "^note: .*no branch or tag leads to it" err
'

test_expect_success 'D/12: a base-commit that is not there: said, and where it may come from' '
	git -C tree remote add upstream git://example.org/pub/scm/lib/lib.git &&
	based mine.mbox "base-commit: 1234567890123456789012345678901234567890" >x.mbox &&
	git -C tree update-ref refs/remotes/upstream/main v1.0 &&
	kiln apply --tree tree --json x.mbox >out.json 2>err &&
	test "$(choice method)" = blobs &&
	grep "^note: .*1234567890123456789012345678901234567890. is not in the repository; .git fetch upstream. may bring it" err
'

test_expect_success 'a base-commit the series does not apply to is not believed' '
	based topic.mbox "base-commit: v1.0" >x.mbox &&
	kiln apply --tree tree --json x.mbox >out.json 2>err &&
	test "$(choice rev)" = next &&
	grep "^note: the series does not apply to its base-commit v1.0" err
'

test_expect_success 'subject: [PATCH net-next] is a remote and its default branch' '
	git -C tree remote add net-next git://example.org/pub/scm/net/net-next.git &&
	git -C tree update-ref refs/remotes/net-next/main v1.1^{} &&
	git -C tree update-ref refs/remotes/net-next/zzz main &&
	sed "s/\[PATCH\]/[PATCH net-next]/" mine.mbox >x.mbox &&
	kiln apply --tree tree --json x.mbox >out.json 2>err &&
	test "$(choice method)" = subject &&
	test "$(choice rev)" = net-next/main &&
	grep "net-next. in the mails names net-next/main" err
'

test_expect_success 'C019, C5/155: versions in the subject, compared number by number' '
	for v in 5.4 5.10 6.1 6.6; do git -C tree update-ref refs/remotes/stable/linux-$v.y v1.1^{} || return 1; done &&
	for x in 5.10/5.10 "6.6.y/6.6" "5.10-6.1/6.1" "5.4-5.10/5.10" "5.4.y/5.4"; do
		sed "s/\[PATCH\]/[PATCH ${x%/*}]/" mine.mbox >x.mbox &&
		kiln apply --tree tree --json x.mbox >out.json 2>err &&
		echo "$x $(choice rev)" &&
		test "$(choice rev)" = stable/linux-${x#*/}.y || return 1
	done
'

test_expect_success 'a branch in the subject that does not take the series is not forced on it' '
	sed "s/\[PATCH\]/[PATCH 6.6.y]/" topic.mbox >x.mbox &&
	kiln apply --tree tree --json x.mbox >out.json 2>err &&
	test "$(choice rev)" = next &&
	grep "^note: .6.6.y. in the mails names stable/linux-6.6.y, but the series does not apply" err
'

test_expect_success 'MAINTAINERS: the tree of the files is preferred among equals' '
	git clone -q --bare tree m.git && git clone -q m.git m && (cd m &&
	git remote add lib ssh://git@example.org/lib/lib.git &&
	printf "LIBRARY\nM:\tA U Thor <a@example.org>\nT:\tgit git://example.org/pub/scm/lib/lib.git queue\nF:\tlib/\n\nTHE REST\nT:\tgit git://example.org/all.git\nF:\t*\nF:\t*/\n" >MAINTAINERS &&
	git add MAINTAINERS && git commit -qm maintainers &&
	git update-ref refs/remotes/lib/queue v1.1^{} && git update-ref refs/remotes/lib/other v1.1^{}) &&
	kiln apply --tree m --json mine.mbox >out.json 2>err &&
	test "$(choice method)" = maintainers &&
	test "$(choice rev)" = lib/queue &&
	grep "tree of LIBRARY in MAINTAINERS" err
'

test_expect_success 'newest: without index lines, the newest commit that takes it' '
	sed "/^index /d" mine.mbox >x.mbox &&
	kiln apply --tree tree --json --branches main x.mbox >out.json 2>err &&
	test "$(choice method)" = newest &&
	test "$(choice rev)" = main~3
'

test_expect_success 'C085: drift elsewhere in the file: applied where HEAD is, the offset reported' '
	sed "s/^index .*/index 1234567..89abcde 100644/" mine.mbox >x.mbox &&
	git clone -q tree drift && git -C drift checkout -q v1.1 && sed -i 1izero drift/lib/a && git -C drift commit -qam drift &&
	kiln apply --tree drift --json x.mbox >out.json 2>err &&
	test "$(choice method) $(choice rev)" = "newest HEAD" &&
	grep "\"method\": \"offset\"" out.json
'

test_expect_success 'none: said, and tried on HEAD' '
	sed "s/^-5[0-9]$/-x/;s/^ 5[0-9]$/ y/" mine.mbox >bad.mbox &&
	test_expect_code 1 "$KILN" apply --tree tree --json bad.mbox >out.json 2>err &&
	test "$(choice method)" = none &&
	test "$(base)" = $(rev HEAD) &&
	grep "^base: HEAD .*none of the [0-9]* commits tried takes the whole series" err
'

test_expect_success 'the search leaves no objects and no refs behind' '
	git -C tree count-objects -v >before && git -C tree for-each-ref >>before &&
	test_expect_code 1 "$KILN" apply --tree tree --branches "main,v1.*" topic.mbox >out 2>err &&
	git -C tree count-objects -v >after && git -C tree for-each-ref >>after &&
	test_cmp before after
'

test_expect_success 'rewritten history: the index knows the new branch, and forgets nothing wrong' '
	git clone -q --no-local tree rewritten && (cd rewritten &&
	git checkout -q -B main v1.1 && kiln apply --json ../mine.mbox >../out.json &&
	git checkout -q -B main v1.0 && commit 20 other lib/a 12 && commit 21 main1 lib/a 10 && commit 22 x lib/b 1 &&
	git checkout -q -b work && commit 23 again lib/a 15 && series again &&
	commit 24 gone lib/a 15) &&
	kiln apply --tree rewritten --json again.mbox >out.json 2>err &&
	test "$(choice rev)" = HEAD~1 &&
	kiln apply --tree rewritten --json mine.mbox >out.json 2>err &&
	test "$(base)" = $(rev v1.1^{})
'

test_expect_success 'a shallow clone: what cannot be searched is said, and found once it is there' '
	git clone -q --no-tags --single-branch -b main --depth 2 "file://$PWD/tree" shallow &&
	test_might_fail "$KILN" apply --tree shallow --json mine.mbox >out.json 2>err &&
	grep "^note: .*ends after 2 commits (shallow or partial clone)" err &&
	git -C shallow fetch -q --unshallow &&
	kiln apply --tree shallow --json mine.mbox >out.json 2>err &&
	test "$(base)" = $(rev v1.1^{}) &&
	! grep shallow err
'

test_expect_success 'new commits are read into the index, old ones stay' '
	git clone -q tree grow && (cd grow && kiln apply --json ../mine.mbox >../out.json &&
	git checkout -q -b work && commit 30 fresh lib/c 70 && series fresh &&
	commit 31 n1 lib/b 10 && commit 32 n2 lib/c 71) &&
	kiln apply --tree grow --json fresh.mbox >out.json 2>err &&
	test "$(choice rev)" = HEAD~1 &&
	kiln apply --tree grow --json mine.mbox >out.json 2>err &&
	test "$(choice rev)" = HEAD~5
'

test_expect_success 'a damaged index is made anew' '
	for db in kiln-home/cache/history/*.db; do echo junk >"$db" && rm -f "$db"-*; done &&
	kiln apply --tree tree --json mine.mbox >out.json 2>err &&
	test "$(base)" = $(rev v1.1^{})
'

test_expect_success 'several at once on a cold index' '
	rm -rf kiln-home/cache/history &&
	for i in 1 2 3 4; do "$KILN" apply --tree tree --json mine.mbox >out.$i 2>err.$i & pids="$pids $!"; done &&
	for pid in $pids; do wait $pid || return 1; done &&
	for i in 1 2 3 4; do test "$(base out.$i)" = $(rev v1.1^{}) || return 1; done
'

test_expect_success 'a bare repository, and one without HEAD' '
	git clone -q --bare tree bare.git && git -C bare.git symbolic-ref HEAD refs/heads/none &&
	kiln apply --tree bare.git --json mine.mbox >out.json 2>err &&
	test "$(base)" = $(rev v1.1^{})
'

# A series on main that needs another one, which the archive has.
test_expect_success 'D/3: prerequisites are fetched, applied first and kept' '
	(cd tree && git checkout -q -b work main && commit 40 before lib/c 20 && series before &&
	 git checkout -q -b work main && commit 41 before lib/c 20 && commit 42 after lib/c 21 && series after) &&
	fault_server before.mbox &&
	based after.mbox "base-commit: $(rev main)\nprerequisite-message-id: <before@example.org>" >x.mbox &&
	kiln apply --tree tree --archive "$FAULTS/ok" --json x.mbox >out.json 2>err &&
	test "$(choice method) $(choice commit)" = "base-commit $(rev main)" &&
	grep "^needs: message-id before@example.org .before.: applied" err &&
	grep "\"state\": \"applied\"" out.json &&
	ref=$(git -C tree for-each-ref --format="%(refname)" "refs/kiln/after*-base" "refs/kiln/after*/") && echo "$ref" &&
	test "$(base)" = $(rev refs/kiln/after-example.org/v1-base) &&
	test $(rev refs/kiln/after-example.org/v1~2) = $(rev main) &&
	test "$(git -C tree log --format=%s -2 refs/kiln/after-example.org/v1)" = "after
before"
'

test_expect_success 'C5/150: a prerequisite that is upstream already is skipped' '
	(cd tree && git checkout -q -b landed main && git am -q ../before.raw && git checkout -q main) &&
	based after.mbox "base-commit: landed\nprerequisite-message-id: <before@example.org>" >x.mbox &&
	kiln apply --tree tree --archive "$FAULTS/ok" --json x.mbox >out.json 2>err &&
	test "$(base)" = $(rev landed) &&
	grep "^needs: .*: present" err
'

test_expect_success 'a prerequisite known by patch-id alone, upstream: named with its commit' '
	id=$(git patch-id --stable <before.raw | cut -d" " -f1) &&
	based after.mbox "base-commit: landed\nprerequisite-patch-id: $id" >x.mbox &&
	kiln apply --tree tree --archive "$FAULTS/unknown" --json x.mbox >out.json 2>err &&
	grep "^needs: patch-id $id: upstream" err &&
	grep "\"commit\": \"$(rev landed)\"" out.json
'

test_expect_success 'a prerequisite nobody has: said, and a base is found that needs none' '
	based after.mbox "base-commit: $(rev main)\nprerequisite-message-id: <before@example.org>" >x.mbox &&
	kiln apply --tree tree --archive "$FAULTS/unknown" --json x.mbox >out.json 2>err &&
	test "$(choice method) $(choice rev)" = "blobs landed" &&
	grep "^note: the series does not apply to its base-commit" err &&
	grep "^note: prerequisite message-id before@example.org: " err &&
	grep "^needs: .*: unresolved" err
'

test_done
