#!/bin/bash
test_description='kernel images: cache, increments, failures, sandbox (a toy tree, real git, make and gcc)'
. "$(dirname "$0")/lib.sh"

. "$KILN_SOURCE/tests/t/toy.sh"
. "$KILN_SOURCE/tests/t/store.sh"

unshare -rm true 2>/dev/null && test_set_prereq UNSHARE
command -v powerpc64le-linux-gnu-gcc >/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null &&
	test_set_prereq CROSS
command -v clang >/dev/null && command -v ld.lld >/dev/null && test_set_prereq LLVM

test_expect_success 'a toy kernel in a repository whose owner has filters and CRLF' '
	cp -r "$KILN_SOURCE/tests/data/toy-kernel" tree &&
	git init -q tree &&
	git -C tree config core.autocrlf true &&
	git -C tree config core.hooksPath "$PWD/hooks" &&
	git -C tree config filter.evil.smudge "sed s/1/2/" &&
	mkdir hooks && printf "#!/bin/sh\ntouch \"$PWD/hook-ran\"\n" >hooks/post-checkout &&
	chmod +x hooks/post-checkout &&
	git -C tree -c core.autocrlf=false add -A && git -C tree commit -q -m base &&
	echo CONFIG_NET=y >frag &&
	echo "CONFIG_NET_9P=y" >>frag
'

test_expect_success 'a build gives an image and the build-id of its vmlinux' '
	cp tree/.git/index index.before &&
	build --json HEAD >out.json &&
	test "$(field out.json status)" = ok &&
	test "$(field out.json cached)" = false &&
	test "$(field out.json commit)" = "$(git -C tree rev-parse HEAD)" &&
	test "$(field out.json tree)" = "$(git -C tree rev-parse HEAD:)" &&
	cmp "$(field out.json image)" "$(worktree)/out/vmlinux" &&
	readelf -n "$(worktree)/out/vmlinux" >notes &&
	grep "Build ID: $(field out.json build_id)" notes &&
	grep "  CC      main.o" "$(field out.json log)"
'

test_expect_success 'the repository is as it was' '
	cmp tree/.git/index index.before &&
	test ! -e hook-ran &&
	test -z "$(git -C tree status --porcelain)" &&
	test "$(git -C tree for-each-ref --format="%(refname)")" = "$(git -C tree symbolic-ref HEAD)"
'

test_expect_success 'the second time the cache has it' '
	build HEAD >out &&
	grep " yes .* ok" out
'

test_expect_success 'another commit with the same tree shares the build' '
	commit same-tree &&
	build --json HEAD HEAD~ >out.json &&
	test "$(field out.json commit)" = "$(git -C tree rev-parse HEAD)" &&
	test "$(grep -c "\"cached\": true" out.json)" = 2
'

test_expect_success 'the next commit is built incrementally: one file, one object' '
	sed -i s/1/3/ tree/lib.c && commit lib &&
	build --json HEAD >out.json &&
	test "$(field out.json status)" = ok &&
	log=$(field out.json log) &&
	grep "CC      lib.o" "$log" &&
	! grep "CC      main.o" "$log"
'

test_expect_success 'the same sources give the same build-id from another repository' '
	git clone -q tree clone &&
	KILN_HOME=$PWD/home2 kiln build --tree clone --fragment frag --json HEAD >out2.json &&
	test "$(field out2.json cached)" = false &&
	test "$(field out2.json build_id)" = "$(field out.json build_id)" &&
	cmp "$(field out2.json image)" "$(field out.json image)"
'

test_expect_success 'attributes and filters do not change what is compiled' '
	printf "*.c text eol=crlf filter=evil ident\n" >tree/.gitattributes &&
	printf "int odd(void);\nint odd(void)\n{\n\treturn 1; /* \$Id\$ */\n}\n" >tree/odd.c &&
	git -C tree -c core.autocrlf=false add odd.c .gitattributes && git -C tree commit -q -m odd &&
	build HEAD >out &&
	git -C tree cat-file blob HEAD:odd.c >blob &&
	cmp blob "$(worktree)/src/odd.c"
'

test_expect_success 'a tree that does not compile: 125, first error with file and line, log' '
	git -C tree config core.autocrlf false &&
	git -C tree tag good HEAD~ && fresh &&
	echo "int lib(void) { return nothing; }" >tree/lib.c && commit broken &&
	test_expect_code 125 "$KILN" build --tree tree --fragment frag HEAD >out 2>err &&
	grep "failed: lib.c:1:[0-9]*: error: .nothing. undeclared" out &&
	log=$(sed -n "s/^log: //p" out) &&
	grep "error: .nothing. undeclared" "$log"
