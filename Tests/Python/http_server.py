"""An HTTP server that is as odd as a test of the networking service asks for.

Started by the tests: `http_server.py [CERTIFICATE KEY]` says its port, then each body sent to /v1/ on a line of its
own. It ends with its standard input. Only the standard library is used.
"""

import json
import os
import ssl
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status=200, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def wait_for_the_end(self):
        """Blocks until the other side is gone."""
        self.rfile.read(1)

    def handle_any(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.close_connection = True
        try:
            getattr(self, "at_" + url.path.strip("/").replace("-", "_").split("/")[0], self.at_nothing)(query, body)
        except (BrokenPipeError, ConnectionResetError):
            pass

    do_GET = do_HEAD = do_OPTIONS = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def at_nothing(self, query, body):
        self.answer(404)

    def at_echo(self, query, body):
        said = {
            "method": self.command,
            "path": self.path,
            "headers": [[name.lower(), value] for name, value in self.headers.items()],
            "body": body.decode("latin-1"),
        }
        self.answer(body=json.dumps(said).encode(), headers=[("X-Answer", "yes"), ("X-Empty", "")])

    def at_redirect(self, query, body):
        self.answer(int(query.get("status", "302")), headers=[("Location", query.get("to", ""))])

    def at_circle(self, query, body):
        number = int(query.get("n", "0")) + 1
        self.answer(302, headers=[("Location", f"/circle?n={number}")])

    def at_size(self, query, body):
        self.answer(body=b"x" * int(query["n"]))

    def at_endless(self, query, body):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while True:
            self.wfile.write(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")

    def at_endless_headers(self, query, body):
        self.send_response(200)
        self.flush_headers()
        number = 0
        while True:
            number += 1
            self.wfile.write(f"X-{number}: {'x' * 1000}\r\n".encode())

    def at_slow(self, query, body):
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.end_headers()
        self.wfile.write(b"x")
        self.wfile.flush()
        self.wait_for_the_end()

    def at_silent(self, query, body):
        self.wait_for_the_end()

    def at_announced(self, query, body):
        # In one piece: others say it at the same time.
        print("announced\n", end="", flush=True)
        self.wait_for_the_end()

    def at_interim(self, query, body):
        self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nX-Early: yes\r\n\r\n")
        self.answer(body=b"late", headers=[("X-Late", "yes")])

    def at_garbage(self, query, body):
        self.wfile.write(b"\x00\xff not http\r\n\r\n")

    def at_v1(self, query, body):
        print(json.dumps({"path": self.path, "type": self.headers["Content-Type"], "body": json.loads(body)}), flush=True)
        self.answer(int(self.server.statuses.pop(0)) if self.server.statuses else 200, body=b"{}")

    def at_statuses(self, query, body):
        """What the next posts to /v1/ are answered with."""
        self.server.statuses = query["are"].split(",")
        self.answer()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512


def end_with_input():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
server = Server(("127.0.0.1", 0), Handler)
server.statuses = []
if len(sys.argv) == 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
