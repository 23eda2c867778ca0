#!/usr/bin/env python3
"""Reject dead links in the documents, files that they name and that do not exist, and paths of somebody's machine anywhere.

A name like `dynamics/rnea.h` is that of a file if it begins with a folder of lissom/ or of the repository. Decisions and the changelog may name
what was there once.

usage: documents.py [ROOT]        exit status 0: nothing found, 1: findings (file:line: what)
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED_FILE = re.compile(r"`(\w[\w.-]*(?:/[\w.*-]+)+\.(?:\w+|\*))`")
HISTORY = ("docs/decisions/", "CHANGELOG.md")
MACHINE_PATH = re.compile(r"(?<![\w.~])/(?:home|root|Users|tmp)/[\w.-]")
TEXT = {".md", ".h", ".cpp", ".cmake", ".txt", ".json", ".py", ".in", ".urdf", ".ts", ".mjs", ".css", ".html", ""}
SKIPPED = {".git", "build", ".venv", "__pycache__", "malformed", "corpus", "findings", "node_modules", "dist"}


def files(root):
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root).parts
        if path.is_file() and path.suffix in TEXT and not SKIPPED.intersection(inside):
            yield path


def missing(root, path, name):
    """Whether a document names a file of ours that does not exist. (A word in capitals stands for any.)"""
    first = name.split("/")[0]
    places = [root, root / "lissom", path.parent]
    if not any((place / first).is_dir() for place in places) or re.search(r"\b[A-Z]+\b", name):
        return False
    return not any(any(place.glob(name)) for place in places)


def findings(root, path):
    in_code = False
    is_history = str(path.relative_to(root)).startswith(HISTORY)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if path != pathlib.Path(__file__).resolve() and (found := MACHINE_PATH.search(line)):
            yield number, f"'{found[0]}…' is a path of one machine"
        if path.suffix == ".md":
            in_code ^= line.startswith("```")
            for link in [] if in_code else LINK.findall(line):
                target = link.split("#")[0]
                if target and not re.match(r"[a-z]+:", link) and not (path.parent / target).exists():
                    yield number, f"the link {link} leads nowhere"
            for name in [] if in_code or is_history else NAMED_FILE.findall(line):
                if missing(root, path, name):
                    yield number, f"there is no file {name}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    count = 0
    for path in files(root):
        for line, text in findings(root, path):
            print(f"{path.relative_to(root)}:{line}: {text}")
            count += 1
    print(f"{count} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
