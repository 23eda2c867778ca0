#!/usr/bin/env python3
"""Reject dead links in the documents, and paths of somebody's machine anywhere.

usage: documents.py [ROOT]        exit status 0: nothing found, 1: findings (file:line: what)
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
MACHINE_PATH = re.compile(r"(?<![\w.~])/(?:home|root|Users|tmp)/[\w.-]")
TEXT = {".md", ".h", ".cpp", ".cmake", ".txt", ".json", ".py", ".in", ".urdf", ".ts", ".mjs", ".css", ".html", ""}
SKIPPED = {".git", "build", ".venv", "__pycache__", "malformed", "corpus", "findings", "node_modules", "dist"}


def files(root):
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root).parts
        if path.is_file() and path.suffix in TEXT and not SKIPPED.intersection(inside):
            yield path


def findings(root, path):
    in_code = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if path != pathlib.Path(__file__).resolve() and (found := MACHINE_PATH.search(line)):
            yield number, f"'{found[0]}…' is a path of one machine"
        if path.suffix == ".md":
            in_code ^= line.startswith("```")
            for link in [] if in_code else LINK.findall(line):
                target = link.split("#")[0]
                if target and not re.match(r"[a-z]+:", link) and not (path.parent / target).exists():
                    yield number, f"the link {link} leads nowhere"


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
