"""Holds the documentation's links: every one that stays within it leads to a file, and every anchor to a heading.

Usage: check_links.py SITE, a folder made by `make site`. Looks at its pages, and at the *.md of the checkout as pandoc
sees them. A page that fetches anything from elsewhere fails too. Exit code 0 if all is well and each broken sample is
found; 1 otherwise.
"""

import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a browser fetches by itself when it shows a page.
FETCHED = {"img": "src", "link": "href", "script": "src", "iframe": "src", "source": "src", "object": "data"}

# Each sample has one thing wrong; it stands in a folder beside other.html, which has the anchor "there".
BROKEN = [
    '<a href="absent.html">',
    '<a href="other.html#absent">',
    '<a href="#absent">',
    '<img src="absent.png">',
    '<script src="https://example.com/x.js"></script>',
    '<link rel="stylesheet" href="//example.com/x.css">',
    '<p id="twice"></p><p id="twice"></p>',
    '<style>@import "https://example.com/x.css";</style>',
]
SOUND = '<a href="other.html#there"><a href="other.html"><a href="https://example.com/"><p id="here"><a href="#here">'


class Page(html.parser.HTMLParser):
    """The anchors of a page, where its links lead, and what it fetches."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.fetched, self.styles = [], [], [], re.findall(r"<style>(.*?)</style>", text, re.S)
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "id" in values:
            self.anchors.append(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if FETCHED.get(tag) in values:
            self.fetched.append(values[FETCHED[tag]])


def is_outside(link):
    parts = urllib.parse.urlsplit(link)
    return bool(parts.scheme or parts.netloc)


def faults(path, read):
    """What is wrong in the page of `path`; `read` gives the Page of any file, or None where the file has no anchors."""
    page = read(path)
    for anchor in {anchor for anchor in page.anchors if page.anchors.count(anchor) > 1}:
        yield f"{path}: two elements have the id {anchor}"
    for link in page.fetched + [link for style in page.styles for link in style_fetches(style)]:
        if is_outside(link):
            yield f"{path}: fetches {link}"
    for link in page.links + page.fetched:
        if is_outside(link):
            continue
        parts = urllib.parse.urlsplit(link)
        target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
        if not target.exists():
            yield f"{path}: {link} leads nowhere"
        elif parts.fragment and (other := read(target)) and urllib.parse.unquote(parts.fragment) not in other.anchors:
            yield f"{path}: {link}: no such heading"


def style_fetches(text):
    return re.findall(r"""(?:url\(|@import)\s*["']?([^"')\s;]+)""", text)


def reader():
    pages = {}

    def read(path):
        if path not in pages:
            text = path.read_text(encoding="utf-8") if path.suffix in {".html", ".md"} else None
            if path.suffix == ".md":
                command = ["pandoc", "--from=gfm", "--to=html5", "--no-highlight"]
                text = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
            pages[path] = Page(text) if text is not None else None
        return pages[path]

    return read


def sample_faults(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder).resolve() / "sample.html"
        path.write_text(text, encoding="utf-8")
        (path.parent / "other.html").write_text('<p id="there"></p>', encoding="utf-8")
        return list(faults(path, reader()))


def main(site):
    failures = [f"the sample is found sound: {sample}" for sample in BROKEN if len(sample_faults(sample)) == 0]
    failures += [f"the sound sample is found broken: {fault}" for fault in sample_faults(SOUND)]
    pages = sorted(site.glob("*.html"))
    sources = [ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md")] + sorted((ROOT / "docs").rglob("*.md"))
    if len(pages) < len(sources):
        failures.append(f"{len(sources)} pages are written, {len(pages)} are in {site}")
    read = reader()
    for path in pages + sources:
        failures += faults(path, read)
    for style in site.glob("*.css"):
        failures += [f"{style}: fetches {link}" for link in style_fetches(style.read_text(encoding="utf-8"))]
    print("\n".join(failures) if failures else f"every link of {len(pages)} pages and {len(sources)} sources leads somewhere")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
