"""The parts of the book of docs/ that mdBook lacks: pages and files outside docs/, and a check of links.

book.py                    a preprocessor of mdBook: reads the book on standard input, writes it on standard output
book.py supports RENDERER  what mdBook asks first
book.py finish FOLDER      copies the files that pages link to into the built book, and checks every link in it
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
SOURCE = "docs"
# Where pages and files from outside docs/ are in the book.
PAGES = "project"
FILES = "repository"

# The target of `[text](target)`, or of an image's or a link's attribute.
TARGET = re.compile(r"""(?<=\]\()[^)\s]+|(?<=\bsrc=")[^"]+|(?<=\bhref=")[^"]+""")


def chapters(sections: list) -> list[dict]:
    """The chapters of a book and of its chapters."""
    found = []
    for section in sections:
        if isinstance(section, dict) and (chapter := section.get("Chapter")):
            found += [chapter, *chapters(chapter["sub_items"])]
    return found


def is_elsewhere(link: str) -> bool:
    """Whether a link leads to another site, or into the same page."""
    return bool(urlsplit(link).scheme) or link.startswith(("#", "//"))


def with_links(text: str, replace) -> str:
    """A page with its links replaced; code blocks stay as they are."""
    lines, is_code = [], False
    for line in text.split("\n"):
        is_fence = line.lstrip().startswith("```")
        is_code ^= is_fence
        lines.append(line if is_code or is_fence else TARGET.sub(lambda found: replace(found[0]), line))
    return "\n".join(lines)


def preprocess(book: dict) -> dict:
    """Moves pages from outside docs/ into the book, and turns each link into one between places of the book."""
    pages = [chapter for chapter in chapters(book.get("items") or book["sections"]) if chapter["source_path"]]
    sources = [normpath(join(SOURCE, page["source_path"])) for page in pages]
    for page, source in zip(pages, sources):
        if not source.startswith(f"{SOURCE}/"):
            # An index would take the place of the others in its folder.
            page["path"] = join(PAGES, source.replace("/README.md", ".md"))
    places = {source: page["path"] for source, page in zip(sources, pages)}

    for page, source in zip(pages, sources):

        def replace(link: str, page: dict = page, source: str = source) -> str:
            if is_elsewhere(link):
                return link
            file, hash_mark, anchor = link.partition("#")
            target = normpath(join(dirname(source), file))
            inside = target.removeprefix(f"{SOURCE}/") if target.startswith(f"{SOURCE}/") else join(FILES, target)
            return relpath(places.get(target, inside), dirname(page["path"]) or ".") + hash_mark + anchor

        page["content"] = with_links(page["content"], replace)
    return book


class Links(HTMLParser):
    """The links and the anchors of a page of the built book."""

    def __init__(self, text: str) -> None:
        """Reads a page."""
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collects what a tag links to and what it is called."""
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.append(value)
            elif value and name in ("id", "name"):
                self.anchors.add(value)


def finish(folder: Path) -> int:
    """Copies files that pages link to and that no page is, then checks all links: how many are dead."""
    # mdBook writes 404.html for a web server, with links to the server's root.
    paths = [path.resolve() for path in folder.rglob("*.html") if path.name != "404.html"]
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in paths}
    dead = count = 0
    for path, page in sorted(pages.items()):
        for link in page.links:
            if (urlsplit(link).scheme and not link.startswith("file:")) or link.startswith("//"):
                continue
            count += 1
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            file = target.relative_to(folder.resolve()) if target.is_relative_to(folder.resolve()) else None
            if file and file.parts[:1] == (FILES,) and not target.exists():
                source = ROOT / file.relative_to(FILES)
                if source.is_file():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(source, target)
            anchor = unquote(parts.fragment)
            if not target.is_file():
                reason = f"there is no {file or target}"
            elif anchor and target in pages and anchor not in pages[target].anchors:
                reason = f"{file} has no anchor #{anchor}"
            else:
                continue
            dead += 1
            print(f"{path.relative_to(folder.resolve())}: the link to {link}: {reason}", file=sys.stderr)
    print(f"docs: {len(pages)} pages, {count} links between them, {dead} dead", file=sys.stderr)
    return dead


def main() -> int:
    """Does what the arguments say."""
    arguments = sys.argv[1:]
    if not arguments:
        _context, book = json.load(sys.stdin)
        json.dump(preprocess(book), sys.stdout)
    elif arguments[0] == "finish" and len(arguments) == 2:
        return 1 if finish(Path(arguments[1])) else 0
    elif arguments[0] != "supports":
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
