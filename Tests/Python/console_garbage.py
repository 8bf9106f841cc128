"""Ten thousand connections that mean no good, and a fuzzer for every route of the web console.

Started by the tests: `console_garbage.py SUPERVISOR CHECKOUT SEED [COUNT]`. It starts the supervisor itself, and ends with 1
where something dies, leaks, or lets in. The same seed sends the same bytes. A fuzzer of its own and no tool that reads an
OpenAPI file: the console has none, for its only client is its own pages, and what it must withstand lies below HTTP.
"""

import contextlib
import json
import random
import re
import socket
import sys
import time
from pathlib import Path

from console_browser import Place, saw

# Answers that refuse, in the words of the server or of libmicrohttpd; `None` is a connection that was closed without one.
REFUSALS = {None, 400, 401, 403, 404, 405, 408, 411, 413, 414, 415, 417, 421, 431, 501, 503, 505}
# What an answer to whoever is in may be: never 500 or 502, which are faults of ours.
ANSWERS = REFUSALS | {200, 409}
QUESTIONS = ["status", "health", "module", "explain", "entitlements", "secrets", "surface", "crashes", "crash", "session", "none"]
STREAMS = ["live", "logs", "events"]
ORDERS = ["activate", "deactivate", "restart", "reset", "select-ui", "render", "publish", "retry", "setSecret", "accept", "shutdown", ""]
PUBLIC = ["/", "/app.js", "/healthz", "/readyz"]
TRAVERSALS = ["/../etc/passwd", "/api/../api/status", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/./app.js",
              "/app.js/", "/app.js%00.html", "/%c0%ae%c0%ae/x", "/api%2fstatus", "/api/status/", "/API/status", "\\..\\x", "http://x/api/status", "*"]


class Console:
    """The console that is tried, and how one speaks to it."""

    def __init__(self, url):
        self.port = int(url.split("/#")[0].rsplit(":", 1)[1])
        self.token = url.split("#")[1]
        self.host = f"127.0.0.1:{self.port}"

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def send(self, data):
        """All that comes back, or a stream's beginning."""
        with self.connect() as client:
            # The other end may have had enough before it has all of it.
            with contextlib.suppress(OSError):
                client.sendall(data)
                client.shutdown(socket.SHUT_WR)
            answer = b""
            with contextlib.suppress(ConnectionError):
                while piece := client.recv(65536):
                    answer += piece
                    if b"text/event-stream" in answer:
                        break
            return answer

    def request(self, method, path, headers=(), body=b"", host=None):
        lines = [method.encode() + b" " + path.encode() + b" HTTP/1.1", b"Host: " + (host or self.host).encode(), b"Connection: close"]
        lines += [name.encode() + b": " + value.encode() for name, value in headers]
        if body or method == "POST":
            lines.append(b"Content-Length: %d" % len(body))
        return b"\r\n".join(lines) + b"\r\n\r\n" + body

    def sign_in(self):
        """The headers of a browser that is in."""
        answer = self.send(self.request("POST", "/api/session", [("Content-Type", "application/json")], json.dumps({"token": self.token}).encode()))
        return {"Cookie": re.search(rb"Set-Cookie: ([^;]+);", answer)[1].decode(), "X-Forsetti-CSRF": re.search(rb'"csrf":"(\w+)"', answer)[1].decode(),
                "Content-Type": "application/json"}


def status(answer):
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", answer)
    return int(found[1]) if found else None


