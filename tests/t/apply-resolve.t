#!/bin/bash
test_description='kiln apply --resolve: a conflict in a worktree, resolved by hand, continued'
. "$(dirname "$0")/lib.sh"

# A repository whose branch "theirs" is a series of four made before main changed the lines of its
# second and fourth patch; series.mbox holds it.
setup() {
	rm -rf tree work && git init -q -b main tree &&
	seq 1 60 >tree/a && seq 1 60 >tree/b &&
	git -C tree add -A && git -C tree commit -q -m base &&
	git -C tree checkout -q -b theirs &&
	sed -i "5s/.*/five/" tree/a && git -C tree commit -q -am one &&
	sed -i "30s/.*/theirs/" tree/a && git -C tree commit -q -am two &&
	sed -i "5s/.*/five/" tree/b && git -C tree commit -q -am three &&
	sed -i "30s/.*/theirs/" tree/b && git -C tree commit -q -am four &&
	git -C tree format-patch -q --stdout --thread main >series.mbox &&
	git -C tree checkout -q main &&
	sed -i "30s/.*/ours/" tree/a && sed -i "30s/.*/ours/" tree/b &&
	git -C tree commit -q -am ours
}

# What the user has, for comparison.
state() {
	git -C tree for-each-ref refs/heads refs/tags
	git -C tree status --porcelain=v2 --branch
	git -C tree ls-files -s
	cat tree/.git/HEAD tree/.git/config
}

stops() {
	test_expect_code 1 "$KILN" apply --tree tree --onto main --resolve work series.mbox >out 2>err
}

resolve_two() {
	sed -i "/^<<<<<<</,/^>>>>>>>/c\\both" work/a && git -C work add a
}

resolve_four() {
	sed -i "/^<<<<<<</,/^>>>>>>>/c\\both" work/b && git -C work add b
}

goes_on() {
	"$KILN" apply --tree tree --continue work "$@"
}

test_expect_success 'the conflict is in a worktree that git understands' '
	setup && state >before && stops && state >after && test_cmp before after &&
	grep "^error: " err && grep "kiln apply --continue $PWD/work" err &&
	test -f work/.git && git -C work status --porcelain >status &&
	grep "^UU a$" status &&
	git -C work ls-files -u a | cut -d" " -f3 | cut -f1 | tr "\n" " " >stages &&
	test "$(cat stages)" = "1 2 3 " &&
	grep "^<<<<<<<" work/a && grep "^ours" work/a && grep "^theirs" work/a &&
	test "$(git -C work log --format=%s -1)" = one &&
	test -z "$(git -C tree for-each-ref refs/kiln)"
'

test_expect_success 'git mergetool works there' '
	git -C work -c mergetool.t.cmd="echo tool >\"\$MERGED\"" -c mergetool.t.trustExitCode=true \
		-c mergetool.keepBackup=false mergetool --no-prompt --tool=t a &&
	test "$(cat work/a)" = tool && git -C work checkout -q -m a && grep "^<<<<<<<" work/a
'

test_expect_success 'continuing too early names what is not resolved' '
	test_expect_code 1 "$KILN" apply --tree tree --continue work 2>err &&
	grep "not resolved yet in .*: a$" err && grep "^hint: " err
'

test_expect_success 'the next conflict takes its place, then the ref is there' '
	state >before && resolve_two &&
	test_expect_code 1 "$KILN" apply --tree tree --continue work >out 2>err &&
	grep "patch 4/4" err && git -C work status --porcelain | grep "^UU b$" &&
	test "$(git -C work log --format=%s -3 | tr "\n" " ")" = "three two one " &&
	test -z "$(git -C tree for-each-ref refs/kiln)" &&
	resolve_four && goes_on >out && state >after && test_cmp before after &&
	test ! -e work && test $(git -C tree worktree list | wc -l) = 1 &&
	ref=$(sed -n "s/^ref   //p" out) && git -C tree log --format="%s" $ref~4..$ref >got &&
	printf "four\nthree\ntwo\none\n" >want && test_cmp want got &&
	test "$(git -C tree show $ref:a | sed -n 30p)" = both &&
	test "$(git -C tree log -1 --format="%an %ad" $ref~2)" = "$(git -C tree log -1 --format="%an %ad" theirs~2)"
'

test_expect_success 'C094: what was resolved is not what was mailed, and that is kept' '
	grep -c "  resolved  " out >count && test $(cat count) = 2 &&
	grep "^ *patch id [0-9a-f]*, as mailed [0-9a-f]*$" out &&
	git -C tree reflog show $ref | grep "4 patches on .*, 2 resolved by hand" &&
	setup && stops && resolve_two &&
	test_expect_code 1 "$KILN" apply --tree tree --json --continue work >out.json 2>err &&
	resolve_four && goes_on --json >out.json &&
	git -C tree show $(git -C tree for-each-ref --format="%(refname)" refs/kiln)~2 |
		git patch-id --stable | cut -d" " -f1 >id &&
	git -C tree show theirs~2 | git patch-id --stable | cut -d" " -f1 >mailed &&
	python3 - "$(cat id)" "$(cat mailed)" <<-\EOP
	import json, sys
	d = json.load(open("out.json"))
	assert [c["method"] for c in d["commits"]] == ["exact", "resolved", "exact", "resolved"]
	c = d["commits"][1]
	assert c["patch_id"] == sys.argv[1] and c["mailed_patch_id"] == sys.argv[2]
	assert c["patch_id"] != c["mailed_patch_id"] and "patch_id" not in d["commits"][0]
	assert d["failed"] is None and d["ref"] and len(d["head"]) == 40
	EOP
