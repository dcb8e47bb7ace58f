# SPDX-License-Identifier: GPL-3.0-or-later
"""Hold kiln's reading of mails against git mailinfo: author, address, title, date, message, diff.

usage: mailinfo.py DRIVER SCRATCH [NUMBER [SEED]]

The named mails are one a case of the kinds mail decoders get wrong; NUMBER random ones mix their
parts. A named mail may state where kiln reads on purpose what git does not, and why. Exits 1 when
anything else differs.
"""
import base64
import concurrent.futures
import os
import quopri
import random
import re
import subprocess
import sys

DIFF = b"""diff --git a/f b/f
index 78981922613b..61780798228d 100644
--- a/f
+++ b/f
@@ -1,3 +1,3 @@
 one
-two
+zwei
 three
"""
TAIL = b"-- \n2.39.5\n"
STAT = b"---\n f | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n"
FROM = b"A U Thor <author@example.org>"
DATE = b"Wed, 1 May 2024 12:00:00 +0200"
PATCH = STAT + DIFF + TAIL
BODY = b"Make it so.\n\nSigned-off-by: A U Thor <author@example.org>\n" + PATCH


def mail(body=BODY, subject=b"[PATCH] make it", sender=FROM, date=DATE, head=b""):
    return (b"From: " + sender + b"\nDate: " + date + b"\nMessage-ID: <m@example.org>\nSubject: "
            + subject + b"\n" + head + b"\n" + body)


def typed(body, content, encoding=b"8bit", **kw):
    return mail(body, head=b"MIME-Version: 1.0\nContent-Type: " + content
                + b"\nContent-Transfer-Encoding: " + encoding + b"\n", **kw)


def multipart(parts, kind=b"mixed", extra=b""):
    out = b""
    for head, body in parts:
        out += b"--cut\n" + head + b"\n" + body + b"\n"
    return mail(out + b"--cut--\n", head=b"MIME-Version: 1.0\nContent-Type: multipart/" + kind
                + b"; boundary=\"cut\"" + extra + b"\n")


PLAIN = b"Content-Type: text/plain; charset=utf-8\n"
ENDS = object()  # git keeps what stands between and behind the parts
UTF8 = "Ä ö ü – Привет 你好".encode()

