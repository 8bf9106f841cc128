"""The demo in a real browser: `demo/run` from its start to Ctrl-C, and through every view of its desk.

`demo_browser.py PROGRAMS [SHOTS]`. Prints one line for each thing that it saw, and ends with 1 at the first that is not so.
With SHOTS it leaves the pictures of docs/demo.md in that folder.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from console_browser import Browser, check_access, complaints, saw

CHECKOUT = Path(__file__).resolve().parents[2]
DESK = "com.forsetti.jamfpro."
# Routes, what they are called, who must draw what they lead to, and what a person does there.
ROUTES = {
    "computer-search": ("Computer Search", "feature.computer-search", "search"),
    "mobile-device-search": ("Mobile Device Search", "feature.mobile-device-search", "search"),
    "support-technician": ("Support Technician", "feature.support-technician", "search"),
    "prestage-director": ("PreStage Director", "feature.prestage-director", "Read"),
    "reports": ("Reports", "feature.reports", "Read the fleet"),
    "deployment-tracker": ("Deployment Tracker Demo", "feature.deployment-tracker", None),
    "permissions-matrix": ("Permissions Helper", "feature.permissions-matrix", "Compare with the account"),
    "diagnostics": ("Diagnostics", "service.diagnostics", None),
    "settings": ("Settings", "retail.ui", None),
    "about": ("About", "retail.ui", None),
}


def arguments_of(matches):
    """The command lines of the processes whose parent and group match; those that have ended have none."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # Behind the name, in which anything may be: state, parent, group.
            _, parent, group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
            if matches(int(parent), int(group)):
                found.append((folder / "cmdline").read_text().replace("\0", " ").strip())
    return [arguments for arguments in found if arguments]


