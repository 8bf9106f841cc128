#!/usr/bin/env python3
"""What the web console costs, measured on the real supervisor with the modules of the measurements (make bench-console).

    Benchmarks/console.py BIN [dashboard] [idle] [calls] [work] [--modules N] [--rounds N]

dashboard: milliseconds from a navigation to the table shown, in Chromium, with N modules (1,000).
idle:      CPU of the supervisor and of the console while nothing happens, without a client and with a page open.
calls:     p99 of a module's calls a millisecond apart, without a console's client and with one that has the dashboard
           open and loads it anew each second; both in every round.
work:      what that client costs the supervisor and the console, in milliseconds of a processor a second: what calls may
           meet, also where others have the machine and the p99 says nothing.
"""

import argparse
import contextlib
import http.client
import json
import os
import queue
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
PACER = "com.forsetti.bench.pacer"
HELPERS = ["forsetti-supervisor", "forsetti-console", "forsetti-syscall-probe", "forsetti-symbolizer", "forsetti-network-worker"]


def manifest(name, module_id, capabilities):
    return {
        "schemaVersion": "1.1", "manifestTemplateVersion": "1.1", "moduleID": module_id, "displayName": name,
        "moduleVersion": {"major": 1, "minor": 0, "patch": 0}, "moduleType": "service", "supportedPlatforms": ["Linux"],
        "minForsettiVersion": {"major": 0, "minor": 2, "patch": 0}, "capabilitiesRequested": capabilities, "entryPoint": name,
        "runtimeRequirements": {
            "io": [{"requirementID": "control", "kind": "storage", "access": "read_write", "required": True}],
            "dataIsolation": {"mode": "private_to_module", "ownedStoreIDs": []}}}


class Place:
    """A supervisor with a console, N idle modules and the pacer, in a folder of its own."""

    def __init__(self, programs, modules):
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        self.folder = Path(tempfile.mkdtemp(prefix="forsetti-bench-"))
        (self.folder / "bin").mkdir()
        for name in HELPERS:
            shutil.copy(Path(programs) / name, self.folder / "bin")
        shutil.copy(Path(programs) / "forsetti-bench-host", self.folder / "bin" / "forsetti-module-host")
        manifests = self.folder / "manifests"
        manifests.mkdir(mode=0o700)
        for number in range(modules):
            (manifests / f"{number}.json").write_text(
                json.dumps(manifest(f"Idle{number}", f"com.forsetti.bench.idle-{number}", ["storage"])))
        (manifests / "pacer.json").write_text(json.dumps(manifest("Pacer", PACER, ["storage", "crypto_utilities"])))
        policy = self.folder / "policy.json"
        policy.write_text(json.dumps({
            "policyVersion": 1, "console": {"listen": "127.0.0.1:0"},
            "rules": [{"modules": "com.forsetti.bench.*", "grant": ["storage", "crypto_utilities"]}]}))
        os.chmod(policy, 0o600)
        self.windows = queue.Queue()
        self.supervisor = str(self.folder / "bin" / "forsetti-supervisor")
        self.process = subprocess.Popen(
            [self.supervisor, "run", "--policy", policy, "--manifests", manifests, "--state", self.folder / "state",
             "--log-format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self.listen, daemon=True).start()
        for line in self.process.stdout:
            if "Running until" in line:
                break
        threading.Thread(target=lambda: [None for _ in self.process.stdout], daemon=True).start()
        shown = subprocess.run([self.supervisor, "console", "--url", "--state", self.folder / "state"], check=True, capture_output=True, text=True)
        self.url = shown.stdout.strip()
        self.port = int(self.url.split("/#")[0].rsplit(":", 1)[1])
        self.token = self.url.split("#")[1]

    def listen(self):
        """Each window of the pacer's, as it is logged."""
        for line in self.process.stderr:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                record = json.loads(line)
                if PACER in line:
                    self.windows.put(json.loads(record["message"])["p99"])

    def console(self):
        """The console's process ID."""
        children = " ".join(file.read_text() for file in Path(f"/proc/{self.process.pid}/task").glob("*/children"))
        return next(int(child) for child in children.split() if Path(f"/proc/{child}/comm").read_text().strip() == "forsetti-consol")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)
        shutil.rmtree(self.folder, ignore_errors=True)


class Page(threading.Thread):
    """What a browser asks that has the dashboard open, and loads it anew each so many seconds."""

    def __init__(self, place, again=None):
        super().__init__(daemon=True)
        self.place, self.again, self.isOver = place, again, threading.Event()
        self.cookie = None

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.place.port, timeout=60)

    def get(self, connection, path):
        connection.request("GET", path, headers={"Cookie": self.cookie})
        return connection.getresponse()

    def load(self, connection):
        page = self.get(connection, "/").read().decode()
        for path in [part.split('"')[0] for part in page.split('href="')[1:] + page.split('src="')[1:] if part.startswith("/")]:
            self.get(connection, path).read()
        self.get(connection, "/api/session").read()

    def run(self):
        connection = self.connection()
        connection.request("POST", "/api/session", json.dumps({"token": self.place.token}), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]
        while not self.isOver.is_set():
            self.load(connection)
            live = self.connection()
            stream = self.get(live, "/api/live")
            reader = threading.Thread(target=self.drain, args=[stream], daemon=True)
            reader.start()
            self.get(connection, "/api/status").read()
            self.isOver.wait(self.again)
            live.sock.shutdown(socket.SHUT_RDWR)
            reader.join()
            live.close()

    def drain(self, stream):
        with contextlib.suppress(OSError, http.client.HTTPException):
            while stream.read1(1 << 20):
                pass

    def end(self):
        self.isOver.set()
        self.join()


