#!/bin/bash
test_description='v1 of the examples: no loss, and the numbers repeat'
. "$(dirname "$0")/lib.sh"

test_expect_success 'triage of v1 finds no loss' '
	archive_start &&
	kiln triage --json --bisect --tree "$tree" "$url/$(example_id v1)/" >out 2>err
'

test_expect_success 'no cell is slower, nothing was bisected' '
	test "$(json out "any(r[\"verdict\"] == \"slower\" for r in d[\"rows\"])")" = false &&
	test "$(json out "len(d[\"rows\"])")" = 3 &&
	test "$(json out "d[\"bisect\"]")" = None
'

# Mean of each boot, largest over smallest for each kernel and cell; in percent.
cat >spread.py <<'EOF'
import collections, json
boots = collections.defaultdict(list)
for s in json.load(open("out"))["samples"]:
    boots[s["commit"], s["cell"]["l0"], s["cell"]["l1"], s["boot"]].append(s["value"])
means = collections.defaultdict(list)
for (commit, l0, l1, _), values in boots.items():
    means[commit, l0, l1].append(sum(values) / len(values))
assert len(means) == 6 and all(len(v) == 2 for v in means.values()), means
print(max(100 * (max(v) / min(v) - 1) for v in means.values()))
EOF

# The virtual clock counts instructions: this is no timing of the host.
test_expect_success 'the same kernel in two boots differs by at most 0.1 %' '
	python3 spread.py >spread &&
	awk "{ exit !(\$1 <= 0.1) }" spread
'

test_expect_success 'the server stops' '
	archive_stop
'

test_done
