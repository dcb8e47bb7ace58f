# SPDX-License-Identifier: GPL-3.0-or-later
"""An archive server that fails in the way the first component of the path names.

usage: fault-server.py MBOX LOG [CERTIFICATE]

Prints its port, then serves MBOX gzipped until it is killed, over TLS with a certificate. Each
request is a line of LOG: path, then User-Agent, then the validator of a conditional request. Ways
that end after a number of requests count by path. Before it hangs or asks for a long pause it
writes a line to hanging.fifo of the working folder, if there is one. As a proxy it serves for
http://HOST/... what page-HOST.html of the working folder holds.
"""
import collections
import email.utils
import gzip
import http.server
import os
import ssl
import sys
import threading
import time

with open(sys.argv[1], "rb") as f:
    MAILS = gzip.compress(f.read())
LOG = open(sys.argv[2], "a", encoding="utf-8", buffering=1)
SEEN = collections.Counter()
NEVER = threading.Event()
BUSY = threading.Lock()
HTML = b"<!doctype html><html><head><title>%b</title></head><body>x</body></html>"


# 300 MiB of zeros in 300 KiB.
BOMB = gzip.compress(bytes(1 << 20)) * 300


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", headers=(), length=None):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def redirect(self, target):
        self.answer(302, b"", [("Location", target)])

    def tell_test(self):
        if os.path.exists("hanging.fifo"):
            with open("hanging.fifo", "w", encoding="ascii") as fifo:
                fifo.write("now\n")

    def do_GET(self):
        etag = self.headers.get("If-None-Match")
        LOG.write(f"{self.path} {self.headers.get('User-Agent')}{' ' + etag if etag else ''}\n")
        SEEN[self.path] += 1
        if self.path.startswith("http://"):
            self.proxied(self.path.split("/")[2])
            return
        way = self.path.split("/")[1].replace("-", "_")
        getattr(self, "way_" + way, lambda: self.answer(404))()

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()

    # An inbox is there unless its way says otherwise.
    def do_HEAD(self):
        LOG.write(f"HEAD {self.path}\n")
        self.answer(404 if self.path.startswith("/no-inbox/") else 200)

    def proxied(self, host):
        try:
            with open(f"page-{host}.html", "rb") as f:
                self.answer(200, f.read(), [("Content-Type", "text/html")])
        except OSError:
            self.answer(502 if host == "broken.example.org" else 404)

    def way_no_inbox(self):
        self.answer(404, b"Not Found")

    def way_empty(self):
        self.answer(404, b"No results found\n")

    def way_password(self):
        self.answer(407)

    def way_bot_403(self):
        self.answer(403, HTML % b"Making sure you're not a bot!")

    def way_etag(self):
        if self.headers.get("If-None-Match") == '"one"':
            self.answer(304)
        else:
            self.answer(200, MAILS, [("ETag", '"one"')])

    def way_one_by_one(self):
        if not BUSY.acquire(blocking=False):
            LOG.write("two at a time\n")
            self.answer(200, MAILS)
            return
        time.sleep(0.05)
        BUSY.release()
        self.answer(200, MAILS)

    def way_ok(self):
        self.answer(200, MAILS, [("Content-Type", "application/gzip")])

    def way_unknown(self):
        self.answer(404, b"not found")

    def way_choices(self):
        self.answer(300, HTML % b"partial matches", [("Content-Type", "text/html")])

    def way_forbidden(self):
        self.answer(403, b"no")

    def way_hang(self):
        self.tell_test()
        NEVER.wait()

    def way_stall(self):
        self.answer(200, MAILS[:50], length=len(MAILS))
        self.wfile.flush()
        NEVER.wait()

    def way_html(self):
        self.answer(200, HTML % b"Archive")

    def way_bot(self):
        self.answer(200, HTML % b"Making sure you're not a bot!")

    def way_text(self):
        self.answer(200, b"hello")

    def way_plain(self):
        self.answer(200, gzip.decompress(MAILS))

    def way_truncated(self):
        self.answer(200, MAILS[:-20])

    def way_truncated_once(self):
        self.answer(200, MAILS if SEEN[self.path] > 1 else MAILS[:-20])

    def way_checksum(self):
        self.answer(200, MAILS[:-8] + bytes([MAILS[-8] ^ 1]) + MAILS[-7:])

    def way_bomb(self):
        self.answer(200, BOMB)

    def way_cut(self):
        self.answer(200, MAILS[:100], length=len(MAILS))
        self.close_connection = True

    def way_rate(self):
        self.answer(429, b"", [("Retry-After", "3600")])

    def way_rate_once(self):
        if SEEN[self.path] > 1:
            self.way_ok()
        else:
            self.answer(429, b"", [("Retry-After", "0")])

    def way_date_once(self):
        if SEEN[self.path] > 1:
            self.way_ok()
        else:
            when = email.utils.formatdate(time.time() + 1, usegmt=True)
            self.answer(503, b"", [("Retry-After", when)])

    def way_date(self):
        when = email.utils.formatdate(time.time() + 3600, usegmt=True)
        self.answer(503, b"", [("Retry-After", when)])

    def way_pause(self):
        self.answer(429, b"", [("Retry-After", "30")])
        self.wfile.flush()
        self.tell_test()

    def way_rate_plain(self):
        self.answer(429)

    def way_busy(self):
        self.answer(503, HTML % b"Service Unavailable")

    def way_busy_once(self):
        if SEEN[self.path] > 1:
            self.way_ok()
        else:
            self.answer(502)

    def way_loop(self):
        self.redirect(self.path)

    def way_moved(self):
        self.redirect(self.path.replace("/moved/", "/ok/"))

    def way_local(self):
        self.redirect("file:///etc/passwd")

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