def ticks(process):
    """Hundredths of a second on a processor, of threads that are gone too (proc(5): utime and stime)."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def idle(place, _):
    rows = {}
    for name, page in [("without a client", None), ("with a page open", Page(place))]:
        if page:
            page.start()
        time.sleep(6)
        processes = {"supervisor": place.process.pid, "console": place.console()}
        before = {what: ticks(process) for what, process in processes.items()}
        time.sleep(20)
        rows[name] = {what: (ticks(process) - before[what]) / 20 for what, process in processes.items()}
        if page:
            page.end()
    return {"unit": "% of a processor", **rows}


def windows(place, count=3):
    """Whole windows from now on: the one that is under way is not counted."""
    while not place.windows.empty():
        place.windows.get()
    place.windows.get(timeout=60)
    return [place.windows.get(timeout=60) for _ in range(count)]


def calls(place, rounds):
    without, with_page = [], []
    for _ in range(rounds):
        without += windows(place)
        page = Page(place, again=1)
        page.start()
        with_page += windows(place)
        page.end()
    medians = [statistics.median(without), statistics.median(with_page)]
    return {"unit": "µs, p99", "without": round(medians[0], 1), "with": round(medians[1], 1), "ratio": round(medians[1] / medians[0], 3),
            "all without": [round(value, 1) for value in without], "all with": [round(value, 1) for value in with_page]}


def work(place, rounds):
    processes = {"supervisor": place.process.pid, "console": place.console()}

    def spent(seconds=20):
        before = {what: ticks(process) for what, process in processes.items()}
        time.sleep(seconds)
        return {what: (ticks(process) - before[what]) * 10 / seconds for what, process in processes.items()}

    rows = []
    for _ in range(rounds):
        without = spent()
        page = Page(place, again=1)
        page.start()
        # By then every process was looked at once.
        time.sleep(20)
        rows.append({what: value - without[what] for what, value in spent().items()})
        page.end()
    return {"unit": "ms of a processor a second", **{what: round(statistics.median(row[what] for row in rows), 1) for what in processes}}


# When the table is there and a frame with it was drawn, in milliseconds from the navigation.
SHOWN = """
const look = () => document.querySelector("table.modules tbody tr[data-id]")
  ? requestAnimationFrame(() => requestAnimationFrame(() => (window.shownAt = performance.now()))) : requestAnimationFrame(look);
look();
"""


def dashboard(place, rounds):
    sys.path.insert(0, str(CHECKOUT / "Tests" / "Python"))
    from console_browser import Browser
    browser = Browser()
    try:
        browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SHOWN})
        browser.driver.get(place.url)
        browser.until("no table", lambda: browser.run("return window.shownAt ?? null"), 60)
        times = []
        for _ in range(max(5, rounds)):
            browser.driver.refresh()
            times.append(browser.until("no table", lambda: browser.run("return window.shownAt ?? null"), 60))
        return {"unit": "ms from navigation to table", "median": round(statistics.median(times)), "all": [round(time) for time in times],
                "rows drawn": browser.run("return document.querySelectorAll('table.modules tbody tr[data-id]').length")}
    finally:
        browser.driver.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", help="the folder of the programs, such as .build/release")
    parser.add_argument("measures", nargs="*", help="dashboard, idle, calls, work")
    parser.add_argument("--modules", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    known = {"dashboard": dashboard, "idle": idle, "calls": calls, "work": work}
    for name in options.measures:
        if name not in known:
            parser.error(f"{name}: there are {', '.join(known)}")
    place = Place(options.programs, options.modules)
    try:
        for name in options.measures or known:
            print(json.dumps({"measure": name, "modules": options.modules, **known[name](place, options.rounds)}), flush=True)
    finally:
        place.end()


if __name__ == "__main__":
    main()
