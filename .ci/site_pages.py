"""The catalogs of the documentation site: landing pages with topics by folder of the source, and articles made of the Markdown pages."""
import json
import pathlib
import re
import shutil
import subprocess
import urllib.parse

from symbol_graphs import build, modules, root

documentation = root / "Documentation"
repository = "https://github.com/colorloom/colorloom/blob/main"


class Problem(Exception):
    """What is wrong with the documentation."""


# MARK: Symbols


def symbols(graphs):
    """The symbols of a module's graphs, without extension blocks."""
    for path in graphs:
        for symbol in json.loads(path.read_text())["symbols"]:
            if symbol["kind"]["identifier"] != "swift.extension":
                yield symbol


def source(symbol):
    """The file that declares a symbol, from the folder of the module's sources."""
    uri = urllib.parse.unquote(urllib.parse.urlparse(symbol["location"]["uri"]).path)
    return pathlib.Path(*pathlib.Path(uri[uri.rindex("/Sources/") + 9:]).parts[1:])


def check_documented(graphs):
    """Returns the number of public symbols, all of which must have a documentation comment."""
    count, bare = 0, []
    for module, paths in graphs.items():
        for symbol in symbols(paths):
            count += 1
            lines = symbol.get("docComment", {}).get("lines", [])
            if not any(line["text"].strip() for line in lines):
                bare.append(f"{module}.{'.'.join(symbol['pathComponents'])} has no documentation comment.")
    if bare:
        raise Problem("\n".join(sorted(bare)))
    return count


def topics(block):
    """The titles of a block of topics, each with its folders or pages."""
    for line in block.strip().splitlines():
        title, _, items = line.partition(":")
        yield title.strip(), [item.strip() for item in items.split(",")]


def expanded(text, module, graphs):
    """A landing page with its block of topics written out: links to what the sources in each folder declare."""
    found = re.search(r"<!-- (Topics|Members)\n(.*?)-->\n?", text, re.S)
    if not found:
        raise Problem(f"{module}: a landing page has no block of topics.")
    members = found[1] == "Members"
    owner = re.match(r"# ``(?:\w+/)?(\w+)``", text)[1]
    by_folder = {}
    for symbol in symbols(graphs):
        path = symbol["pathComponents"]
        if members and (len(path) != 2 or path[0] != owner) or not members and len(path) != 1:
            continue
        by_folder.setdefault(str(source(symbol).parent), []).append(symbol)
    lines, named = ["## Topics", ""], set()
    for title, folders in topics(found[2]):
        found_here = [symbol for folder in folders for symbol in by_folder.get(folder, [])]
        links = sorted({f"- ``{'/'.join(symbol['pathComponents'])}``" for symbol in found_here}, key=str.lower)
        named.update(folders)
        if links:
            lines += [f"### {title}", "", *links, ""]
    if missing := sorted(set(by_folder) - named):
        raise Problem(f"{module}: no topic of {owner} names the folders {', '.join(missing)}.")
    return text[:found.start()] + "\n".join(lines) + text[found.end():]


def write_catalog(module, graphs, folder):
    """Copies the catalog beside a module's sources, with its topics."""
    target = folder / f"{module}.docc"
    target.mkdir(parents=True)
    for path in (root / "Sources" / module / f"{module}.docc").iterdir():
        (target / path.name).write_text(expanded(path.read_text(), module, graphs))


# MARK: Articles


def pages():
    """The Markdown pages that become articles, and the name of each article."""
    found = {}
    for path in [*documentation.glob("*.md"), *documentation.glob("Guides/*.md"), *documentation.glob("Decisions/*.md")]:
        name = f"Decision-{path.stem}" if path.parent.name == "Decisions" else path.stem
        # The list of decisions is the folder's README.
        found[path] = "ListOfDecisions" if name == "Decision-README" else name
    return found


