#!/bin/bash
test_description='kiln apply: commits from a series, nothing else touched, bad input named'
. "$(dirname "$0")/lib.sh"

# A patch mail N/M on standard output; the diff comes from standard input.
mail() {
	printf 'From mboxrd@z Thu Jan  1 00:00:00 1970\n'
	printf 'From: A U Thor <author@example.org>\nDate: Tue, 05 May 2026 10:00:0%d +0200\n' "$1"
	printf 'Message-ID: <%d@example.org>\n' "$1"
	test "$1" = 1 || printf 'In-Reply-To: <1@example.org>\nReferences: <1@example.org>\n'
	printf 'Subject: [PATCH %d/%d] lib: change %d\n\nBody of %d.\n\n' "$1" "$2" "$1" "$1"
	printf 'Signed-off-by: A U Thor <author@example.org>\n---\n'
	cat
	printf -- '-- \n2.39.5\n\n'
}

# The diff that turns line $2 of file $1 into $3.
change() {
	sed "$2s/.*/$3/" "tree/$1" >new &&
	diff -u --label "a/$1" --label "b/$1" "tree/$1" new
	true
}

# The ref of the series of two on the first commit.
v1() {
	echo "refs/kiln/1-example.org/v1/$(git -C tree rev-list --max-parents=0 main | cut -c1-12)"
}

# All that the user has: branches, HEAD, index, files.
state() {
	git -C tree for-each-ref --exclude=refs/kiln 2>/dev/null ||
		git -C tree for-each-ref refs/heads refs/tags refs/remotes
	git -C tree rev-parse HEAD
	git -C tree status --porcelain=v2
	git -C tree ls-files -s
	(cd tree && find . -path ./.git -prune -o -type f -exec sha1sum {} + | sort)
}

test_expect_success 'a tree and a series of two' '
	git init -q -b main tree &&
	mkdir tree/lib &&
	seq 1 30 >tree/lib/a &&
	seq 101 130 >tree/lib/b &&
	ln -s lib tree/link &&
	git -C tree add -A &&
	git -C tree commit -q -m base &&
	{
		change lib/a 10 ten | mail 1 2 &&
		change lib/b 10 ten | mail 2 2
	} >two.mbox
'

test_expect_success 'the series is there as commits, and the user sees no change' '
	echo staged >tree/staged &&
	git -C tree add staged &&
	echo dirty >>tree/lib/b &&
	echo untracked >tree/untracked &&
	state >before &&
	kiln apply --tree tree two.mbox >out &&
	state >after &&
	test_cmp before after &&
	grep "^ref   $(v1)$" out &&
	grep -c "  exact   lib: change " out >count &&
	test $(cat count) = 2 &&
	test "$(git -C tree show $(v1):lib/b | sed -n 10p)" = ten &&
	test "$(git -C tree rev-list --count main..$(v1))" = 2
'

test_expect_success 'the commits are those of git am' '
	git clone -q tree am &&
	git -C am am -q --committer-date-is-author-date ../two.mbox &&
	test "$(git -C am rev-parse HEAD)" = \
		"$(git -C tree rev-parse $(v1))"
'

test_expect_success 'the ref has a reflog, and applying again gives the same ids' '
	head=$(git -C tree rev-parse $(v1)) &&
	git -C tree reflog show $(v1) | grep "kiln apply: 2 patches" &&
	kiln apply --tree tree two.mbox &&
	test $head = $(git -C tree rev-parse $(v1))
'

test_expect_success '--json has the documented keys' '
	kiln apply --tree tree --json two.mbox >out.json &&
	python3 - <<-\EOP
	import json
	d = json.load(open("out.json"))
	assert list(d)[:6] == ["base", "head", "ref", "commits", "skipped", "failed"], d
	assert d["failed"] is None and d["ref"] == "refs/kiln/1-example.org/v1/" + d["base"][:12]
	assert d["head"] == d["commits"][1]["oid"]
	for c in d["commits"]:
	    assert list(c) == ["oid", "tree", "message_id", "subject", "method"], c
	assert [c["message_id"] for c in d["commits"]] == ["1@example.org", "2@example.org"]
	EOP
