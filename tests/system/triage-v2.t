#!/bin/bash
test_description='the main job on v2 of the examples: a loss is measured and its patch found'
. "$(dirname "$0")/lib.sh"

test_expect_success 'a real archive server on loopback' '
	archive_start
'

test_expect_success 'triage by message-id says slower, exit code 1' '
	test_expect_code 1 "$KILN" triage --json --bisect --tree "$tree" "$url/$(example_id v2)/" >out 2>err
'

test_expect_success 'six patches of v2, all applied exactly' '
	test "$(json out "d[\"series\"][\"revision\"]")" = 2 &&
	test "$(json out "len(d[\"apply\"][\"commits\"])")" = 6 &&
	test "$(json out "d[\"apply\"][\"failed\"]")" = None
'

test_expect_success 'the tree is the one git am makes' '
	git clone -q --shared --no-checkout "$tree" am &&
	git -C am sparse-checkout set arch/x86/kvm &&
	git -C am checkout -q "$(json out "d[\"apply\"][\"base\"]")" &&
	kiln series -q -o v2.mbox "$url/$(example_id v2)/" >/dev/null &&
	git -C am am -q --patch-format=mboxrd "$PWD/v2.mbox" &&
	git -C am rev-parse HEAD^{tree} >expect &&
	json out "d[\"apply\"][\"commits\"][-1][\"tree\"]" >actual &&
	test_cmp expect actual
'

test_expect_success 'every kernel is proven' '
	test "$(json out "len(d[\"boots\"])")" -ge 8 &&
	test "$(json out "all(b[\"proven\"] and b[\"path\"] == \"kexec\" for b in d[\"boots\"])")" = true &&
	test "$(json out "len({b[\"boot_id\"] for b in d[\"boots\"]}) == len(d[\"boots\"])")" = true
'

test_expect_success 'three cells; NPT/NPT is at least 1 % slower, its interval excludes zero' '
	test "$(json out "\" \".join(r[\"cell\"][\"l0\"] + \"/\" + r[\"cell\"][\"l1\"] for r in d[\"rows\"])")" = \
		"npt/npt npt/shadow shadow/shadow" &&
	test "$(json out "d[\"rows\"][0][\"verdict\"]")" = slower &&
	test "$(json out "d[\"rows\"][0][\"change\"] <= -0.01 and d[\"rows\"][0][\"ci\"][1] < 0")" = true
'

test_expect_success 'bisection names the reworked patch' '
	test "$(json out "d[\"bisect\"][\"verdict\"]")" = found &&
	test "$(json out "d[\"bisect\"][\"culprit\"][\"subject\"]")" = \
		"$(cat "$KILN_SOURCE/tests/data/example-culprit")"
'

test_expect_success 'no process of the run is left' '
	archive_stop &&
	! pgrep -f "qemu-system.*$KILN_TEST_HOME" >left
'

test_done
