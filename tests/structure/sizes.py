#!/usr/bin/env python3
"""Reject files and functions that are too long to be read at once (CONTRIBUTING.md, Style).

usage: sizes.py [ROOT] [--list N]     exit status 0: none, 1: findings (file:line: what, and what to do)
                                      --list: also prints the N longest files and functions
"""
import argparse
import ast
import pathlib
import sys

import cpp_functions

FILE_LINES = 400
FUNCTION_LINES = 60
FOLDERS = ("lissom", "apps", "tests", "bench", "examples", "python", "scripts", "models", "viewer/src", "viewer/tests")  # (TypeScript: files only)
CPP = {".h", ".cpp", ".cu"}
OTHERS = {".py", ".sh", ".ts", ".mjs", ".css", ".html"}
# What is longer and waits to be split. An entry that is no longer needed is a finding too.
EXCEPTIONS: set[tuple[str, str | None]] = set()


def is_python(path):
    if path.suffix == ".py":
        return True
    return not path.suffix and path.read_bytes()[:80].split(b"\n")[0].rstrip().endswith(b"python3")


def is_source(path):
    return path.is_file() and not {"__pycache__", "corpus", "findings"}.intersection(path.parts) and (path.suffix in CPP | OTHERS or not path.suffix)


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno


def measured(root):
    """Yields (path from root, line, lines, name of the function or None for the file)."""
    for top in FOLDERS:
        for path in sorted(filter(is_source, (root / top).rglob("*"))):
            text, where = path.read_text(encoding="utf-8"), str(path.relative_to(root))
            yield where, 1, len(text.splitlines()), None
            finder = cpp_functions.functions if path.suffix in CPP else python_functions if is_python(path) else lambda _: ()
            for name, first, last in finder(text):
                yield where, first, last - first + 1, name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).parents[2])
    parser.add_argument("--list", type=int, default=0, metavar="N")
    arguments = parser.parse_args()
    everything = list(measured(pathlib.Path(arguments.root).resolve()))
    count, used = 0, set()
    for where, line, lines, name in everything:
        limit = FUNCTION_LINES if name else FILE_LINES
        if lines <= limit:
            continue
        if (where, name) in EXCEPTIONS:
            used.add((where, name))
            continue
        what = f"{name} has {lines} lines" if name else f"the file has {lines} lines"
        print(f"{where}:{line}: {what}; at most {limit}: take out a part that has a name of its own")
        count += 1
    for where, name in sorted(set(EXCEPTIONS) - used, key=str):
        print(f"{where}: the exception for {name or 'the file'} in {pathlib.Path(__file__).name} is not needed any more: remove it")
        count += 1
    if arguments.list:
        for functions in (False, True):
            print("longest functions:" if functions else "longest files:")
            for where, line, lines, name in sorted((m for m in everything if bool(m[3]) == functions), key=lambda m: -m[2])[:arguments.list]:
                print(f"  {lines:4} {where}:{line} {name or ''}")
    functions = sum(1 for m in everything if m[3])
    print(f"{len(everything) - functions} files, {functions} functions, {count} findings")
    return 1 if count or not functions else 0


if __name__ == "__main__":
    sys.exit(main())
