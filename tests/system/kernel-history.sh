# Histories of 16 commits on the Linux repository $tree that nothing refers to. All of them edit
# one object, so that a step compiles one file.

# history DIR: reads, for N = 1..16, DIR/N as a sed script over nested.c (may be absent) and DIR/N.c
# to be added at its end; each commit has what its number says and the probe N. Prints base and
# commits, a line each.
history() {
	(
		file=arch/x86/kvm/svm/nested.c
		GIT_DIR=$tree/.git GIT_INDEX_FILE=$(mktemp -u)
		export GIT_DIR GIT_INDEX_FILE
		parent=$(git rev-parse HEAD)
		git cat-file blob "$parent:$file" >base.c
		git read-tree "$parent"
		echo "$parent"
		n=0
		while [ $((n += 1)) -le 16 ]; do
			script=$1/$n code=$1/$n.c
			[ -e "$script" ] || script=/dev/null
			[ -e "$code" ] || code=/dev/null
			{
				sed -f "$script" base.c &&
				echo "extern unsigned int kiln_probe;" &&
				echo "unsigned int kiln_probe = $n;" &&
				cat "$code"
			} >edited.c &&
				blob=$(git hash-object -w edited.c) &&
				git update-index --cacheinfo "100644,$blob,$file" &&
				parent=$(GIT_AUTHOR_DATE="@$n +0000" GIT_COMMITTER_DATE="@$n +0000" \
					git commit-tree -p "$parent" -m "KVM: nSVM: edit $n" "$(git write-tree)") ||
				exit 1
			echo "$parent"
		done
		rm -f "$GIT_INDEX_FILE"
	)
}

# plant DIR FIRST INSTRUCTIONS: from commit FIRST on, each exit of a nested guest executes so many more.
plant() {
	n=$2
	mkdir -p "$1"
	while [ "$n" -le 16 ]; do
		cat >"$1/$n" <<END
0,/^	leave_guest_mode(vcpu);/s//	leave_guest_mode(vcpu);\\
	{\\
		unsigned long n = $(($3 / 2));\\
\\
		asm volatile("1: dec %0; jnz 1b" : "+r"(n));\\
	}/
END
		n=$((n + 1))
	done
}

# commit_of N: of the history in commits
commit_of() {
	sed -n "$(($1 + 1))p" commits
}

# bisect FILE [OPTIONS]: of the history in commits, the document into FILE
bisect() {
	out=$1
	shift
	"$KILN" bisect --json --tree "$tree" --cell npt/npt "$@" "$(commit_of 0)" "$(commit_of 16)" \
		>"$out" 2>"$out.err"
}

# figures FILE: wall seconds, boots and builds of a bisection
figures() {
	json "$1" '"%d boots, %d builds, %.0f s of builds and boots" % (d["boots"], d["builds"], d["seconds"])'
}
