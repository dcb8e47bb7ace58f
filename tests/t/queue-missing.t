#!/bin/bash
test_description='kiln queue missing: fixes of mainline that a stable tree and its queue lack'
test ! -w /dev/shm || export TMPDIR=/dev/shm # many small files, synced one by one
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/store.sh"

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.org
export GIT_COMMITTER_NAME=C GIT_COMMITTER_EMAIL=c@example.org

now=1700000000
# commit TITLE [BODY...]: what is in the worktree, a minute after the one before.
commit() {
	local title=$1
	shift
	now=$((now + 60))
	git -C repo add -A &&
		GIT_AUTHOR_DATE="$now +0000" GIT_COMMITTER_DATE="$now +0000" \
			git -C repo commit -q --allow-empty -m "$title" ${1:+-m "$(printf '%s\n' "$@")"} &&
		git -C repo rev-parse HEAD >id
}
# line FILE N TEXT
line() {
	sed -i "$2s/.*/$3/" "repo/$1"
}
# fields of the fix with a subject: fix FILE SUBJECT EXPRESSION
fix() {
	jq_py "$1" "[$3 for f in d['missing']['fixes'] if f['subject'] == '$2'][0]"
}
has() {
	jq_py "$1" "len([f for f in d['missing']['fixes'] if f['subject'] == '$2'])"
}

test_expect_success 'a mainline and a tree that left it' '
	git init -q -b master repo &&
	for f in a b c; do seq 1 40 >repo/$f; done &&
	commit "start" &&
	line a 5 bug && commit "a: old bug" && bug=$(cat id) &&
	git -C repo branch linux-6.1.y &&
	line b 5 feature && commit "b: feature" && feature=$(cat id) &&
	line c 20 other && commit "c: change what 6.1 lacks" && lacks=$(cat id) &&
	line a 5 mended && commit "a: mend it" "Fixes: ${bug:0:12} (\"a: old bug\")" \
		"Cc: stable@vger.kernel.org # 5.15+" && mend=$(cat id) &&
	line b 30 later && commit "b: mend the feature" "Fixes: ${feature:0:8} (\"b: feature\")" &&
	bmend=$(cat id) &&
	line c 30 later && commit "c: mend what 6.1 lacks" "Fixes: ${lacks:0:12} (\"c: change\")" &&
	line b 31 more && commit "b: mend the mending" "Fixes: ${bmend:0:12} (\"b: mend the feature\")" &&
	line a 10 need && commit "a: prerequisite" && need=$(cat id) &&
	line a 11 behind && commit "a: mend behind another" "Fixes: $bug (\"a: old bug\")" && behind=$(cat id) &&
	line a 30 queued && commit "a: mend, queued" "Fixes: ${bug:0:10}" && queued=$(cat id) &&
	line a 35 out && commit "a: mend, left out" "Fixes: ${bug:0:10}" && out=$(cat id) &&
	line b 20 new && commit "b: mend, for newer trees" "Fixes: ${feature:0:12}" \
		"Cc: <stable@vger.kernel.org> # v6.10+" &&
	line c 1 wrong && commit "a: mend wrongly" "Fixes: ${bug:0:12}" && wrong=$(cat id) &&
	line c 1 1 && commit "Revert \"a: mend wrongly\"" "This reverts commit $wrong." &&
	commit "a: mend by title" "Fixes: 0123456789ab (\"a: old bug\")" &&
	git -C repo checkout -q linux-6.1.y &&
	line b 5 feature && commit "b: feature" "commit $feature upstream." &&
	git -C repo rev-parse HEAD >backport &&
	git -C repo checkout -q master
'

test_expect_success 'and its queue' '
	mkdir -p stable-queue/queue-6.1 stable-queue/scripts &&
	printf "# comment\n\nqueued.patch -p1\ngone.patch\n" >stable-queue/queue-6.1/series &&
	printf "From: A\nSubject: [PATCH 6.1] x\n\n[ Upstream commit %s ]\n\ndiff --git a/a b/a\n" \
		"${queued:0:12}" >stable-queue/queue-6.1/queued.patch &&
	printf "6.6 %s\n6.10 %s\n6.1 %s\n" "$mend" "$mend" "$out" \
		>stable-queue/scripts/dropped_commits
