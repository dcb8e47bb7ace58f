#!/bin/bash
test_description="git apply's rules, one by one: the same verdict and the same tree as git"
. "$(dirname "$0")/lib.sh"

driver=${KILN_BUILD:-$(dirname "$KILN")}/tests/apply-driver
shopt -s lastpipe # so that tests behind a pipe are counted

test_expect_success 'a tree' '
	git init -q -b main repo &&
	(
		cd repo &&
		seq 1 20 >seq &&
		printf "x\ny\nx\ny\nx\ny\n" >twice &&
		printf "a\nb" >noeol &&
		printf "a\r\nb\r\nc\r\n" >crlf &&
		: >empty &&
		mkdir -p dir/sub && echo 1 >dir/one && echo 2 >dir/sub/two &&
		ln -s dir link &&
		printf "#!/bin/sh\n" >run && chmod +x run &&
		printf "\0\1\2 binary \3 and more of it, long enough for a delta\n" >bin &&
		echo umlaut >"$(printf "\303\244")" && echo q >"q\"uote" && echo t >"t	ab" &&
		printf "if (x) {\n\tfoo();\n}\n\n\n" >blank &&
		git add -A &&
		git update-index --add --cacheinfo \
			160000,1111111111111111111111111111111111111111,sub &&
		git commit -q -m base
	)
'

# The diff on standard input, by git: sets $want to "applied TREE" or "refused".
by_git() {
	export GIT_INDEX_FILE="$PWD/index" GIT_DIR="$PWD/repo/.git"
	git read-tree HEAD && want=refused
	if git apply --cached "$@" diff >git.log 2>&1; then
		want="applied $(git write-tree)"
	fi
	unset GIT_INDEX_FILE GIT_DIR
}

# same VERDICT NAME [OPTION...] <diff: git's verdict is this one, kiln's the same, trees equal
same() {
	local verdict=$1 name=$2

	shift 2
	cat >diff.next
	rules_options=$*
	test_expect_success "$name" '
		mv diff.next diff &&
		by_git $rules_options &&
		ours=$(echo $rules_options | sed "s/-\([pC]\)/-\1=/g") &&
		echo "apply HEAD diff $ours" | "$driver" repo >out &&
		case $want in $verdict*) ;; *) echo "git: $want"; cat git.log; false ;; esac &&
		if test "$want" = refused; then
			grep "^refused" out
		else
			echo "$want" >want && test_cmp want out
		fi
	'
}

# hunk FILE BODY...: a plain diff of one hunk; the body's first line is the "@@" line
hunk() {
	printf -- '--- a/%s\n+++ b/%s\n' "$1" "$1"
	shift
	printf '%b\n' "$@"
}

hunk seq '@@ -1,2 +1,3 @@' ' 3' '+new' ' 4' | same refused 'C5/124 a hunk at line 1 matches at the beginning only'
hunk seq '@@ -1,3 +1,4 @@' ' 1' ' 2' '+new' ' 3' | same applied 'C5/124 and there it does'
hunk seq '@@ -3,2 +3,3 @@' ' 3' ' 4' '+new' | same refused 'C5/125 without trailing context it matches at the end only'
hunk seq '@@ -1,2 +3,3 @@' ' 19' ' 20' '+new' | same refused 'C5/125 at the end, but the first line is meant'
hunk seq '@@ -9,2 +9,3 @@' ' 19' ' 20' '+new' | same applied 'C5/125 and at the end it does, wherever it says'
hunk seq '@@ -5 +5 @@' '-5' '+five' | same refused 'C5/126 no context is refused'
hunk seq '@@ -5,4 +5,4 @@' ' 5' '-6' '+six' ' 7' | same refused 'C5/127 a body shorter than its counts'
hunk seq '@@ -5,3 +5,3 @@' ' 5' '-6' '+six' ' 7' ' 8' | same applied 'C5/127 longer than its counts: the rest is text'
hunk seq '@@ -5,2 +5,2 @@' ' 5' '-6' '+six' '-7' | same refused 'C5/127 changes behind its counts'
printf '%s\n' 'diff --git seq seq' '--- seq' '+++ seq' '@@ -5,3 +5,3 @@' ' 5' '-6' '+six' ' 7' >np
same refused 'C5/128 no prefix, -p1' <np
same applied 'C5/128 no prefix, -p0' -p0 <np
sed 's|seq|x/y/seq|g' np | same applied 'C5/128 two folders too many, -p2' -p2

