#!/bin/bash
test_description='kiln show: one run with its results'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/store.sh"

oid=0123456789abcdef0123456789abcdef01234567

test_expect_success 'without a run there is nothing to show' '
	test_expect_code 128 "$KILN" show >out 2>err &&
	test ! -s out &&
	grep "no run yet" err && grep ^hint: err
'

test_expect_success 'set up a run with results' '
	store_run aaaa11111111 1 0 /some/folder bench v6.1 &&
	store_run aaaa22222222 1 1 /other bench v6.2 &&
	store_sql "
	INSERT INTO facts VALUES (\"aaaa11111111\", \"base\", \"v6.1\");
	INSERT INTO builds VALUES (\"aaaa11111111\", \"$oid\", \"$oid\", \"\", \"\", \"x86_64\",
		\"ok\", NULL, \"feedc0de\", \"/i\", \"/log\", 1, 2.5);
	INSERT INTO boots VALUES (\"tok1\", \"aaaa11111111\", \"$oid\", \"$oid\", \"qemu\", \"tcg\",
		\"kexec\", \"id\", \"feedc0de\", \"ok\", NULL, \"/console\", 1, 12, NULL, NULL, 0);
	INSERT INTO boots VALUES (\"tok2\", \"aaaa11111111\", \"$oid\", \"$oid\", \"qemu\", \"tcg\",
		\"kexec\", NULL, NULL, \"panic\", \"BUG: unable to handle\", \"/console\", 0, 3, NULL, NULL, 0);
	INSERT INTO samples VALUES (\"aaaa11111111\", \"tok1\", \"$oid\", \"$oid\", \"cpuid_rate\",
		\"npt\", \"npt\", 0, 100.0, \"/s\", \"virtual\", 1, \"kexec\", \"\", NULL, NULL, NULL);
	INSERT INTO samples VALUES (\"aaaa11111111\", \"tok1\", \"$oid\", \"$oid\", \"cpuid_rate\",
		\"npt\", \"npt\", 1, 102.0, \"/s\", \"virtual\", 1, \"kexec\", \"\", NULL, NULL, NULL);
	INSERT INTO journal VALUES (NULL, \"aaaa11111111\", 1777896000, \"begin\", \"boot:1\", \"\");
	INSERT INTO journal VALUES (NULL, \"aaaa11111111\", 1777896001, \"failed\", \"boot:1\", \"panic: x\");
	"
'

test_expect_success 'the newest is the default, a prefix must be unique' '
	kiln show >out && grep "^run aaaa22222222" out &&
	kiln show last >out && grep "^run aaaa22222222" out &&
	kiln show aaaa1 >out && grep "^run aaaa11111111" out &&
	test_expect_code 129 "$KILN" show aaaa 2>err && grep "more than one run" err &&
	test_expect_code 128 "$KILN" show bbbb 2>err && grep "no run .bbbb." err
'

test_expect_success 'the text names builds, boots with proof and samples' '
	kiln show aaaa1 >out &&
	grep "command  kiln bench v6.1" out &&
	grep "folder   /some/folder" out &&
	grep "state    done, exit 0" out &&
	grep "base     v6.1" out &&
	grep "^0123456789ab *ok (cached) *feedc0de *2.5 */log" out &&
	grep "^tok1 .*kexec *ok *yes *feedc0de" out &&
	grep "^tok2 .*kexec *panic *no *- .*BUG: unable" out &&
	grep "^0123456789ab *cpuid_rate *npt/npt *1 *2 *101 *100 *102 */s (virtual clock) *yes" out &&
	! grep " begin boot:1" out
'

test_expect_success 'the journal comes with --journal, -v and the key' '
	kiln show --journal aaaa1 >out &&
	grep "^2026-05-04T12:00:00Z begin boot:1" out &&
	grep "^2026-05-04T12:00:01Z failed boot:1 panic: x" out &&
	kiln show -v aaaa1 2>/dev/null | grep " begin boot:1" &&
	kiln -c kiln.showJournal=true show aaaa1 | grep " begin boot:1"
'

test_expect_success '--json has the keys of the contract' '
	kiln show aaaa1 --json --journal >out &&
	test "$(jq_py out "d[\"run\"][\"id\"]")" = aaaa11111111 &&
	test "$(jq_py out "d[\"facts\"][\"base\"]")" = v6.1 &&
	test "$(jq_py out "d[\"builds\"][0][\"cached\"]")" = True &&
	test "$(jq_py out "d[\"boots\"][0][\"proven\"], d[\"boots\"][1][\"boot_id\"]")" = "(True, None)" &&
	test "$(jq_py out "d[\"samples\"][1][\"value\"], d[\"samples\"][1][\"cell\"][\"l0\"]")" = "(102.0, '\''npt'\'')" &&
	test "$(jq_py out "len(d[\"journal\"])")" = 2
'

test_expect_success 'bytes of a kernel that are no text still make a JSON document' '
	store_sql "UPDATE boots SET reason = CAST(x'\''42ff1b5b'\'' AS TEXT) WHERE token = \"tok2\"" &&
	kiln show aaaa1 --json >out &&
	test "$(jq_py out "d[\"boots\"][1][\"reason\"] == \"B?\\x1b[\"")" = True &&
	kiln show aaaa1 >out &&
	! grep "$(printf "\033")" out
'

test_done