class Garbage:
    """Requests of strangers, each kind by its name. None of them may be let in."""

    def __init__(self, console, dice, session, ended):
        self.console, self.dice, self.session, self.ended = console, dice, session, ended

    def noise(self, longest):
        return self.dice.randbytes(self.dice.randint(1, longest))

    def order(self, headers, host=None):
        body = json.dumps({"module": "scanner"}).encode()
        return self.console.request("POST", f"/api/{self.dice.choice(['restart', 'deactivate', 'retry', 'setSecret'])}", headers.items(), body, host)

    def raw_bytes(self):
        return self.noise(600)

    def half_a_request(self):
        whole = self.order(self.session)
        return whole[:self.dice.randrange(len(whole) - 1)]

    def noise_behind_a_head(self):
        return b"POST /api/restart HTTP/1.1\r\nHost: %s\r\nTransfer-Encoding: chunked\r\n\r\n" % self.console.host.encode() + self.noise(300)

    def huge_head(self):
        many = [(f"X{number}", "y" * 20) for number in range(self.dice.choice([1_000, 5_000]))]
        return self.dice.choice([
            self.console.request("GET", "/api/status", [("X", "y" * self.dice.randint(20_000, 100_000))]),
            self.console.request("GET", "/api/status", many),
            self.console.request("GET", "/" + "a" * self.dice.randint(20_000, 100_000))])

    def huge_body(self):
        return self.console.request("POST", "/api/session", [("Content-Type", "application/json")], b"x" * self.dice.randint(65_537, 200_000))

    def lengths_that_lie(self):
        length = self.dice.choice(["-1", "1e3", "0x10", "99999999999999999999", "5\r\nContent-Length: 6", "5\r\nTransfer-Encoding: chunked"])
        return f"POST /api/session HTTP/1.1\r\nHost: {self.console.host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\nabcde".encode()

    def bad_method(self):
        method = self.dice.choice(["CONNECT", "TRACE", "PROPFIND", "get", "G" * 5_000, "PRI", "DELETE", "PUT", "\x01", "OPTIONS"])
        return self.console.request(method, "/api/status")

    def bad_utf8(self):
        noise = bytes(self.dice.randint(0x80, 0xff) for _ in range(20))
        return self.dice.choice([
            b"GET /" + noise + b" HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /api/status?module=%ff%fe HTTP/1.1\r\nHost: " + self.console.host.encode() + b"\r\nConnection: close\r\n\r\n",
            self.console.request("GET", "/api/status").replace(b"Connection:", b"X-" + noise + b": " + noise + b"\r\nConnection:"),
            self.console.request("POST", "/api/session", [("Content-Type", "application/json")], b'{"token":"' + noise + b'"}')])

    def wrong_host(self):
        host = self.dice.choice(["evil.example", f"evil.example:{self.console.port}", "127.0.0.1", "127.0.0.1:1", "", f"127.0.0.1:{self.console.port}.evil.example"])
        return self.order(self.session, host or " ")

    def wrong_cookie(self):
        cookie = self.dice.choice(["", "forsetti=", f"forsetti-{self.console.port}=" + "0" * 32, self.session["Cookie"][:-1], self.session["Cookie"] + "0",
                                   self.session["Cookie"].upper(), f"{self.session['Cookie']}; {self.session['Cookie']}"])
        return self.order({**self.session, "Cookie": cookie})

    def wrong_csrf(self):
        token = self.dice.choice(["", "0" * 32, self.session["X-Forsetti-CSRF"][:-1], self.session["X-Forsetti-CSRF"].upper() + "0", self.ended["X-Forsetti-CSRF"]])
        return self.order({**self.session, "X-Forsetti-CSRF": token})

    def another_site(self):
        header = self.dice.choice([("Origin", "http://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site")])
        return self.order({**self.session, header[0]: header[1]})

    def replayed_form(self):
        """As it was sent by a browser that has signed out since, or as a form of another site would send it."""
        if self.dice.random() < 0.5:
            return self.order(self.ended)
        return self.order({"Cookie": self.session["Cookie"], "Content-Type": "application/x-www-form-urlencoded"})

    def path_traversal(self):
        return self.console.request("GET", self.dice.choice(TRAVERSALS))

    def guessed_token(self):
        token = self.dice.choice(["", "0" * 32, self.console.token[:-1], self.console.token.upper() + "0", self.console.token + "0"])
        return self.console.request("POST", "/api/session", [("Content-Type", "application/json")], json.dumps({"token": token}).encode())

    def kinds(self):
        return [self.raw_bytes, self.half_a_request, self.noise_behind_a_head, self.huge_head, self.huge_body, self.lengths_that_lie, self.bad_method,
                self.bad_utf8, self.wrong_host, self.wrong_cookie, self.wrong_csrf, self.another_site, self.replayed_form, self.path_traversal,
                self.guessed_token]