'

test_expect_success 'the verdict on it is cached too' '
	test_expect_code 125 "$KILN" build --tree tree --fragment frag --json HEAD >out.json &&
	test "$(field out.json cached)" = true &&
	test "$(field out.json status)" = failed &&
	grep "\"build_id\": null" out.json
'

test_expect_success 'one bad revision among good ones: all are reported, 125' '
	test_expect_code 125 "$KILN" build --tree tree --fragment frag HEAD HEAD~ >out &&
	grep " failed$" out && grep " ok$" out
'

test_expect_success 'a symbol that vanishes is config-lost and named' '
	fresh &&
	printf "CONFIG_NET=n\nCONFIG_NET_9P=y\n" >lost &&
	test_expect_code 125 "$KILN" build --tree tree --fragment lost HEAD >out &&
	grep "config-lost: CONFIG_NET_9P=y became n: a dependency is not met" out
'

test_expect_success 'a symbol this tree does not know is told apart' '
	printf "CONFIG_FUTURE=y\n" >lost &&
	test_expect_code 125 "$KILN" build --tree tree --fragment lost HEAD >out &&
	grep "config-lost: CONFIG_FUTURE=y became n: this tree has no such symbol" out
'

test_expect_success 'is not set and strings are understood' '
	printf "# CONFIG_NET is not set\nCONFIG_GONE=n\nCONFIG_NAME=\"a b\"\n" >good &&
	kiln build --tree tree --fragment good HEAD >out &&
	grep " ok$" out
'

test_expect_success 'a fragment that is none is an error with its line' '
	printf "CONFIG_NET=y\nmake me a kernel\n" >bad &&
	test_expect_code 128 "$KILN" build --tree tree --fragment bad HEAD 2>err &&
	grep "line 2 does not set a symbol" err
'

test_expect_success 'unknown revision, option values: errors before any build' '
	test_expect_code 128 "$KILN" build --tree tree --fragment frag HEAD nowhere 2>err &&
	grep "nowhere" err &&
	test_expect_code 129 "$KILN" build --tree tree --fragment frag --arch vax HEAD 2>err &&
	grep "vax" err &&
	test_expect_code 129 "$KILN" build --tree tree --fragment frag --sandbox maybe HEAD 2>err &&
	grep "maybe" err &&
	test_expect_code 129 "$KILN" build --tree tree 2>err
'

# machine_of JSON-FILE: of the image
machine_of() {
	readelf -h "$(field "$1" image)" | sed -n "s/^ *Machine: *//p"
}

test_expect_success CROSS 'other architectures: their compiler, their image, a folder of their own' '
	fresh &&
	build --json HEAD >native.json &&
	build --arch powerpc64le --json HEAD >ppc.json &&
	test "$(field ppc.json arch)" = powerpc64le && machine_of ppc.json | grep PowerPC64 &&
	build --arch arm64 --json HEAD >arm.json &&
	test "$(field arm.json arch)" = arm64 &&
	readelf -h "$(worktree)/out-arm64/vmlinux" | grep AArch64 &&
	test "$(wc -c <"$(field arm.json image)")" -lt 4096 &&
	build --json HEAD >again.json &&
	test "$(field again.json cached)" = true &&
	test "$(field again.json build_id)" = "$(field native.json build_id)"
'

test_expect_success CROSS 'a compiler that makes code for another machine gave no kernel' '
	fresh &&
	sed -i "s/^CC = .*/CC = gcc/; s/^\t@\$(CC) /\t@gcc /" tree/Makefile &&
	echo "/* native */" | tee -a tree/lib.c >>tree/main.c && commit native-only &&
	test_expect_code 125 "$KILN" build --tree tree --fragment frag --arch powerpc64le HEAD >out &&
	grep "failed: .vmlinux. is for another machine" out
'

test_expect_success 'what does not run here is not booted' '
	fresh &&
	test_expect_code 129 "$KILN" boot --tree tree --fragment frag --arch arm64 HEAD 2>err &&
	grep "a kernel for arm64 does not boot here" err
'

test_expect_success LLVM 'clang instead of gcc: another toolchain, another folder, no gcc in it' '
	fresh &&
	build --json HEAD >gcc.json &&
	build --llvm --json HEAD >llvm.json &&
	test "$(field llvm.json toolchain)" != "$(field gcc.json toolchain)" &&
	readelf -p .comment "$(worktree)/out-x86_64-llvm/main.o" | grep clang &&
	! readelf -p .comment "$(worktree)/out-x86_64-llvm/main.o" | grep GCC
