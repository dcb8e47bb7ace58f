#!/bin/bash
test_description='the agent as a command: it stays when its connection dies'
. "$(dirname "$0")/lib.sh"

agent=$KILN_BUILD/kiln-agent
token=0123456789abcdef0123456789abcdef
boot=$(cat /proc/sys/kernel/random/boot_id)

# Every keeper of this test, by the socket it listens on.
keepers() {
	ps -eo pid=,args= | awk -v dir="$PWD/d" '/kiln-agent attach/ && index($0, dir) { print $1 }'
}

# attach BOOT SEQ: with a pipe as its standard input, on descriptor 7; output in "out"
attach() {
	rm -f in && mkfifo in && { "$agent" attach "$PWD/d" $token "$1" "$2" <in >out 2>err & } &&
	client=$! && exec 7>in
}

# A message is there: waits for it.
await() {
	wait_lines out 1 "$1" 7>&- # its pipe has one writer
}

frame() {
	python3 -c 'import sys, zlib
token, seq, words = sys.argv[1], sys.argv[2], " ".join(sys.argv[3:])
crc = zlib.crc32(f"{token} {seq} {words}".encode())
print(f"kiln1 {token} {seq} {crc:08x} {words}")' $token "$@"
}

test_expect_success 'it says which boot answers, and then hello' '
	mkdir d && attach none 0 && await "^kiln1 $token 0 [0-9a-f]* hello base $boot" &&
	test "$(head -n 1 out)" = "kiln-at $boot base" && exec 7>&- && wait $client
'

test_expect_success 'its journal is on the target' '
	grep "^kiln1 $token 0 .*hello base" d/$token.base.journal
'

test_expect_success 'it outlives the connection, and goes on where that ended' '
	attach $boot 1 && frame 0 ping >&7 && await "^kiln1 $token 1 [0-9a-f]* pong$" &&
	! grep hello out && exec 7>&- && wait $client
'

test_expect_success 'what was said meanwhile is said again, once asked for' '
	attach $boot 0 && await " pong$" && grep hello out && exec 7>&- && wait $client
'

test_expect_success 'a message that is repeated is taken once' '
	attach $boot 1 && { frame 0 ping && frame 1 ping; } >&7 &&
	await "^kiln1 $token 2 .* pong$" && exec 7>&- && wait $client &&
	test $(grep -c pong out) = 2
'

test_expect_success 'half a message dies with its connection' '
	attach $boot 3 && frame 2 ping | head -c 20 >&7 && exec 7>&- && wait $client &&
	attach $boot 3 && frame 2 ping >&7 && await "^kiln1 $token 3 .* pong$" &&
	exec 7>&- && wait $client && ! grep damaged out
'

test_expect_success 'the newest connection wins' '
	attach $boot 4 && old=$client && exec 8>&7 && attach $boot 4 && wait $old &&
	frame 3 ping >&7 && await "^kiln1 $token 4 .* pong$" && exec 7>&- 8>&- && wait $client
'

test_expect_success 'after another boot it begins anew' '
	attach 00000000-0000-0000-0000-000000000000 5 && await hello &&
	exec 7>&- && wait $client
'

test_expect_success 'there is nothing to jump to' '
	attach $boot 5 && frame 4 jump >&7 && await "error nothing%20is%20loaded" &&
	exec 7>&- && wait $client
'

test_expect_success 'garbage is neither a number nor a message' '
	for first in x -1 "" 99999999999999999999; do
		printf "%s\n" "$first" >first &&
		timeout 20 nc -N -U d/$token.sock <first >garbage && ! test -s garbage || return 1
	done &&
	head -c 100000 /dev/urandom | timeout 20 nc -N -U d/$token.sock >/dev/null;
	attach $boot 6 && frame 5 ping >&7 && await " pong$" && exec 7>&- && wait $client
'

test_expect_success 'bye ends it' '
	keeper=$(keepers | head -n 1) && test -n "$keeper" &&
	attach $boot 7 && frame 6 bye >&7 && wait $client && exec 7>&- &&
	timeout 20 tail --pid=$keeper -f /dev/null && ! test -e d/$token.sock
'

test_expect_success 'called in a wrong way' '
	test_expect_code 2 "$agent" && test_expect_code 2 "$agent" attach &&
	test_expect_code 2 "$agent" attach "$PWD/d" ../x $boot 0
'

for pid in $(keepers); do kill "$pid"; done
test_done
