# What every command that boots refuses before a machine starts. Sourced after lib.sh; each
# function takes the command and its arguments, which are split into words.

# $3: the arguments with a revision that does not exist
refuses_names() {
	local cmd=$1 args=$2 bad=$3

	test_expect_success 'a small repository' '
		git init -q tree &&
		echo one >tree/file &&
		git -C tree add file &&
		git -C tree commit -q -m one &&
		echo two >tree/file &&
		git -C tree commit -q -a -m two
	'

	test_expect_success 'outside a repository: says so and how to name one' '
		test_expect_code 128 "$KILN" $cmd $args >out 2>err &&
		test_must_be_empty out &&
		grep "^error: " err &&
		grep "^hint: .*--tree" err
	'

	test_expect_success 'an unknown revision is named' '
		test_expect_code 128 "$KILN" $cmd --tree tree $bad >out 2>err &&
		test_must_be_empty out &&
		grep "nonsense" err
	'

	test_expect_success 'the same failure as a document' '
		test_expect_code 128 "$KILN" $cmd --json --tree tree $bad >out 2>err &&
		grep "\"code\": \"unknown-revision\"" out
	'

	test_expect_success 'a kernel that is none: build failed, 125, log named' '
		test_expect_code 125 "$KILN" $cmd --tree tree $args >out 2>err &&
		test_must_be_empty out &&
		grep "does not build" err
	'
}

refuses_cells() {
	local cmd=$1 args=$2

	test_expect_success 'an impossible cell is refused with the reason' '
		test_expect_code 129 "$KILN" $cmd --tree tree --cell shadow/npt $args 2>err &&
		grep -i "shadow/npt" err
	'

	test_expect_success 'an unknown benchmark is refused' '
		test_expect_code 129 "$KILN" $cmd --tree tree --bench nonsense $args 2>err &&
		grep "nonsense" err
	'
}

refuses_machines() {
	local cmd=$1 args=$2

	test_expect_success 'an unknown accelerator or target is refused' '
		test_expect_code 129 "$KILN" $cmd --tree tree --accel nonsense $args 2>err &&
		grep "nonsense" err &&
		test_expect_code 129 "$KILN" $cmd --tree tree --target nonsense $args 2>err &&
		grep "nonsense" err
	'

	test_expect_success 'the machine kiln runs on is refused without consent, before anything is built' '
		git -C tree config target.here.kind local &&
		test_expect_code 128 "$KILN" $cmd --tree tree --target here $args 2>err &&
		grep "kiln may not reboot it" err && grep "target.here.allowReboot true" err
	'
}