'

test_expect_success 'a whole configuration: its symbols may go, those of the fragment may not' '
	printf "CONFIG_NET=y\nCONFIG_GONE=y\nCONFIG_NAME=\"whole\"\n" >whole &&
	kiln build --tree tree --kconfig whole HEAD >out && grep " ok$" out &&
	grep "^CONFIG_NAME=\"whole\"" "$(worktree)/out/.config" &&
	! grep TINY=y "$(worktree)/out/.config" &&
	kiln build --tree tree --kconfig whole --fragment frag HEAD >out && grep " ok$" out &&
	grep "^CONFIG_NET_9P=y" "$(worktree)/out/.config" &&
	printf "CONFIG_GONE=y\n" >gone &&
	test_expect_code 125 "$KILN" build --tree tree --kconfig whole --fragment gone HEAD >out &&
	grep "config-lost: CONFIG_GONE=y became n" out
'

test_expect_success 'a target of make as configuration' '
	kiln build --tree tree --kconfig toy_defconfig HEAD >out && grep " ok$" out &&
	grep "^CONFIG_NAME=\"toy\"" "$(worktree)/out/.config" &&
	test_expect_code 125 "$KILN" build --tree tree --kconfig no_defconfig HEAD >out &&
	grep "failed: .*No rule to make target .no_defconfig" out
'

test_expect_success 'a configuration that is none, or is not there' '
	echo "make me a kernel" >bad &&
	test_expect_code 128 "$KILN" build --tree tree --kconfig bad HEAD 2>err &&
	grep "line 1 does not set a symbol" err &&
	test_expect_code 128 "$KILN" build --tree tree --kconfig nowhere HEAD 2>err &&
	grep nowhere err
'

test_expect_success 'comments and symbol names are not code' '
	fresh &&
	build --json HEAD >one.json &&
	echo "asm(\".set a_name, 1\"); /* a comment */" >>tree/lib.c && commit name &&
	build --json HEAD >two.json &&
	test "$(field two.json cached)" = false &&
	test "$(field one.json build_id)" != "$(field two.json build_id)" &&
	test "$(field one.json code)" = "$(field two.json code)" &&
	sed -i "s/return [0-9]*;/return 4;/" tree/lib.c && commit code &&
	build --json HEAD >three.json &&
	test "$(field three.json code)" != "$(field one.json code)"
'

test_expect_success 'modules: a folder of their own for each build, links left out, and part of the code' '
	fresh &&
	build --json HEAD >none.json && grep "\"modules\": null" none.json &&
	{ cat frag && echo CONFIG_MODULES=y; } >modfrag &&
	kiln build --tree tree --fragment modfrag --json HEAD >one.json &&
	dir=$(field one.json modules) && test "$(ls "$dir")" = mod.ko &&
	cmp "$dir/mod.ko" "$(worktree)/out/mod.o" &&
	sed -i "s/return 1/return 2/" tree/mod.c && commit mod &&
	kiln build --tree tree --fragment modfrag --json HEAD >two.json &&
	test "$(field two.json modules)" != "$dir" && ! cmp "$(field two.json modules)/mod.ko" "$dir/mod.ko" &&
	test "$(field two.json build_id)" = "$(field one.json build_id)" &&
	test "$(field two.json code)" != "$(field one.json code)" &&
	kiln build --tree tree --fragment modfrag --json HEAD~ >again.json &&
	test "$(field again.json cached)" = true && test "$(field again.json modules)" = "$dir" &&
	rm -r "$dir" && kiln build --tree tree --fragment modfrag --json HEAD~ >lost.json &&
	test "$(field lost.json cached)" = false && test -e "$dir/mod.ko"
'

test_expect_success 'a module that does not compile is a kernel that does not' '
	echo "int broken = nothing;" >>tree/mod.c && commit mod-broken &&
	test_expect_code 125 "$KILN" build --tree tree --fragment modfrag HEAD >out &&
	grep "failed: mod.c:[0-9:]* error: .nothing. undeclared" out &&
	build HEAD >out && grep " ok$" out
'

test_expect_success 'the environment of the caller has no say' '
	rm -rf "$cache" &&
	build --json HEAD >plain.json && rm -rf "$cache" &&
	CC=false CFLAGS=-broken MAKEFLAGS=-n KBUILD_BUILD_USER=me build --json HEAD >out.json &&
	test "$(field out.json build_id)" = "$(field plain.json build_id)"
'

