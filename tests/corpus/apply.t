#!/bin/bash
test_description='real series on the files they change: the commits of git am'
. "$(dirname "$0")/../t/lib.sh"

CORPUS=${KILN_CORPUS:-$KILN_SOURCE/../shared/corpus}
skeletons=("$CORPUS"/*/*/skeleton-v*.tar.gz)
if ! test -f "${skeletons[0]}"; then
	skip_all='no corpus of real threads here; KILN_CORPUS names one'
	test_done
fi

# compare SKELETON: a line "NAME git: VERDICT kiln: VERDICT" into out; verdicts have the head's id
compare() {
	local dir=${1%/*} revision=${1##*/skeleton-v} name theirs=refused ours

	revision=${revision%%-*}
	name=${dir#"$CORPUS"/}
	rm -rf tree wt series.mbox
	mkdir tree && tar -xzf "$1" -C tree &&
		git -C tree init -q -b main && git -C tree add -f -A &&
		git -C tree commit -q -m skeleton || return
	# Some revisions are not whole, or none at all, to who reads the thread with care.
	kiln series -q -r "$revision" -o series.mbox "$dir/thread.mbox" >series.out 2>&1 || {
		echo "$name v$revision kiln: no whole series" >>out
		return 0
	}
	kiln apply -q --tree tree series.mbox >apply.out 2>&1
	case $? in
	0) ours="applied $(sed -n 's/^head  //p' apply.out)" ;;
	1) ours=refused ;;
	*) ours="failed: $(head -n 1 apply.out)" ;;
	esac
	if git -C tree am -q --patch-format=mboxrd --committer-date-is-author-date ../series.mbox >am.out 2>&1; then
		theirs="applied $(git -C tree rev-parse HEAD)"
	fi
	echo "$name v$revision git: $theirs kiln: $ours" >>out
	test "$theirs" = "$ours"
}

test_expect_success "${#skeletons[@]} series: kiln and git am agree" '
	bad= &&
	for skeleton in "${skeletons[@]}"; do
		compare "$skeleton" || bad="$bad $skeleton"
	done &&
	cat out &&
	test -z "$bad"
'

test_expect_success 'most of them apply' '
	test $(grep -c "kiln: applied" out) -ge $(($(wc -l <out) / 2))
'

test_done