def anchor(heading):
    """The fragment of a heading as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def headings(path):
    """The headings of a page by their fragments."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.S | re.M)
    return {anchor(heading): heading.strip() for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def article(path, articles, pictures):
    """A page as an article: links to other pages become links of docc, pictures go by their names."""

    def rewritten(found):
        mark, text, target = found[1], found[2], found[3]
        if re.match(r"[a-z]+:", target):
            return found[0]
        name, _, fragment = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists():
            raise Problem(f"{path.relative_to(root)} links to “{target}”, which does not exist.")
        if mark:
            pictures.add(file)
            return f"![{text}]({file.name})"
        if file not in articles:
            return f"[{text}]({repository}/{file.relative_to(root)})"
        if fragment and fragment not in headings(file):
            raise Problem(f"{path.relative_to(root)} links to “{target}”, which has no such heading.")
        # docc names a heading as it is written, with dashes for blanks.
        place = "#" + headings(file)[fragment].replace(" ", "-") if fragment else ""
        return f"[{text}](doc:{articles[file]}{place})"

    parts = re.split(r"(^```.*?^```$)", path.read_text(), flags=re.S | re.M)
    for index in range(0, len(parts), 2):
        parts[index] = re.sub(r"(!?)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)", rewritten, parts[index])
    return "".join(parts)


def split_filters(text, folder):
    """Writes the reference of filters, a page for each subject, and returns the number of pages."""
    head, *subjects = re.split(r"^## ", text, flags=re.M)
    links = []
    for subject in subjects:
        title, _, body = subject.partition("\n")
        name = "Filters-" + re.sub(r"\W+", "-", title.strip().lower())
        names = re.findall(r"^### (.*)$", body, re.M)
        body = re.sub(r"^###", "##", body, flags=re.M)
        summary = f"The filters {', '.join(f'`{n}`' for n in names)}." if len(names) > 1 else f"The filter `{names[0]}`."
        (folder / f"{name}.md").write_text(f"# {title.strip()} (filters)\n\n{summary}\n{body}")
        links.append(f"- <doc:{name}>")
    head = head.rstrip() + "\n\n## Topics\n\n### Subjects\n\n" + "\n".join(links) + "\n"
    (folder / "Filters.md").write_text(head)
    return len(links) + 1


def spaces_page():
    """The named color spaces, from the tool's own list."""
    spaces = listed("spaces")

    def pair(value):
        return ", ".join(f"{number:g}" for number in value) if value else "–"

    lines = ["# Named color spaces", "", f"All {len(spaces)} color spaces that go by a name, as `colorloom spaces --json` lists them.", ""]
    lines += ["The chromaticities of red, green, blue and white are *x, y* of CIE 1931; H.273 are the code points of video.", ""]
    lines += ["| name | red, green, blue | white | transfer function | H.273 |", "|---|---|---|---|---|"]
    for space in spaces:
        primaries = "; ".join(pair(space[key]) for key in ("red", "green", "blue") if space.get(key))
        codes = "/".join(map(str, space["cicp"])) if space.get("cicp") else "–"
        lines.append(row(space["name"], primaries or "–", pair(space.get("white")), str(space.get("transfer") or "–"), codes))
    lines += ["", "## Aliases", "", "Names of CSS, Core Graphics, OpenColorIO and the standards. Letter case, blanks and punctuation do not matter.", ""]
    lines += ["| name | aliases |", "|---|---|"]
    lines += [row(s["name"], ", ".join(f"`{alias}`" for alias in s["aliases"])) for s in spaces if s.get("aliases")]
    lines += ["", "## Sources", "", "Where the constants of each space come from.", "", "| name | documents |", "|---|---|"]
    lines += [row(space["name"], "; ".join(cited(source) for source in space["sources"])) for space in spaces]
    return "\n".join(lines) + "\n"


def row(*cells):
    """A row of a table."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def listed(verb):
    """What a verb of the tool lists."""
    return json.loads(subprocess.check_output([build / "colorloom", verb, "--json"]))


def cited(source):
    """A document with its edition and clause."""
    return ", ".join(source[key] for key in ("document", "edition", "clause") if source.get(key))


def kernels_page():
    """The resampling kernels."""
    lines = ["# Resampling kernels", "", "The kernels of `resize` and other filters, as `colorloom kernels --json` lists them.", ""]
    lines += ["A kernel weighs pixels by their distance, up to its reach; where a picture shrinks, it is widened in proportion. An interpolating"]
    lines += ["kernel keeps values where the size does not change. Overshoot is how far an enlarged edge exceeds its brighter side.", ""]
    lines += ["| name | in recipes | reach in pixels | interpolates | overshoot |", "|---|---|---|---|---|"]
    for kernel in listed("kernels"):
        overshoot = f"{100 * kernel['overshoot']:.1f} %" if kernel["overshoot"] > 0 else "none"
        lines.append(row(kernel["name"], f"`{kernel['word']}`", f"{kernel['reach']:g}", "yes" if kernel["interpolates"] else "no", overshoot))
    return "\n".join(lines) + "\n"


def laws_page():
    """The rewrites of plans."""
    lines = ["# Laws of plans", "", "The rewrites that a plan may do, as `colorloom laws --json` lists them.", ""]
    lines += ["None changes what a picture means. The bound is by how much values may differ, weighted by alpha and relative to values above 1.", ""]
    lines += ["| law | rewrite | where | bound | guarded by |", "|---|---|---|---|---|"]
    for law in listed("laws"):
        bound = f"{law['bound']:g}" if law["bound"] else "same bits"
        lines.append(row(law["name"], law["summary"], law["condition"], bound, f"`{law['test']}`"))
    return "\n".join(lines) + "\n"


def formats_page():
    """The formats of files."""
    formats = listed("formats")
    lines = ["# File formats", "", "The formats of pictures, looks and video, as `colorloom formats --json` lists them.", "", "## Pictures", ""]
    lines += ["| format | file extensions | samples written | alpha | metadata written | trait |", "|---|---|---|---|---|---|"]
    for format in formats["pictures"]:
        extensions = " ".join(f"`.{extension}`" for extension in format["extensions"])
        cells = [", ".join(format[key]) or "–" for key in ("samples", "alpha", "metadata")]
        lines.append(row(format["name"], extensions, *cells, format.get("trait") or "–"))
    for missing in formats["missing"]:
        lines.append(row(", ".join(missing["names"]), "–", "–", "–", "–", f"{missing['trait']}, off by default ({missing['library']})"))
    lines += ["", "## Looks", "", "| file extension | content |", "|---|---|"]
    lines += [row(f"`.{look['extension']}`", look["summary"]) for look in formats["looks"]]
    lines += ["", "## Video", "", "| format | content |", "|---|---|"]
    lines += [row(video["name"], video["summary"]) for video in formats["video"]]
    return "\n".join(lines) + "\n"


def write_umbrella(module, folder):
    """Writes the catalog of the umbrella product: start page, tutorials, and all pages. Returns the number of pages."""
    target = folder / f"{module}.docc"
    target.mkdir(parents=True)
    articles, pictures, count = pages(), set(), 1
    for path, name in articles.items():
        text = article(path, articles, pictures)
        if name == "Filters":
            count += split_filters(text, target)
        else:
            (target / f"{name}.md").write_text(text)
            count += 1
    generated = {"Spaces": spaces_page, "Kernels": kernels_page, "Laws": laws_page, "Formats": formats_page}
    for name, page in generated.items():
        (target / f"{name}.md").write_text(page())
    count += len(generated) + write_tutorials(target, pictures)
    for picture in pictures:
        shutil.copy(picture, target)

    text = (root / "Sources" / module / f"{module}.docc" / f"{module}.md").read_text()
    block = re.search(r"<!-- Topics\n(.*?)-->\n?", text, re.S)
    lines, named = ["## Topics", ""], {"Filters", "Tutorials", *generated}
    for title, items in topics(block[1]):
        lines += [f"### {title}", ""]
        for item in items:
            names = [item.rpartition("/")[2]]
            if item == "Decisions":
                names = ["ListOfDecisions", *sorted(name for name in articles.values() if name.startswith("Decision-"))]
            named.update(names)
            lines += [f"- <doc:{name}>" for name in names]
        lines.append("")
    if missing := sorted(set(articles.values()) - named):
        raise Problem(f"{module}: no topic names the pages {', '.join(missing)}.")
    # Names of the other products become links to their archives.
    head = re.sub(rf"`({'|'.join(modules)})`", r"``/\1``", text[:block.start()])
    (target / f"{module}.md").write_text(head + "\n".join(lines) + text[block.end():])
    return count


# MARK: Tutorials


def steps(path):
    """The code of a tutorial after each step, as a file: the lines of an example up to the next mark, with open braces closed."""
    lines = path.read_text().splitlines()
    imports = [line for line in lines if re.match(r"import (?!Foundation|Testing|_TestSupport)", line)]
    found, code, inside = [], [], False
    for line in lines:
        mark = re.match(r"\s*// MARK: (Step|End)", line)
        if mark:
            if inside:
                found.append(list(code))
            inside = mark[1] == "Step"
        elif inside:
            code.append(line)
    if inside or not found:
        raise Problem(f"{path.relative_to(root)} needs marks of steps, and one of their end.")
    files = []
    for step in found:
        text = "\n".join(step).rstrip()
        depth = text.count("{") - text.count("}")
        files.append("\n".join([*imports, "", text.strip("\n"), *["  " * level + "}" for level in reversed(range(depth))]]) + "\n")
    return files


def write_tutorials(target, pictures):
    """Copies the tutorials, with the code of each step and their pictures. Returns the number of tutorials."""
    count = 0
    for path in sorted((documentation / "Tutorials").iterdir()):
        text = path.read_text()
        (target / path.name).write_text(text)
        pictures.update(documentation / "Images" / name for name in re.findall(r'source: "([^"]+)"', text))
        if path.stem == "Tutorials":
            continue
        count += 1
        code = steps(documentation / "Examples/Tutorials" / f"{path.stem}.swift")
        for number, step in enumerate(code, 1):
            (target / f"{path.stem}-{number}.swift").write_text(step)
        used = {int(number) for number in re.findall(rf'file: "{path.stem}-(\d+)\.swift"', text)}
        if used != set(range(1, len(code) + 1)):
            raise Problem(f"{path.name} shows the steps {sorted(used)} of {len(code)}.")
    return count
