# Servers for the tests of commands that fetch mail; sourced after lib.sh. Whatever is started
# here ends with the test, however that ends.

# fault_server MBOX: sets FAULTS to the server's URL; its requests are lines of faults.log.
fault_server() {
	mkfifo port.fifo || return 1
	python3 "$KILN_SOURCE/tests/t/fault-server.py" "$1" faults.log >port.fifo &
	fault_pid=$!
	read -r port <port.fifo || return 1
	FAULTS=http://127.0.0.1:$port
	KILN_RETRY_MS=5 # tests do not wait as long as is polite
	export KILN_RETRY_MS
}

# tls_server MBOX: sets TLS to the URL of the same server behind a certificate nobody vouches for.
tls_server() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
		-subj /CN=localhost -keyout key.pem -out cert.pem 2>openssl.err &&
	cat key.pem cert.pem >both.pem && mkfifo tls.fifo || return 1
	python3 "$KILN_SOURCE/tests/t/fault-server.py" "$1" tls.log both.pem >tls.fifo 2>tls.err &
	tls_pid=$!
	read -r port <tls.fifo || return 1
	TLS=https://localhost:$port
}

# archive_server MBOX...: sets ARCHIVE to the URL of an inbox on a real public-inbox server.
archive_server() {
	command -v public-inbox-httpd >/dev/null || return 1
	"$KILN_SOURCE/scripts/archive" start "$PWD/archive" "$@" >archive.out || return 1
	ARCHIVE=$(sed -n 1p archive.out)
}

mail_servers_stop() {
	if test -n "$fault_pid"; then
		kill "$fault_pid" && wait "$fault_pid"
	fi
	if test -d "$SHARNESS_TRASH_DIRECTORY/archive"; then
		"$KILN_SOURCE/scripts/archive" stop "$SHARNESS_TRASH_DIRECTORY/archive"
	fi
	if test -n "$tls_pid"; then
		kill "$tls_pid" && wait "$tls_pid"
	fi
	fault_pid='' tls_pid=''
} 2>/dev/null
cleanup mail_servers_stop
trap 'mail_servers_stop; die' EXIT

# mails FILE < text: the mails of standard input, split at lines "%", as mboxrd in FILE. A mail
# is "Key: value" lines and a body as written; the body line "DIFF" becomes a small diff.
mails() {
	python3 -c '
import sys
diff = """diff --git a/%s b/%s
index 78981922613b..61780798228d 100644
--- a/%s
+++ b/%s
@@ -1 +1 @@
-a
+b
-- 
2.39.5"""
for nr, mail in enumerate(sys.stdin.read().split("%\n")):
    print("From mboxrd@z Thu Jan  1 00:00:00 1970")
    if "\nDate:" not in mail.partition("\n\n")[0]:
        print("Date: Wed, 1 May 2024 12:%02d:00 +0200" % nr)
    for line in mail.splitlines():
        if line == "DIFF":
            line = diff.replace("%s", "f%d" % nr)
        print(">" + line if line.lstrip(">").startswith("From ") else line)
    print()
' >"$1"
}
