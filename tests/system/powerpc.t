#!/bin/bash
test_description='the powerpc lane: a series that makes guests exit more often is measured, and its patch found'
. "$(dirname "$0")/lib.sh"

# A kernel for it is 14 minutes of processor time: one that is in the cache is used, one that is not is
# built where KILN_TEST_CROSS asks for it.
kernel_is_cached() {
	grep -lx "tree $(git -C "$tree" rev-parse "HEAD^{tree}")" "$KILN_TEST_HOME"/cache/builds/*/meta |
		xargs -r grep -qx "arch powerpc64le"
}

if command -v qemu-system-ppc64 >/dev/null && [ -x "$KILN_BUILD/powerpc64le/kiln-agent" ] &&
	{ [ -n "${KILN_TEST_CROSS:-}" ] || kernel_is_cached; }; then
	test_set_prereq POWERPC
fi
series=$KILN_SOURCE/examples/hv-slice.mbox

test_expect_success POWERPC 'triage guesses the architecture, says slower and finds the patch' '
	test_expect_code 1 "$KILN" triage --json --bisect --offline --tree "$tree" --bench spin_rate \
		--boots 2 "$series" >out 2>err &&
	grep "^arch  powerpc64le, as the series touches arch/powerpc/kvm/book3s_hv.c" err
'

test_expect_success POWERPC 'one cell, and every kernel is proven behind a kexec' '
	test "$(json out "[r[\"cell\"][\"l0\"] + \"/\" + r[\"cell\"][\"l1\"] for r in d[\"rows\"]]")" = "['"'radix/-'"']" &&
	test "$(json out "d[\"rows\"][0][\"verdict\"]")" = slower &&
	test "$(json out "all(b[\"proven\"] and b[\"path\"] == \"kexec\" for b in d[\"boots\"])")" = true &&
	test "$(json out "len({b[\"boot_id\"] for b in d[\"boots\"]}) == len(d[\"boots\"])")" = true
'

test_expect_success POWERPC 'bisection names the patch' '
	test "$(json out "d[\"bisect\"][\"verdict\"]")" = found &&
	test "$(json out "d[\"bisect\"][\"culprit\"][\"subject\"]")" = \
		"KVM: PPC: Book3S HV: Look after the host between two ticks"
'

test_expect_success POWERPC 'exits are counted: more of them by operation' '
	head=$(json out "d[\"apply\"][\"head\"]") base=$(json out "d[\"apply\"][\"base\"]") &&
	kiln bench --json --count --arch powerpc64le --tree "$tree" --bench spin_rate --boots 1 \
		"$base" "$head" >count.json &&
	python3 - count.json "$base" "$head" <<-\EOT
	import json, sys
	d = json.load(open(sys.argv[1]))
	n = {c["commit"]: c["per_operation"] for c in d["counters"] if c["counter"] == "kvm_hv:kvm_guest_exit"}
	assert n[sys.argv[3]] > 2 * n[sys.argv[2]] > 0, n
	EOT
'

test_done
