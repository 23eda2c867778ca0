#!/usr/bin/env python3
"""Compares the values of expressions with those that Python itself computes: a table, and random expressions.

usage: expression_test.py --tool XACRO_EXPAND

The tables, expressions.txt and refused_expressions.txt, are also read by expression_test.cpp: here it is seen that Python agrees with them.
"""
import argparse
import builtins
import math
import os
import pathlib
import random
import re
import subprocess
import types
import unittest
import warnings

COUNT = 400_000 if os.environ.get("LISSOM_LONG") else 2000  # of random expressions
HERE = pathlib.Path(__file__).resolve().parent
DIRECT = ("list", "dict", "map", "len", "str", "float", "int", "bool", "min", "max", "round", "sorted", "range")
PYTHON = DIRECT + ("abs", "all", "any", "divmod", "enumerate", "filter", "frozenset", "isinstance", "ord", "repr", "reversed", "set", "sum", "tuple", "zip")
# Functions of math that newer versions of Python have are compared where they are.
NEWER = {"cbrt", "exp2"} - set(dir(math))


def names():
    known = {name: value for name, value in vars(math).items() if not name.startswith("_")}
    known.update({name: getattr(builtins, name) for name in DIRECT})
    known["python"] = types.SimpleNamespace(**{name: getattr(builtins, name) for name in PYTHON})
    known["math"] = math
    known["xacro"] = types.SimpleNamespace(tokenize=lambda text, sep=",; ": [word for word in re.split(f"[{sep}]", text) if word])
    return {**known, "__builtins__": {}}


NAMES = names()


def python_says(expression):
    """Its value as text, or None if Python refuses it."""
    if "}" in expression:  # there the expression would end
        return None
    try:
        warnings.simplefilter("ignore", SyntaxWarning)
        code = compile(expression.strip(), "expression", "eval")
        if any(name.startswith("__") for name in code.co_names):
            return None
        return str(eval(code, dict(NAMES))).replace("\n", "\\n")
    except Exception:  # whatever is wrong with it
        return None


class Expressions(unittest.TestCase):
    tool = ""

    def ours(self, expressions):
        answer = subprocess.run([self.tool, "--expressions"], input="\n".join(expressions) + "\n", capture_output=True, text=True, check=True).stdout
        return answer.removesuffix("\n").split("\n")

    def test_python_agrees_with_the_table(self):
        rows = [line.split("\t") for line in (HERE / "expressions.txt").read_text(encoding="utf-8").splitlines()]
        self.assertGreater(len(rows), 250)
        for expression, value in rows:
            if not any(re.search(rf"\b{name}\(", expression) for name in NEWER):
                self.assertEqual(python_says(expression), value, expression)

    def test_python_refuses_what_is_refused(self):
        for line in (HERE / "refused_expressions.txt").read_text(encoding="utf-8").splitlines():
            expression, _, *only = line.split("\t")
            if not only:
                self.assertIsNone(python_says(expression), expression)

    def test_random_expressions(self):
        made = Random(20261117)
        expressions = [made.expression(4) for _ in range(COUNT)]
        compared = refused = 0
        for expression, ours in zip(expressions, self.ours(expressions), strict=True):
            theirs = python_says(expression)
            if ours == "error xacro-limit":  # integers beyond 64 bits
                continue
            if theirs is None:
                self.assertTrue(ours.startswith("error "), f"{expression}: Python refuses it, here it is {ours}")
                refused += 1
            else:
                self.assertEqual(ours, theirs, expression)
                compared += 1
        self.assertGreater(compared, COUNT // 4)
        self.assertGreater(refused, COUNT // 20)


class Random:
    """Expressions that Python mostly accepts."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def number(self):
        return self.random.choice([str(self.random.randint(-3, 12)), repr(self.random.choice([0.1, 0.25, 1.5, 3.0, 1e-7, 1e17, 2.675, 100.0])),
                                   f"{self.random.uniform(-10, 10):.{self.random.randint(1, 8)}f}", "pi", "True", "1e3"])

    def text(self):
        return self.random.choice(["'abc'", "'a_b'", "''", "'x y z'", "\"it's\"", "'12'"])

    def sequence(self, depth):
        items = ", ".join(self.expression(depth - 1) for _ in range(self.random.randint(0, 3)))
        return self.random.choice([f"[{items}]", f"[x * 2 for x in [{items}] if x]", f"list(range({self.random.randint(0, 5)}))", f"python.sorted([{items}])",
                                   f"list(map(str, [{items}]))", "dict(a=1, b=2.5)", f"[{items}][::-1]", f"python.tuple([{items}])"])

    def expression(self, depth):
        if depth <= 0 or self.random.random() < 0.2:
            return self.random.choice([self.number, self.number, self.number, self.text])()
        a, b, c = (self.expression(depth - 1) for _ in range(3))
        operator = self.random.choice(["+", "-", "*", "/", "//", "%", "<", ">=", "==", "!=", "and", "or", "in", "is not", "&", "|", "^", "+", "*"])
        function = self.random.choice(["sin", "cos", "sqrt", "floor", "ceil", "radians", "degrees", "round", "python.abs", "str", "float", "int", "bool", "len", "fabs",
                                       "atan", "python.repr", "exp", "trunc"])
        method = self.random.choice([".upper()", ".split()", ".replace('a', 'b')", ".strip()", "[0]", "[-1:]", "[1]", ".startswith('a')", ".zfill(4)", ".center(5)"])
        return self.random.choice([f"({a}) {operator} ({b})", f"{a} {operator} {b}", f"{function}({a})", f"({a} if {b} else {c})", f"max({a}, {b})", f"min([{a}, {b}])",
                                   f"round({a}, {self.random.randint(-1, 4)})", f"not {a}", f"-{a}", f"({a}) ** {self.random.randint(-2, 3)}", f"({a}){method}",
                                   self.sequence(depth), f"'%s|%5.2f|%d' % ({a}, {b}, {c})", f"{a} < {b} <= {c}", f"python.sum([{a}, {b}])", f"'%g' % {a}", f"'-'.join({a})"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    Expressions.tool = parser.parse_args().tool
    unittest.main(argv=["expression_test.py"], verbosity=2)