'

test_expect_success 'a bare repository and another worktree will do' '
	git clone -q --bare tree bare.git &&
	kiln apply --tree bare.git two.mbox &&
	git -C bare.git rev-parse -q --verify $(v1) &&
	git -C tree worktree add -q --detach ../wt HEAD &&
	(cd wt/lib && kiln apply ../../two.mbox) &&
	git -C tree worktree remove wt
'

test_expect_success 'a hunk that moved is an offset' '
	git -C tree stash -q -u &&
	sed -i "1i zero" tree/lib/a &&
	git -C tree commit -qam drift &&
	git -C tree stash pop -q &&
	kiln apply --tree tree two.mbox >out &&
	grep "  offset  lib: change 1" out &&
	grep "  exact   lib: change 2" out &&
	kiln apply --tree tree --onto HEAD~1 two.mbox >out &&
	! grep offset out
'

test_expect_success 'a failing patch: exit 1, patch, file, hunk and lines named, the ref unmoved' '
	kiln apply --tree tree two.mbox &&
	head=$(git -C tree rev-parse $(v1)) &&
	sed "s/^ 109$/ 209/" two.mbox >bad.mbox &&
	state >before &&
	test_expect_code 1 "$KILN" apply --tree tree bad.mbox >out 2>err &&
	state >after &&
	test_cmp before after &&
	test $head = $(git -C tree rev-parse $(v1)) &&
	grep "^cause: patch 2/2 .lib: change 2. does not apply" err &&
	grep "^cause: lib/b: hunk 1 of 1 at line 7 does not match: line 9 is .109., the patch expects .209." err
'

test_expect_success 'the same as a document' '
	test_expect_code 1 "$KILN" apply --tree tree --json bad.mbox >out.json 2>err &&
	python3 - <<-\EOP
	import json
	d = json.load(open("out.json"))
	f = d["failed"]
	assert d["head"] is None and d["ref"] is None and len(d["commits"]) == 1
	assert list(f)[:9] == ["number", "message_id", "subject", "path", "hunk", "reason", "hint",
	                   "code", "conflicts"], f
	assert (f["number"], f["path"], f["hunk"]) == (2, "lib/b", 1), f
	assert f["code"] == "hunk-mismatch", f
	EOP
'

test_expect_success 'a series that is in the tree already is called so' '
	test_expect_code 1 "$KILN" apply --tree tree --onto $(v1) two.mbox 2>err &&
	grep "already applied" err
'

test_expect_success 'a missing file is named' '
	sed "s|lib/b|lib/none|" two.mbox >none.mbox &&
	test_expect_code 1 "$KILN" apply --tree tree none.mbox 2>err &&
	grep "^cause: lib/none: no such file in the tree" err
'

test_expect_success 'a missing patch: its number, and nothing is written' '
	{ change lib/a 11 x | mail 1 3 && change lib/b 11 x | mail 3 3; } >gap.mbox &&
	git -C tree count-objects >before &&
	test_expect_code 1 "$KILN" apply --tree tree --json gap.mbox >out.json 2>err &&
	grep "patch 2 of 3 is missing" err &&
	grep "\"missing-patch\"" out.json &&
	git -C tree count-objects >after &&
	test_cmp before after
'

test_expect_success 'a wrapped line is damage' '
	sed "s/^ 108$/ 10\\n8/" two.mbox >wrapped.mbox &&
	test_expect_code 1 "$KILN" apply --tree tree wrapped.mbox 2>err &&
	grep "^cause: patch 2/2" err
'

for path in ../x .git/config .GIT/config lib/.Git/x "git~1/x" ".git /x" "lib/../../x" link/x; do
	test_expect_success "the path $path is refused" '
		mail 1 1 >unsafe.mbox <<-EOP &&
		diff --git a/$path b/$path
		new file mode 100644
		--- /dev/null
		+++ b/$path
		@@ -0,0 +1 @@
		+x
		EOP
		test_expect_code 1 "$KILN" apply --tree tree --json unsafe.mbox >out.json 2>err &&
		grep -e "not safe" -e "beyond the symbolic link" err &&
		grep "\"code\": \"unsafe-path\"" out.json &&
		test ! -e x
	'