class Demo:
    """The command, in a process group of its own, as a terminal has it."""

    def __init__(self, programs):
        self.programs = Path(programs).resolve()
        self.process = subprocess.Popen(
            [CHECKOUT / "demo" / "run", self.programs], stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.lines = []
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if "Ctrl-C" in line:
                break
        else:
            raise AssertionError(f"the demo did not start: {self.lines}")
        self.url = re.search(r"(http://127\.0\.0\.1:\d+/#[0-9a-f]{32})", "\n".join(self.lines)).group(1)
        children = arguments_of(lambda parent, _: parent == self.process.pid)
        self.state = re.search(r"--state (\S+)", "\n".join(children)).group(1)

    def command(self, *words):
        return subprocess.run(
            [self.programs / "forsetti-supervisor", *words, "--state", self.state], check=True, capture_output=True,
            text=True).stdout

    def interrupt(self):
        """Ctrl-C: a signal to everybody in the foreground."""
        os.killpg(self.process.pid, signal.SIGINT)
        status = self.process.wait(timeout=60)
        assert status == 0, f"the demo ended with {status}"
        left = arguments_of(lambda _, group: group == self.process.pid)
        assert not left, f"still there: {left}"
        assert not Path(self.state).parent.exists(), f"{self.state} was left behind"


class Desk:
    """The surface page, and the view that is open on it."""

    def __init__(self, browser):
        self.browser = browser

    def frame(self, view):
        return f".frame[data-view='{view}']"

    def open(self, route):
        self.browser.until(f"no route {route}", lambda: self.browser.all(f"[data-route='{route}']"))
        self.browser.run(f"document.querySelector(\"[data-route='{route}']\").click()")

    def body(self, view):
        return self.browser.read(f"{self.frame(view)} .content")

    def says(self, view, words, seconds=60):
        self.browser.until(f"{view} does not say {words!r}", lambda: words in self.body(view), seconds)

    def buttons(self, view):
        """What its buttons say, at one moment: a view may be drawn anew at any."""
        return self.browser.run(
            "return [...document.querySelectorAll(arguments[0])].map((button) => button.textContent)",
            f"{self.frame(view)} .content button")

    def press(self, view, title):
        self.browser.until(f"{view} has no button {title!r}, only {self.buttons(view)}", lambda: self.browser.run(
            "const [selector, title] = arguments; const button = [...document.querySelectorAll(selector)]"
            ".find((button) => button.textContent.startsWith(title)); button?.click(); return Boolean(button)",
            f"{self.frame(view)} .content button", title))

    def rows(self, view):
        return len(self.browser.all(f"{self.frame(view)} .content tbody tr"))

    def is_working(self, view):
        return "Cancel" in self.buttons(view)

    def close(self):
        self.browser.run(
            "document.querySelector('.push > .title button, .inline > .title button, dialog > .title button')?.click()")
        self.browser.until("the overlay stays", lambda: not self.browser.all(".push, .inline, dialog"))


def home(demo, browser, desk, shots):
    browser.driver.get(demo.url)
    browser.one("nav a")
    browser.run("location.hash = '#/surface'")
    desk.says("dashboard.home", "11 of 11 active")
    desk.says("dashboard.home", "connected")
    browser.until("something is unknown", lambda: "unknown" not in desk.body("dashboard.home"))
    assert f"{DESK}retail.ui" in browser.read(f"{desk.frame('dashboard.home')} header")
    check_access(browser, "the surface of the demo")
    browser.picture(shots, "home")
    saw("home, with eleven active modules and a connection to the made-up server")


def act(browser, desk, view, action):
    """What a person does first in a view, and that something comes of it."""
    if action == "search":
        field = f"{desk.frame(view)} [data-field=text], {desk.frame(view)} [data-field=query]"
        browser.one(field).send_keys("a" + Keys.ENTER)
        browser.until(f"{view} finds nothing", lambda: desk.rows(view) >= 10 and not desk.is_working(view), 120)
    elif action:
        desk.press(view, action)
        browser.until(
            f"{action!r} does not end", lambda: not desk.is_working(view) and desk.rows(view), 120)


def route(browser, desk, shots, view, title, module, action):
    assert browser.read(f"[data-route='{view}']").startswith(title + " "), f"{view} is not called {title}"
    desk.open(view)
    browser.until(f"{view} is not drawn", lambda: len(desk.body(view)) > 40)
    assert not browser.all(f"{desk.frame(view)} .complaint:not([hidden])"), browser.text()
    assert f"{DESK}{module}" in browser.read(f"{desk.frame(view)} header")
    act(browser, desk, view, action)
    check_access(browser, view)
    # Below the bar, which stays.
    browser.run("document.querySelector('.push, .inline')?.scrollIntoView(); scrollBy(0, -64)")
    browser.picture(shots, view)
    desk.close()
    saw(f"{title}, drawn by {module}" + (f", after {action}" if action else ""))


def toolbar(browser, desk):
    browser.run("document.querySelector('[data-item=export]').click()")
    desk.says("dashboard.home", "The dashboard was written to")
    browser.run("document.querySelector('[data-item=refresh]').click()")
    browser.until("Refresh does nothing", lambda: "was written to" not in desk.body("dashboard.home"))
    saw("the toolbar's Export and Refresh")


def killed(demo, browser, desk):
    module = f"{DESK}feature.computer-search"
    desk.open("computer-search")
    desk.says("computer-search", "Search")
    before = json.loads(demo.command("modules", module, "--json"))[0]
    os.kill(before["pid"], signal.SIGKILL)
    desk.says("dashboard.home", f"{module} ended unasked")
    desk.says("dashboard.home", "11 of 11 active")
    after = json.loads(demo.command("modules", module, "--json"))[0]
    assert after["pid"] != before["pid"] and after["state"] == "active"
    browser.until("the view does not come back", lambda: browser.one(f"{desk.frame('computer-search')} .content").is_displayed())
    act(browser, desk, "computer-search", "search")
    desk.close()
    saw("a module killed under its view, back by itself, and working")


def main():
    demo = Demo(sys.argv[1])
    shots = sys.argv[2] if len(sys.argv) > 2 else None
    browser = None
    try:
        browser = Browser()
        browser.size(1200, 900)
        desk = Desk(browser)
        home(demo, browser, desk, shots)
        for view, (title, module, action) in ROUTES.items():
            route(browser, desk, shots, view, title, module, action)
        toolbar(browser, desk)
        killed(demo, browser, desk)
        complaints(browser)
        browser.driver.quit()
        browser = None
        demo.interrupt()
        saw("Ctrl-C, after which nothing is left")
    except AssertionError as error:
        print(f"NOT SO: {error}", flush=True)
        sys.exit(1)
    finally:
        if browser:
            browser.driver.quit()
        if demo.process.poll() is None:
            os.killpg(demo.process.pid, signal.SIGTERM)
            demo.process.wait(timeout=60)


main()