# Fields kiln reads otherwise, value expected (None: not looked at), and why.
CASES = {
    "C057 From munged, X-Original-From":
        (mail(sender=b"A U Thor via list <list@example.org>",
              head=b"X-Original-From: A U Thor <author@example.org>\n"),
         {"author": ("A U Thor", "never the list"), "email": ("author@example.org", "never the list")}),
    "C057 From munged, Reply-To":
        (mail(sender=b"A U Thor via list <list@example.org>",
              head=b"Reply-To: list@example.org, author@example.org\n"),
         {"author": ("A U Thor", "never the list"), "email": ("author@example.org", "never the list")}),
    "C057 From munged, in-body From":
        (mail(b"From: B <b@example.org>\n\n" + BODY, sender=b"B via list <list@example.org>"), {}),
    "C4/80 blank lines and folded From with comments":
        (b"\n \n" + mail(sender=b"A (the\n one) U Thor\n <author@example.org>"), {}),
    "C4/81 From after text is not in-body":
        (mail(b"Text.\n\nFrom: B <b@example.org>\nMore.\n" + PATCH), {}),
    "C4/82 in-body From and Subject override":
        (mail(b"From: B <b@example.org>\nSubject: re: [PATCH] better\n\nText.\n" + PATCH), {}),
    "C4/82 in-body From alone":
        (mail(b"From: B <b@example.org>\n\nText.\n" + PATCH), {}),
    "C4/83 ISO-2022-JP word and no separator":
        (typed("本文\n".encode("iso-2022-jp") + DIFF, b"text/plain; charset=ISO-2022-JP", b"7bit",
               subject=b"=?ISO-2022-JP?B?" + base64.b64encode("[PATCH] 日本".encode("iso-2022-jp"))
               + b"?="), {}),
    "C4/84 quoted-printable ISO-8859-1 with soft breaks":
        (typed(quopri.encodestring("Größe über alles, ".encode("latin1") * 6 + b"\n" + BODY),
               b"text/plain; charset=ISO-8859-1", b"quoted-printable",
               sender=b"=?iso-8859-1?Q?J=F6rg_M?= <j@example.org>"), {}),
    "C4/85 fifty References":
        (mail(head=b"References: " + b"\n ".join(b"<%d@example.org>" % i for i in range(50))
              + b"\n"), {}),
    "C4/86 no patch": (mail(b"Only words.\n\nMore.\n"), {}),
    "C4/87 in-body headers without a patch":
        (mail(b"From: B <b@example.org>\nSubject: other\n\nOnly words.\n"), {}),
    "C4/88 in-body From behind encoded line feeds":
        (typed(b"=0A=0AFrom: B <b@example.org>=0A=0AText.\n" + quopri.encodestring(PATCH),
               b"text/plain; charset=us-ascii", b"quoted-printable"), {}),
    "C4/89 first line is the subject":
        (mail(b"[PATCH] the title\n\nText.\n" + PATCH, subject=b"Re: discussion"), {}),
    "C4/90 multipart/mixed":
        (multipart([(PLAIN, b"Text.\n\nSigned-off-by: A <a@example.org>\n"),
                    (b"Content-Type: text/x-patch; name=\"f.patch\"\n", DIFF)]),
         {"diff": (ENDS, "the rest is no patch")}),
    "C4/91 folded and several encoded words":
        (mail(subject=b"[PATCH] =?utf-8?B?w6Qgw7Y=?=\n =?utf-8?Q?_=C3=BC?=\n plain"), {}),
    "C4/92 address (Name)": (mail(sender=b"author@example.org (A U Thor)"), {}),
    "C4/92 <address> (Name)": (mail(sender=b"<author@example.org> (A U Thor)"), {}),
    "C4/93 scissors are text by default":
        (mail(b"Hi.\n-- >8 -- >8 --\nFrom: B <b@example.org>\n\nText.\n" + PATCH), {}),
    "C4/93 scissors asked for":
        (mail(b"Hi.\n-- >8 -- 8< --\nFrom: B <b@example.org>\nSubject: cut\n\nText.\n" + PATCH), {}),
    "C4/93 scissors twice":
        (mail(b"From: C <c@example.org>\n\nHi.\n--- 8< ---\nFrom: B <b@example.org>\n"
              b"- - - >% - - -\n\nText.\n" + PATCH), {}),
    "C4/93 scissors with too much text":
        (mail(b"Hi.\n>8 cut here please now >8\nText.\n" + PATCH), {}),
    "C4/93 scissors and words": (mail(b"Hi.\n-- >8 -- cut -- >8 --\nText.\n" + PATCH), {}),
    "C4/94 bogus in-body From": (mail(b"From: bogus\n\nText.\n" + PATCH), {}),
    "C4/95 bogus in-body Date":
        (mail(b"Date: some day\n\nText.\n" + PATCH),
         {"date": ("-", "git am stops at it; kiln keeps the patch and says so")}),
    "C4/95 good in-body Date":
        (mail(b"From: B <b@example.org>\nDate: Thu, 2 May 2024 01:02:03 -0700\n\nT.\n" + PATCH), {}),
    "C4/96 Content-Type twice":
        (mail("ä\n".encode("latin1") + BODY, head=b"Content-Type: text/plain; charset=utf-8\n"
              b"Content-Type: text/plain; charset=ISO-8859-1\n"), {}),
    "C4/97 folded in-body headers":
        (mail(b"From: B\n <b@example.org>\nSubject: one\n two\n\tthree\n\nText.\n" + PATCH), {}),
    "C4/98 NUL in the body":
        (mail(b"Te\0xt.\n" + PATCH),
         {"message": ("make it\n\nText.\n", "git am refuses such a commit message")}),
    "C4/98 NUL in base64":
        (typed(base64.encodebytes(b"Te\0xt.\n" + PATCH), b"text/plain; charset=utf-8", b"base64"),
         {"message": ("make it\n\nText.\n", "git am refuses such a commit message")}),
    "C4/99 From without a name": (mail(sender=b"author@example.org"), {}),
    "C4/99 From with an empty name": (mail(sender=b"<author@example.org>"), {}),
    "C4/100 a format-patch mail in the body":
        (mail(b">From " + b"0" * 40 + b" Mon Sep 17 00:00:00 2001\nFrom: B <b@example.org>\n"
              b"Subject: [PATCH] inner\n\nText.\n" + PATCH), {}),
    "C4/101 >From is text": (mail(b">From here on\n" + BODY), {}),
    "C4/103 quoted string with quoted pairs":
        (mail(sender=b'"A \\"The\\" Author" <author@example.org>'), {}),
    "C4/103 comment with quoted brackets":
        (mail(sender=b"author@example.org (A \\(really\\) Thor)"), {}),
    "C4/103 quoted comma": (mail(sender=b'"Thor, A U" <author@example.org>'), {}),
    "C4/104 unterminated quote": (mail(sender=b'"A U Thor <author@example.org>'), {}),
    "C4/104 unterminated comment": (mail(sender=b"A (U Thor <author@example.org>"), {}),
    "C4/105 no blank and many blanks":
        (mail().replace(b"From: ", b"From:").replace(b"Subject: ", b"Subject:      "), {}),
    "C4/106 base64 with CR LF in some lines":
        (typed(base64.encodebytes(b"Text.\n" + DIFF.replace(b"zwei\n", b"zwei\r\n")),
               b"text/plain; charset=utf-8", b"base64"), {}),
    "C4/106 base64 with CR LF in all lines":
        (typed(base64.encodebytes((b"Text.\n" + DIFF).replace(b"\n", b"\r\n")),
               b"text/plain; charset=utf-8", b"base64"),
         {"diff": (DIFF, "CR LF is how MIME ends a line; git strips it only with --quoted-cr=strip")}),
    "C4/107 format=flowed":
        (typed(b"Text that \nflows.\n  stuffed\n" + (STAT + DIFF).replace(b"\n ", b"\n  ") + TAIL,
               b"text/plain; charset=utf-8; format=flowed", b"7bit"), {}),
    "C4/107 format=flowed with DelSp":
        (typed(b"Text that  \nflows toge \nther.\n" + (STAT + DIFF).replace(b"\n ", b"\n  ") + TAIL,
               b"text/plain; charset=utf-8; format=flowed; delsp=yes", b"7bit"), {}),
    "C4/108 name of more than 60 characters":
        (mail(sender=b"N" * 61 + b" <author@example.org>"), {}),
    "C4/108 name of 60 characters": (mail(sender=b"N" * 60 + b" <author@example.org>"), {}),
    "C4/108 name with @": (mail(sender=b'"a@b" <author@example.org>'), {}),
    "C4/109 garbage in base64":
        (typed(base64.encodebytes(BODY).replace(b"\n", b"!\n", 1), b"text/plain; charset=utf-8",
               b"base64"), {}),
    "C4/109 truncated base64":
        (typed(base64.encodebytes(BODY)[:-9], b"text/plain; charset=utf-8", b"base64"), {}),
    "C4/110 unknown character set, UTF-8 text":
        (typed(UTF8 + b"\n" + BODY, b"text/plain; charset=y"),
         {"message": ("make it\n\n" + UTF8.decode() + "\n\nMake it so.\n\nSigned-off-by: A U Thor "
                      "<author@example.org>\n".replace("\n\nMake", "\nMake"), "git gives up")}),
    "C042 charset=y with ISO-8859-1 text":
        (typed(b"\xe4\n" + PATCH, b"text/plain; charset=y"),
         {"message": ("make it\n\nä\n", "git gives up")}),
    "C4/110 us-ascii that is UTF-8":
        (typed(b"\xc3\xa4\n" + PATCH, b"text/plain; charset=us-ascii"),
         {"message": ("make it\n\nä\n", "git gives up")}),
    "C4/110 utf-8 that is ISO-8859-1":
        (typed(b"\xe4\n" + PATCH, b"text/plain; charset=utf-8"),
         {"message": ("make it\n\nä\n", "git leaves bytes that are no UTF-8")}),
    "C4/110 8 bits and no character set": (mail(b"\xe4\n" + PATCH),
         {"message": ("make it\n\nä\n", "git leaves bytes that are no UTF-8")}),
    "C4/110 windows-1252": (typed(b"\x84quoted\x93\n" + PATCH, b"text/plain; charset=windows-1252"),
                            {}),
    "C4/110 koi8-r": (typed("Привет\n".encode("koi8-r") + PATCH, b"text/plain; charset=koi8-r"), {}),
    "C4/111 raw UTF-8 in headers":
        (mail(subject="[PATCH] größer".encode(), sender="Jörg Ö <j@example.org>".encode()), {}),
    "C4/111 raw ISO-8859-1 in headers":
        (mail(subject="[PATCH] größer".encode("latin1")),
         {"title": ("größer", "git leaves bytes that are no UTF-8"),
          "message": (None, "as the title")}),
    "C4/112 HTML only":
        (typed(b"<pre>" + BODY + b"</pre>", b"text/html; charset=utf-8"),
         {"diff": (b"", "HTML is no patch"), "message": (None, "HTML is no text")}),
    "C4/112 alternative with HTML":
        (multipart([(PLAIN, BODY), (b"Content-Type: text/html\n", b"<p>x</p>\n")], b"alternative"),
         {"diff": (ENDS, "the rest is no patch")}),
    "C044 signed mail":
        (multipart([(PLAIN, BODY),
                    (b"Content-Type: application/pgp-signature\n", b"-----BEGIN PGP SIGNATURE-----\n")],
                   b"signed", b"; protocol=\"application/pgp-signature\""),
         {"diff": (ENDS, "the rest is no patch")}),
    "C044 signed header on a plain body":
        (mail(head=b"Content-Type: multipart/signed; protocol=\"x\"; boundary=\"gone\"\n"),
         {"message": ("make it\n\nMake it so.\n\nSigned-off-by: A U Thor <author@example.org>\n",
                      "git waits for the boundary and finds nothing"),
          "diff": (DIFF + TAIL, "the same")}),
    "C4/113 attached .patch as octet-stream":
        (multipart([(PLAIN, b"Text.\n"),
                    (b"Content-Type: application/octet-stream; name=\"f.patch\"\n"
                     b"Content-Disposition: attachment; filename=\"f.patch\"\n"
                     b"Content-Transfer-Encoding: base64\n", base64.encodebytes(DIFF))]),
         {"diff": (ENDS, "the rest is no patch")}),
    "C4/114 CR LF line ends": (mail().replace(b"\n", b"\r\n"),
                               {"message": (None, "git mailsplit strips them, not mailinfo"),
                                "diff": (None, "the same"), "title": ("make it", "the same")}),
    "C4/115 list footer":
        (mail(BODY + b"_______________________________________________\nlist mailing list\n"
              b"list@example.org\n"), {}),
    "C4/116 stripped blank lines of context":
        (mail(b"T.\n" + STAT + DIFF.replace(b" one\n", b"\n") + TAIL), {}),
    "C4/123 controls in the title": (mail(subject=b"[PATCH] a\x07b"),
                                     {"title": ("a?b", "no control reaches the terminal"),
                                      "message": (None, "the same")}),
    "C1/25 bracket at the end stays": (mail(subject=b"make it [PATCH v2]"), {}),
    "C1/26 encoded words glued and apart":
        (mail(subject=b"[PATCH] a =?utf-8?Q?=C3=A4?= b =?utf-8?Q?c?=  =?utf-8?Q?d?= e"), {}),
    "C1/26 encoded word inside a word": (mail(subject=b"[PATCH] x=?utf-8?Q?=C3=A4?=y"), {}),
    "C1/26 malformed encoded word":
        (mail(subject=b"[PATCH] =?utf-8?X?abc?= x"),
         {"title": ("=?utf-8?X?abc?= x", "git gives up"), "message": (None, "git gives up")}),
    "C1/29 tabs in the subject": (mail(subject=b"[PATCH] a\tb\n\tc"), {}),
    "C2/51 odd zone": (mail(date=b"Wed, 1 May 2024 12:00:00 +0545"), {}),
    "C2/51 zone by name": (mail(date=b"Wed, 1 May 2024 12:00:00 EST"), {}),
    "C2/51 zone with comment": (mail(date=b"Wed, 1 May 2024 12:00:00 +0200 (CEST)"), {}),
    "C2/51 no day name": (mail(date=b"1 May 2024 12:00:00 +0200"), {}),
    "C2/51 no seconds": (mail(date=b"Wed, 1 May 2024 12:00 +0200"), {}),
    "C2/51 ISO date": (mail(date=b"2024-05-01 12:00:00 +0200"), {}),
    "C2/51 ISO date with T": (mail(date=b"2024-05-01T12:00:00+02:00"), {}),
    "C2/51 asctime with zone": (mail(date=b"Wed May 1 12:00:00 2024 +0200"), {}),
    "C2/51 zone +9900":
        (mail(date=b"Wed, 1 May 2024 12:00:00 +9900"),
         {"date": (None, "no such zone; git keeps it")}),
    "C2/51 the year 0":
        (mail(date=b"Mon, 1 Jan 0000 00:00:00 +0000"), {"date": ("-", "git am stops at it")}),
    "C046 scissors with From and Subject below":
        (mail(b"What about this?\n\n---- 8< ----\nFrom: B <b@example.org>\nSubject: [PATCH] cut\n\n"
              b"Text.\n" + PATCH, subject=b"Re: [PATCH] make it"), {}),
    "message that is empty": (mail(PATCH), {}),
    "message of blank lines": (mail(b"\n\n \n" + PATCH), {}),
    "several blank lines and blanks at line ends": (mail(b"a  \n\n\n\nb\t\n \n" + PATCH), {}),
    "separator with blanks": (mail(b"T.\n---   \nnotes\n" + DIFF), {}),
    "separator with a file name": (mail(b"T.\n--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n"), {}),
    "four dashes are text": (mail(b"T.\n----\nMore.\n" + PATCH), {}),
    "CVS index": (mail(b"T.\nIndex: f\n====\n--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n"), {}),
    "notes that look like a diff": (mail(b"T.\n---\ndiff of opinion\n" + DIFF), {}),
    "title of several prefixes": (mail(subject=b"Re: [list] [PATCH 1/2] Re: x:  y"), {}),
    "From with two addresses": (mail(sender=b"A <a@example.org>, B <b@example.org>"), {}),
    "From without @": (mail(sender=b"A U Thor <author>"), {}),
    "From in capitals": (mail().replace(b"From:", b"FROM:").replace(b"Subject:", b"SUBJECT:"), {}),
    "charset in quotes": (typed(b"\xe4\n" + PATCH, b'text/plain; charset="iso-8859-1"'), {}),
    "odd case of encoding": (typed(quopri.encodestring(BODY), b"TEXT/PLAIN; CHARSET=UTF-8",
                                   b"Quoted-Printable"), {}),
    "quoted-printable with lower-case hex":
        (typed(b"a =c3=a4\n" + PATCH.replace(b"=", b"=3d"), b"text/plain; charset=utf-8",
               b"quoted-printable"), {}),
    "quoted-printable with bare =":
        (typed(b"a = b =zz\n" + PATCH, b"text/plain; charset=utf-8", b"quoted-printable"), {}),
    "8bit token misspelt": (typed(UTF8 + b"\n" + PATCH, b"text/plain; charset=utf-8", b"8-bit"), {}),
}

