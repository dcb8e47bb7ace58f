#!/bin/bash
test_description='kiln report: a finished run told again, in every form'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/html-look.sh"

data=$KILN_SOURCE/tests/data/report
t=$KILN_SOURCE/tests/t

# The drawings are gnuplot's and change with its version; that there are some is checked apart.
no_drawings() {
	python3 -c 'import re, sys
text = re.sub(r"<svg.*?</svg>", "SVG", sys.stdin.read(), flags=re.S)
print(re.sub(r"<style>.*?</style>", "STYLE", text, flags=re.S), end="")'
}

# report_is FILE RUN OPTION...: the report equals the golden file. KILN_GOLDEN=1 writes it anew.
report_is() {
	local want=$data/$1
	shift
	kiln report "$@" | no_drawings | sed 's/# kiln [0-9.]*$/# kiln VERSION/' >out || return 1
	[ -z "${KILN_GOLDEN:-}" ] || cp out "$want"
	test_cmp "$want" out
}

test_expect_success 'a store with one run of each kind' '
	kiln runs 2>/dev/null &&
	python3 "$t/report-store.py" "$KILN_HOME" &&
	git config --global user.name "C O Mitter" &&
	git config --global user.email committer@example.org
'

test_expect_success 'text' '
	report_is compare.txt aaaa00000001 &&
	report_is bench.txt aaaa00000002 &&
	report_is bisect.txt aaaa00000003 &&
	report_is queue.txt aaaa00000004 &&
	report_is triage.txt aaaa00000005 &&
	report_is failed.txt aaaa00000007 &&
	report_is unlike.txt aaaa00000008
'

test_expect_success 'text for the list has 72 columns, and the table first' '
	for i in 1 2 3 4 6 7 8; do
		kiln report "aaaa0000000$i" >out || return 1
		! grep "^.\{73\}" out | grep -v "^KVM: nSVM" || return 1
	done &&
	kiln report aaaa00000001 | sed -n 4p | grep "^+--"
'

test_expect_success 'markdown' '
	report_is compare.md aaaa00000001 -f markdown &&
	report_is queue.md aaaa00000004 -f markdown &&
	! grep "<" out
'

test_expect_success 'JSON, and --json is the same' '
	report_is bench.json aaaa00000002 -f json &&
	kiln report aaaa00000001 --json >out &&
	python3 -c "import json
