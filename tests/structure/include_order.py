#!/usr/bin/env python3
"""Reject includes that go against the order of the folders (ARCHITECTURE.md).

usage: include_order.py [ROOT]        exit status 0: all in order, 1: findings (file:line: what, and what to do)
"""
import pathlib
import re
import sys

# Which folders of lissom/ a folder builds on; it may include those and whatever they build on.
BUILDS_ON = {
    "math": [],
    "spatial": ["math"],
    "tree": ["spatial"],
    "model": ["tree"],
    "geometry": ["model"],
    "kinematics": ["tree"],
    "dynamics": ["kinematics"],
    "kernels": ["dynamics", "model"],
    "io": ["model"],
    "api": ["kernels", "io"],
    "batch": ["kernels"],
    "ik": ["api", "batch", "constraints"],
    "coordinates": ["model"],
    "formulations": ["coordinates", "api"],
    "recording": ["api"],
    "bridge": ["formulations", "sim"],
    "constraints": ["api", "coordinates", "geometry", "qp"],
    "sim": ["constraints", "qp"],
    "stance": ["constraints", "ik", "qp"],
    "control": ["constraints", "qp", "formulations", "ik", "sim"],
    "qp": ["math"],
}
# Folders that only some files of a folder may include, though it builds on them.
ONLY_FOR = {
    # A controller knows no simulator; only the run of a motion brings them together.
    ("control", "sim"): {"run.h", "run.cpp"},
}
# Other people's headers, and the only folders of lissom/ that may include them.
ONLY_IN = {
    "Eigen": {"math", "stance", "api", "batch", "coordinates", "formulations", "bridge", "constraints", "sim", "ik", "control", "qp"},
    "pugixml": {"io"},
    "nlohmann": {"recording", "io"},
    "zlib": {"recording"},
}
# Headers that never leave the library.
PRIVATE = {"lissom/api/inside.h"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {".h", ".cpp", ".cu"}


def reachable(folder):
    below = set()
    for direct in BUILDS_ON[folder]:
        below |= {direct} | reachable(direct)
    return below


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if found := INCLUDE.match(line):
            yield number, found[1], found[2]


def check_library_file(root, path):
    """Findings about one file of lissom/, as (line, text)."""
    parts = path.relative_to(root / "lissom").parts
    if len(parts) == 1:  # lissom.h, which shows the public folders
        return
    folder = parts[0]
    if folder not in BUILDS_ON:
        yield 1, f"folder lissom/{folder} is not in the table of {pathlib.Path(__file__).name}: say what it builds on"
        return
    allowed = reachable(folder) | {folder}
    for number, mark, name in includes(path):
        if name.startswith("lissom/"):
            target = name.split("/")[1]
            if target not in allowed:
                yield number, f"{folder} may not include {name}: it builds on {', '.join(sorted(allowed - {folder})) or 'nothing'}"
            elif path.name not in ONLY_FOR.get((folder, target), {path.name}):
                yield number, f"{path.name} may not include {name}: only {', '.join(sorted(ONLY_FOR[folder, target]))} of {folder} may"
            elif not (root / name).exists():
                yield number, f"there is no {name}"
        elif mark == '"':
            yield number, f'"{name}": write headers of the library from the root, as "lissom/{folder}/{name}"'
        else:
            for library, folders in ONLY_IN.items():
                if re.split(r"[/.]", name)[0] == library and folder not in folders:
                    yield number, f"<{name}> is only for {', '.join(sorted(folders))}, not for {folder}"


def check_private(root, path):
    for number, _, name in includes(path):
        if name in PRIVATE and not path.is_relative_to(root / "lissom"):
            yield number, f"{name} is private to the library"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    count = 0
    files = [p for top in ("lissom", "apps", "tests", "bench", "examples") for p in sorted((root / top).rglob("*"))
             if p.suffix in SOURCES]
    for path in files:
        findings = list(check_private(root, path))
        if path.is_relative_to(root / "lissom"):
            findings += check_library_file(root, path)
        for line, text in sorted(findings):
            print(f"{path.relative_to(root)}:{line}: {text}")
            count += 1
    print(f"{len(files)} files, {count} findings")
    return 1 if count or not files else 0


if __name__ == "__main__":
    sys.exit(main())
