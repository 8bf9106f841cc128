"""The web console in a real browser: chromium, driven by selenium.

Started by the tests: `console_browser.py SUPERVISOR CHECKOUT [SHOTS]`. It starts the supervisor itself, on a folder of its
own, prints one line for each thing that it saw, and ends with 1 at the first that is not so. With SHOTS it leaves the
pictures of docs/console.md in that folder.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

EXAMPLE_UI = "com.forsetti.example.ui"
EXAMPLE_SERVICE = "com.forsetti.example.service"
RETAIL_UI = "com.forsetti.jamfpro.retail.ui"
SCANNER = "com.forsetti.jamfpro.service.scanner"
DENIED = "com.example.denied"
SIGNED = "com.example.signed"
PINNED = "com.example.pinned"
SCRIPT = "<script>document.title = 'taken'</script>\u202egnp.exe"


class Place:
    """A folder with the shipped modules and the examples, and a supervisor on it."""

    def __init__(self, supervisor, checkout):
        self.supervisor = supervisor
        self.folder = Path(tempfile.mkdtemp(prefix="forsetti-console-"))
        self.manifests = self.folder / "manifests"
        self.manifests.mkdir(mode=0o700)
        for source in ["ForsettiManifests", "ExampleManifests"]:
            for file in (Path(checkout) / "Resources" / source).glob("*.json"):
                shutil.copy(file, self.manifests)
        policy = json.loads((Path(checkout) / "policy" / "development.json").read_text())
        policy.pop("$schema")
        policy["defaults"]["restart"] = {"kind": "transient"}
        policy["console"] = {"listen": "127.0.0.1:0"}
        policy["secrets"] = [{
            "secretID": "account", "module": "com.example.nobody", "title": "An <b>account</b>", "fields": [
                {"fieldID": "user", "label": "User", "kind": "text", "required": True},
                {"fieldID": "mode", "label": "Mode", "kind": "choice", "choices": ["a", "b"]},
                {"fieldID": "password", "label": "Password", "kind": "secret", "required": True},
                {"fieldID": "key", "label": "Key", "kind": "multilineSecret"}]}]
        policy["rules"].append({"modules": DENIED, "deny": ["telemetry"], "reason": "It counts too much."})
        manifest = json.loads((self.manifests / "ExampleServiceModule.json").read_text())
        manifest.update(moduleID=DENIED, displayName="Denied <b>", entryPoint="DeniedModule")
        self.denied = json.dumps(manifest)
        policy["activation"]["order"].append(EXAMPLE_SERVICE)
        policy["views"]["example-service"] = EXAMPLE_SERVICE
        self.policy = self.folder / "policy.json"
        self.policy.write_text(json.dumps(policy))
        os.chmod(self.policy, 0o600)
        self.broken = self.manifests / "Broken.json"
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [self.supervisor, "run", "--policy", self.policy, "--manifests", self.manifests, "--state",
             self.folder / "state"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "the web console is at" in line:
                break
        # The rest is not waited for, and must not fill the pipe.
        subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL)
        return self.command("console", "--url").strip()

    def command(self, *words):
        return subprocess.run(
            [self.supervisor, *words, "--state", self.folder / "state"], check=True, capture_output=True, text=True).stdout

    def module(self, name):
        return json.loads(self.command("modules", name, "--json"))[0]

    def end(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=30)
        shutil.rmtree(self.folder, ignore_errors=True)


class Browser:
    """Chromium, and how long one waits for what it shows."""

    def __init__(self, dark=False):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars"]:
            options.add_argument(argument)
        if dark:
            options.add_argument("--force-dark-mode")
            options.add_argument("--blink-settings=preferredColorScheme=0")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        self.size(1440, 900)

    def size(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def scheme(self, name):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def until(self, what, condition, seconds=30):
        try:
            # What is drawn anew while one looks is looked at again.
            waiting = WebDriverWait(
                self.driver, seconds, 0.05, [NoSuchElementException, StaleElementReferenceException])
            return waiting.until(lambda _: condition())
        except Exception:
            raise AssertionError(f"{what}; the page says: {self.text()[:2000]}") from None

    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.until(f"there is no {selector}", lambda: (self.all(selector) or [None])[0])

    def read(self, selector):
        """The text of an element that may be drawn anew at any time."""
        return self.until(f"there is no {selector}", lambda: self.run(
            "return document.querySelector(arguments[0])?.textContent ?? null", selector))

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def focused(self):
        return self.driver.switch_to.active_element

    def keys(self, *keys):
        self.focused().send_keys(*keys)

    def shows(self, words):
        self.until(f"{words!r} is not shown", lambda: words in self.text())

    def picture(self, folder, name):
        if folder:
            self.driver.save_screenshot(f"{folder}/{name}.png")


def saw(what):
    print(f"saw: {what}", flush=True)


def status_of(url, method="GET", headers=None, body=None):
    request = urllib.request.Request(url, method=method, headers=headers or {}, data=body)
    try:
        return urllib.request.urlopen(request, timeout=10).status
    except urllib.error.HTTPError as error:
        return error.code


# What an element's text and its ground contrast by (WCAG 2.2, 1.4.3): all texts in sight, and those that fail.
CONTRAST = """
const parse = (color) => { const n = color.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
const light = (color) => { const [r, g, b] = color.slice(0, 3).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const found = [];
let count = 0;
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const box = element.getBoundingClientRect();
  if (!own || box.width < 2 || box.height < 2 || element.closest("[hidden]") || element.disabled || element.closest(".spoken")) continue;
  const layers = [];
  for (let at = element; at; at = at.parentElement) layers.unshift(parse(getComputedStyle(at).backgroundColor));
  const ground = layers.reduce((under, top) => over(top, under), [255, 255, 255, 1]);
  const style = getComputedStyle(element);
  const [a, b] = [light(over(parse(style.color), ground)), light(ground)];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
  count += 1;
  if (ratio < (isLarge ? 3 : 4.5)) found.push(`${element.tagName} "${element.textContent.trim().slice(0, 40)}" ${ratio.toFixed(2)}`);
}
return [count, found];
"""

# Names of controls and pictures, one main and one first heading, no ID twice, and rows that belong to a table.
NAMES = """
const found = [];
const named = (element) => element.getAttribute("aria-label") || element.getAttribute("aria-labelledby") || element.labels?.length
  || element.textContent.trim() || element.title;
for (const element of document.querySelectorAll("button, a[href], input, select, textarea, [role=img], [role=progressbar], [role=region], dialog, nav"))
  if (!named(element)) found.push(`${element.outerHTML.slice(0, 80)} has no name`);
if (document.querySelectorAll("main").length !== 1) found.push("there is not one main");
if (document.querySelectorAll("h1").length !== 1) found.push("there is not one first heading");
if (!document.documentElement.lang) found.push("no language");
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
if (new Set(ids).size !== ids.length) found.push("an ID twice");
for (const cell of document.querySelectorAll("th")) if (!cell.scope && cell.textContent.trim()) found.push("a heading cell without scope");
for (const field of document.querySelectorAll("input[type=password]"))
  if (!field.closest("form[data-secret]")) found.push("a field for passwords that is not the host's own");
return found;
"""


# A dashboard of a thousand modules: rows drawn at first, cells changed when one module's calls do, and rows at the end.
THOUSAND = """
const done = arguments[0];
const frames = () => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
Promise.all([import("/figures.js"), import("/dashboard.js")]).then(async ([{ Figures }, { dashboard }]) => {
  const figures = new Figures();
  const line = (number, calls) => ({ moduleID: `com.example.m${String(number).padStart(4, "0")}`, state: "active", calls, failedCalls: 0, events: 0,
    restarts: 0, memoryBytes: 800000 });
  const take = (seconds, modules) => {
    figures.take({ state: "ready", uptimeMilliseconds: seconds * 1000, memoryBytes: 1, modules });
    figures.isStale = false;
  };
  figures.status = { modules: [], byID: new Map(), refusedBundles: [], askedAt: 0 };
  take(1, [...Array(1000).keys()].map((number) => line(number, 0)));
  const place = document.createElement("section");
  document.getElementById("main").append(place);
  const page = dashboard(place, figures);
  take(2, []);
  page.update();
  const [body, scroller] = [place.querySelector("tbody"), place.querySelector(".scroller")];
  const drawn = () => [...body.querySelectorAll("tr[data-id]")].map((row) => row.dataset.id);
  const first = drawn();
  const changed = new Set();
  const watch = (list) => list.forEach((record) => changed.add(record.target));
  const observer = new MutationObserver(watch);
  observer.observe(body, { childList: true, characterData: true, attributes: true, attributeFilter: ["aria-rowindex"], subtree: true });
  take(3, [line(3, 5)]);
  page.update();
  watch(observer.takeRecords());
  observer.disconnect();
  const height = scroller.scrollHeight;
  scroller.scrollTop = height;
  await frames();
  const last = drawn();
  const answer = [first.length, first[0], changed.size, last.length, last.at(-1), Math.abs(scroller.scrollHeight - height)];
  place.remove();
  done(answer);
}, (error) => done(String(error)));
"""

# A stream that begins anew, as after a page was in the background: its first message has all modules and no memory.
BEGUN_ANEW = """
const done = arguments[0];
import("/figures.js").then(({ Figures }) => {
  const figures = new Figures();
  const line = (moduleID, memoryBytes) => ({ moduleID, state: "active", calls: 0, failedCalls: 0, events: 0, restarts: 0, memoryBytes });
  const take = (seconds, modules, isWhole) => figures.take({ state: "ready", uptimeMilliseconds: seconds * 1000, modules, isWhole });
  take(1, [line("a"), line("b")], true);
  take(2, [line("a", 10), line("b", 20)], false);
  take(9, [line("a")], true);
  done([[...figures.modules.keys()], figures.modules.get("a").memoryBytes, figures.history.memory]);
}, (error) => done(String(error)));
"""


def check_access(browser, page):
    for scheme in ["light", "dark"]:
        browser.scheme(scheme)
        count, found = browser.run(CONTRAST)
        assert count > 3 and not found, f"{page}, {scheme}: {found}"
    browser.scheme("light")
    found = browser.run(NAMES)
    assert not found, f"{page}: {found}"
    width = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0, f"{page} is {width} px wider than the window"
    saw(f"labels and contrast of {page} in light and dark")


def boot_fails_and_is_retried(place, browser, url, shots):
    browser.driver.get(url)
    browser.shows("The boot failed")
    assert "Broken.json" in browser.one("#boot-error").text, browser.text()
    assert "#" not in browser.driver.current_url, "the token stays in the address"
    assert browser.focused().get_attribute("id") == "retry"
    check_access(browser, "the failed boot")
    browser.picture(shots, "boot-failed")
    browser.keys(Keys.ENTER)
    browser.until("the boot does not fail again", lambda: browser.all("#retry") and browser.one("#retry").is_enabled())
    place.broken.unlink()
    browser.one("#retry").click()
    browser.until("no module is shown", lambda: browser.all("table.modules tbody a"))
    saw("a failed boot with its error, and the dashboard after Retry")


def dashboard_is_live(place, browser, shots):
    browser.until("not all modules are active", lambda: re.search(r"(\d+) of \d+", browser.read(".tile .value")).group(1) >= "12")
    check_access(browser, "the dashboard")
    browser.picture(shots, "dashboard-wide")
    row = f"tr[data-id='{SCANNER}']"
    before = place.module(SCANNER)["pid"]
    for signum in [signal.SIGSEGV, signal.SIGKILL]:
        process = place.module(SCANNER)["pid"]
        restarts = int(browser.read(f"{row} td:nth-child(9)"))
        os.kill(process, signum)
        browser.until("the restart is not shown", lambda: int(browser.read(f"{row} td:nth-child(9)")) > restarts)
        browser.until("it is not active again", lambda: browser.read(f"{row} .badge") == "active")
    assert place.module(SCANNER)["pid"] != before
    saw("a crash and the restart after it, while the dashboard is open")
    browser.one("#filter").send_keys("scanner")
    browser.until("the filter does nothing", lambda: len(browser.all("table.modules tbody tr[data-id]")) == 1)
    browser.one("#filter").clear()
    browser.one("#filter").send_keys(" ")


def module_page(place, browser, shots):
    browser.run(f"location.hash = '#/modules/{SCANNER}'")
    browser.until("nothing is decided", lambda: "Limits and other settings" in browser.read("[role=tabpanel]"))
    decisions = browser.read("[role=tabpanel]")
    for words in ["Capabilities", "Entitlement", "policy.json:", "sandbox.limits.openFiles", "Gates of an activation"]:
        assert words in decisions, f"no {words} among the decisions: {decisions[:2000]}"
    assert not browser.all("#standstill"), "a module that runs is said not to"
    check_access(browser, "a module's page")
    browser.picture(shots, "module")
    browser.one("[role=tab][aria-selected=true]").send_keys(Keys.ARROW_RIGHT)
    browser.until("arrows do not move between tabs", lambda: browser.focused().text == "Manifest")
    browser.until("the manifest is not shown", lambda: f'"moduleID": "{SCANNER}"' in browser.read(".manifest"))
    check_access(browser, "a module's manifest")
    browser.keys(Keys.ARROW_RIGHT)
    browser.until("the sandbox is not shown", lambda: "filterInstructions" in browser.read("[role=tabpanel]"))
    browser.keys(Keys.ARROW_RIGHT)
    browser.until("the log is empty", lambda: browser.all("[role=tabpanel] .feed li"))
    browser.run("document.querySelector('[data-order=restart]').click()")
    browser.until("the log does not go on", lambda: "is active" in browser.one("#notices").text)
    browser.one("[role=tab][aria-selected=true]").send_keys(Keys.END)
    browser.until("the crash reports are not shown", lambda: browser.all("[role=tabpanel] details"))
    browser.one("[role=tabpanel] summary").click()
    browser.until("the report does not open", lambda: "SIGKILL" in browser.one("[role=tabpanel]").text or "signal" in browser.one("[role=tabpanel]").text)
    browser.keys(Keys.HOME)
    saw("a module's decisions with their places, manifest, sandbox, log and crash reports, by keyboard")
    for size in [(390, 844), (1440, 900)]:
        browser.size(*size)
        check_access(browser, f"a module's page, {size[0]} px wide")


def modules_that_do_not_run(place, browser, shots):
    """One that the policy denies, one that somebody stopped, one in quarantine, and one that nobody knows."""
    def reads(module, *words):
        browser.run(f"location.hash = '#/modules/{module}'")
        for word in words:
            browser.until(f"{word!r} is not said of {module}", lambda: word in browser.read(".standstill"))

    (place.manifests / "Denied.json").write_text(place.denied)
    place.command("reload")
    reads(DENIED, "It is discovered", "could not be now: compatibility", "mend that, then activate it")
    browser.until("the denial is not shown", lambda: "It counts too much." in browser.read("[role=tabpanel]"))
    assert "denied" in browser.read("[role=tabpanel]") and not browser.all("[role=tabpanel] b")
    check_access(browser, "the page of a module that is denied")
    browser.size(390, 844)
    check_access(browser, "the page of a module that is denied, on a telephone")
    browser.picture(shots, "module-denied-narrow")
    browser.size(1440, 900)
    place.command("deactivate", EXAMPLE_SERVICE)
    reads(EXAMPLE_SERVICE, "somebody stopped it", "On this page: Activate starts it.")
    browser.one("[data-order=activate]").send_keys(Keys.ENTER)
    browser.until("it is still said not to run", lambda: not browser.all(".standstill"))
    assert browser.focused().get_attribute("data-order") == "activate", "the focus is lost"
    browser.run(f"location.hash = '#/modules/{SCANNER}'")
    while place.module(SCANNER)["state"] != "quarantined":
        process = place.module(SCANNER)["pid"]
        if process:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    reads(SCANNER, "It is quarantined", "times within", "Reset lets it out")
    check_access(browser, "the page of a module in quarantine")
    browser.picture(shots, "module-quarantined")
    browser.one("[data-order=reset]").click()
    browser.until("it stays in quarantine", lambda: not browser.all(".standstill"))
    browser.run("location.hash = '#/modules/com.example.unheard-of'")
    browser.until("nobody says that there is none", lambda: "no module is called" in browser.text())
    saw("why modules do not run, and what to do: denied, stopped, quarantined, unknown; narrow and wide")


def refused_bundles(place, browser, shots):
    """Bundles that are not let in: one whose manifest was changed after it was signed, and one that is not the one the policy names."""
    def bundle(name):
        folder = place.folder / "state" / "bundles" / name
        folder.mkdir(mode=0o700, parents=True)
        shutil.copy(Path(place.supervisor).parent / "forsetti-module-host", folder / "module")
        manifest = json.loads(place.denied)
        manifest.update(moduleID=name, displayName="A <b>bundle</b>", entryPoint=name.split(".")[-1].capitalize() + "Bundle")
        (folder / "manifest.json").write_text(json.dumps(manifest))
        return folder, manifest

    def reads(module, *words):
        browser.run(f"location.hash = '#/modules/{module}'")
        for word in words:
            browser.until(f"{word!r} is not said of {module}", lambda: word in browser.read(".standstill"))

    def reloaded(what, is_so):
        """A reload in a terminal, and what comes of it on the page that is open, without a word from who looks at it."""
        place.command("reload")
        browser.until(what, is_so)

    (signed, manifest), (pinned, _) = bundle(SIGNED), bundle(PINNED)
    secret, public, statement = [place.folder / name for name in ["meter.key", "meter.pub", "statement"]]
    subprocess.run(["minisign", "-G", "-W", "-s", secret, "-p", public], check=True, capture_output=True)
    statement.write_text(place.command("packages", "statement", str(signed), "--policy", str(place.policy)))
    subprocess.run(["minisign", "-S", "-s", secret, "-m", statement, "-x", signed / "module.minisig"], check=True, capture_output=True)
    policy = json.loads(place.policy.read_text())
    policy["rules"] += [{"modules": SIGNED, "origin": {"key": public.read_text().split("\n")[1]}, "grant": ["storage"]},
                        {"modules": PINNED, "origin": {"sha256": "0" * 64}, "grant": ["storage"]}]
    place.policy.write_text(json.dumps(policy))
    (signed / "manifest.json").write_text(json.dumps({**manifest, "displayName": "Another"}))
    browser.run("location.hash = '#/'")
    browser.until("no dashboard", lambda: browser.all("table.modules tbody a"))
    reloaded("nobody says that they are not let in", lambda: len(browser.all(".notes a")) == 2)
    check_access(browser, "the dashboard with bundles that are not let in")
    browser.run(f"document.querySelector('.notes a[href$=\"{SIGNED}\"]').click()")
    reads(SIGNED, "It is refused", "its signature is refused", "mend the bundle or the policy", "reload")
    browser.until("it is not called refused", lambda: "refused" in browser.read("h1 + p"))
    browser.run("document.querySelectorAll('[role=tab]')[1].click()")
    browser.until("a manifest that nobody vouches for is shown", lambda: "It was not read" in browser.read("[role=tabpanel]"))
    check_access(browser, "the page of a bundle that is refused")
    browser.picture(shots, "module-refused")
    browser.one("[data-order=activate]").click()
    browser.until("Activate does not say why", lambda: f"{SIGNED}: its bundle is refused: its signature" in browser.read("#notices .error"))
    (signed / "manifest.json").write_text(json.dumps(manifest))
    reloaded("it is not let in again", lambda: "discovered" in browser.read("h1 + p"))
    browser.until("its manifest is not shown now", lambda: f'"{SIGNED}"' in browser.read("[role=tabpanel]"))
    (signed / "manifest.json").write_text(json.dumps({**manifest, "displayName": "Another"}))
    reloaded("it is not refused again", lambda: "refused" in browser.read("h1 + p") and "its signature is refused" in browser.read(".standstill"))
    browser.until("its manifest is shown still", lambda: "It was not read" in browser.read("[role=tabpanel]"))
    browser.run("location.hash = '#/'")
    shutil.rmtree(pinned)
    reloaded("one that is gone is told of still", lambda: len(browser.all(".notes a")) == 1)
    saw("bundles that a reload refuses and lets in, live; the page of one whose signature does not hold: why, and the way out")


def surface(place, browser, shots):
    browser.run("location.hash = '#/surface'")
    browser.until("no toolbar", lambda: browser.all(".toolbar button"))
    assert browser.one("#ui-module").get_attribute("value") == RETAIL_UI
    browser.run(f"const s = document.getElementById('ui-module'); s.value = '{EXAMPLE_UI}'; s.dispatchEvent(new Event('change'))")
    browser.until("the example's toolbar is not shown", lambda: browser.all("[data-item=example-greet]"))
    browser.until("the view is not drawn", lambda: "Greetings" in browser.text())
    assert place.module(EXAMPLE_UI)["state"] == "active"
    assert json.loads(place.command("surface", "--json"))["moduleID"] == EXAMPLE_UI
    saw("another UI module, chosen in the page")
    check_access(browser, "the surface")
    browser.picture(shots, "surface")
    # By keyboard alone: one stop for the toolbar, arrows within.
    browser.run("document.querySelector('.toolbar button').focus()")
    browser.keys(Keys.ARROW_RIGHT)
    assert browser.focused().get_attribute("data-item") == "example-greet"
    browser.keys(Keys.ENTER)
    browser.until("the view does not change", lambda: "the toolbar" in browser.one(".frame .content").text)
    saw("a toolbar item that reaches its module, and the view changing")
    drawn_by_another(place, browser)
    browser.run("document.querySelector('.toolbar button').focus()")
    browser.keys(Keys.ENTER)
    browser.until("the overlay does not open", lambda: browser.all("dialog[open]"))
    browser.shows("A module sends nodes, never markup")
    assert EXAMPLE_UI in browser.one("dialog .frame header").text
    browser.picture(shots, "overlay")
    typed_text_stays(place, browser)
    browser.keys(Keys.ESCAPE)
    browser.until("the overlay does not close", lambda: not browser.all("dialog"))
    assert browser.focused().get_attribute("data-item") == "example-open", "the focus is lost"
    saw("an overlay, opened and closed by keyboard, and the focus where it was")
    lost_events_are_made_up_for(browser)


def lost_events_are_made_up_for(browser):
    """Nobody knows whose views the lost events told of, nor those that came while there was no connection."""
    browser.run("""
        const Source = window.EventSource;
        window.EventSource = class extends Source { constructor(path) { super(path); window.lastSource = this; } };
        const fetched = window.fetch;
        window.drawn = 0;
        window.fetch = (...request) => fetched(...request).finally(() => (window.drawn += request[0].startsWith("/api/render")));
        location.hash = "#/events";
        """)
    browser.until("the events are not shown", lambda: browser.run("return window.lastSource?.readyState === 1"))
    browser.run("window.lastSource = null; location.hash = '#/surface'")
    browser.until("the surface is not heard of", lambda: browser.run(
        "return window.lastSource?.readyState === 1 && window.drawn >= document.querySelectorAll('.frame').length"))
    frames = len(browser.all(".frame"))
    for word in ["new MessageEvent('dropped', { data: '{\"count\":2}' })", "new Event('open')"]:
        before = browser.run("return window.drawn")
        browser.run(f"window.lastSource.dispatchEvent({word})")
        browser.until(f"no view is drawn anew after {word}", lambda: browser.run("return window.drawn") >= before + frames)
    saw("views drawn anew after events were lost, and after the connection was")


def drawn_by_another(place, browser):
    """A view that the policy gives to the service: whose it is, whose its button is, and what is said while it is gone."""
    frame = ".frame[data-view='example-service']"
    browser.until("the service's view is not drawn", lambda: "Running since" in browser.one(f"{frame} .content").text)
    assert browser.one(frame).get_attribute("aria-label") == f"Example Service, drawn by {EXAMPLE_SERVICE}"
    assert EXAMPLE_SERVICE in browser.one(f"{frame} header").text
    started = browser.one(f"{frame} .content code").text
    browser.one(f"{frame} .content button").click()
    browser.run("document.querySelector('[data-item=example-greet]').click()")
    browser.until("the UI module has not heard the service", lambda: started in browser.one(".frame .content").text)
    place.command("deactivate", EXAMPLE_SERVICE)
    browser.until("nobody says that it is gone", lambda: "is not active" in browser.one(f"{frame} .complaint").text)
    assert not browser.one(f"{frame} .content").is_displayed(), "buttons of a module that is gone"
    place.command("activate", EXAMPLE_SERVICE)
    browser.until("the view does not come back", lambda: browser.one(f"{frame} .content").is_displayed())
    assert browser.one(f"{frame} .content code").text != started
    saw("a view that another module draws, in its name, and what is said while that is gone")


def typed_text_stays(place, browser):
    """The view changes under a person who types; what was sent is the module's."""
    field = "dialog [data-field=from]"
    browser.one(field).send_keys("Frey")
    count = int(re.search(r"so far: (\d+)", browser.read("dialog .content")).group(1))
    place.command("publish", EXAMPLE_UI, f"{EXAMPLE_UI}.greet", "from=elsewhere")
    browser.until("the view does not change", lambda: f"so far: {count + 1}" in browser.read("dialog .content"))
    assert browser.focused().get_attribute("data-field") == "from", "the focus is lost"
    browser.keys("a")
    assert browser.one(field).get_attribute("value") == "Freya", "what was typed is lost"
    browser.keys(Keys.ENTER)
    browser.until("the form reaches nobody", lambda: f"so far: {count + 2}" in browser.read("dialog .content"))
    browser.until("what was sent stays", lambda: browser.one(field).get_attribute("value") == "")
    saw("typed text and the focus, kept while the view changes, and gone when it is sent")


def secrets_are_asked_for_by_the_host(browser):
    browser.run("location.hash = '#/secrets'")
    browser.shows("An <b>account</b>")
    check_access(browser, "the page of secrets")
    password = browser.one("[data-field=password]")
    assert password.get_attribute("type") == "password" and password.get_attribute("autocomplete") == "new-password"
    browser.one("[data-field=user]").send_keys("me")
    password.send_keys("sesame", Keys.ENTER)
    browser.until("nothing says why it was not taken", lambda: "is not active" in browser.read("form[data-secret] .complaint"))
    browser.until("what is secret stays in the page", lambda: browser.run(
        "return document.querySelector('[data-field=password]').value === ''"))
    assert browser.one("[data-field=user]").get_attribute("value") == "me"
    key = browser.one("[data-field=key]")
    assert key.tag_name == "textarea" and key.value_of_css_property("-webkit-text-security") == "disc", "a key is shown"
    key.send_keys("-----BEGIN KEY-----", Keys.ENTER, "c2VzYW1l", Keys.ENTER)
    assert key.get_attribute("value") == "-----BEGIN KEY-----\nc2VzYW1l\n", "lines are lost"
    browser.one("[data-field=password]").send_keys("sesame", Keys.ENTER)
    browser.until("lines that are secret stay in the page", lambda: browser.run(
        "return document.querySelector('[data-field=key]').value === ''"))
    browser.run("""
        const data = new DataTransfer();
        data.setData("text", "one\\ntwo");
        document.querySelector("[data-field=password]").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        """)
    browser.shows("secret set --stdin")
    saw("a form for a secret, refused with the reason, and its value gone from the page")


def secrets_and_entitlements_after_a_reload(place, browser):
    """A page that is open shows what a reload brings, and what somebody types into it meanwhile stays."""
    policy = json.loads(place.policy.read_text())

    def reload():
        place.policy.write_text(json.dumps(policy))
        place.command("reload")

    def forms(*names):
        browser.until(f"the forms are not {names}", lambda: browser.run(
            "return [...document.querySelectorAll('form[data-secret]')].map((form) => form.dataset.secret).join()") == ",".join(names))

    browser.run("location.hash = '#/events'")
    browser.run("location.hash = '#/secrets'")
    browser.one("[data-field=user]").send_keys("half a na")
    policy["secrets"].insert(0, {
        "secretID": "first", "module": "com.example.nobody", "title": "Another", "fields": [{"fieldID": "pin", "label": "PIN", "kind": "text"}]})
    reload()
    forms("first", "account")
    browser.keys("me")
    assert browser.one("form[data-secret=account] [data-field=user]").get_attribute("value") == "half a name", "what was typed, or the focus, is gone"
    policy["secrets"].pop(0)
    reload()
    forms("account")
    assert browser.focused().get_attribute("value") == "half a name"
    browser.run("location.hash = '#/entitlements'")
    browser.shows("Said by: everything")
    manifest = {**json.loads(place.denied), "moduleID": "com.example.later", "entryPoint": "LaterModule", "iapProductID": "later.pro"}
    (place.manifests / "Later.json").write_text(json.dumps(manifest))
    reload()
    browser.shows("later.pro")
    (place.manifests / "Later.json").unlink()
    reload()
    browser.until("a module that is gone is listed", lambda: "later.pro" not in browser.text())
    saw("what a reload asks for in secret and which modules it unlocks, on pages that are open; typed text and the focus stay")


def script_is_text(place, browser):
    title = browser.driver.title
    status = browser.driver.execute_async_script(
        "const [from, done] = arguments; import('/api.js').then(({ post }) => post('/api/publish', "
        "{ module: 'com.forsetti.example.ui', type: 'com.forsetti.example.ui.greet', payload: { from } }))"
        ".then(() => done('ok'), (error) => done(error.message))", SCRIPT)
    assert status == "ok", status
    browser.until("what the module says is not shown", lambda: "<script>" in browser.one(".frame .content").text)
    assert "U+202E" in browser.one(".frame .content").text, "the character that reorders text is hidden"
    assert not browser.all(".frame script") and browser.driver.title == title
    saw("a module's <script> as text, and U+202E by its number")


def a_thousand_modules(browser):
    browser.run("location.hash = '#/secrets'")
    browser.shows("An <b>account</b>")
    answer = browser.driver.execute_async_script(THOUSAND)
    assert isinstance(answer, list), answer
    first, top, changed, last, bottom, jump = answer
    assert 10 < first < 80 and top == "com.example.m0000", f"{first} rows of a thousand are drawn, from {top}"
    assert 1 <= changed <= 3, f"one module called, and {changed} cells were drawn anew"
    assert 10 < last < 80 and bottom == "com.example.m0999", f"at the end {last} rows are drawn, up to {bottom}"
    assert jump <= 2, f"the table's height jumps by {jump} px"
    answer = browser.driver.execute_async_script(BEGUN_ANEW)
    assert answer == [["a"], 10, [30]], f"a stream that begins anew leaves {answer}"
    saw(f"a thousand modules of which {first} rows are there, and {changed} cells that change with one module's calls")


def late_answers_and_lost_parts(browser):
    """An answer that comes when another tab is shown, and a script that does not come at all."""
    browser.run(f"location.hash = '#/modules/{SCANNER}'")
    browser.run("""
        const fetched = window.fetch;
        window.fetch = (...request) => request[0].startsWith("/api/explain")
          ? new Promise((done) => (window.release = () => done(fetched(...request).finally(() => (window.isReleased = true))))) : fetched(...request);
        """)
    browser.until("no tabs", lambda: len(browser.all("[role=tab]")) == 5)
    tabs = browser.all("[role=tab]")
    tabs[2].click()
    browser.until("nothing is asked", lambda: browser.run("return window.release != null"))
    tabs[3].click()
    browser.run("window.release()")
    browser.until("it does not answer", lambda: browser.run("return window.isReleased === true"))
    browser.until("the log is gone", lambda: browser.all("[role=tabpanel] .feed li"))
    assert "filterInstructions" not in browser.read("[role=tabpanel]"), "a late answer takes another tab's place"
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/views.js"]})
    browser.driver.refresh()
    browser.shows("It is loaded again")
    browser.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    browser.until("the page does not come back", lambda: len(browser.all("[role=tab]")) == 5)
    saw("a late answer that takes no other tab's place, and a page that loads again where a script was lost")


def strangers_are_refused(place, browser, url):
    base, token = url.split("/#")
    port = int(base.rsplit(":", 1)[1])
    json_type = {"Content-Type": "application/json"}
    assert status_of(base + "/api/status") == 401
    assert status_of(base + "/api/session", "POST", json_type, b'{"token":"00000000000000000000000000000000"}') == 403
    assert status_of(base + "/", headers={"Host": "evil.example"}) == 421
    assert status_of(base + "/", headers={"Host": f"evil.example:{port}"}) == 421
    assert status_of(base + "/api/session", "POST", {**json_type, "Origin": "http://evil.example"}, b"{}") == 403
    cookie = browser.driver.get_cookies()[0]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict", cookie
    assert browser.run("return document.cookie") == "", "a script sees the cookie"
    session = {**json_type, "Cookie": f"{cookie['name']}={cookie['value']}"}
    assert status_of(base + "/api/status", headers=session) == 200
    assert status_of(base + "/api/restart", "POST", session, json.dumps({"module": SCANNER}).encode()) == 403
    assert status_of(base + "/api/restart", "POST", {**session, "X-Forsetti-CSRF": "0" * 32}, b"{}") == 403
    assert status_of(base + "/metrics", headers={"Authorization": f"Bearer {token}"}) == 200
    assert status_of(base + "/metrics") == 401
    assert status_of(base + "/healthz") == 200 and status_of(base + "/readyz") == 200
    saw("a wrong token, a wrong Host, another site and a missing CSRF token refused")


def console_dies_alone(place, browser, url):
    modules = {module["moduleID"]: module["pid"] for module in json.loads(place.command("modules", "--json"))}
    children = Path(f"/proc/{place.process.pid}/task").glob("*/children")
    for child in " ".join(file.read_text() for file in children).split():
        if Path(f"/proc/{child}/comm").read_text().strip() == "forsetti-consol":
            facts = Path(f"/proc/{child}/status").read_text()
            assert "Seccomp:\t2" in facts and "NoNewPrivs:\t1" in facts and "CapEff:\t0000000000000000" in facts, facts
            os.kill(int(child), signal.SIGKILL)
            break
    else:
        raise AssertionError("there is no console among the supervisor's children")
    # The socket stays: who asks meanwhile waits for the next console, and the page finds by itself that it is out.
    browser.until("no sign-in", lambda: "Sign in" in browser.text(), 60)
    check_access(browser, "the sign-in")
    browser.one("#token").send_keys(url.split("#")[1] + Keys.ENTER)
    browser.until("the token does not let in", lambda: browser.all(".bar:not([hidden])"))
    after = {module["moduleID"]: module["pid"] for module in json.loads(place.command("modules", "--json"))}
    assert after == modules, "the console's end was felt"
    saw("the console ended and another in its place, no module touched")


def garbage_changes_nothing(place, url):
    port = int(url.split("/#")[0].rsplit(":", 1)[1])
    for number in range(1_000):
        with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
            client.sendall(os.urandom(200) if number % 2 else b"GET /api/../x HTTP/1.1\r\nHost: x\r\n\r\n" + os.urandom(50))
    assert status_of(f"http://127.0.0.1:{port}/healthz") == 200
    saw("a thousand connections of garbage, and the console as before")


def pictures(browser, shots):
    browser.run("location.hash = '#/'")
    browser.one("table.modules tbody a")
    browser.until("too few samples", lambda: browser.run("return document.querySelectorAll('.tile polyline').length") >= 6)
    browser.scheme("dark")
    browser.picture(shots, "dashboard-dark")
    browser.scheme("light")
    browser.size(390, 844)
    check_access(browser, "the dashboard on a telephone")
    browser.picture(shots, "dashboard-narrow")
    browser.size(1440, 900)


def complaints(browser):
    """What the browser itself complains of, but for answers that are meant to be refusals."""
    meant = ["status of 4", "status of 5", "ERR_CONNECTION", "ERR_INCOMPLETE", "ERR_EMPTY", "ERR_BLOCKED_BY_CLIENT", "favicon"]
    log = [entry["message"] for entry in browser.driver.get_log("browser")]
    found = [message for message in log if not any(word in message for word in meant)]
    assert not found, found
    saw("no complaint of the browser's own: no script, style or request that the policy forbids")


def main():
    supervisor, checkout = sys.argv[1:3]
    shots = sys.argv[3] if len(sys.argv) > 3 else None
    place = Place(supervisor, checkout)
    browser = None
    try:
        place.broken.write_text('{ "schemaVersion": "1.1" }')
        url = place.start()
        browser = Browser()
        boot_fails_and_is_retried(place, browser, url, shots)
        dashboard_is_live(place, browser, shots)
        module_page(place, browser, shots)
        modules_that_do_not_run(place, browser, shots)
        surface(place, browser, shots)
        script_is_text(place, browser)
        refused_bundles(place, browser, shots)
        secrets_are_asked_for_by_the_host(browser)
        secrets_and_entitlements_after_a_reload(place, browser)
        a_thousand_modules(browser)
        late_answers_and_lost_parts(browser)
        strangers_are_refused(place, browser, url)
        pictures(browser, shots)
        garbage_changes_nothing(place, url)
        console_dies_alone(place, browser, url)
        complaints(browser)
    except AssertionError as error:
        print(f"NOT SO: {error}", flush=True)
        sys.exit(1)
    finally:
        if browser:
            browser.driver.quit()
        place.end()


if __name__ == "__main__":
    main()