'

test_expect_success 'lists what is missing, and tells by the exit status' '
	test_expect_code 1 kiln queue --tree repo missing 6.1 --queue stable-queue --json >out &&
	test "$(has out "a: mend it")" = 1 &&
	test "$(fix out "a: mend it" "f[\"why\"]")" = applies &&
	test "$(fix out "a: mend it" "f[\"asked\"]")" = True &&
	test "$(fix out "a: mend it" "f[\"of\"][\"commit\"]")" = "$bug" &&
	test "$(fix out "a: mend it" "f[\"of\"][\"in_tree\"]")" = "$bug"
'

test_expect_success 'a fix of a backport is found by the commit it is the backport of' '
	test "$(fix out "b: mend the feature" "f[\"of\"][\"in_tree\"]")" = "$(cat backport)" &&
	test "$(fix out "b: mend the feature" "f[\"follow_ups\"][0][\"subject\"]")" = "b: mend the mending"
'

test_expect_success 'a fix of what the tree lacks is not missing, nor one that is queued or reverted' '
	test "$(has out "c: mend what 6.1 lacks")" = 0 &&
	test "$(has out "a: mend, queued")" = 0 &&
	test "$(has out "a: mend wrongly")" = 0 &&
	test "$(jq_py out "d[\"missing\"][\"taken_back\"]")" = 1
'

test_expect_success 'a wrong id with the right title counts' '
	test "$(has out "a: mend by title")" = 1
'

test_expect_success 'why not: left out, not asked for, a prerequisite by name' '
	test "$(fix out "a: mend, left out" "f[\"why\"]")" = dropped &&
	test "$(fix out "b: mend, for newer trees" "f[\"why\"]")" = not-asked &&
	test "$(fix out "a: mend behind another" "f[\"why\"]")" = needs &&
	test "$(fix out "a: mend behind another" "f[\"needs\"][0][\"commit\"]")" = "$need" &&
	test "$(fix out "a: mend behind another" "f[\"reason\"]")" != None
'

test_expect_success 'the versions of dropped_commits are compared whole: 6.10 is not 6.1' '
	test "$(fix out "a: mend it" "f[\"why\"]")" = applies
'

test_expect_success 'the same as text' '
	test_expect_code 1 kiln queue --tree repo missing 6.1 --queue stable-queue >text &&
	grep "^${mend:0:12} a: mend it" text &&
	grep "needs ${need:0:12} (\"a: prerequisite\")" text &&
	grep "linux-6.1.y lacks [0-9]* fixes of master, 1 of them asked for" text
'

# failed TITLE COMMIT [DEPENDENCY...]: as the stable maintainers' script writes it.
failed() {
	local title=$1 commit=$2
	shift 2
	printf "From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: G <gregkh@linuxfoundation.org>\nDate: Wed, 1 May 2024 12:00:00 +0200\n"
	printf "Message-ID: <failed-%s@x>\nSubject: FAILED: patch \"[PATCH] %s\" failed to apply to 6.1-stable tree\n\n" "${commit:0:7}" "$title"
	printf "\nThe patch below does not apply to the 6.1-stable tree.\n\ngit checkout FETCH_HEAD\ngit cherry-pick -x %s\n\nPossible dependencies:\n\n" "$commit"
	printf "%s\n" "$@" "" "thanks," "" "greg k-h" "" "------------------ original commit in Linus's tree ------------------" ""
	printf "%s is no dependency\n\n" "$mend"
}

