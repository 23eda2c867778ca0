#!/usr/bin/env python3
"""docs/guarantees.md names every public function and every public class with functions, and only tests that exist.

usage: guarantees.py [ROOT]        exit status 1: something is missing
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
# Helpers of the public headers that are not calls of their own: names, and what fills in other calls.
HELPERS = {"to_string", "parts_fit", "damped_step_buffer_size"}
# Small values and their arithmetic: one line of the page speaks for all of them.
VALUES = {"math", "spatial", "tree", "kinematics", "dynamics", "kernels"}


def public_headers():
    """What the headers of the areas include, and what these include, unless it says that it is not for users."""
    waiting = sorted((ROOT / "lissom").glob("*.h"))
    found = set()
    while waiting:
        header = waiting.pop()
        if header in found or not header.is_file():
            continue
        if header.parent.name in VALUES:
            continue
        found.add(header)
        waiting += [ROOT / name for name in re.findall(r'#include "(lissom/[^"]+)"', header.read_text())]
    return sorted(found)


def documented_functions(text):
    """Names of the functions at namespace scope that have a /// comment."""
    names, documented, inside = set(), False, 0
    for line in text.splitlines():
        if line.startswith("///"):
            documented = True
            continue
        # A function may begin with its template; its name is the word before the first parenthesis.
        found = re.match(r"(?!template|struct|class|enum|using|namespace|#|}|\s|//)[\w:<>,&*\s\[\]]*?[\s&*](\w+)\(", line)
        if found and documented and inside == 0:
            names.add(found[1])
        inside = 1 if re.match(r"(struct|class|enum)\b.*{", line) else 0 if line.startswith("}") else inside
        if not line.strip():
            documented = False
    return names


def documented_classes(text):
    """Names of the classes that have public functions of their own, unless the header says that it is not for users."""
    names, name, public = set(), None, False
    if re.search(r"[Nn]ot for users", text):
        return names
    for line in text.splitlines():
        if begin := re.match(r"(class|struct)\s+(\w+)[^;]*{", line):
            name, public = begin[2], begin[1] == "struct"
        elif name and line.startswith("}"):
            name = None
        elif name and (access := re.match(r" (public|private|protected):", line)):
            public = access[1] == "public"
        elif name and public and "std::function" not in line:
            # Neither a constructor nor an operator, nor a member with a value.
            found = re.match(r"  (?!using|friend|return|static constexpr|template|//)[^=(;]*?[\s&*](\w+)\(", line)
            if found and found[1] != name and not found[1].startswith("operator"):
                names.add(name)
    return names


def main():
    page = (ROOT / "docs/guarantees.md").read_text()
    findings = []
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", page))))
    for header in public_headers():
        for name in sorted(documented_functions(header.read_text()) - named - HELPERS):
            findings.append(f"docs/guarantees.md: {name}() of {header.relative_to(ROOT)} is not on the page")
        for name in sorted(documented_classes(header.read_text()) - named):
            findings.append(f"docs/guarantees.md: the class {name} of {header.relative_to(ROOT)} has functions, but is not on the page")
    sources = "\n".join(path.read_text() for path in sorted((ROOT / "tests").rglob("*.cpp")))
    tests = {f"{suite}.{name}" for suite, name in re.findall(r"TEST\w*\(\s*(\w+),\s*(\w+)\s*\)", sources)}
    scripts = (ROOT / "tests/CMakeLists.txt").read_text()
    for name in sorted(set(re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", page))):
        if name not in tests and name not in scripts:
            findings.append(f"docs/guarantees.md: there is no test {name}")
    print("\n".join(findings) or f"{len(named)} names, {len(tests)} tests, nothing missing")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
