# SPDX-License-Identifier: GPL-3.0-or-later
"""An archive server that fails in the way the first component of the path names.

usage: fault-server.py MBOX LOG

Prints its port, then serves MBOX gzipped until it is killed. Each request is a line of LOG:
path, then User-Agent. Ways that end after a number of requests count by path. Before it hangs
it writes a line to hanging.fifo of the working folder, if there is one.
"""
import collections
import gzip
import http.server
import os
import sys
import threading

with open(sys.argv[1], "rb") as f:
    MAILS = gzip.compress(f.read())
LOG = open(sys.argv[2], "a", encoding="utf-8", buffering=1)
SEEN = collections.Counter()
NEVER = threading.Event()
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

    def do_GET(self):
        LOG.write(f"{self.path} {self.headers.get('User-Agent')}\n")
        SEEN[self.path] += 1
        way = self.path.split("/")[1].replace("-", "_")
        getattr(self, "way_" + way, lambda: self.answer(404))()

    def way_ok(self):
        self.answer(200, MAILS, [("Content-Type", "application/gzip")])

    def way_unknown(self):
        self.answer(404, b"not found")

    def way_choices(self):
        self.answer(300, HTML % b"partial matches", [("Content-Type", "text/html")])

    def way_forbidden(self):
        self.answer(403, b"no")

    def way_hang(self):
        if os.path.exists("hanging.fifo"):
            with open("hanging.fifo", "w", encoding="ascii") as fifo:
                fifo.write("now\n")
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
            self.answer(429, b"", [("Retry-After", "1")])

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
print(server.server_address[1], flush=True)
server.serve_forever()
