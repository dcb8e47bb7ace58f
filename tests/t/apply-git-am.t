#!/bin/bash
test_description='random series: the same verdict, trees and commit ids as git am, the same patch ids'
. "$(dirname "$0")/lib.sh"

cases=${KILN_APPLY_CASES:-60}
seed=${KILN_APPLY_SEED:-1}

# git am on one series, in the worktree wt: "applied COMMIT" or "refused".
am() {
	git -C wt reset -q --hard "base-$1" &&
	git -C wt clean -qfdx || return
	if git -C wt am -q --committer-date-is-author-date "../$1.mbox" >am.log 2>&1
	then
		echo "applied $(git -C wt rev-parse HEAD)"
	else
		echo refused
		git -C wt am --abort >/dev/null 2>&1 || rm -rf "$(git -C wt rev-parse --git-dir)/rebase-apply"
	fi
}

# The same from kiln; anything but the exit codes 0 and 1 is said as it is.
ours() {
	kiln apply --tree repo --onto "base-$1" "$1.mbox" >out 2>err
	case $? in
	0) echo "applied $(sed -n "s/^head  //p" out)" ;;
	1) echo refused ;;
	*) cat err ;;
	esac
}

test_expect_success 'make the series' '
	git init -q -b main repo &&
	python3 "$KILN_SOURCE/tests/t/apply-random.py" repo "$cases" "$seed" &&
	git -C repo worktree add -q --detach ../wt base-0
'

test_expect_success "$cases series: kiln and git am agree" '
	for ((i = 0; i < cases; i++)); do
		want=$(am $i) && got=$(ours $i) || return 1
		echo "$want" >>verdicts
		test "$want" = "$got" || {
			echo "case $i: git am: $want, kiln: $got"
			head -n 3 am.log err
		} >>differ
	done
	test ! -e differ || { cat differ; false; }
'

test_expect_success 'both verdicts came up often enough to mean something' '
	test $(grep -c applied verdicts) -ge $((cases / 2)) &&
	test $(grep -c refused verdicts) -ge $((cases / 10))
'

test_expect_success 'patch ids are those of git patch-id --stable' '
	for clean in *.clean; do
		i=${clean%.clean}
		((i % 4)) && continue
		git patch-id --stable <$i.mbox | cut -d" " -f1 >want &&
		kiln series --json $i.mbox >out.json &&
		python3 -c "
import json, sys
print(*[p[\"patch_id\"] for p in json.load(sys.stdin)[\"patches\"] if p[\"patch_id\"]], sep=\"\n\")
" <out.json >got &&
		test_cmp want got || return 1
		cat got >>all
	done &&
	test -s all
'

test_done
