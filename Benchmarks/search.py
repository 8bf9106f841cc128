"""How long a search of many computers takes, from its event to the rows in the view that is drawn.

The made-up Jamf Pro server, the supervisor with policy/demo.json, and its locked modules, as they are shipped; this script
stands in the place of the console: it publishes what the form publishes, and draws the view after each word of a change.

usage: .venv/bin/python Benchmarks/search.py [--programs .build/release] [--computers 10000] [--rounds 5]
"""

import argparse
import json
import pathlib
import re
import select
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import cbor2

CHECKOUT = pathlib.Path(__file__).resolve().parents[1]
MODULE = "com.forsetti.jamfpro.feature.computer-search"
SERVICE = "com.forsetti.jamfpro.service.jamf"
VIEW = "computer-search"
CALL, DELIVER, REPLY, FAILURE = 40, 31, 41, 42
HEADER = struct.Struct("<IBBHQII")


class Control:
    """A connection to the control socket (docs/control.md)."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.calls = 0
        self.call("hello", {"lowest": 1, "highest": 1})

    def send(self, operation, request):
        self.calls += 1
        head = cbor2.dumps({"operation": operation}, canonical=True)
        payload = cbor2.dumps(request, canonical=True)
        length = len(head) + len(payload)
        self.socket.sendall(HEADER.pack(length, CALL, 0, len(head), self.calls, 0, 0) + head + payload)

    def read(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            assert piece, "the supervisor closed the connection"
            data += piece
        return data

    def frame(self):
        length, kind, _, head, _, _, _ = HEADER.unpack(self.read(HEADER.size))
        body = self.read(length)
        assert kind != FAILURE, cbor2.loads(body[:head])
        return kind, cbor2.loads(body[head:]) if length > head else None

    def call(self, operation, request):
        """The items of the answer, and the answer."""
        self.send(operation, request)
        items = []
        while True:
            kind, value = self.frame()
            if kind == REPLY:
                return items, value
            if kind == DELIVER:
                items.append(value)

    def publish(self, verb, payload):
        self.call("publish", {"module": MODULE, "type": f"{MODULE}.{verb}", "payload": payload})

    def texts(self):
        """Every text of the view as it is now."""
        return list(strings(self.call("render", {"view": VIEW})[1]["view"]))

    def is_readable(self, seconds):
        return bool(select.select([self.socket], [], [], seconds)[0])


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for element in value.values() if isinstance(value, dict) else value:
            yield from strings(element)


def settle(control, changes):
    """Until whatever was published before is over: a change that is still on its way would be taken for one of the next."""
    while True:
        control.publish("show", {"panel": "search"})
        if changes.is_readable(5):
            break
    while changes.is_readable(0.3):
        changes.frame()


def search(control, changes, computers):
    """Seconds to the first rows, and to all of them; how often the view was drawn."""
    settle(control, changes)
    begin = time.perf_counter()
    first, drawn = None, 0
    control.publish("search", {"text": ""})
    while True:
        changes.frame()
        texts = control.texts()
        drawn += 1
        now = time.perf_counter() - begin
        if first is None and "Open" in texts:
            first = now
        if any(text.startswith(f"{computers} computers: all") for text in texts) and "Cancel" not in texts:
            return first, now, drawn
        assert "Cancel" in texts, texts


def peak(control, module):
    """The most memory that a module's process has held at once, in MiB (VmHWM of proc(5))."""
    items, _ = control.call("status", {"module": module})
    status = pathlib.Path(f"/proc/{items[0]['pid']}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024


def wait_for(path, text, process):
    while text not in path.read_text():
        assert process.poll() is None, path.read_text()
        time.sleep(0.05)


def measure(place, programs, options, processes):
    def start(name, *arguments):
        log = place / f"{name}.log"
        with log.open("wb") as file:
            process = subprocess.Popen([programs / name, *arguments], stdout=file, stderr=subprocess.STDOUT)
        processes.append(process)
        return log, process

    log, simulator = start(
        "jamf-simulator", "--port", "0", "--computers", str(options.computers), "--mobile-devices", "1")
    wait_for(log, "\n", simulator)
    address = log.read_text().split()[0]
    policy = json.loads((CHECKOUT / "policy/demo.json").read_text())
    for rule in policy["rules"]:
        if rule["modules"] == SERVICE:
            rule["networking"]["allow"][0]["ports"] = [int(address.rsplit(":", 1)[1])]
    policy["$schema"] = str(CHECKOUT / "Resources/Schemas/policy.schema.json")
    (place / "policy.json").write_text(json.dumps(policy))
    log, supervisor = start(
        "forsetti-supervisor", "run", "--policy", place / "policy.json", "--manifests",
        CHECKOUT / "Resources/ForsettiManifests", "--state", place / "state")
    wait_for(log, "Running until", supervisor)

    control, changes = (Control(place / "state/run/control.sock") for _ in range(2))
    changes.send("events", {"type": f"{MODULE}.changed"})
    control.call("setSecret", {"secretID": "jamf-credentials", "values": {
        "server": address, "kind": "api-client", "account": "forsetti-demo", "secret": "forsetti-demo-secret"}})
    rounds = [search(control, changes, options.computers) for _ in range(options.rounds)]
    first, whole, drawn = (statistics.median(values) for values in zip(*rounds))
    slowest = max(first for first, _, _ in rounds)
    print(f"{options.computers} computers, median of {options.rounds} searches, the view drawn {drawn:.0f} times:")
    print(f"  first rows      {first * 1000:7.0f} ms  (slowest {slowest * 1000:.0f})")
    print(f"  all of them     {whole * 1000:7.0f} ms")
    print(f"  peak memory     {peak(control, MODULE):7.1f} MiB (Computer Search), {peak(control, SERVICE):.1f} (Jamf Service)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=CHECKOUT / ".build/release")
    parser.add_argument("--computers", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    processes = []
    # Whoever ends this script ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="forsetti-search.") as place:
        try:
            measure(pathlib.Path(place), options.programs.resolve(), options, processes)
        finally:
            # The supervisor first: its modules may be asking the server.
            for process in reversed(processes):
                process.send_signal(signal.SIGTERM)
                process.wait()


if __name__ == "__main__":
    main()
