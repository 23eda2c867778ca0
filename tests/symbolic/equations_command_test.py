#!/usr/bin/env python3
"""lissom equations: text and LaTeX as they were, and what is printed, read back, against the numbers of lissom eval.

usage: equations_command_test.py --lissom COMMAND [CASE | CASE.test …]
       equations_command_test.py --lissom COMMAND --write     writes the files in golden/ anew; look at the difference
"""
import json
import math
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "command"))
from command_case import HUMANOID, MODELS, CommandCase, main  # noqa: E402

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
# the name of the files in golden/, the robot, options
CASES = [
    ("planar2", "planar2", ()),
    ("planar2_symbols", "planar2", ("--symbols", "all")),
    ("planar2_tip", "planar2", ("--symbols", "lengths", "--frame", "tip")),
    ("planar2_energy", "planar2", ("--only", "T,U")),
    ("planar3", "planar3", ()),
    ("planar3_symbols", "planar3", ("--symbols", "all")),
    ("pendulum", "mechanisms/pendulum", ()),
    ("pendulum_symbols", "mechanisms/pendulum", ("--symbols", "all")),
    ("cart_pole", "mechanisms/cart_pole", ()),
    ("cart_pole_symbols", "mechanisms/cart_pole", ("--symbols", "all")),
    ("acrobot", "mechanisms/acrobot", ()),
    ("acrobot_symbols", "mechanisms/acrobot", ("--symbols", "all")),
    ("ball_pendulum_symbols", "mechanisms/ball_pendulum", ("--symbols", "all")),
    ("planar_puck", "mechanisms/planar_puck", ()),
    ("universal_shaft_symbols", "mechanisms/universal_shaft", ("--symbols", "all")),
    ("gripper_mimic", "mechanisms/gripper_mimic", ()),
    ("leg", "quadruped", ("--symbols", "lengths", "--frame", "front_left_foot")),
    ("arm7_wrist", "arm7", ("--symbols", "lengths", "--frame", "link5")),
]
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
TOKEN = re.compile(rf"\s*(½|\d+(?:\.\d+)?(?:e[-+]?\d+)?(?:/\d+)?|sin|cos|[{SUPERSCRIPTS}]+|[()+−]|[^\W\d]\u0307?[A-Za-z0-9]*)")


class Reader:
    """The value of a printed expression; products are written side by side."""

    def __init__(self, text, values):
        self.values, self.tokens, at = values, [], 0
        while at < len(text.rstrip()):
            found = TOKEN.match(text, at)
            assert found, f"cannot read {text[at:]!r}"
            self.tokens.append(found[1])
            at = found.end()
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def sum(self):
        total = 0
        sign = 1
        if self.peek() == "−":
            self.take()
            sign = -1
        total += sign * self.product()
        while self.peek() in ("+", "−"):
            sign = 1 if self.take() == "+" else -1
            total += sign * self.product()
        return total

    def product(self):
        value = self.factor()
        while self.peek() not in ("", ")", "+", "−"):
            value *= self.factor()
        return value

    def exponent(self):
        if self.peek() and self.peek()[0] in SUPERSCRIPTS:
            return int("".join(str(SUPERSCRIPTS.index(c)) for c in self.take()))
        return 1

    def factor(self):
        token = self.take()
        if token in ("sin", "cos"):
            power = self.exponent()
            return getattr(math, token)(self.factor()) ** power
        if token == "(":
            value = self.sum()
            assert self.take() == ")"
        elif token == "½":
            value = 0.5
        elif token[0].isdigit():
            top, _, bottom = token.partition("/")
            value = float(top) / float(bottom or 1)
        else:
            value = self.values[token]
        return value ** self.exponent()

    def value(self):
        value = self.sum()
        assert self.at == len(self.tokens), f"read up to {self.tokens[self.at:]}"
        return value


def read(text, values):
    return Reader(text, values).value()


