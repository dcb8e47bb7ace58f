#!/bin/bash
test_description='builds that are killed: nothing stays behind, resume ends where it would have ended'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/toy.sh"

test_expect_success 'a toy kernel, two commits' '
	cp -r "$KILN_SOURCE/tests/data/toy-kernel" tree &&
	git init -q tree && commit base && git -C tree tag good &&
	echo "/* next */" >>tree/lib.c && commit next &&
	printf "CONFIG_NET=y\nCONFIG_NET_9P=y\n" >frag
'

# What a build command found, without what differs from run to run.
essence() {
	grep -E "\"(commit|tree|config|build_id|status|reason)\":" "$1"
}

test_expect_success BWRAP 'kill -9 at every journal record, then resume: the same builds' '
	kiln build --tree tree --fragment frag --json good HEAD >want.json && essence want.json >want &&
	for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
		(
			KILN_HOME=$PWD/kill-$n && export KILN_HOME &&
			KILN_KILL_AT=$n "$KILN" build --tree tree --fragment frag --json good HEAD >got.json 2>err
			code=$?
			echo $code >code
			test $code = 0 && exit 0
			test $code = 137 && kiln resume last >got.json
		) &&
		essence got.json >got && test_cmp want got || return 1
		test "$(cat code)" != 0 || break
	done &&
	test "$(cat code)" = 0 && test "$n" -gt 6
'

test_expect_success BWRAP 'kill -9 while make runs: nothing is left running, the next build is whole' '
	fresh &&
	printf "\nbzImage: hang\nhang:\n\t@exec 3>\$(O)/alive; echo up >&3; exec sleep 86397\n" >>tree/Makefile &&
	commit hang &&
	mkfifo "$(worktree)/out/alive" &&
	{ "$KILN" build --tree tree --fragment frag HEAD >out 2>err & } && pid=$! &&
	exec 7<"$(worktree)/out/alive" && read -r up <&7 && test "$up" = up &&
	kill -9 $pid && { wait $pid 2>/dev/null || :; } &&
	cat <&7 >rest && exec 7<&- && # ends when nobody has it open any more
	! pgrep -f "^sleep 86397" &&
	test -e "$(worktree)/dirty" &&
	fresh && echo "/* e */" >>tree/main.c && commit e &&
	build --json HEAD >out.json &&
	grep "CC      lib.o" "$(field out.json log)" &&
	test ! -e "$(worktree)/out/alive" && test ! -e "$(worktree)/dirty"
'

test_done
