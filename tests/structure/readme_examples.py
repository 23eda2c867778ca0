#!/usr/bin/env python3
"""Compile and run what a Markdown file shows.

A block under `<!-- example: NAME -->` is run: ```cpp is compiled against the library, ```sh is handed to bash with the command on
its path, ```python to a Python that has the package (--python; without it those are left alone, and with it all others);
`exit=N` in the comment states another exit status than 0. A block under `<!-- output: NAME -->` must be what that
example printed; a line of … stands for any lines. Every ```cpp block, and every ```sh block that calls lissom, must be an example.
Programs run in the root of the repository.

usage: readme_examples.py README --lissom COMMAND --cxx "COMPILER FLAGS…" --link "LIBRARIES…"
       readme_examples.py README --python PYTHON
"""
import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

COMMENT = re.compile(r"<!--\s*(example|output):\s*([\w-]+)(?:\s+exit=(\d+))?\s*-->")


class Block:
    def __init__(self, line, language, comment):
        self.line, self.language, self.text = line, language, ""
        self.role, self.name = (comment[1], comment[2]) if comment else (None, None)
        self.exit = int(comment[3] or 0) if comment else 0


def blocks(path):
    """The fenced blocks of a Markdown file; a comment counts for the block on the next line."""
    comment, block = None, None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if block is not None:
            if line.startswith("```"):
                yield block
                block = None
            else:
                block.text += line + "\n"
        elif line.startswith("```"):
            block = Block(number, line[3:].strip(), comment)
            comment = None
        else:
            comment = COMMENT.match(line)


def same(expected, found):
    """Whether the lines agree, a line of … standing for any number of lines."""
    pattern = "".join("(?:.*\n)*" if line.strip() == "…" else re.escape(line.rstrip()) + "[ \t]*\n"
                      for line in expected.splitlines())
    return re.fullmatch(pattern, found if found.endswith("\n") else found + "\n") is not None


class Runner:
    def __init__(self, options, root, scratch):
        self.options, self.root, self.scratch = options, root, pathlib.Path(scratch)
        self.environment = dict(os.environ)
        # `lissom`, whatever the built command is called
        if options.lissom:
            (self.scratch / "lissom").symlink_to(pathlib.Path(options.lissom).resolve())
        self.environment["PATH"] = f"{scratch}{os.pathsep}{self.environment['PATH']}"

    def cpp(self, block):
        source, program = self.scratch / f"{block.name}.cpp", self.scratch / block.name
        source.write_text(block.text, encoding="utf-8")
        start = time.monotonic()
        compiled = subprocess.run([*shlex.split(self.options.cxx), str(source), "-c", "-o", f"{program}.o"],
                                  capture_output=True, text=True)
        seconds = time.monotonic() - start
        if compiled.returncode == 0:
            compiled = subprocess.run([*shlex.split(self.options.cxx), f"{program}.o", "-o", str(program),
                                       *shlex.split(self.options.link)], capture_output=True, text=True)
        if compiled.returncode != 0:
            return None, "does not compile:\n" + compiled.stderr, ""
        return self.command([str(program)]), "", f" (compiled in {seconds:.1f} s)"

    def sh(self, block):
        return self.command(["bash", "-euo", "pipefail", "-c", block.text]), "", ""

    def python(self, block):
        return self.command([self.options.python, "-c", block.text]), "", ""

    def command(self, command):
        return subprocess.run(command, cwd=self.root, env=self.environment, capture_output=True, text=True, timeout=300)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("readme", type=pathlib.Path)
    parser.add_argument("--lissom")
    parser.add_argument("--cxx")
    parser.add_argument("--link")
    parser.add_argument("--python")
    options = parser.parse_args()
    if not options.python and not (options.lissom and options.cxx and options.link):
        parser.error("expected --lissom, --cxx and --link, or --python")
    languages = {"python"} if options.python else {"cpp", "sh"}
    root = pathlib.Path(__file__).resolve().parents[2]
    printed, failures, count, others = {}, 0, 0, set()

    def fail(block, text):
        nonlocal failures
        failures += 1
        print(f"{options.readme.name}:{block.line}: {block.name or block.language}: {text}")

    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(options, root, scratch)
        for block in blocks(options.readme):
            if block.role == "example" and block.language not in languages:
                others.add(block.name)
            # (What an example prints may have no language.)
            skipped = block.name in others if block.role == "output" else block.language not in languages | {"text"}
            if skipped:
                continue
            calls_lissom = block.language == "sh" and re.search(r"^\s*lissom |\| *lissom ", block.text, re.M)
            if block.role is None and (block.language == "cpp" or calls_lissom):
                fail(block, "not run by any test; put <!-- example: NAME --> above it")
            elif block.role == "example":
                count += 1
                ran, problem, remark = getattr(runner, block.language)(block)
                if problem:
                    fail(block, problem)
                elif ran.returncode != block.exit:
                    fail(block, f"exit status {ran.returncode}, expected {block.exit}\n{ran.stdout}{ran.stderr}")
                else:
                    printed[block.name] = ran.stdout
                    print(f"{options.readme.name}:{block.line}: {block.name}: ok{remark}")
            elif block.role == "output" and block.name in printed and not same(block.text, printed[block.name]):
                fail(block, f"printed something else:\n{printed[block.name]}")
            elif block.role == "output" and block.name not in printed:
                fail(block, "there is no such example, or it failed")
    print(f"{count} examples, {failures} failures")
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
