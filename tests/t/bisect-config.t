#!/bin/bash
test_description='kiln bisect --config on a toy kernel'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/store.sh"
. "$KILN_SOURCE/tests/t/toy.sh"

test_expect_success BWRAP 'two configurations that differ in three symbols' '
	cp -r "$KILN_SOURCE/tests/data/toy-kernel" tree &&
	git init -q -b main tree && commit base &&
	printf "# CONFIG_NET is not set\n" >good.config &&
	printf "CONFIG_NAME=y\nCONFIG_NET=y\nCONFIG_NET_9P=y\n" >bad.config
'

# Each point is a build of its own, though all are of one commit and one tree.
test_expect_success BWRAP 'the symbol is named' '
	test="! grep -q CONFIG_NET=y \"\$(dirname \"\$KILN_IMAGE\")/config\"" &&
	kiln bisect --tree tree --config --json --test "$test" good.config bad.config HEAD >out.json 2>err &&
	test "$(jq_py out.json "d[\"verdict\"]")" = found &&
	test "$(jq_py out.json "d[\"culprit\"][\"subject\"]")" = CONFIG_NET=y
'

test_expect_success BWRAP 'a symbol whose dependency is missing falls; it is no lost configuration' '
	printf "CONFIG_NET_9P=y\n" >lonely.config &&
	test_expect_code 125 "$KILN" bisect --tree tree --config --test true good.config lonely.config HEAD 2>err &&
	! grep "config-lost" err
'

test_expect_success 'what is refused' '
	test_expect_code 129 "$KILN" bisect --tree tree --config good.config bad.config 2>err &&
	grep "revision" err &&
	test_expect_code 129 "$KILN" bisect --tree tree --config --test true good.config good.config HEAD 2>err &&
	grep "set the same" err &&
	echo nonsense >none.config &&
	test_expect_code 128 "$KILN" bisect --tree tree --config --test true good.config none.config HEAD 2>err &&
	grep "none.config. line 1" err
'

test_done
