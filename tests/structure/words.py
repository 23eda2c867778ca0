#!/usr/bin/env python3
"""Reject names that docs/style.md replaces by the field's own, comments that begin with "Of", and Markdown lines with more than one sentence.

usage: words.py [ROOT]        exit status 0: nothing found, 1: findings (file:line: what, and what to do)
"""
import pathlib
import re
import sys

import cpp_functions

FOLDERS = ("lissom", "apps", "python/bindings", "python/lissom", "bench", "examples")  # (names of tests are sentences)
SKIPPED = {".git", "build", ".venv", "__pycache__", "corpus", "findings", "malformed", "node_modules", "dist"}
# Whole words of an identifier, which underscores and capitals separate, and what they are called instead.
WORDS = {
    "wish": "desired, preferred",
    "wishes": "desired, preferred",
    "way": "displacement, distance",
    "turn": "rotation, angle",
    "room": "buffer, space",
    "patience": "timeout",
    "caution": "friction_factor, margin",
    "vectoriser": "vectorizer",
    "catalogue": "catalog",
    "cancelled": "canceled",
}
# What an identifier may not begin with.
BEGINNINGS = {"most_": "max_", "least_": "min_", "longest_": "max_", "largest_": "max_", "smallest_": "min_"}
# Terms of the field; and a type of spatial/, whose words stand beside the book's tables (docs/style.md).
ALLOWED = {"least_squares", "most_violated", "AxisTurn"}
# A comment that begins so names no subject: "Of each hull", where "A hull has at most so many" says what is meant.
RIDDLE = re.compile(r"//[/<]* Of [a-z]")
IDENTIFIER = re.compile(r"\b[A-Za-z_]\w*")
PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
EXEMPT = {"lissom/spatial": {"turn"}}

PYTHON_LITERAL = re.compile(r'#[^\n]*|""".*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def code_of(path, text):
    """The text less comments and literals; lines stay where they are."""
    if path.suffix in {".h", ".cpp", ".cu"}:
        return cpp_functions.blanked(text)
    return PYTHON_LITERAL.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def wrong_word(identifier, exempt=()):
    """What is wrong with an identifier, or None."""
    if identifier in ALLOWED:
        return None
    for beginning, instead in BEGINNINGS.items():
        if identifier.startswith(beginning):
            return f"'{identifier}' begins with {beginning}; say {instead}"
    for part in map(str.lower, PARTS.findall(identifier)):
        if part in WORDS and part not in exempt:
            return f"'{identifier}' has the word {part}; say {WORDS[part]} (docs/style.md)"
    return None


def sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in {".h", ".cpp", ".cu", ".py", ".pyi"} and not SKIPPED.intersection(path.relative_to(root).parts):
                yield path


def identifier_findings(root):
    for path in sources(root):
        where = path.relative_to(root).as_posix()
        if path == pathlib.Path(__file__).resolve():
            continue
        exempt = next((words for folder, words in EXEMPT.items() if where.startswith(folder)), ())
        text = path.read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            if RIDDLE.search(line) and path.suffix in {".h", ".cpp", ".cu"}:
                yield where, number, "a comment begins with 'Of'; say what it is (docs/style.md)"
        for number, line in enumerate(code_of(path, text).splitlines(), 1):
            for identifier in IDENTIFIER.findall(line):
                if wrong := wrong_word(identifier, exempt):
                    yield where, number, wrong


# A sentence ends where a full stop, a question mark or an exclamation mark stands before a capital letter, or before code
# or a link. What stands in code, targets of links and parentheses does not count.
END = re.compile(r"(?<![A-Z])[.?!][\"*]*\s+(?=[A-Z`*\[“])")
ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|s\.t|cf|vs|etc|al|resp|Fig|Eq|Sec|no|vol|pp)\.|\*)\s*$")
LIST_ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s+")


def blanked(line):
    """The line with letters in place of its code, the targets of links, and what stands in parentheses."""
    line = re.sub(r"(`+)([^`]*)(`+)", lambda found: found[1] + "x" * len(found[2]) + found[3], line)
    previous = None
    while previous != line:
        previous, line = line, re.sub(r"\([^()]*\)", lambda found: "x" * len(found[0]), line)
    return line


def sentence_ends(line):
    """Where sentences end, before the last one of a line. A heading in bold or italics ends none: "**Price.** Three files."."""
    item = LIST_ITEM.match(line)
    text = blanked(line)
    return [found.end() for found in END.finditer(text, item.end() if item else 0)
            if not ABBREVIATION.search(text[: found.end()])]


def markdown_findings(root):
    for path in sorted(root.rglob("*.md")):
        inside = path.relative_to(root)
        if SKIPPED.intersection(inside.parts):
            continue
        in_code = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            in_code ^= line.lstrip().startswith("```")
            if not in_code and not line.lstrip().startswith(("|", "#")) and sentence_ends(line):
                yield inside.as_posix(), number, "two sentences in one line; begin a line with each (docs/style.md)"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    findings = [*identifier_findings(root), *markdown_findings(root)]
    for where, line, what in findings:
        print(f"{where}:{line}: {what}")
    print(f"{len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
