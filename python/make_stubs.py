#!/usr/bin/env python3
"""Writes the type stubs of the compiled module (lissom/_core…pyi) from the installed package.

usage: python/make_stubs.py [--check]

Run it with the Python of an environment in which lissom and nanobind are installed. --check compares with the files in the
checkout and changes nothing; exit status 1 where they differ.
"""

import ast
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent / "lissom"
# The types that signatures written by hand name.
IMPORTS = """\
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray
"""
# What containers hold where their signature does not say it.
ARGUMENTS = {"tuple": "tuple[Any, ...]", "dict": "dict[Any, Any]", "list": "list[Any]"}


def generate(folder):
    """Stubs of the module and its submodules, in `folder`."""
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-r", "-m", "lissom._core", "-O", str(folder)]
    # (Not from here, where Python would take the folder `lissom` beside this file for the package.)
    subprocess.run(command, check=True, cwd=folder)
    files = sorted(pathlib.Path(folder).rglob("*.pyi"))
    for file in files:
        file.write_text(tidy(file.read_text()))
    whole = next(file for file in files if file.name == "__init__.pyi").read_text()
    classes = {node.name for node in ast.parse(whole).body if isinstance(node, ast.ClassDef)}
    for file in files:
        if file.name != "__init__.pyi":
            file.write_text(with_imports(file.read_text(), classes))
    return {file.relative_to(folder): file.read_text() for file in sorted(pathlib.Path(folder).rglob("*.pyi"))}


def tidy(text):
    """Imports that the generator cannot know, and types that it leaves open."""
    lines = text.splitlines()
    kept = [line for line in lines if not re.match(r"(import (os|np|numpy|numpy\.typing|collections\.abc)|from (collections\.abc|typing|numpy\.typing) import .*)$", line)]
    text = "\n".join(kept) + "\n"
    text = re.sub(r"^from lissom import Error as Error\n", "__version__: str\n\nclass Error(ValueError):\n    diagnostics: list[Diagnostic]\n\n", text, flags=re.M)
    text = re.sub(r"^from lissom\.control import ImpossibleMotion as ImpossibleMotion\n", "\nclass ImpossibleMotion(lissom._core.Error): ...\n\n", text, flags=re.M)
    text = re.sub(r"\bcollections\.abc\.", "", text)
    text = re.sub(r"(\*\*\w+)\)", r"\1: Any)", text)
    # Numbers that carry derivatives are compared with numbers only; `object` would allow everything.
    text = re.sub(r"@overload(?=\n    def __(eq|ne)__\(self, arg: Dual)", "@overload  # type: ignore[override]", text)
    text = re.sub(r"(?<=: |> )(tuple|dict|list)(?=[,):]| =|$)", lambda match: ARGUMENTS[match.group()], text, flags=re.M)
    docstring = re.match(r'(""".*?"""\n)', text, re.S)
    head, rest = (docstring.group(1), text[docstring.end():]) if docstring else ("", text)
    return head + "\n" + IMPORTS + re.sub(r"\n{3,}", "\n\n", "\n" + rest)


def defined_names(text):
    """Names that a stub defines or imports outside of classes."""
    names = set()
    for node in ast.parse(text).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def with_imports(text, classes):
    """The stub of a submodule, which imports those classes of the whole module that its signatures use."""
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    missing = sorted((used & classes) - defined_names(text))
    return text.replace("import lissom._core\n", f"import lissom._core\nfrom lissom._core import {', '.join(missing)}\n", 1) if missing else text


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        made = generate(folder)
    present = {file.relative_to(FOLDER): file.read_text() for file in FOLDER.rglob("*.pyi")}
    if not check:
        for file in present.keys() - made.keys():
            (FOLDER / file).unlink()
        for file, text in made.items():
            (FOLDER / file).parent.mkdir(exist_ok=True)
            (FOLDER / file).write_text(text)
        return 0
    for file in sorted(present.keys() | made.keys()):
        sys.stdout.writelines(difflib.unified_diff(
            present.get(file, "").splitlines(True), made.get(file, "").splitlines(True), f"python/lissom/{file}", f"{file}, as it is now"))
    return int(present != made)


if __name__ == "__main__":
    sys.exit(main())