test_expect_success 'a compiler killed for memory is no verdict and not cached' '
	rm -rf "$cache" &&
	sed -i "s/^\t@\$(CC) -Wall/\t@kill -9 \$\$\$\$; \$(CC) -Wall/" tree/Makefile && commit killed &&
	test_expect_code 128 "$KILN" build --tree tree --fragment frag HEAD 2>err &&
	grep "Killed" err && grep "^hint: .*memory" err &&
	no_entries
'

test_expect_success 'a missing host tool is no verdict and not cached' '
	fresh &&
	sed -i "s/^\t@\$(CC) -Wall/\t@PATH=; flex; \$(CC) -Wall/" tree/Makefile && commit flex &&
	test_expect_code 128 "$KILN" build --tree tree --fragment frag --json HEAD >out.json 2>err &&
	grep "flex.*missing" err && grep "\"code\": \"tool-missing\"" out.json &&
	no_entries
'

test_expect_success UNSHARE 'a full disk in the cache is no verdict, and the next build is whole' '
	fresh &&
	printf "char big[4 << 20] = { 1 };\n" >>tree/lib.c && commit big &&
	mkdir -p small &&
	cat >full.sh <<-\EOT &&
	mount -t tmpfs -o size=3m none small
	KILN_HOME=$PWD/home3 XDG_CACHE_HOME=
	mkdir home3 small/cache && ln -s ../small/cache home3/cache
	export KILN_HOME
	"$KILN" build --tree tree --fragment frag HEAD >out 2>err
	echo $? >code
	ls home3/cache/builds >entries 2>/dev/null
	mount -o remount,size=64m small
	"$KILN" build --tree tree --fragment frag HEAD >out2 2>err2
	echo $? >code2
	EOT
	unshare -rm sh full.sh &&
	test "$(cat code)" = 128 &&
	grep -i "no space left" err && grep "^hint: free space" err &&
	test ! -s entries &&
	test "$(cat code2)" = 0 && grep " no .* ok$" out2
'

test_expect_success BWRAP 'in the sandbox: sources read-only, no network, no home' '
	fresh &&
	echo secret >"$HOME/secret" &&
	cat "$KILN_SOURCE/tests/data/toy-probe.mk" >>tree/Makefile &&
	sed -i "s|@SECRET@|$HOME/secret|" tree/Makefile &&
	commit probe &&
	build --sandbox on --json HEAD >out.json &&
	grep PROBE "$(field out.json log)" >probes &&
	echo "PROBE done" >expect &&
	test_cmp expect probes
'

test_expect_success 'results that are links to elsewhere are not taken' '
	fresh &&
	sed -i "s|^\t@cp .*|\t@ln -sf /etc/passwd \$@|" tree/Makefile &&
	echo "/* link */" >>tree/lib.c && commit link &&
	test_expect_code 125 "$KILN" build --tree tree --fragment frag HEAD >out &&
	grep "failed: the build left no file .arch/x86/boot/bzImage" out
'

test_expect_success 'what a hostile build left in the output folder does not fail the next one' '
	git -C tree checkout -q good Makefile && echo "/* after */" >>tree/lib.c && commit after &&
	build HEAD >out &&
	grep " ok$" out
'

test_expect_success 'a failure nobody explains is tried again from an empty folder' '
	dir=$(worktree)/out/arch/x86/boot && test -e "$dir/bzImage" &&
	rm "$dir/bzImage" && mkdir -p "$dir/bzImage/bzImage" && rm "$(worktree)/out/vmlinux" &&
	mkdir "$(worktree)/out/vmlinux.d" && ln -s vmlinux.d "$(worktree)/out/vmlinux" &&
	echo "/* again */" >>tree/lib.c && commit again &&
	build HEAD >out &&
	grep " ok$" out
'

test_expect_success 'a bin folder without bwrap, and a cache with a plain name' '
	mkdir nobwrap &&
	for p in env git gcc make sh; do ln -s "$(command -v $p)" nobwrap/$p || return 1; done &&
	plain=$(mktemp -d) && mkdir "$plain/home"
'

# without_bwrap OPTIONS: with the plain cache
without_bwrap() {
	env PATH="$PWD/nobwrap" KILN_HOME="$plain/home" "$KILN" build --tree tree --fragment frag "$@"
}

test_expect_success 'without bwrap: --sandbox on refuses and says what to do' '
	test_expect_code 128 without_bwrap --sandbox on HEAD 2>err &&
	grep "bwrap" err && grep "^hint: install bubblewrap" err
'