printf '%s\n' 'diff --git a/new b/new' 'new file mode 100644' 'index 0000000..e69de29' | same applied 'C5/129 C071 a new empty file'
printf '%s\n' 'diff --git a/empty b/empty' 'deleted file mode 100644' 'index e69de29..0000000' | same applied 'C5/129 an empty file goes'
printf '%s\n' 'diff --git a/run b/run' 'old mode 100755' 'new mode 100644' | same applied 'C5/129 only the mode'
printf '%s\n' 'diff --git a/seq b/moved' 'similarity index 90%' 'rename from seq' 'rename to moved' '--- a/seq' '+++ b/moved' '@@ -5,3 +5,3 @@' ' 5' '-6' '+six' ' 7' | same applied 'C5/129 a rename with an edit'
printf '%s\n' 'diff --git a/seq b/moved' 'similarity index 100%' 'rename from seq' 'rename to moved' | same applied 'C5/129 C073 a rename alone'
printf '%s\n' 'diff --git a/seq b/copy' 'similarity index 100%' 'copy from seq' 'copy to copy' | same applied 'C5/129 a copy'
printf '%s\n' 'diff --git a/dir/one b/dir/one' 'deleted file mode 100644' '--- a/dir/one' '+++ /dev/null' '@@ -1 +0,0 @@' '-1' | same applied 'C5/129 a deletion'
printf '%s\n' 'diff --git a/run b/other' 'old mode 100755' 'new mode 100644' 'similarity index 100%' 'rename from run' 'rename to other' | same applied 'C5/129 a rename with another mode'

hunk seq '@@ -5,3 +5,3 @@ text' ' 5' '-6' '+six' ' 7' | same applied 'C5/130 a diff without git header'
{ hunk seq '@@ -5,3 +5,3 @@' ' 5' '-6' '+six' ' 7'; hunk seq '@@ -5,3 +5,3 @@' ' 5' '-six' '+SIX' ' 7'; } | same applied 'C5/131 two diffs of one file'
hunk seq '@@ -5,3 +5,3 @@' ' 5\r' '-6\r' '+six\r' ' 7\r' | same refused 'C5/132 CRLF on a file without'
hunk crlf '@@ -1,3 +1,3 @@' ' a' '-b' '+B' ' c' | same refused 'C5/132 and the other way round'
hunk crlf '@@ -1,3 +1,3 @@' ' a\r' '-b\r' '+B\r' ' c\r' | same applied 'C5/132 CRLF on CRLF'
hunk crlf '@@ -1,3 +1,3 @@' ' a' '-b' '+B' ' c' | same applied 'C5/132 line ends may differ with --ignore-space-change' --ignore-space-change
hunk noeol '@@ -1,2 +1,2 @@' ' a' '-b' '\\ No newline at end of file' '+b' | same applied 'C5/133 C074 a newline comes'
hunk seq '@@ -18,3 +18,3 @@' ' 18' ' 19' '-20' '+20' '\\ No newline at end of file' | same applied 'C5/133 a newline goes'
hunk noeol '@@ -1,2 +1,2 @@' ' a' '-b' '+c' | same refused 'C5/133 a newline that is not there'

test_expect_success 'binary diffs' '
	(
		cd repo &&
		printf "\0\1\2 binary \3 and more of it, long enough for a delta, indeed\n" >bin &&
		printf "\0new" >bin2 && git add -N bin2 &&
		git diff --binary >../binary.diff &&
		git diff >../differ.diff &&
		git rm -q --cached bin2 && rm bin2 && git checkout -q bin
	) &&
	grep "^delta" binary.diff && grep "^literal" binary.diff
'
same applied 'C5/134 binary, literal and delta' <binary.diff
same refused 'C5/134 binary files differ' <differ.diff
sed 's/^index [0-9a-f]*\.\./index 2222222222222222222222222222222222222222../' binary.diff | same refused 'C5/134 binary, for other contents'
sed 's/^delta 1/delta 2/; s/^literal 4/literal 5/' binary.diff | same refused 'C5/134 binary, of another size'

for path in ../x /tmp/x .git/config .GIT/config dir/.git/hooks/x 'dir/../../x' 'git~1/x'; do
	printf '%s\n' "diff --git a/$path b/$path" 'new file mode 100644' '--- /dev/null' "+++ b/$path" '@@ -0,0 +1 @@' '+x' >unsafe
	rules_options=
	test_expect_success "C5/135 $path is refused" '
		echo "apply HEAD unsafe" | "$driver" repo >out && grep "^refused unsafe-path" out
	'
done
printf '%s\n' 'diff --git a/link/x b/link/x' 'new file mode 100644' '--- /dev/null' '+++ b/link/x' '@@ -0,0 +1 @@' '+x' | same refused 'C5/135 beyond a symbolic link'
printf '%s\n' 'diff --git a/l b/l' 'new file mode 120000' '--- /dev/null' '+++ b/l' '@@ -0,0 +1 @@' '+/etc' '\ No newline at end of file' 'diff --git a/l/x b/l/x' 'new file mode 100644' '--- /dev/null' '+++ b/l/x' '@@ -0,0 +1 @@' '+x' | same refused 'C5/135 beyond a link of the same patch'
hunk seq '@@ -5,3 +5,3 @@' ' 5' '-6' '+six' ' 7' | same refused 'C5/135 --directory does not lead out' --directory=../up