'

test_expect_success 'C5/143: hooks, autocrlf and gpgsign do not reach the worktree' '
	setup &&
	for hook in post-checkout pre-commit commit-msg post-commit reference-transaction; do
		printf "#!/bin/sh\necho $hook >>$PWD/hooked\nexit 1\n" >tree/.git/hooks/$hook &&
		chmod +x tree/.git/hooks/$hook || return 1
	done &&
	git -C tree config core.autocrlf true && git -C tree config commit.gpgSign true &&
	git -C tree config gpg.program false && git -C tree config submodule.recurse true &&
	stops && test ! -e hooked && rm tree/.git/hooks/reference-transaction &&
	printf "x\r\ny\r\n" >work/a && git -C work add a && rm -f hooked && test_expect_code 1 "$KILN" apply --tree tree --continue work 2>err &&
	resolve_four && goes_on >out && test ! -e hooked &&
	ref=$(sed -n "s/^ref   //p" out) && git -C tree cat-file blob $ref:a >got &&
	printf "x\r\ny\r\n" >want && test_cmp want got
'

test_expect_success 'from a worktree of GIT_DIR and GIT_INDEX_FILE of another' '
	setup && git init -q elsewhere &&
	(
		export GIT_DIR=$PWD/elsewhere/.git GIT_INDEX_FILE=$PWD/elsewhere/.git/index &&
		stops
	) && resolve_two && test -z "$(git -C elsewhere status --porcelain)"
'

test_expect_success 'what is resolved as it was drops out' '
	setup && stops && git -C work checkout --ours a && git -C work add a &&
	test_expect_code 1 "$KILN" apply --tree tree --continue work 2>err &&
	resolve_four && goes_on >out && ! grep " two$" out &&
	ref=$(sed -n "s/^ref   //p" out) && test $(git -C tree rev-list --count main..$ref) = 3
'

test_expect_success '--abort leaves nothing' '
	setup && state >before && stops && "$KILN" apply --tree tree --abort work && state >after &&
	test_cmp before after && test ! -e work && test $(git -C tree worktree list | wc -l) = 1 &&
	test -z "$(git -C tree for-each-ref refs/kiln)" &&
	test_must_fail "$KILN" apply --tree tree --continue work 2>err &&
	grep "is no linked worktree" err
'

test_expect_success 'a commit made by hand is noticed' '
	setup && stops && resolve_two && git -C work commit -q -m mine &&
	test_expect_code 129 "$KILN" apply --tree tree --continue work 2>err &&
	grep "HEAD of .* has moved" err && grep "reset --soft" err &&
	git -C work reset -q --soft HEAD^ &&
	test_expect_code 1 "$KILN" apply --tree tree --continue work 2>err && grep "patch 4/4" err
'

test_expect_success 'killed at many moments, --continue goes on and ends the same' '
	setup && stops && resolve_two && test_expect_code 1 "$KILN" apply --tree tree --continue work 2>err &&
	resolve_four && goes_on >want && rm -rf saved &&
	for t in 0.02 0.05 0.1 0.2 0.3 0.5; do
		git -C tree for-each-ref --format="delete %(refname)" refs/kiln | git -C tree update-ref --stdin &&
		stops && resolve_two || return 1
		timeout -s KILL $t "$KILN" apply --tree tree --continue work >/dev/null 2>&1
		# The kill came before the state moved on (nothing to lay out), in between, or after.
		"$KILN" apply --tree tree --continue work >/dev/null 2>err
		git -C work status --porcelain | grep -q "^UU b$" || { cat err; return 1; }
		resolve_four
		timeout -s KILL $t "$KILN" apply --tree tree --continue work >got 2>&1
		# A git that was removing the worktree may outlive the kill by a moment and get it done.
		if test -e work/.git; then goes_on >got || ! test -e work/.git || return 1; fi
		ref=$(git -C tree for-each-ref --format="%(refname)" refs/kiln)
		test "$(git -C tree rev-parse $ref)" = "$(sed -n "s/^head  //p" want)" || return 1
		git -C tree fsck --strict >fsck 2>&1 || { cat fsck; return 1; }
		rm -rf work && git -C tree worktree prune
	done
'

test_expect_success 'a patch without its blobs can be put in by hand' '
	setup && sed -i "/^index /d" series.mbox && stops && grep "patch 2/4" err &&
	git -C work status --porcelain >status && test ! -s status &&
	sed -i "30s/.*/by hand/" work/a && git -C work add a &&
	test_expect_code 1 "$KILN" apply --tree tree --continue work 2>err && grep "patch 4/4" err
'

test_expect_success 'mistakes on the command line' '
	setup && mkdir there &&
	test_must_fail "$KILN" apply --tree tree --resolve there series.mbox 2>err && grep "there already" err &&
	test_expect_code 129 "$KILN" apply --tree tree --continue a --abort b 2>err &&
	test_expect_code 129 "$KILN" apply --tree tree --continue a series.mbox 2>err &&
	test_expect_code 129 "$KILN" apply --tree tree 2>err &&
	git -C tree worktree add -q --detach ../plain main &&
	test_must_fail "$KILN" apply --tree tree --abort plain 2>err && grep "keeps no series" err && test -e plain/a
'

test_done