test_expect_success 'without bwrap: auto warns and builds, off is silent' '
	without_bwrap --json HEAD >out.json 2>err &&
	grep "^warning: .* without sandbox: .*bwrap" err &&
	test "$(field out.json status)" = ok &&
	echo "/* b */" >>tree/lib.c && commit b &&
	KILN_HOME=$plain/home kiln build --tree tree --fragment frag -q --sandbox off --json HEAD >out.json 2>err &&
	test ! -s err &&
	grep "CC      lib.o" "$(field out.json log)" && ! grep "CC      main.o" "$(field out.json log)"
'

test_expect_success 'what an open build left among the sources is cleaned away' '
	touch "$(echo "$plain"/home/cache/worktrees/*/src)/junk.c" &&
	echo "/* junk */" >>tree/lib.c && commit junk &&
	KILN_HOME=$plain/home kiln build --tree tree --fragment frag --sandbox off HEAD &&
	! ls "$plain"/home/cache/worktrees/*/src/junk.c &&
	rm -rf "$plain"
'

test_expect_success 'a folder make cannot work in is refused without the sandbox' '
	test_expect_code 128 "$KILN" build --tree tree --fragment frag --sandbox off HEAD 2>err &&
	grep "blanks or colons" err && grep "^hint: build in the sandbox" err
'

test_expect_success 'a damaged index and a stale lock of a killed git are repaired' '
	echo "/* c */" >>tree/lib.c && commit c &&
	echo garbage >"$(worktree)/git/index" && touch "$(worktree)/git/index.lock" &&
	echo meddled >"$(worktree)/src/main.c" &&
	build HEAD >out &&
	cmp tree/main.c "$(worktree)/src/main.c"
'

# age DAYS REV: the cached build of a revision was last used then
age() {
	meta=$(dirname "$(build --json "$2" >age.json && field age.json log)")/meta &&
	touch -d "$1 days ago" "$meta" && dirname "$meta"
}

test_expect_success 'the cache has a limit: what was not used for longest goes, what was used stays' '
	fresh && rm -rf "$cache/builds" &&
	for n in 1 2 3; do
		printf "char big_%s[2 << 20] = { 1 };\n" $n >>tree/lib.c && commit big-$n &&
		build HEAD >/dev/null || return 1
	done &&
	one=$(age 3 HEAD~2) && two=$(age 2 HEAD~) && three=$(age 1 HEAD) &&
	age 3 HEAD~2 >/dev/null &&
	kiln build --gc --cache-size 11 >out && grep "^removed 1 builds" out &&
	test ! -e "$one" && test -e "$two/meta" && test -e "$three/meta" &&
	build HEAD~ >out && grep " yes " out &&
	kiln build --gc --cache-size 1 --json >gc.json &&
	grep "\"removed\": 1" gc.json && grep "\"entries\": 1" gc.json &&
	test -e "$two/meta" && test ! -e "$three" &&
	kiln build --gc --cache-size 1 >out && grep "^removed 0 builds" out
'

test_expect_success 'a build makes room for itself' '
	two=$(age 2 HEAD~) && build --cache-size 1 HEAD >out && grep " no .*ok$" out &&
	test ! -e "$two" && build HEAD >out && grep " yes " out
'

test_expect_success 'what a kiln that lives has built is not removed' '
	entry=$(age 2 HEAD) && run=$("$KILN" runs --json -n 1 | sed -n "s/.*\"id\": \"\(.*\)\".*/\1/p") &&
	store_sql "UPDATE runs SET state = 0 WHERE id = \"$run\"" &&
	{
		exec 9<"$KILN_HOME/state/runs/$run/lock" && flock 9 &&
		kiln build --gc --cache-size 1 >out && grep "^removed 0 builds" out &&
		test -e "$entry/meta"
		code=$?
		exec 9<&-
		test $code = 0
	} &&
	kiln build --gc --cache-size 1 >out && grep "^removed 1 builds" out && test ! -e "$entry"
'

test_expect_success 'gc and revisions do not go together, nor neither' '
	test_expect_code 129 "$KILN" build --tree tree --gc HEAD 2>err && grep "builds nothing" err &&
	test_expect_code 129 "$KILN" build --tree tree 2>err && grep "too few" err &&
	mkdir -p elsewhere && (cd / && test_expect_code 128 "$KILN" build HEAD) 2>err && grep "^hint: .*--tree" err
'

test_expect_success 'two at once: both get the kernel' '
	echo "/* d */" >>tree/lib.c && commit d &&
	{ build HEAD >out1 & } && build HEAD >out2 && wait $! &&
	grep " ok$" out1 && grep " ok$" out2
'

test_done
