#!/bin/bash
test_description='a real kernel: built, found in the cache, built again after one file'
. "$(dirname "$0")/lib.sh"

field() {
	sed -n "s/^ *\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1" | head -n 1
}

test_expect_success 'the base builds' '
	kiln build --tree "$tree" --json HEAD >base.json &&
	test "$(field base.json status)" = ok &&
	test -s "$(field base.json image)"
'

test_expect_success 'the second time the cache has it' '
	kiln build --tree "$tree" --json HEAD >again.json &&
	test "$(field again.json cached)" = true &&
	test "$(field again.json build_id)" = "$(field base.json build_id)"
'

test_expect_success 'one changed file: few objects, another kernel' '
	kiln build --tree "$tree" "$(kernel_edit HEAD one)" >/dev/null &&
	kiln build --tree "$tree" --json "$(kernel_edit HEAD "two $(date +%s%N)")" >step.json &&
	test "$(field step.json status)" = ok &&
	test "$(field step.json cached)" = false &&
	test "$(field step.json build_id)" != "$(field base.json build_id)" &&
	log=$(field step.json log) &&
	grep "  CC      arch/x86/kvm/svm/nested.o" "$log" &&
	test "$(grep -c "^  CC " "$log")" -le 8
'

test_expect_success 'other sources, the same code: one kernel, which compare does not boot' '
	one=$(kernel_edit HEAD "1; /* one */") && two=$(kernel_edit HEAD "1; /* two */") &&
	kiln compare --tree "$tree" --json --cell npt/npt "$one" "$two" >same.json &&
	test "$(json same.json "[(r[\"verdict\"], r[\"base\"][\"boots\"], r[\"patched\"][\"boots\"]) for r in d[\"rows\"]]")" = \
		"[('\''same'\'', 0, 0)]" &&
	kiln build --tree "$tree" --json "$one" "$two" >both.json &&
	test "$(json both.json "len(set(b[\"code\"] for b in d[\"builds\"]))")" = 1 &&
	test "$(field both.json code)" != "$(field step.json code)"
'

test_expect_success 'an error of the compiler in it is the reason given' '
	test_expect_code 125 "$KILN" build --tree "$tree" --json "$(kernel_edit HEAD "3; int broken = nothing")" >bad.json &&
	grep "arch/x86/kvm/svm/nested.c:[0-9]*:[0-9]*: error: .nothing. undeclared" bad.json
'

test_done
