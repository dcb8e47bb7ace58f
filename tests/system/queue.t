#!/bin/bash
test_description='a stable queue on a real kernel: one patch costs 1 %, one warns, one keeps it from booting'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/system/kernel-history.sh"

# A folder of the patches 11 to 14 of the history in commits.
queue_of() {
	mkdir "$1" && git -C "$tree" format-patch -q -o "$PWD/$1" "$(commit_of 10)..$(commit_of 14)" >/dev/null &&
	(cd "$1" && ls -- *.patch >series)
}

queue() {
	"$KILN" queue --tree "$tree" --onto "$(commit_of 10)" --only S23,S24,S25,S26 --cell npt/npt "$@"
}

test_expect_success 'the second of four patches costs 1 %: found, measured against the tree without them' '
	plant plan 12 270 && printf "%s\n" "static int kiln_unused(void)" "{" "	return 0;" "}" >plan/14.c &&
	history plan >commits && queue_of slow &&
	test_expect_code 1 queue --each --json slow >out &&
	test "$(json out "[f[\"severity\"] for f in d[\"patches\"][1][\"findings\"] if f[\"check\"] == \"S26\"]")" = "['\''error'\'']" &&
	test "$(json out "sum(len(p[\"findings\"]) for p in d[\"patches\"])")" = 1 &&
	test "$(json out "-0.02 < d[\"rows\"][0][\"change\"] < -0.005")" = true &&
	test "$(json out "all(b[\"proven\"] for b in d[\"boots\"])")" = true
'

test_expect_success 'each step but the tip was compiled by its one object, and the new warning is listed' '
	grep "of 3 steps before the tip 0 were built whole; of the others the 3 objects" out &&
	test "$(json out "[f[\"check\"] for f in d[\"findings\"] if \"kiln_unused\" in f[\"text\"]]")" = "['\''S24'\'']" &&
	! json out "d[\"unchecked\"]" | grep S24
'

# Kernels that break kexec alone were released: x86/kexec, a check of a buffer of the kernel before.
test_expect_success 'story 18: a patch that keeps the kernel from coming up by kexec is named in the reply (S25)' '
	printf "%s\n" "static int __init kiln_dies(void)" "{" "	if (bootloader_type >> 4 == 0xd)" \
		"		panic(\"planted\");" "	return 0;" "}" \
		"core_initcall(kiln_dies);" >plan/13.c &&
	rm plan/1[2-6] && cp plan/13.c plan/14.c && history plan >commits && queue_of dead &&
	test_expect_code 1 queue --reply dead >reply &&
	sed -n "/edit-13.patch/,\$p" reply | grep "S25  from this patch on the kernel does not come up: panic: .*planted" &&
	test "$(grep -c "S25" reply)" = 1 && ! grep Tested-by reply
'

test_done
