#!/bin/bash
test_description='kiln series from pages of archives that damage mail, and from texts saved from them'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/lib-mail.sh"
unset http_proxy https_proxy all_proxy no_proxy HTTPS_PROXY ALL_PROXY NO_PROXY

mails thread.mbox <<'MAILS'
From: A U Thor <author@example.org>
Message-ID: <20240501.1-author@example.org>
Subject: [PATCH v2 0/2] net: make it fast

Words.
%
From: A U Thor <author@example.org>
Message-ID: <20240501.2-author@example.org>
In-Reply-To: <20240501.1-author@example.org>
Subject: [PATCH v2 1/2] net: one

Text & more <b>.

Signed-off-by: A U Thor <author@example.org>
---
DIFF
%
From: A U Thor <author@example.org>
Message-ID: <20240501.3-author@example.org>
In-Reply-To: <20240501.1-author@example.org>
Subject: [PATCH v2 2/2] net: two

Signed-off-by: A U Thor <author@example.org>
---
DIFF
MAILS

# page SITE < text: the mail's text in the page as that archive would show it.
cat >page.py <<'PY'
import html, re, sys
site, mid = sys.argv[1], "20240501.2-author@example.org"
subject, date, name = "[PATCH v2 1/2] net: one", "Wed, 1 May 2024 12:01:00 +0200", "A U Thor"
text = sys.stdin.read()
esc = lambda s: html.escape(s, quote=False)
dots = lambda s: re.sub(r"@\w\w\w", "@...", s)
xs = lambda s: re.sub(r"@[\w.-]+", lambda m: "@" + "x" * (len(m[0]) - 1), s)
marc = lambda s: re.sub(r"(\w)@([\w-]+)\.(\w+)", r"\1 () \2 ! \3", s)
addr = name + " <author@example.org>"
if site == "openwall":
    print("<!DOCTYPE html><html><head><title>netdev - %s</title></head><body>lists.openwall.net"
          "<pre>\nMessage-ID: &lt;%s&gt;\nDate: %s\nFrom: %s\nTo: list@...example.org,\n\tb@...example.org\n"
          "Subject: %s\n\n%s</pre><p>Powered by blists</body></html>"
          % (subject, mid, date, esc(dots(addr)), subject, esc(dots(text))))
elif site == "spinics":
    print("<!-- MHonArc v2.6.19 -->\n<!--X-Subject: %s -->\n<!--X-Date: %s -->\n<!--X-Message-Id: %s -->\n"
          "<html><head><title>%s &mdash; List</title></head><body><ul>\n<li><em>Subject</em>: %s</li>\n"
          "<li><em>From</em>: %s</li>\n<li><em>Date</em>: %s</li></ul>\n<!--X-Body-of-Message-->\n<pre>\n%s</pre>\n"
          "<!--X-Body-of-Message-End-->\n<p>Index of Archives www.spinics.net</p></body></html>"
          % (subject, date, mid.replace("-", "&#45;"), subject, subject, esc(xs(addr)), date, esc(xs(text))))
elif site == "iu":
    print("<!-- received=\"x\" --><!-- sent=\"%s\" --><!-- name=\"%s\" --><!-- email=\"author@xxxxxxxxxxx\" -->"
          "<!-- subject=\"%s\" --><!-- id=\"%s\" --><html><head><title>Linux: %s</title></head><body>\n"
          "<!-- body=\"start\" -->\n<p>%s</p>\n<!-- body=\"end\" -->lkml.iu.edu/hypermail</body></html>"
          % (date, name, subject, mid, subject,
             "<br>\n".join(esc(l.lstrip(" ")) for l in xs(text).splitlines())))
elif site == "marc":
    print("<html><head><title>'%s' - MARC</title></head><body><pre><b>\n"
          "List:       <a href=\"?l=x\">x</a>\nSubject:    %s\nFrom:       %s\nDate:       2024-05-01 10:01:00\n"
          "Message-ID: <a href=\"?i=%s\">%s</a></b>\n\n%s</pre><a href=\"https://marc.info\">x</a></body></html>"
          % (subject, subject, esc(marc(addr)), mid, esc(marc(mid)), esc(marc(text))))
else:
    print("<html><head><title>%s</title></head><body><h1><span class=\"subject\"><a>%s</a></span></h1>"
          "<p><span class=\"sender pipe\"><a><span itemprop=\"name\">%s</span></a></span><span class=\"date\"><a>%s</a>"
          "</span></p><p class=\"x\"></p>\n<!--X-Body-of-Message-->\n<pre>\n%s</pre>\n<!--X-Body-of-Message-End-->"
          "<form><input type=\"hidden\" name=\"msgid\" value=\"%s\"></form>www.mail-archive.com</body></html>"
          % (subject, subject, name, date,
             "\n".join(esc(l.lstrip(" ")) for l in text.replace("author@example.org", "[email protected]").splitlines()),
             mid))
