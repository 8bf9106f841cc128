#!/usr/bin/env python3
"""Makes the documentation as HTML that is read from the disk: pandoc for the text, this folder for all around it.

Usage: packaging/site/build.py FOLDER. Exit code 1 where a page links to a file that is no page.
"""

import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

SITE = pathlib.Path(__file__).resolve().parent
CHECKOUT = SITE.parent.parent
PICTURES = {".png", ".svg", ".webp"}


@dataclass(frozen=True)
class Page:
    """A file of the checkout, and what it is called in the navigation."""

    file: pathlib.PurePath
    title: str

    @property
    def output(self):
        if self.file.name == "README.md":
            return (self.file.parent.name or "index") + ".html"
        return (self.file.stem if self.file.suffix == ".md" else self.file.name).lower() + ".html"

    def markdown(self):
        """What pandoc is given: the page as it stands, or a listing of a file that is none."""
        text = (CHECKOUT / self.file).read_text(encoding="utf-8")
        return text if self.file.suffix == ".md" else f"# {self.file.name}\n\n~~~~\n{text}\n~~~~\n"


def heading(file):
    return (CHECKOUT / file).read_text(encoding="utf-8").split("\n", 1)[0].lstrip("# ")


def read_sections(lines):
    """Name and pages of each section, in the order of `pages`."""
    sections, named = [], set()
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            sections.append((line.strip(), []))
            continue
        pattern, *title = line.split(maxsplit=1)
        found = [path.relative_to(CHECKOUT) for path in sorted(CHECKOUT.glob(pattern))]
        for file in [file for file in found if file not in named]:
            named.add(file)
            sections[-1][1].append(Page(file, title[0].strip() if title else heading(file)))
    return [(name, pages) for name, pages in sections if pages]


def navigation(sections, current):
    parts = []
    for name, pages in sections:
        parts.append(f"<h2>{html.escape(name)}</h2>\n<ul>")
        for page in pages:
            here = ' aria-current="page"' if page == current else ""
            parts.append(f'<li><a href="{page.output}"{here}>{html.escape(page.title)}</a></li>')
        parts.append("</ul>")
    return "\n".join(parts)


def turning(pages, current):
    """Links to the page before and to the page after."""
    place = pages.index(current)
    links = []
    for kind, neighbours, text in (("prev", pages[:place][-1:], "← {}"), ("next", pages[place + 1 :][:1], "{} →")):
        link = [f'<a rel="{kind}" href="{page.output}">{html.escape(text.format(page.title))}</a>' for page in neighbours]
        links += link or ["<span></span>"]
    return "".join(links)


def linked(text, page, pages, folder):
    """Links between files of the checkout become links between pages; pictures come along."""
    outputs = {other.file: other.output for other in pages}

    def target(match):
        attribute, path, anchor = match.groups()
        if path == "style.css" or path in outputs.values():
            return match[0]
        source = pathlib.PurePath(os.path.normpath(page.file.parent / path))
        if attribute == "src" and source.suffix in PICTURES:
            shutil.copy(CHECKOUT / source, folder / source.name)
            return f'src="{source.name}"'
        if source not in outputs:
            sys.exit(f"site: {page.file} links to {path}, which is no page; see packaging/site/pages")
        return f'{attribute}="{outputs[source]}{anchor or ""}"'

    return re.sub(r'\b(href|src)="([^"#:]+)(#[^"]*)?"', target, text)


def rendered(page, sections, pages):
    # Without --columns a table with long lines gets columns of equal width.
    command = ["pandoc", "--from=gfm", "--to=html5", "--no-highlight", "--columns=10000", "--toc", "--toc-depth=2"]
    command += ["--standalone", f"--template={SITE}/page.html", f"--metadata=pagetitle:{page.title}"]
    command += [f"--variable=navigation:{navigation(sections, page)}", f"--variable=turn:{turning(pages, page)}"]
    return subprocess.run(command, input=page.markdown(), stdout=subprocess.PIPE, text=True, check=True).stdout


def main(folder):
    sections = read_sections((SITE / "pages").read_text(encoding="utf-8").splitlines())
    pages = [page for _, pages in sections for page in pages]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(SITE / "style.css", folder)
    for page in pages:
        text = linked(rendered(page, sections, pages), page, pages, folder)
        (folder / page.output).write_text(text, encoding="utf-8")
    print(f"{len(pages)} pages in {folder}, from {folder}/index.html on")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
