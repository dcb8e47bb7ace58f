#!/bin/bash
test_description='the real kernel for other architectures: their configuration, their compiler'
. "$(dirname "$0")/lib.sh"

command -v powerpc64le-linux-gnu-gcc >/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null &&
	test_set_prereq CROSS
# Minutes for each: some 500 objects. Set KILN_TEST_CROSS to have them.
[ -z "${KILN_TEST_CROSS:-}" ] || test_set_prereq CROSS_WHOLE

# broken_for MACRO: a commit whose first object does not compile where the compiler defines MACRO
broken_for() {
	(
		file=kernel/bounds.c
		GIT_DIR=$tree/.git GIT_INDEX_FILE=$(mktemp -u)
		export GIT_DIR GIT_INDEX_FILE
		blob=$(
			{
				git cat-file blob "HEAD:$file" &&
					printf '#ifdef %s\nint kiln_probe = seen%s;\n#endif\n' "$1" "$1"
			} | git hash-object -w --stdin
		) &&
			git read-tree HEAD && git update-index --cacheinfo "100644,$blob,$file" &&
			git commit-tree -p HEAD -m "break $1" "$(git write-tree)"
		code=$?
		rm -f "$GIT_INDEX_FILE"
		exit $code
	)
}

# Up to its first object, a build configures the kernel: every symbol of kiln's own fragment is there,
# else the answer would be config-lost.
for row in powerpc64le:__powerpc64__ arm64:__aarch64__; do
	arch=${row%:*} macro=${row#*:}
	test_expect_success CROSS "$arch: kiln's own configuration holds, and its compiler is the one that compiles" "
		test_expect_code 125 '$KILN' build --tree '$tree' --arch $arch \"\$(broken_for $macro)\" >out &&
		grep 'failed: kernel/bounds.c:[0-9:]* error: .seen$macro. undeclared' out
	"
done

test_expect_success CROSS_WHOLE 'a whole kernel for each' '
	cat >powerpc64le.config <<-\EOT &&
	CONFIG_PPC64=y
	CONFIG_PPC_BOOK3S_64=y
	CONFIG_CPU_LITTLE_ENDIAN=y
	CONFIG_PPC_PSERIES=y
	CONFIG_PPC_DISABLE_WERROR=y
	EOT
	echo CONFIG_PRINTK=y >arm64.config &&
	for arch in powerpc64le arm64; do
		kiln build --tree "$tree" --arch $arch --fragment $arch.config --json HEAD >$arch.json || return 1
	done &&
	readelf -h "$(json powerpc64le.json "d[\"builds\"][0][\"image\"]")" | grep "Machine: *PowerPC64" &&
	# the magic of an arm64 Image
	test "$(dd if="$(json arm64.json "d[\"builds\"][0][\"image\"]")" bs=1 skip=56 count=3 2>/dev/null)" = ARM
'

test_done