printf '%s\n' 'diff --git a/sub b/sub' 'index 1111111..2222222 160000' '--- a/sub' '+++ b/sub' '@@ -1 +1 @@' '-Subproject commit 1111111111111111111111111111111111111111' '+Subproject commit 2222222222222222222222222222222222222222' | same applied 'C5/136 a submodule moves'
printf '%s\n' 'diff --git a/sub b/sub' 'deleted file mode 160000' 'index 1111111..0000000' '--- a/sub' '+++ /dev/null' '@@ -1 +0,0 @@' '-Subproject commit 1111111111111111111111111111111111111111' | same applied 'C5/136 a submodule goes'
printf '%s\n' 'diff --git a/s2 b/s2' 'new file mode 160000' 'index 0000000..2222222' '--- /dev/null' '+++ b/s2' '@@ -0,0 +1 @@' '+Subproject commit 2222222222222222222222222222222222222222' | same applied 'C5/136 a submodule comes'
printf '%s\n' 'diff --git "a/\303\244" "b/\303\244"' '--- "a/\303\244"' '+++ "b/\303\244"' '@@ -1 +1 @@' '-umlaut' '+u' | same applied 'C5/137 a quoted name'
printf '%s\n' 'diff --git "a/q\"uote" "b/q\"uote"' 'deleted file mode 100644' '--- "a/q\"uote"' '+++ /dev/null' '@@ -1 +0,0 @@' '-q' | same applied 'C5/137 a quote in a name'
printf '%s\n' 'diff --git "a/t\tab" b/tab' 'similarity index 100%' 'rename from "t\tab"' 'rename to tab' | same applied 'C5/137 only one name quoted'

printf '%s\n' 'diff --git a/link b/link' 'index 0..1 120000' '--- a/link' '+++ b/link' '@@ -1 +1 @@' '-dir' '\ No newline at end of file' '+run' '\ No newline at end of file' | same applied 'a symbolic link changes'
printf '%s\n' 'diff --git a/link b/link' 'deleted file mode 120000' '--- a/link' '+++ /dev/null' '@@ -1 +0,0 @@' '-dir' '\ No newline at end of file' 'diff --git a/link b/link' 'new file mode 100644' '--- /dev/null' '+++ b/link' '@@ -0,0 +1 @@' '+file' | same applied 'a link becomes a file'
hunk seq '@@ -3,5 +3,5 @@' ' 3' '' '-5' '+five' ' 6' | same refused 'C069 an empty line is an empty context line'
hunk blank '@@ -2,4 +2,4 @@' ' \tfoo();' '-}' '+};' '' '' | same applied 'C069 and fits one'
printf '%s\n' 'diff --git a/seq b/seq' 'new file mode 100644' '--- /dev/null' '+++ b/seq' '@@ -0,0 +1 @@' '+x' | same refused 'C075 a new file over an old one'
hunk twice '@@ -4,3 +4,4 @@' ' x' '+new' ' y' ' x' | same applied 'C078 of two places the nearer'
hunk seq '@@ -9,5 +9,5 @@' ' 9' ' other' '-11' '+eleven' ' 12' ' 13' | same refused 'C078 no fuzz'
hunk seq '@@ -9,5 +9,5 @@' ' other' ' 10' '-11' '+eleven' ' 12' ' 13' | same applied 'C078 less context on request' -C1
hunk seq '@@ -9,5 +9,5 @@' ' other' ' 10' '-11' '+eleven' ' 12' ' 13' | same refused 'C078 but not less than that' -C2
hunk seq '@@ -1,4 +1,4 @@' ' other' ' 10' '-11' '+eleven' ' 12' | same applied 'C078 the beginning is context, too' -C1
hunk seq '@@ -4,3 +4,4 @@' ' 4' ' 5' '+new' ' 6' | same refused '--directory' --directory=dir
hunk two '@@ -1 +1 @@' '-2' '+two' | same applied '--directory names the file' --directory=dir/sub
{ hunk seq '@@ -5,3 +5,3 @@' ' 5' '-6' '+six' ' 7'; hunk none '@@ -5,3 +5,3 @@' ' 5' '-6' '+six' ' 7'; } >two
same refused 'a file that is not there' <two
same applied '--exclude leaves it out' '--exclude=no*' <two
same applied '--include takes the other' --include=seq <two
same applied 'nothing is left: no error' --include=nothing <two
hunk seq '@@ -5,3 +5,3 @@' ' 5' '-6' '+six  ' ' 7' >ws
same applied 'trailing blanks are let through' <ws
same refused '--whitespace=error' --whitespace=error <ws
same applied '--whitespace=fix' --whitespace=fix <ws
hunk seq '@@ -5,3 +5,3 @@' ' 5  ' '-6' '+six  ' ' 7' | same applied '--whitespace=fix lets context differ' --whitespace=fix
hunk seq '@@ -5,3 +5,3 @@' ' 5' '-6' '+          \tsix' ' 7' | same applied '--whitespace=fix mends an indentation' --whitespace=fix
hunk seq '@@ -18,3 +18,6 @@' ' 18' ' 19' ' 20' '+a' '+' '+' | same applied '--whitespace=fix takes blank lines off the end' --whitespace=fix
hunk seq '@@ -18,3 +18,5 @@' ' 18' ' 19' ' 20' '+' '+' | same refused '--whitespace=error refuses them' --whitespace=error
hunk blank '@@ -2,5 +2,5 @@' ' \tfoo();' '-}' '+};' ' ' ' ' ' ' | same applied '--whitespace=fix: blank lines someone took off already' --whitespace=fix

test_done
