#!/bin/bash
test_description='random series: verdicts, commit ids, trees and patch ids of git'
. "$(dirname "$0")/lib.sh"

# KILN_APPLY_CASES=10000 for a long run; another seed gives other cases.
cases=${KILN_APPLY_CASES:-1000}
seed=${KILN_APPLY_SEED:-1}
driver=${KILN_BUILD:-$(dirname "$KILN")}/tests/apply-driver

test_expect_success "$cases series (seed $seed): git am, git am -3, git apply --cached and kiln agree" '
	python3 "$KILN_SOURCE/tests/t/apply-random.py" "$cases" "$seed" "$driver" >out || {
		cat out
		false
	}
'

# usage: often MODE VERDICT SHARE: at least one in SHARE cases came out so
often() {
	test "$(sed -n "s/^$1 $2 //p" out)" -ge $((cases / $3))
}

test_expect_success 'each verdict came up often enough to mean something' '
	cat out &&
	often am applied 5 && often am refused 20 &&
	often am3 applied 5 && often am3 refused 20 && often merges applied 50 &&
	often apply applied 20 && often apply refused 20
'

test_expect_success 'patch ids are those of git patch-id --stable' '
	for i in $(head -n 300 clean); do
		cat $i.mbox || return 1
	done >all.mbox &&
	git patch-id --stable <all.mbox | cut -d" " -f1 >want &&
	"$driver" --patch-ids $(head -n 300 clean | sed "s/$/.mbox/") >got &&
	test_cmp want got &&
	test $(wc -l <got) -ge 3
'

test_done