done

test_expect_success 'a base that does not exist' '
	test_expect_code 128 "$KILN" apply --tree tree --onto nonsense --json two.mbox >out.json &&
	grep "\"unknown-revision\"" out.json &&
	grep "nonsense" out.json
'

test_expect_success 'a folder that is no repository' '
	mkdir plain &&
	test_expect_code 128 env GIT_CEILING_DIRECTORIES="$PWD" "$KILN" apply --tree /proc two.mbox 2>err &&
	grep "^hint: .*--tree" err
'

test_expect_success '--base auto takes the base-commit when there is one' '
	base=$(git -C tree rev-parse HEAD~1) &&
	sed "s/^2.39.5$/&\\n\\nbase-commit: $base/" two.mbox >based.mbox &&
	kiln apply --tree tree --base auto based.mbox >out 2>err &&
	grep "^base  $base" out &&
	grep "base: $base" err &&
	sed "s/^2.39.5$/&\\n\\nbase-commit: 1234567890123456789012345678901234567890/" two.mbox >lost.mbox &&
	kiln apply --tree tree --base auto lost.mbox >out 2>err &&
	grep "^base  $(git -C tree rev-parse HEAD)" out &&
	grep "not in the repository" err &&
	test_expect_code 129 "$KILN" apply --tree tree --base auto --onto HEAD two.mbox
'

test_expect_success 'a lock that stays is named, and the ref is as it was' '
	head=$(git -C tree rev-parse $(v1)) &&
	: >tree/.git/$(v1).lock &&
	test_expect_code 128 "$KILN" apply --tree tree --onto HEAD~1 two.mbox 2>err &&
	grep "^error: " err && grep "^hint: another git process" err &&
	rm tree/.git/$(v1).lock &&
	test $head = $(git -C tree rev-parse $(v1))
'

test_expect_success 'several at once, beside git packing refs' '
	git clone -q --bare tree busy.git &&
	for i in 1 2 3 4; do
		{ "$KILN" apply --tree busy.git two.mbox >/dev/null 2>err.$i || echo $i >>lost; } &
		git -C busy.git pack-refs --all || return 1
	done &&
	wait &&
	test ! -e lost &&
	git -C busy.git fsck --strict &&
	test -n "$(git -C busy.git for-each-ref refs/kiln/1-example.org/v1/)"
'

test_expect_success 'one pack, which gc may take again; what a killed run left holds nothing' '
	git clone -q --bare tree packed.git &&
	packs=packed.git/objects/pack &&
	printf "kiln 4194304 %s" "$(uname -n)" >"$packs/pack-dead.keep" &&
	printf "kiln 4194304 elsewhere" >"$packs/pack-far.keep" &&
	kiln apply --tree packed.git two.mbox &&
	test "$(ls $packs/*.keep)" = "$packs/pack-far.keep" &&
	rm "$packs/pack-far.keep" &&
	! ls $packs/tmp_* 2>/dev/null &&
	git -C packed.git fsck --strict --no-dangling &&
	git -C packed.git gc -q --prune=now &&
	git -C packed.git rev-parse -q --verify "$(git -C packed.git for-each-ref --format="%(refname)" refs/kiln)^{tree}" &&
	git -C packed.git fsck --strict
'

test_expect_success 'a series that fails leaves no object behind' '
	git -C packed.git count-objects -v | grep -v "^size" >before &&
	test_expect_code 1 "$KILN" apply --tree packed.git bad.mbox &&
	git -C packed.git count-objects -v | grep -v "^size" >after &&
	test_cmp before after
'

test_expect_success 'without any identity the committer is kiln' '
	git clone -q --bare tree anon.git &&
	(
		unset GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL &&
		kiln apply --tree anon.git two.mbox
	) &&
	git -C anon.git log -1 --format="%cn <%ce> %cd" --date=raw \
		$(git -C anon.git for-each-ref --format="%(refname)" refs/kiln) >got &&
	grep "^kiln <kiln@localhost> 1777968002 +0200" got
'

test_done