d = json.load(open(\"out\"))
assert [r[\"verdict\"] for r in d[\"rows\"]] == [\"faster\", \"same\", \"slower\"]
assert [b[\"side\"] for b in d[\"builds\"]] == [\"base\", \"patched\"]
assert d[\"environment\"] == {\"likeness\": \"alike\", \"reason\": None}" &&
	test_expect_code 129 "$KILN" report aaaa00000001 --json -f html 2>err &&
	grep contradict err
'

test_expect_success 'KCIDB takes it' '
	report_is bench.kcidb aaaa00000002 -f kcidb &&
	python3 "$t/kcidb-check.py" out &&
	for i in 1 3 4 5 7; do
		kiln report "aaaa0000000$i" -f kcidb --origin my_lab >out &&
		python3 "$t/kcidb-check.py" out || return 1
	done &&
	kiln report aaaa00000007 -f kcidb >out &&
	test "$(grep -c "\"status\": \"FAIL\"" out)" = 1 &&
	kiln report aaaa00000005 -f kcidb >out &&
	grep "\"message_id\": \"20260101.cover-v2@example.org\"" out &&
	test_expect_code 129 "$KILN" report aaaa00000001 -f kcidb --origin "My lab" 2>err &&
	grep "My lab" err
'

test_expect_success 'a reply, with Tested-by when it is asked for' '
	report_is reply.mail aaaa00000006 -f mail --tested-by &&
	kiln report aaaa00000006 -f mail >out &&
	! grep Tested-by out &&
	python3 -c "import email, email.policy
m = email.message_from_file(open(\"out\"), policy=email.policy.default)
assert str(m[\"To\"]) == \"J\\u00f6rg Author <joerg@example.org>\", m[\"To\"]
assert len(m[\"Cc\"].addresses) == 3
assert m[\"In-Reply-To\"] == \"<20260101.cover-v2@example.org>\"
assert m[\"References\"].split() == [\"<20260101.earlier@example.org>\", \"<20260101.cover-v2@example.org>\"]
assert m[\"Subject\"] == \"Re: [PATCH v2 0/2] KVM: nSVM: Stop bombing the TLB\"
assert not any(line.startswith(\">\") for line in m.get_content().splitlines())"
'

test_expect_success 'no Tested-by for what is slower' '
	test_expect_code 125 "$KILN" report aaaa00000005 -f mail --tested-by >out 2>err &&
	test_must_be_empty out &&
	grep "slower" err && grep "^hint:" err
'

test_expect_success 'a queue that came by mail is answered too; Tested-by only when it was booted' '
	kiln report aaaa00000009 -f mail --tested-by >out &&
	grep "^In-Reply-To: <20260101.cover-v2@example.org>" out &&
	grep "^Tested-by: C O Mitter <committer@example.org>" out &&
	test_expect_code 125 "$KILN" report aaaa0000000a -f mail --tested-by 2>err &&
	grep "not built and booted" err
'

test_expect_success 'without a name there is a placeholder, and no Tested-by' '
	git config --global --unset user.name &&
	kiln report aaaa00000006 -f mail >out &&
	grep "^From: Your Name <you@example.org>" out &&
	test_expect_code 129 "$KILN" report aaaa00000006 -f mail --tested-by 2>err &&
	grep "user.name" err
'

test_expect_success 'a run about no mail cannot be a reply' '
	test_expect_code 129 "$KILN" report aaaa00000001 -f mail 2>err &&
	grep "about no mail" err
'

test_expect_success 'HTML is one well-formed file without script' '
	report_is compare.html aaaa00000001 -f html &&
	for i in 1 2 3 4 5 7 8; do
		kiln report "aaaa0000000$i" -f html -o "page$i.html" &&
		python3 "$t/html-check.py" "page$i.html" >"drawn$i" || return 1
	done &&
	grep "^svg 4" drawn1 &&
	grep "^svg 1" drawn2 &&
	grep "^svg 2" drawn3 &&
	grep "^svg 0" drawn4 &&
	! grep "^marks [0-3]$" drawn1 drawn2 drawn3 &&
	! grep "<script\|No plot" page[1235].html
'

test_expect_success 'a triage with a search has the plots of both' '
	kiln report aaaa0000000b -f html -o page-b.html &&
	python3 "$t/html-check.py" page-b.html >drawn &&
	grep "^svg 6$" drawn &&
	kiln report aaaa0000000b >out &&
	grep "^The first bad commit is d435a6cdd786" out &&
	grep "^Shadow/Shadow .* slower" out &&
	grep "^Claimed against measured" out
'

test_expect_success 'without gnuplot the page says so' '
	mkdir bin &&
	for tool in python3 sed; do ln -s "$(command -v $tool)" bin/; done &&
	PATH=$PWD/bin "$KILN" report aaaa00000001 -f html >out &&
	test "$(grep -c "No plot: gnuplot is not installed" out)" = 4 &&
	python3 "$t/html-check.py" out | grep "^svg 0"
'

html_can && test_set_prereq BROWSER || say "no chromium: nobody looks at the pages"

test_expect_success BROWSER 'a browser shows tables and plots, on a telephone too' '
	html_look page1.html 1000 >wide &&
	html_look page1.html 400 >narrow &&
	for look in wide narrow; do
		grep "^overflow 0$" $look &&
		grep "^cells 40$" $look &&
		test "$(grep -c "^svg [0-9][0-9][0-9]*x[0-9][0-9]" $look)" = 4 &&
		! grep "^odd-ink" $look || return 1
	done
'

test_expect_success BROWSER 'and in the dark' '
	html_look page3.html 800 --blink-settings=preferredColorScheme=0 >dark &&
	html_look page3.html 800 >light &&
	grep "^paper rgb(22, 24, 27)" dark &&
	grep "^paper rgb(255, 255, 255)" light &&
	! grep "^odd-ink" dark
'

test_expect_success 'an unknown form, an unknown run, a file that cannot be written' '
	test_expect_code 129 "$KILN" report -f pdf 2>err && grep "pdf" err &&
	test_expect_code 128 "$KILN" report bbbb 2>err && grep "no run .bbbb." err &&
	test_expect_code 128 "$KILN" report -o none/file aaaa00000001 2>err && grep "none/file" err
'

test_done
