"""Checks the links of a documentation site: each page, heading, picture and file that a page refers to is there."""
import html.parser
import json
import pathlib

from site_pages import Problem


def pages(data):
    """The pages of the site by their paths."""
    found = {}
    for path in data.rglob("*.json"):
        found["/" + str(path.relative_to(data).with_suffix("")).lower()] = json.loads(path.read_text())
    return found


def fragments(value):
    """The anchors of headings in a page."""
    if isinstance(value, dict):
        if isinstance(value.get("anchor"), str):
            yield value["anchor"].lower()
        for part in value.values():
            yield from fragments(part)
    elif isinstance(value, list):
        for part in value:
            yield from fragments(part)


def targets(reference):
    """The files of a picture or of a video."""
    for variant in reference.get("variants", []):
        yield variant["url"]


class Redirect(html.parser.HTMLParser):
    """The addresses that a page of HTML refreshes to and links to."""

    def __init__(self, text):
        super().__init__()
        self.refreshes, self.links = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "meta" and attributes.get("http-equiv") == "refresh":
            self.refreshes.append(attributes["content"].partition("url=")[2])
        elif tag == "a":
            self.links.append(attributes["href"])


def check(folder, base="/"):
    """Returns the number of links of the site, all of which lead somewhere."""
    site = pathlib.Path(folder)
    found, broken, count = pages(site / "data"), set(), 0
    for place in ["index.html", "documentation/index.html"]:
        redirect = Redirect((site / place).read_text())
        if not redirect.refreshes:
            broken.add(f"{place} does not lead to the start page.")
        for address in redirect.refreshes + redirect.links:
            count += 1
            path = "/" + address.removeprefix(base.rstrip("/")).strip("/")
            if path not in found or not (site / path.strip("/") / "index.html").is_file():
                broken.add(f"{place}: there is no page {address}.")
    anchors = {}
    for page, content in found.items():
        for identifier, reference in content.get("references", {}).items():
            kind = reference.get("type")
            # Protocols of other packages are named, not linked.
            if kind == "unresolvable" and not reference.get("title", "").startswith(("Swift.", "Foundation", "_Concurrency.")):
                broken.add(f"{page}: “{reference.get('title', identifier)}” leads nowhere.")
            for file in targets(reference):
                count += 1
                if not (site / file.lstrip("/")).is_file():
                    broken.add(f"{page}: the file {file} is missing.")
            url = reference.get("url", "")
            if kind not in ("topic", "section", "link") or not url.startswith("/"):
                continue
            count += 1
            path, _, fragment = url.partition("#")
            # A chapter is a part of the page of its tutorials.
            if found.get(path.lower().rpartition("/")[0], {}).get("kind") == "overview":
                continue
            if path.lower().rstrip("/") not in found:
                broken.add(f"{page}: there is no page {path}.")
            elif fragment:
                key = path.lower()
                if key not in anchors:
                    anchors[key] = set(fragments(found[key]))
                if fragment.lower() not in anchors[key]:
                    broken.add(f"{page}: {path} has no heading {fragment}.")
    if broken:
        raise Problem("\n".join(sorted(broken)))
    return count