rng = random.Random()


def words(n):
    return " ".join(rng.choice(["fix", "ä", "the", "KVM:", "“q”", "x86/mm", "- >8", "From", "ß",
                                "日本", "a=b", "50%", "[x]", "#1"]) for _ in range(n))


def encoded_word(text, charset):
    try:
        data = text.encode(charset)
    except UnicodeEncodeError:
        charset, data = "utf-8", text.encode()
    if rng.random() < 0.5:
        return f"=?{charset}?B?".encode() + base64.b64encode(data) + b"?="
    return f"=?{charset}?q?".encode() + b"".join(
        bytes([c]) if chr(c).isalnum() and c < 128 else b"_" if c == 32 else b"=%02X" % c
        for c in data) + b"?="


def random_header(text):
    if text.isascii() and rng.random() < 0.5:
        return text.encode()
    if rng.random() < 0.2:
        return text.encode()
    return b"\n ".join(encoded_word(w, rng.choice(["utf-8", "iso-8859-1", "UTF-8"]))
                       for w in text.split(" "))


def random_body():
    out = []
    if rng.random() < 0.3:
        out += rng.sample(["From: B Ö <b@example.org>", "Subject: [PATCH] in the body",
                           "Date: Thu, 2 May 2024 01:02:03 -0700", "subject: lower"],
                          rng.randint(1, 3)) + [""]
    for _ in range(rng.randint(0, 6)):
        out.append(rng.choice(["", " ", "  indented", "trailing  ", ">From x", "---- x", "-- ",
                               "Signed-off-by: A <a@example.org>", "--", "\ttab",
                               words(rng.randint(1, 12))]))
    return ("\n".join(out) + "\n").encode()