PY

git init -q tree &&
printf 'top\n\n\tif (a)\n\t\tb();\n\tend\n' >tree/net.c &&
git -C tree add . && git -C tree commit -qm base &&
sed -i 's/b()/c()/' tree/net.c &&
{
	printf 'Text & more <b>.\n\nSigned-off-by: A U Thor <author@example.org>\n---\n net.c | 2 +-\n\n'
	git -C tree diff
} >text &&
git -C tree checkout -q .

json() {
	python3 -c 'import json,sys; d = json.load(open("out.json")); print(eval(sys.argv[1]))' "$1"
}

sites='openwall:lists.openwall.net:linux-kernel/2024/05/01/7 spinics:www.spinics.net:lists/netdev/msg1.html
iu:lkml.iu.edu:hypermail/linux/kernel/2405.0/00001.html marc:marc.info:?l=netdev&m=171 
mail-archive:www.mail-archive.com:netdev@vger.example.org/msg1.html'
for s in $sites; do
	host=${s#*:}
	python3 page.py "${s%%:*}" <text >"page-${host%%:*}.html"
done

test_expect_success 'start the server of faults' '
	fault_server thread.mbox
'

test_expect_success 'the original of each page comes from the archive, by the id the page has' '
	for s in $sites; do
		host=${s#*:} &&
		http_proxy=$FAULTS no_proxy=127.0.0.1 kiln series --archive "$FAULTS/ok" \
			"http://${host%%:*}/${host#*:}" --json >out.json &&
		json "d[\"complete\"], d[\"patches\"][0][\"author\"][\"email\"], d[\"patches\"][0][\"damage\"]" >got &&
		echo "(True, author@example.org, None)" | sed "s/author@example.org/\x27&\x27/" >expect &&
		diff expect got &&
		json "d[\"notes\"][0][\"text\"]" | grep "<20240501.2-author@example.org> instead of ${host%%:*}" || return 1
	done &&
	grep "^/ok/20240501.2-author@example.org/t.mbox.gz" faults.log
'

# damaged SITE HOST PATTERN: without the archive the page's patch is shown, damaged, and not applied.
damaged() {
	test_expect_code 1 "$KILN" series --archive "$FAULTS/unknown" "page-$2.html" --json >out.json &&
	json 'd["title"], d["message_id"], d["patches"][0]["number"], d["total"], d["patches"][0]["author"]["name"], d["patches"][0]["date"]' >got &&
	cat >expect <<-\EOF &&
	('net: one', '20240501.2-author@example.org', 1, 2, 'A U Thor', '2024-05-01T12:01:00+02:00')
	EOF
	{ test "$1" = marc || diff expect got; } &&
	json 'd["patches"][0]["damage"]' >damage &&
	grep "^$2: .*$3.*the original is needed" damage &&
	sed "s|1/2|1/1|g" "page-$2.html" >single.html &&
	test_expect_code 1 "$KILN" apply --tree tree --onto HEAD single.html --archive "$FAULTS/unknown" >out 2>err &&
	cat out err >both && grep "the mail is damaged: $2" both
}

test_expect_success 'C061: without it the masked addresses are named and an apply is refused' '
	damaged spinics www.spinics.net "addresses are masked (.author@xxxxxxxxxxx.)" &&
	damaged openwall lists.openwall.net "addresses are masked (.author@...mple.org.)" &&
	damaged marc marc.info "addresses are masked (.author () example ! org.)"
'

test_expect_success 'C063: so are blanks the archive ate' '
	damaged iu lkml.iu.edu "leading blanks are lost (line [0-9]*)" &&
	damaged mail-archive www.mail-archive.com "leading blanks are lost (line [0-9]*)"
'

test_expect_success 'C065: tabs that became blanks are named, the first line of them' '
	{ printf "[PATCH] net: one\n\n[A U Thor]\n\n"; expand text; } >tabs.txt &&
	kiln series tabs.txt --json >out.json &&
	json "d[\"patches\"][0][\"damage\"]" >damage &&
	line=$(grep -n "^.       [^ ]" tabs.txt | sed -n 1p | cut -d: -f1) &&
	grep "tabs became blanks (line $((line - 3)))" damage
'

test_expect_success 'C067: wrapped lines are named' '
	{ printf "[PATCH] net: one\n\n[A U Thor]\n\n"; sed "s/^+\(.*\)c()/+\1\nc()/" text; } >wrapped.txt &&
	kiln series wrapped.txt --json >out.json &&
	json "d[\"patches\"][0][\"damage\"]" | grep "is wrapped"
'

test_expect_success 'nobody is asked for a saved page unless an archive is named' '
	: >faults.log &&
	test_expect_code 1 "$KILN" series page-www.spinics.net.html >out &&
	test ! -s faults.log &&
	grep "damaged: www.spinics.net" out &&
	grep "no archive is named with --archive" out
'

test_expect_success 'a mail whose From address is masked is refused, one that talks of masks is not' '
	{ printf "From: A <author@xxxxxxxxxxx>\nSubject: [PATCH] net: x\n\n"; cat text; } >masked.eml &&
	kiln series masked.eml --json >out.json &&
	json "d[\"patches\"][0][\"damage\"]" | grep "masked" &&
	{ printf "From: A <author@example.org>\nSubject: [PATCH] net: x\n\nsee marc.info, b@xxxxxxxxxxx\n"; cat text; } >clean.eml &&
	kiln series clean.eml --json >out.json &&
	test "$(json "d[\"patches\"][0][\"damage\"]")" = None &&
	kiln series thread.mbox --json >out.json &&
	test "$(json "d[\"patches\"][0][\"damage\"]")" = None
'

test_expect_success 'pages without mail, and pages that are not there' '
	echo "<html><title>lists.openwall.net</title>index</html>" >page-lists.openwall.net.html &&
	http_proxy=$FAULTS test_expect_code 128 "$KILN" series http://lists.openwall.net/x/ --json >out.json 2>err &&
	test "$(json "d[\"error\"][\"code\"]")" = not-mail &&
	rm page-lists.openwall.net.html &&
	http_proxy=$FAULTS test_expect_code 128 "$KILN" series http://lists.openwall.net/y/ --json >out.json 2>err &&
	test "$(json "d[\"error\"][\"code\"]")" = not-found &&
	echo "<html>Making sure you are not a bot</html>" >page-lists.openwall.net.html &&
	http_proxy=$FAULTS test_expect_code 128 "$KILN" series http://lists.openwall.net/z/ --json >out.json 2>err &&
	test "$(json "d[\"error\"][\"code\"]")" = bot-check
'

seeds=${KILN_SEEDS:-$KILN_SOURCE/../shared/seeds}
corpus=${KILN_CORPUS:-$KILN_SOURCE/../shared/corpus}/46-target-series/01/thread.mbox
if test -e "$seeds/README.md" && test -e "$corpus"; then
	test_set_prereq SEEDS
	archive_server "$corpus" && test_set_prereq ARCHIVE
else
	say "skip: no seeds here"
fi

test_expect_success SEEDS 'each seed is named and its damage diagnosed' '
	test_expect_code 1 "$KILN" series "$seeds"/000*.txt >out &&
	grep "^author    Yosry Ahmed <yosry.ahmed@xxxxxxxxx>" out &&
	grep "13/13  KVM: nSVM: Stop bombing the TLB on nested transitions" out &&
	grep "damaged: a saved page: addresses are masked" out &&
	kiln series "$seeds"/003*.txt >out &&
	grep "Cancel pending DEC exception. has been added to the 6.9-stable tree" out &&
	grep "damaged: .*masked.*leading blanks are lost (line [0-9]*)" out &&
	test_expect_code 1 "$KILN" series "$seeds"/004*.txt >out &&
	grep "^id        20250326194423.3717668-5-yosry.ahmed@linux.dev" out &&
	grep "24/24  KVM: nSVM: Stop bombing the TLB on nested transitions" out &&
	grep "damaged: lists.openwall.net: addresses are masked" out
'

test_expect_success SEEDS,ARCHIVE 'an original under another name is found by its patch-id, an older posting is not taken' '
	kiln series --archive "$ARCHIVE" "$seeds"/004*.txt --json >out.json &&
	test "$(json "d[\"complete\"], d[\"total\"]")" = "(True, 24)" &&
	json "d[\"notes\"]" | grep "instead of lists.openwall.net" &&
	sed "/^\[Yosry/d; /Signed-off-by/d" "$seeds"/000*.txt >nameless.txt &&
	test_expect_code 1 "$KILN" series --archive "$ARCHIVE" nameless.txt --json >out.json &&
	json "d[\"patches\"][0][\"damage\"]" | grep "only another posting with its title, <20250326"
'

test_done
