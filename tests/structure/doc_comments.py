#!/usr/bin/env python3
"""Every type and function of a public header has a /// comment, or stands in a block of declarations that begins with one.

Public are the headers at the top of lissom/ and what they include. Small values and their arithmetic (math/, spatial/, tree/), whose operators
speak for themselves, and tables of kernels are left out.

usage: doc_comments.py [ROOT]         exit status 0: nothing found, 1: findings (file:line: what, and what to do)
"""
import pathlib
import re
import sys

VALUES = {"math", "spatial", "tree", "kinematics", "dynamics", "kernels"}
TYPE = re.compile(r"(?:struct|class|enum class) (\w+)(?! *;)[^;]*$")
FUNCTION = re.compile(r"(?!template|using|namespace|return|extern|friend|typedef|static_assert|struct|class|enum)[A-Za-z][\w:<>,&*\s\[\]]*?[\s&*](\w+)\(")


def public_headers(root):
    """The headers at the top of lissom/, and what these include."""
    waiting, found = sorted((root / "lissom").glob("*.h")), set()
    while waiting:
        header = waiting.pop()
        if header in found or not header.is_file():
            continue
        found.add(header)
        waiting += [root / name for name in re.findall(r'^#include "(lissom/[^"]+)"', header.read_text(encoding="utf-8"), re.MULTILINE)]
    return sorted(header for header in found if header.parent.name not in VALUES)


def undocumented(text):
    """Declarations at namespace scope without a /// comment, as (line, name). A block ends at an empty line."""
    documented, continues = False, False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            documented = False
        if line.startswith("///"):
            documented = True
        declared = TYPE.match(line) or FUNCTION.match(line)
        if declared and not continues and not documented and "///" not in line:
            yield number, declared[1]
        # The rest of a declaration, and the inside of a body, are indented.
        continues = bool(line.strip()) and not line.startswith(("/", "#")) and line.rstrip().endswith(",")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    headers, count = public_headers(root), 0
    for header in headers:
        for line, name in undocumented(header.read_text(encoding="utf-8")):
            print(f"{header.relative_to(root)}:{line}: {name} has no /// comment: say what it is or returns, in which frame and unit, what it throws")
            count += 1
    print(f"{len(headers)} headers, {count} findings")
    return 1 if count or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