class Equations(CommandCase):
    def test_text_and_latex_are_as_they_were(self):
        for name, robot, options in CASES:
            for ending, more in ((".txt", ()), (".tex", ("--latex",))):
                with self.subTest(name + ending):
                    printed = self.good("equations", MODELS / f"{robot}.urdf", *options, *more)
                    self.assertEqual(printed, (GOLDEN / (name + ending)).read_text(encoding="utf-8"))

    def test_latex_is_balanced(self):
        for name, _, _ in CASES:
            text = (GOLDEN / f"{name}.tex").read_text(encoding="utf-8")
            self.assertTrue(text.isascii(), name)
            self.assertEqual(text.count("{"), text.count("}"), name)
            self.assertEqual(text.count("\\left("), text.count("\\right)"), name)
            begun = re.findall(r"\\begin\{([a-z*]+)\}", text)
            self.assertEqual(sorted(begun), sorted(re.findall(r"\\end\{([a-z*]+)\}", text)), name)
            for matrix in re.findall(r"\\begin\{pmatrix\}(.*?)\\end\{pmatrix\}", text, re.S):
                self.assertEqual(len({row.count("&") for row in matrix.split("\\\\")}), 1, name)

    def test_what_is_printed_has_the_values_of_eval(self):
        dice = random.Random(3)
        for robot in ("planar2", "planar3", "quadruped", "mechanisms/cart_pole", "mechanisms/universal_shaft",
                      "mechanisms/gripper_mimic", "mechanisms/tilted_axes", "mechanisms/ball_pendulum", "mechanisms/planar_puck"):
            for symbols in ("none", "gravity", "all")[:1 if robot == "mechanisms/tilted_axes" else 3]:
                with self.subTest(robot=robot, symbols=symbols):
                    self.compare(MODELS / f"{robot}.urdf", symbols, dice)

    def compare(self, robot, symbols, dice):
        told = json.loads(self.good("equations", robot, "--json", "--digits", 17, "--symbols", symbols, "--force"))
        q = [dice.uniform(-3, 3) for _ in range(told["nq"])]
        v = [dice.uniform(-2, 2) for _ in range(told["nv"])]
        if "ball" in str(robot):
            q = [x / math.hypot(*q) for x in q]
        values = {s["name"]: s["value"] if "value" in s else (q if s["kind"] == "coordinate" else v)[s["index"]]
                  for s in told["symbols"]}
        states = json.dumps({"states": [{"q": q, "v": v}]})
        found = json.loads(self.good("eval", robot, "--states", "-", text=states))["results"][0]
        printed = {name: [[read(text, values) for text in row] for row in told["equations"][name]["text"]] for name in "HCG"}
        scale = max(abs(x) for row in found["M"] for x in row)
        for i in range(told["nv"]):
            self.assertAlmostEqual(printed["G"][i][0], found["g"][i], delta=1e-10 * max(1, scale))
            self.assertAlmostEqual(printed["C"][i][0] + printed["G"][i][0], found["h"][i], delta=1e-9 * max(1, scale))
            for j in range(told["nv"]):
                self.assertAlmostEqual(printed["H"][i][j], found["M"][i][j], delta=1e-10 * scale)

    def test_json_names_everything(self):
        told = json.loads(self.good("equations", MODELS / "planar2.urdf", "--json", "--symbols", "masses", "--only", "M"))
        self.assertEqual((told["robot"], told["nq"], told["nv"], list(told["equations"])), ("planar2", 2, 2, ["H"]))
        self.assertEqual(told["equations"]["H"]["text"][1][1], "1 + 1/4 m2")
        self.assertEqual(told["equations"]["H"]["latex"][1][1], r"1 + \tfrac{1}{4} m_2")
        self.assertEqual(told, json.loads(self.good("equations", "--json", "--symbols", "masses", "--only", "M", MODELS / "planar2.urdf")))
        mass = next(s for s in told["symbols"] if s["name"] == "m2")
        self.assertEqual((mass["kind"], mass["value"], mass["unit"], mass["meaning"]), ("mass", 1, "kg", "mass of link2"))

    def test_wrong_use(self):
        planar2 = MODELS / "planar2.urdf"
        self.refused("equations", planar2, "--frame", "tpi", naming=["tpi", "tip"])
        self.refused("equations", planar2, "--symbols", "mases", naming=["--symbols", "mases", "did you mean 'masses'?"])
        self.refused("equations", planar2, "--symbols", "", naming="--symbols")
        self.refused("equations", planar2, "--only", "Q", naming=["'Q'", "quantities: H, C, G"])
        self.refused("equations", planar2, "--only", "J", naming="--frame")
        self.refused("equations", planar2, "--max-terms", "0", naming="--max-terms")
        self.refused("equations", planar2, "--json", "--latex", naming="--latex")
        rock = '<robot name="rock"><link name="rock"/></robot>'
        self.refused("equations", "-", naming="rock has no degrees of freedom", text=rock)

    def test_what_is_too_long_is_refused_with_an_estimate(self):
        for base, size in (("fixed", "H alone has about "), ("free", "H alone may have up to 10^")):
            self.refused("equations", HUMANOID, "--base", base, naming=["degrees of freedom", size, "--only", "--max-terms"])
        self.refused("equations", MODELS / "arm7.urdf", naming="C alone has about 2")
        self.good("equations", MODELS / "arm7.urdf", "--only", "G")


def write(lissom):
    CommandCase.lissom = str(pathlib.Path(lissom).resolve())
    GOLDEN.mkdir(exist_ok=True)
    for name, robot, options in CASES:
        for ending, more in ((".txt", ()), (".tex", ("--latex",))):
            printed = Equations().good("equations", MODELS / f"{robot}.urdf", *options, *more)
            (GOLDEN / (name + ending)).write_text(printed, encoding="utf-8")


if __name__ == "__main__":
    if "--write" in sys.argv:
        write(sys.argv[sys.argv.index("--lissom") + 1])
    else:
        main()
