#!/bin/bash
test_description='series on the whole kernel tree: the commits of git am'
. "$(dirname "$0")/lib.sh"

export GIT_COMMITTER_NAME=kiln GIT_COMMITTER_EMAIL=kiln@localhost
patches=300

# A worktree of the files on standard input alone: git am would check out 80,000 otherwise.
sparse_worktree() {
	git -C tree.git worktree add -q --no-checkout --detach "$PWD/$1" main &&
	sed 's|^|/|' | git -C "$1" sparse-checkout set --no-cone --stdin &&
	git -C "$1" read-tree -mu HEAD
}

head_of() {
	sed -n "s/^head  //p" "$1"
}

test_expect_success 'a clone that shares the objects, and a series over it' '
	git clone -q --bare --shared "$tree" tree.git &&
	git -C tree.git config core.fsync none &&
	git -C tree.git branch -f main HEAD &&
	python3 "$KILN_SOURCE/tests/bench/make-series.py" tree.git $patches &&
	git -C tree.git format-patch -q --stdout main..series >series.mbox
'

test_expect_success "$patches patches: the very commits they were made from" '
	kiln apply --tree tree.git --onto main series.mbox >out &&
	test "$(head_of out)" = "$(git -C tree.git rev-parse series)" &&
	test "$(grep -c "  exact   " out)" = $patches
'

test_expect_success 'git am makes the same of the first of them' '
	git -C tree.git format-patch -q --stdout main..series~$((patches - 15)) >first.mbox &&
	git -C tree.git diff --name-only main series~$((patches - 15)) | sparse_worktree am &&
	git -C am am -q --committer-date-is-author-date ../first.mbox &&
	kiln apply --tree tree.git --onto main first.mbox >out &&
	test "$(head_of out)" = "$(git -C am rev-parse HEAD)"
'

test_expect_success 'the example series, by git am and by kiln' '
	kiln series -q -o example.mbox "$KILN_SOURCE/examples/nsvm-flush.mbox" &&
	sed -n "s|^+++ b/||p" example.mbox | sort -u | sparse_worktree example &&
	git -C example am -q --patch-format=mboxrd \
		--committer-date-is-author-date ../example.mbox &&
	kiln apply --tree tree.git --onto main example.mbox >out &&
	test "$(head_of out)" = "$(git -C example rev-parse HEAD)"
'

test_expect_success 'a file that moved: merged with rename detection over the whole tree' '
	file=$(git -C tree.git diff --name-only main series | head -n 1) &&
	git -C tree.git worktree add -q --no-checkout --detach "$PWD/moved" main &&
	(
		cd moved &&
		git read-tree HEAD &&
		blob=$(git rev-parse "HEAD:$file") &&
		git update-index --force-remove "$file" &&
		git update-index --add --cacheinfo "100644,$blob,kiln-moved/other-name.c" &&
		git commit -q -m moved
	) &&
	git -C tree.git format-patch -q --stdout --full-index main..series~$((patches - 1)) >one.mbox &&
	kiln apply --3way --tree tree.git --onto "$(git -C moved rev-parse HEAD)" one.mbox >out &&
	grep "  3way    " out &&
	git -C tree.git show "$(head_of out):kiln-moved/other-name.c" | grep "bench 0"
'

test_expect_success 'nothing is broken' '
	git -C tree.git fsck --connectivity-only
'

test_done
