#!/bin/bash
test_description='kiln claims: benchmark results of a series, recomputed'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/lib-mail.sh"

mails thread.mbox <<'EOF'
From: A U Thor <author@example.org>
Message-ID: <cover@example.org>
Subject: [PATCH 0/2] nested: make it fast

This improves nested boot time by 4%.

| L0  | L1     | cpuid_rate (base) | cpuid_rate (patched) |
|-----|--------|-------------------|----------------------|
| NPT | NPT    | 200000            | 230000 (+15.0%)      |
| NPT | Shadow | 100000            | 110000 (+10.0%)      |
%
From: A U Thor <author@example.org>
Message-ID: <p1@example.org>
In-Reply-To: <cover@example.org>
Subject: [PATCH 1/2] one

No figures here.

Signed-off-by: A U Thor <author@example.org>
---
DIFF
%
From: A U Thor <author@example.org>
Message-ID: <p2@example.org>
In-Reply-To: <cover@example.org>
Subject: [PATCH 2/2] two

Metric | Upstream | Revert | Difference
=========================================
arithoh-count | 3000 | 3150 | +05.00% |
N=1

Signed-off-by: A U Thor <author@example.org>
---
DIFF
EOF

test_expect_success 'a line a claim, and 0 when all of them add up' '
	kiln claims thread.mbox >out &&
	sed "s/ *$//" out >got &&
	cat >want <<-\EOF &&
	WHERE   METRIC                    BASE PATCHED CLAIMED RECOMPUTED NOTES
	cover:1 nested boot time                            4%            better
	cover:5 cpuid_rate, NPT, NPT    200000  230000  +15.0%    +15.00%
	cover:6 cpuid_rate, NPT, Shadow 100000  110000  +10.0%    +10.00%
	2:5     arithoh-count             3000    3150  +5.00%     +5.00% N=1; spin_rate stands for it
	EOF
	test_cmp want got
'

test_expect_success 'as a document' '
	kiln claims --json thread.mbox >out &&
	python3 -c "
import json
d = json.load(open(\"out\"))
assert d[\"wrong\"] == 0 and d[\"misfits\"] == 0, d
c = d[\"claims\"]
assert [x[\"patch\"] for x in c] == [None, None, None, 2]
assert c[0][\"sense\"] == \"better\" and c[0][\"shape\"] == \"prose\"
assert c[1][\"cell\"] == {\"l0\": \"npt\", \"l1\": \"npt\"}
assert c[1][\"benchmark\"] == \"cpuid_rate\" and abs(c[1][\"recomputed\"] - .15) < 1e-9
assert c[1][\"message_id\"] == \"cover@example.org\" and c[1][\"arithmetic\"] == \"right\"
assert c[3][\"runs\"] == 1 and c[3][\"benchmark\"] == \"spin_rate\" and c[3][\"sense\"] == \"better\"
"
'

test_expect_success 'arithmetic that does not follow: 1' '
	sed "s/+10.0%/+12.0%/" thread.mbox >wrong.mbox &&
	test_expect_code 1 "$KILN" claims wrong.mbox >out &&
	grep "cover:6 .*+12.0% *+10.00% wrong" out
'

test_expect_success 'a row without one of its columns is left out, and said' '
	sed "s/| NPT | Shadow | 100000 /| NPT | Shadow/" thread.mbox >damaged.mbox &&
	kiln claims damaged.mbox >out 2>err &&
	! grep Shadow out &&
	grep "do not fit their heading: 1" err
'

test_expect_success 'no claims: one line, 0' '
	sed -e "/^|/d" -e "/improves/d" -e "/|/d" thread.mbox >none.mbox &&
	kiln claims none.mbox >out &&
	echo "no benchmark claims" >want &&
	test_cmp want out &&
	kiln claims --json none.mbox >out &&
	grep "\"claims\": \[\]" out
'

test_expect_success 'control characters of a mail do not reach the terminal' '
	sed "s/arithoh-count/arithoh-\x1b[31mcount/" thread.mbox >evil.mbox &&
	kiln claims evil.mbox >out &&
	! grep -q "$(printf "\033")" out
'

test_expect_success 'a source that does not exist: 128' '
	test_expect_code 128 "$KILN" claims nowhere.mbox
'

seeds=${KILN_SEEDS:-$KILN_SOURCE/../shared/seeds}
test -f "$seeds/003_bae5023e6e3f0f7b.txt" && test_set_prereq SEEDS

for seed in 000_7261fc38713effd2 004_d00c359370827848; do
	test_expect_success SEEDS "C140: the three cells of $seed" '
		kiln claims --offline "$seeds/$seed.txt" >out 2>err &&
		awk "/cpuid_rate/ { print \$(NF) }" out >got &&
		printf "%s\n" +17.34% +12.96% +6.86% >want &&
		test_cmp want got
	'
done

test_expect_success SEEDS 'C087: the note that archives damaged: three rows, N=1' '
	kiln claims --offline "$seeds/003_bae5023e6e3f0f7b.txt" >out &&
	grep -c "N=1" out >got &&
	echo 3 >want &&
	test_cmp want got &&
	grep "513558 *152441 *-70.32% *-70.32%" out
'

test_done