class Fuzzer:
    """Requests of somebody who is in: any route, with parameters and bodies of every kind but names of modules that there are."""

    def __init__(self, console, dice, session):
        self.console, self.dice, self.session = console, dice, session

    def text(self):
        kind = self.dice.randrange(5)
        if kind == 0:
            return "zz" + "".join(chr(self.dice.choice([0, 9, 10, 13, 0x22, 0x5c, 0x7f, 0x85, 0x202e, 0xfeff, 0x1f600])) for _ in range(5))
        if kind == 1:
            return "zz" + "a" * self.dice.choice([0, 63, 64, 1_023, 1_025, 4_097, 60_000])
        return self.dice.choice(["zz", "zz.*", "*", "zz..", "../zz", "zz<script>", "com.example.none", "latest-zz"])

    def value(self, depth=0):
        kind = self.dice.randrange(10 if depth < 4 else 7)
        if kind < 3:
            return self.text()
        if kind < 7:
            return self.dice.choice([True, False, 0, -1, 1e308, 2**53, 2**63, 2**64, -2**63, 0.1])
        if kind < 9:
            return [self.value(depth + 1) for _ in range(self.dice.randrange(4))]
        return {self.text()[:40]: self.value(depth + 1) for _ in range(self.dice.randrange(4))}

    def body(self):
        if self.dice.random() < 0.1:
            return self.dice.choice([b"", b"null", b"[]", b"{", b'{"a":1,"a":2}', b"[" * 5_000, b'{"module":"\\ud800"}', b"1e999", b'{"module":\x00}'])
        keys = ["type", "view", "parameters", "payload", "secretID", "values", "moduleID", "zz"]
        record = {key: self.value() for key in self.dice.sample(keys, self.dice.randrange(len(keys)))}
        # Never absent or null: `select-ui` of none is an order that is meant.
        record["module"] = self.dice.choice([self.text, self.value])()
        return json.dumps(record).encode()

    def path(self, names):
        query = "&".join(f"{self.dice.choice(['module', 'report', 'type', 'level', 'zz'])}={self.escaped(self.text()[:2_000])}" for _ in range(self.dice.randrange(4)))
        return f"/api/{self.dice.choice(names)}" + (f"?{query}" if query else "")

    def escaped(self, text):
        if self.dice.random() < 0.1:
            return self.dice.choice(["%", "%zz", "%ff", "+", "%00", "="])
        return "".join(f"%{byte:02x}" for byte in text.encode("utf-8"))

    def next(self):
        if self.dice.random() < 0.6:
            return self.console.request("POST", self.path(ORDERS), self.session.items(), self.body())
        return self.console.request("GET", self.path(QUESTIONS + STREAMS), [("Cookie", self.session["Cookie"])])


def facts(process):
    """Descriptors and threads, and KiB of memory."""
    text = Path(f"/proc/{process}/status").read_text()
    return {"descriptors": sum(1 for _ in Path(f"/proc/{process}/fd").iterdir()), "threads": int(re.search(r"Threads:\s+(\d+)", text)[1]),
            "memory": int(re.search(r"VmRSS:\s+(\d+)", text)[1])}


def console_of(supervisor):
    children = " ".join(file.read_text() for file in Path(f"/proc/{supervisor}/task").glob("*/children"))
    return next(int(child) for child in children.split() if Path(f"/proc/{child}/comm").read_text().strip() == "forsetti-consol")