def random_mail():
    body = random_body() + (STAT if rng.random() < 0.8 else b"") + DIFF * rng.randint(1, 2)
    body += rng.choice([TAIL, b"", b"\n\n", TAIL + b"____\nfooter\n"])
    sender = random_header(words(2).replace("[", "").replace("#", "").replace(":", "")) + \
        b" <author@example.org>"
    subject = random_header(rng.choice(["[PATCH] ", "[PATCH v2 1/3] ", "Re: [RFC PATCH] ", ""])
                            + words(4))
    kind = rng.randrange(5)
    if kind == 0:
        return mail(body, subject, sender)
    charset = rng.choice(["utf-8", "iso-8859-15", "windows-1252", "utf-8"])
    try:
        data = body.decode().encode(charset)
    except UnicodeEncodeError:
        charset, data = "utf-8", body
    content = f"text/plain; charset={charset}".encode()
    if kind in (1, 2):
        return typed(base64.encodebytes(data), content, b"base64", subject=subject, sender=sender)
    if kind == 3:
        return typed(quopri.encodestring(data), content, b"quoted-printable", subject=subject,
                     sender=sender)
    return typed(data, content, b"8bit", subject=subject, sender=sender)


def strip(text):
    """git stripspace."""
    lines = [re.sub(r"[ \t\r\v\f]+$", "", line) for line in text.split("\n")]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    return text + "\n" if text else ""


