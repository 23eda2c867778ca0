#!/usr/bin/env python3
"""Limits of what is read from others are in lissom/model/limits.h (docs/limits.md), not beside the readers.

usage: limits.py [ROOT]     exit status 0: none is elsewhere, 1: findings (file:line: what, and what to do)
"""
import pathlib
import re
import sys

# Folders that read, or compute what somebody else asks for.
FOLDERS = ("apps", *(f"lissom/{name}" for name in ("files", "mesh", "geometry", "io", "qp", "recording", "scenes", "stance", "limbs", "control", "walking", "plan",
                                                  "benchmarks", "bridge", "view", "model")))
# A constant max_… of four digits or more, or of powers of two.
LIMIT = re.compile(r"constexpr[^=;(]*\b(max_\w+)\s*[={][^;]*(<<|\d{4}|\d'\d{3}|[MG]iB)")
# Constants that do not depend on what is read.
OTHERS = {
    ("apps/lissom/output.cpp", "max_waiting"),  # a buffer
    ("lissom/geometry/height_field.cpp", "max_points"),  # so that triangles are numbered by int
    ("lissom/benchmarks/read_tosses.cpp", "max_ratio"),  # of lengths of time
}


def findings(text):
    """Yields (line, name) of limits."""
    for number, line in enumerate(text.splitlines(), start=1):
        found = LIMIT.search(line)
        if found and "limits::" not in line:
            yield number, found[1]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    files = sorted(path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in (".h", ".cpp") and path.name != "limits.h")
    count = 0
    for path in files:
        where = str(path.relative_to(root))
        for line, name in findings(path.read_text(encoding="utf-8")):
            if (where, name) in OTHERS:
                continue
            count += 1
            print(f"{where}:{line}: {name} is a limit; move it to lissom/model/limits.h, add a row to docs/limits.md, and a test at the limit and one beyond")
    print(f"{len(files)} files, {count} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