def wait_until(what, condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def send_garbage(console, garbage, count):
    kinds = garbage.kinds()
    # They send a byte now and then, as long as they are let.
    slow = [console.connect() for _ in range(6)]
    for number in range(count):
        make = kinds[number % len(kinds)]
        data = make()
        answer = console.send(data)
        assert status(answer) in REFUSALS, f"{make.__name__} {number} was answered {answer[:300]!r}; it was {data[:300]!r}"
        assert b"csrf" not in answer and b"Set-Cookie" not in answer, f"{make.__name__} {number} was let in"
        if number % 100 == 0:
            for client in slow:
                with contextlib.suppress(OSError):
                    client.sendall(b"GET / HTTP/1.1\r\nX: y\r\n"[number // 100 % 20:][:1])
    # Many at once: far more than there is room for, none says a word, and whoever does is heard at once.
    crowd = [console.connect() for _ in range(500)]
    assert status(console.send(console.request("GET", "/"))) == 200, "a crowd that says nothing keeps the others out"
    for client in slow + crowd:
        client.close()


def main():
    supervisor, checkout, seed = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 10_000
    dice = random.Random(int(seed))
    place = Place(supervisor, checkout)
    try:
        console = Console(place.start())
        wait_until("no module is active", lambda: status(console.send(console.request("GET", "/readyz"))) == 200)
        session, ended = console.sign_in(), console.sign_in()
        assert status(console.send(console.request("DELETE", "/api/session", ended.items()))) == 204
        garbage, fuzzer = Garbage(console, dice, session, ended), Fuzzer(console, dice, session)
        modules = {module["moduleID"]: module["pid"] for module in json.loads(place.command("modules", "--json"))}
        processes = {"supervisor": place.process.pid, "console": console_of(place.process.pid)}

        def rest():
            """When nothing is under way any more."""
            wait_until("threads of connections stay", lambda: facts(processes["console"])["threads"] <= 2, 90)

        # What the first ones make them hold on to for good, such as code that was not used yet, is no leak.
        send_garbage(console, garbage, count // 10)
        for _ in range(count // 50):
            console.send(fuzzer.next())
        rest()
        before = {name: facts(process) for name, process in processes.items()}
        send_garbage(console, garbage, count)
        saw(f"{count} connections of garbage, each refused")
        for number in range(count // 5):
            data = fuzzer.next()
            answer = console.send(data)
            assert status(answer) in ANSWERS, f"request {number} was answered {answer[:300]!r}; it was {data[:600]!r}"
        saw(f"{count // 5} strange requests of somebody who is in, each answered")
        rest()
        assert console_of(place.process.pid) == processes["console"], "the console died"
        after = {module["moduleID"]: module["pid"] for module in json.loads(place.command("modules", "--json"))}
        assert after == modules, f"modules were touched: {modules} became {after}"
        for path in PUBLIC:
            assert status(console.send(console.request("GET", path))) == 200, path
        assert status(console.send(console.request("GET", "/api/session", [("Cookie", session["Cookie"])]))) == 200, "the session is lost"
        for name, process in processes.items():
            wait_until(f"{name} keeps descriptors: {before[name]}, {facts(process)}", lambda: facts(process)["descriptors"] <= before[name]["descriptors"])
            # Threads that only wait for work come and go by a few.
            wait_until(f"{name} keeps threads: {before[name]}, {facts(process)}", lambda: facts(process)["threads"] <= before[name]["threads"] + 4)
            grown = facts(process)["memory"] - before[name]["memory"]
            assert grown <= 16_384, f"{name} has grown by {grown} KiB"
            saw(f"{name}: descriptors as before, threads too but for a few, {grown} KiB more memory")
    except AssertionError as error:
        print(f"NOT SO (seed {seed}): {error}", flush=True)
        sys.exit(1)
    finally:
        place.end()


if __name__ == "__main__":
    main()