def first_diff(patch):
    lines = patch.split(b"\n")
    for i, line in enumerate(lines):
        after = lines[i + 1] if i + 1 < len(lines) else b""
        if line.startswith(b"diff --git ") or (
                line.startswith((b"diff -", b"Index: ")) and
                any(n.startswith(b"--- ") for n in lines[i + 1:i + 5])) or (
                line.startswith(b"--- ") and after.startswith(b"+++ ")):
            return b"\n".join(lines[i:])
    return b""


def ident_date(date):
    """The date git commit makes of the words of a mail, "-" when it refuses."""
    out = subprocess.run(["git", "var", "GIT_AUTHOR_IDENT"], stdout=subprocess.PIPE, check=False,
                         stderr=subprocess.DEVNULL, env={**os.environ, "GIT_AUTHOR_DATE": date})
    return " ".join(out.stdout.decode().split()[-2:]) if out.returncode == 0 else "-"


def git_reads(path, scissors):
    with open(path, "rb") as f:
        out = subprocess.run(["git", "-c", "mailinfo.scissors=false", "mailinfo"]
                             + (["--scissors"] if scissors else [])
                             + [path + ".gmsg", path + ".gpatch"], stdin=f,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if out.returncode:
        return None
    info = dict(line.split(": ", 1) for line in out.stdout.decode("utf-8", "replace").split("\n")
                if ": " in line)
    with open(path + ".gmsg", "rb") as f:
        message = f.read().decode("utf-8", "replace")
    with open(path + ".gpatch", "rb") as f:
        patch = f.read()
    title = info.get("Subject", "")
    return {"author": info.get("Author", ""), "email": info.get("Email", ""), "title": title,
            "date": ident_date(info["Date"]) if info.get("Date") else "-",
            "message": strip(title + "\n\n" + message), "diff": first_diff(patch)}


def kiln_reads(path):
    with open(path + ".info", "rb") as f:
        info = dict(line.split(": ", 1) for line in f.read().decode().split("\n") if ": " in line)
    with open(path + ".msg", "rb") as f:
        message = f.read().decode()
    with open(path + ".diff", "rb") as f:
        diff = f.read()
    return {"author": info.get("Author", ""), "email": info.get("Email", ""),
            "title": info.get("Subject", ""), "date": info["Date"], "message": message,
            "diff": diff}


def compare(name, path, scissors, known):
    theirs, ours = git_reads(path, scissors), kiln_reads(path)
    bad = []
    for field, mine in ours.items():
        if field in known:
            want, why = known[field]
            if want is ENDS:
                if not theirs[field].startswith(mine):
                    bad.append(f"{name}: {field}: kiln {mine!r}, git {theirs[field]!r}")
            elif want is not None and mine != want:
                bad.append(f"{name}: {field} {mine!r}, expected {want!r} ({why})")
        elif theirs is None:
            if not known:
                bad.append(f"{name}: git mailinfo failed")
        elif field != "diff" and "\ufffd" in theirs[field]:
            pass  # git left bytes that are no UTF-8
        elif mine != theirs[field]:
            bad.append(f"{name}: {field}: kiln {mine!r}, git {theirs[field]!r}")
    return bad


def main(driver, scratch, number, seed):
    rng.seed(seed)
    mails = [(name, raw, "scissors" in name and "default" not in name, known)
             for name, (raw, known) in CASES.items()]
    mails += [(f"random {i} of seed {seed}", random_mail(), i % 4 == 0, {}) for i in range(number)]
    jobs = []
    for scissors in (False, True):
        paths = []
        for i, (name, raw, cut, known) in enumerate(mails):
            if cut != scissors:
                continue
            path = os.path.join(scratch, f"m{i}")
            with open(path, "wb") as f:
                f.write(raw)
            paths.append(path)
            jobs.append((name, path, scissors, known))
        subprocess.run([driver] + (["--scissors"] if scissors else []) + paths, check=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        bad = [text for texts in pool.map(lambda job: compare(*job), jobs) for text in texts]
    print("\n".join(bad))
    print(f"{len(CASES)} named and {number} random mails, {len(bad)} differences")
    return 1 if bad else 0


sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 200,
              int(sys.argv[4]) if len(sys.argv) > 4 else 1))
