#!/usr/bin/env python3
"""Reject maxima and minima in tests that NaN slips through, so that an assertion on them passes.

std::max(worst, NaN) is `worst`, Eigen's maxCoeff() may skip NaN, and Python's max(worst, nan) is `worst`. tests/support/largest.h and
tests/support/largest.py have functions that return NaN instead. (numpy's maxima are NaN by themselves; its assertions, which take NaN for
equal to NaN, are changed in python/tests/conftest.py.)

usage: nan_aware.py [ROOT]     exit status 0: none, 1: findings (file:line: what, and what to do)
"""
import pathlib
import re
import sys

# What is found, and what to write instead.
CPP = [
    (re.compile(r"(?<![\w.])([\w.\[\]]+) = std::max\(\1,"), "larger() of largest.h"),
    (re.compile(r"(?<![\w.])([\w.\[\]]+) = std::min\(\1,"), "smaller() of largest.h"),
    (re.compile(r"\.maxCoeff\(\)|\blpNorm<(Eigen::)?Infinity>"), "largest() of largest.h"),
    (re.compile(r"\.minCoeff\(\)"), "minCoeff<Eigen::PropagateNaN>()"),
    (re.compile(r"std::max\(\{\s*std::abs"), "larger() of largest.h"),
]
PYTHON = [(re.compile(r"(?<![\w.\]])([\w.\[\]\"']+) = max\(\1,|assertLess(Equal)?\(max\(|\bmax\(\w+\.(get|values)\(|\bassert (not )?(abs\()?max\("), "largest() of largest.py, or np.max()"),
          (re.compile(r"\bassert not (np\.any\()?.*[<>].*any\(|\bassert not np\.any\(.*[<>]|assertFalse\(.*[<>].*any\("), "the opposite comparison with all()"),
          (re.compile(r"\bnp\.nan(max|min)\("), "np.max(), np.min()"),
          (re.compile(r"\b(np|numpy)\.testing\.assert_(?!allclose\b|array_equal\b)\w+|\bfrom numpy\.testing import assert_\w+"),
           "np.testing.assert_allclose() or assert_array_equal(), which python/tests/conftest.py changes")]
# Outside of python/tests, nothing changes numpy's assertions.
UNCHANGED = [(re.compile(r"\b(np|numpy)\.testing\b"), "assertions of unittest")]
# These define them, say what is rejected, or only look for crashes.
EXCEPTIONS = ("tests/support/largest.", "tests/structure/nan_aware", "tests/fuzz/")


def findings(text, patterns):
    """Yields (line, what was found, what to write instead)."""
    for number, line in enumerate(text.splitlines(), start=1):
        for pattern, instead in patterns:
            for found in pattern.finditer(line):
                yield number, found[0], instead


def patterns_of(where):
    """Those for a file of this path, from the root."""
    if where.endswith((".h", ".cpp")):
        return CPP
    if where.endswith(".py"):
        return PYTHON if where.startswith("python/") else PYTHON + UNCHANGED
    return None


def tested(root):
    """The sources of all tests."""
    return sorted(path for folder in ("tests", "python/tests") for path in (root / folder).rglob("*") if path.is_file())


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    files = count = 0
    for path in tested(root):
        where = str(path.relative_to(root))
        patterns = patterns_of(where)
        if patterns is None or where.startswith(EXCEPTIONS):
            continue
        files += 1
        for line, found, instead in findings(path.read_text(encoding="utf-8"), patterns):
            count += 1
            print(f"{where}:{line}: '{found}' passes over NaN; use {instead}")
    print(f"{files} files, {count} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
