#!/usr/bin/env python3
"""Reject includes that go against the order of the folders. The order is the one in the tables of ARCHITECTURE.md; there is no other copy.

A sentence of the table like "Only `run.*` see `sim/`" keeps the other files of that folder from including sim/.

usage: include_order.py [ROOT]        exit status 0: all in order, 1: findings (file:line: what, and what to do)
"""
import fnmatch
import pathlib
import re
import sys

# Headers that never leave the library.
PRIVATE = {"lissom/api/unchecked.h", "lissom/api/workspace_memory.h", "lissom/batch/memory.h"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {".h", ".cpp", ".cu"}
DOCUMENT = "ARCHITECTURE.md"
ONLY_SEE = re.compile(r"\b[Oo]nly ([^;]+?) see ([^.;:]*)")


def table(lines, *headings):
    """The rows under these headings, as (line number, cells)."""
    for number, line in enumerate(lines, 1):
        if cells_of(line) == list(headings):
            break
    else:
        sys.exit(f"{DOCUMENT}: no table with the columns {', '.join(headings)}")
    for number, line in enumerate(lines[number + 1:], number + 2):
        if not line.startswith("|"):
            return
        yield number, cells_of(line)


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def names_in(cell):
    """`math/`, tree, … or – for none."""
    return [] if cell == "–" else [name.strip().strip("`").rstrip("/") for name in cell.split(",")]


class Order:
    """What ARCHITECTURE.md says: which folders of lissom/ a folder builds on, and which headers of other people it may include."""

    def __init__(self, root):
        lines = (root / DOCUMENT).read_text(encoding="utf-8").splitlines()
        self.builds_on, self.findings = {}, []
        self.only_for = {}  # (folder, folder that it builds on): patterns of the files that may include it
        for number, (folder, content, below) in table(lines, "folder", "what is in it", "builds on"):
            [name] = names_in(folder)
            if name.startswith("apps"):
                continue
            if not (root / "lissom" / name).is_dir():
                self.findings.append((number, f"there is no folder lissom/{name}"))
            self.builds_on[name] = names_in(below)
            for other in self.builds_on[name]:
                if other not in self.builds_on and (root / "lissom" / other).is_dir():
                    self.findings.append((number, f"{name} builds on {other}, which has to stand above it in the table"))
                elif other not in self.builds_on:
                    self.findings.append((number, f"{name} builds on {other}, which is no folder"))
            self.read_exceptions(root, number, name, content)
        self.allowed_in = {}
        for _, (library, headers, folders) in table(lines, "library", "headers", "included in"):
            for header in names_in(headers):
                self.allowed_in[header] = (library, set(names_in(folders)))

    def read_exceptions(self, root, number, name, content):
        for files, folders in ONLY_SEE.findall(content):
            patterns, seen = (re.findall(r"`([^`]+)`", part) for part in (files, folders))
            for pattern in patterns:
                if not any((root / "lissom" / name).glob(pattern)):
                    self.findings.append((number, f"there is no lissom/{name}/{pattern}"))
            if not patterns or not seen:
                self.findings.append((number, f"'only {files} see {folders}': name files and folders in backticks"))
            for other in seen:
                self.only_for[name, other.rstrip("/")] = patterns

    def may_include(self, file, folder, target):
        return any(fnmatch.fnmatch(file, pattern) for pattern in self.only_for.get((folder, target), ["*"]))

    def reachable(self, folder):
        below = set()
        for direct in self.builds_on.get(folder, []):
            below |= {direct} | (self.reachable(direct) if direct != folder else set())
        return below


def check_cmake(root, order):
    """Findings where the targets of lissom/CMakeLists.txt are linked otherwise than the table says, as (line, text)."""
    text = (root / "lissom/CMakeLists.txt").read_text(encoding="utf-8")
    for found in re.finditer(r"^lissom_folder\((\w+)([^)]*)\)", text, re.MULTILINE):
        folder, arguments = found[1], found[2].split()
        uses = []
        if "USES" in arguments:
            uses = [a for a in arguments[arguments.index("USES") + 1:]]
            uses = uses[:next((i for i, a in enumerate(uses) if a.isupper()), len(uses))]
        for name in sorted(set(uses) - order.reachable(folder)):
            yield text[:found.start()].count("\n") + 1, f"target lissom_{folder} uses {name}, on which {DOCUMENT} does not build {folder}"
        for name in sorted(set(order.builds_on.get(folder, [])) - set(uses)):
            yield text[:found.start()].count("\n") + 1, f"{DOCUMENT} builds {folder} on {name}: say so after USES"


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if found := INCLUDE.match(line):
            yield number, found[1], found[2]


def check_library_file(root, path, order):
    """Findings about one file of lissom/, as (line, text)."""
    parts = path.relative_to(root / "lissom").parts
    if len(parts) == 1:  # lissom.h, which shows the public folders
        return
    folder = parts[0]
    if folder not in order.builds_on:
        yield 1, f"folder lissom/{folder} is not in the table of {DOCUMENT}: say there what it builds on"
        return
    allowed = order.reachable(folder) | {folder}
    for number, mark, name in includes(path):
        if name.startswith("lissom/"):
            target = name.split("/")[1]
            if target not in allowed:
                yield number, f"{folder} may not include {name}: it builds on {', '.join(sorted(allowed - {folder})) or 'nothing'}"
            elif not order.may_include(path.name, folder, target):
                yield number, f"{path.name} may not include {name}: only {', '.join(order.only_for[folder, target])} of {folder} may"
            elif not (root / name).exists():
                yield number, f"there is no {name}"
        elif mark == '"':
            yield number, f'"{name}": write headers of the library from the root, as "lissom/{folder}/{name}"'
        else:
            library, folders = order.allowed_in.get(name.split("/")[0], ("", {folder}))
            if folder not in folders:
                yield number, f"<{name}>: {library} is only for {', '.join(sorted(folders))}, not for {folder} ({DOCUMENT})"


def check_private(root, path):
    for number, _, name in includes(path):
        if name in PRIVATE and not path.is_relative_to(root / "lissom"):
            yield number, f"{name} is private to the library"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    order = Order(root)
    findings = {root / DOCUMENT: order.findings, root / "lissom/CMakeLists.txt": list(check_cmake(root, order))}
    files = [p for top in ("lissom", "apps", "tests", "bench", "examples") for p in sorted((root / top).rglob("*"))
             if p.suffix in SOURCES]
    for path in files:
        findings[path] = list(check_private(root, path))
        if path.is_relative_to(root / "lissom"):
            findings[path] += check_library_file(root, path, order)
    for path, found in findings.items():
        for line, text in sorted(found):
            print(f"{path.relative_to(root)}:{line}: {text}")
    count = sum(map(len, findings.values()))
    print(f"{len(files)} files, {count} findings")
    return 1 if count or not files else 0


if __name__ == "__main__":
    sys.exit(main())