test_expect_success 'mails that say what failed to apply: why not, and what it may need' '
	failed "a: mend behind another" "$behind" >mails &&
	failed "b: mend the feature" "$bmend" "$(echo "$need" | cut -c1-12) (\"a: prerequisite\")" "$bug (\"a: old bug\")" "0123456789ab (\"unknown\")" >>mails &&
	failed "a: mend it" "$mend" | sed "s/6.1-stable/6.10-stable/" >>mails &&
	test_expect_code 1 kiln queue --tree repo missing 6.1 --queue stable-queue --failed mails --no-apply --json >out &&
	test "$(fix out "b: mend the feature" "f[\"why\"]")" = no-apply &&
	test "$(fix out "b: mend the feature" "f[\"failed_mail\"]")" = "failed-${bmend:0:7}@x" &&
	test "$(fix out "b: mend the feature" "[n[\"commit\"] for n in f[\"needs\"]]")" = "['\''$need'\'']" &&
	test "$(fix out "a: mend it" "(f[\"why\"], f[\"failed_mail\"])")" = "('\''not-tried'\'', None)" &&
	test_expect_code 1 kiln queue --tree repo missing 6.1 --queue stable-queue --failed mails >text &&
	grep "^    <failed-${bmend:0:7}@x> says that it failed to apply" text && grep "^    applies to the tree" text &&
	test_expect_code 128 kiln queue --tree repo missing 6.1 --failed nowhere
'

test_expect_success '--asked leaves only what Cc: stable asks for' '
	test_expect_code 1 kiln queue --tree repo missing 6.1 --queue stable-queue --asked --json >asked &&
	test "$(jq_py asked "len(d[\"missing\"][\"fixes\"])")" = 1
'

test_expect_success 'without a queue that is said' '
	test_expect_code 1 kiln queue --tree repo missing 6.1 >text &&
	grep "note: no queue of 6.1 was found" text &&
	grep "a: mend, queued" text
'

test_expect_success 'once reverted in the tree, a fix was left out on purpose' '
	git -C repo checkout -q linux-6.1.y &&
	line a 5 mended && commit "a: mend it" "[ Upstream commit $mend ]" && copy=$(cat id) &&
	kiln queue --tree repo missing 6.1 --queue stable-queue --asked >text &&
	! grep "a: mend it" text &&
	line a 5 bug && commit "Revert \"a: mend it\"" \
		"This reverts commit $copy which is commit $mend upstream." && revert=$(cat id) &&
	git -C repo checkout -q master &&
	kiln queue --tree repo missing 6.1 --queue stable-queue --asked >text &&
	grep "left out: the tree had it and reverted it in ${revert:0:12}" text
'

test_expect_success 'mainline in a repository of its own' '
	git clone -q --bare repo mainline.git &&
	git -C mainline.git update-ref -d refs/heads/linux-6.1.y &&
	git init -q -b x tree &&
	git -C tree fetch -q ../repo linux-6.1.y:linux-6.1.y &&
	test_expect_code 1 kiln queue --tree repo missing 6.1 --queue stable-queue --json >one &&
	test_expect_code 1 kiln queue --tree tree missing 6.1 --queue stable-queue \
		--mainline mainline.git --json >two &&
	jq_py one "d[\"missing\"][\"fixes\"]" >a && jq_py two "d[\"missing\"][\"fixes\"]" >b &&
	test_cmp a b
'

test_expect_success 'a shallow mainline: what cannot be checked is said' '
	git clone -q --depth 12 --no-single-branch "file://$PWD/repo" shallow &&
	git -C shallow branch linux-6.1.y origin/linux-6.1.y &&
	kiln queue --tree shallow missing 6.1 --queue stable-queue >text ||
		test $? = 1 &&
	grep "note: the history of .* is cut off before 2023-11-1" text
'

test_expect_success 'a branch that is not there names those that are' '
	git -C repo branch linux-5.10.y master && git -C repo branch linux-5.4.y master &&
	test_expect_code 128 kiln queue --tree repo missing 9.9 2>err &&
	grep "no branch linux-9.9.y: linux-5.4.y, linux-5.10.y, linux-6.1.y" err
'

test_expect_success 'a version that is none, a mainline that is none' '
	test_expect_code 129 kiln queue --tree repo missing x 2>err &&
	test_expect_code 128 kiln queue --tree repo missing 6.1 --mainline nobody 2>err &&
	grep "name mainline with --mainline" err
'

test_done
