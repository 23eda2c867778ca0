#!/usr/bin/env python3
"""Tests of lissom linearize.

usage: linearize_test.py --lissom COMMAND [CASE | CASE.test …]
"""
import json
import math
import tempfile
import pathlib

from command_case import HUMANOID, MODELS, CommandCase, main

PLANAR = str(MODELS / "planar2.urdf")
PENDULUM = """<robot name="pendulum"><link name="ground"/>
  <link name="bob"><inertial><origin xyz="0 0 -2"/><mass value="3"/><inertia ixx="1e-9" iyy="1e-9" izz="1e-9" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pivot" type="continuous"><parent link="ground"/><child link="bob"/><axis xyz="0 1 0"/></joint></robot>"""


class Linearize(CommandCase):
    def of(self, *arguments, text=None):
        return json.loads(self.good("linearize", *arguments, "--json", text=text))

    def close(self, found, expected, tolerance=1e-9):
        self.assertEqual(len(found), len(expected))
        for x, y in zip(found, expected):
            if isinstance(x, list):
                self.close(x, y, tolerance)
            else:
                self.assertAlmostEqual(x, y, delta=tolerance)

    def test_a_pendulum_has_the_closed_form(self):
        rate = 9.81 / 2  # 1/s²
        hanging = self.of("-", "--step", "0.01", text=PENDULUM)
        self.assertEqual(hanging["coordinates"], ["pivot"])
        self.close(hanging["continuous"]["A"], [[0, 1], [-rate, 0]], 1e-8)
        self.close(hanging["continuous"]["B"], [[0], [1 / 12]], 1e-9)
        self.close(hanging["continuous"]["eigenvalues"], [[0, math.sqrt(rate)], [0, -math.sqrt(rate)]], 1e-6)
        h = hanging["discrete"]["step"]
        self.close(hanging["discrete"]["A"], [[1 - h * h * rate, h], [-h * rate, 1]], 1e-9)
        self.close(hanging["discrete"]["B"], [[h * h / 12], [h / 12]], 1e-9)
        upright = self.of("-", "--q", str(math.pi), text=PENDULUM)
        self.close(upright["continuous"]["eigenvalues"], [[math.sqrt(rate), 0], [-math.sqrt(rate), 0]], 1e-6)
        self.assertNotIn("discrete", upright)

    def test_text(self):
        text = self.good("linearize", "-", "--q", "pivot=3.141592653589793", "--step", "0.01", text=PENDULUM)
        for words in ("pendulum: 1 degree of freedom", "an equilibrium", "pivot", "doubles in 0.313 s", "errors grow", "(0, 1)"):
            self.assertIn(words, text)
        arm = self.good("linearize", PLANAR, "--q", "0.3,0.4")
        self.assertIn("no equilibrium", arm)
        self.assertIn("--hold", arm)
        self.assertIn("an equilibrium", self.good("linearize", PLANAR, "--q", "0.3,0.4", "--hold"))
        large = self.good("linearize", HUMANOID, "--base", "free")
        self.assertIn("--all", large)
        self.assertIn("0, 72 times", large)  # nothing holds it, nothing pushes it apart
        self.assertGreater(len(self.good("linearize", HUMANOID, "--base", "free", "--all")), 20 * len(large))

    def test_forces_that_hold(self):
        held = self.of(HUMANOID, "--q", "left_knee=0.5", "--hold")
        self.assertLess(max(abs(x) for x in held["a"]), 1e-9)
        self.assertGreater(max(abs(x) for x in held["tau"]), 1)
        # The same forces from a file.
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "state.json"
            file.write_text(json.dumps({"q": held["q"], "tau": held["tau"]}))
            again = self.of(HUMANOID, "--q", f"@{file}", "--tau", f"@{file}")
        self.close(again["continuous"]["A"], held["continuous"]["A"])

    def test_a_free_base(self):
        # Far from the ground a free body falls: the error of q turns and moves with it.
        x = self.of(HUMANOID, "--base", "free", "--v", "base.wz=2,base.vx=0.5")
        n = len(x["coordinates"])
        self.assertEqual((n, x["coordinates"][0], x["coordinates"][5]), (36, "base.vx", "base.wz"))
        A = x["continuous"]["A"]
        self.assertEqual((len(A), len(A[0]), len(x["continuous"]["B"][0])), (2 * n, 2 * n, n))
        self.assertEqual((A[0][1], A[1][0], A[1][5]), (2, -2, 0.5))

    def test_wrong_use_is_2(self):
        self.refused("linearize", PLANAR, "--step", "0", naming="--step")
        self.refused("linearize", PLANAR, "--q", "1,2,3", naming=["--q", "3"])
        self.refused("linearize", PLANAR, "--v", "elbwo=1", naming="elbwo")
        self.refused("linearize", PLANAR, "--hold", "--tau", "1,2", naming=["--hold", "--tau"])
        self.refused("linearize", "-", text='<robot name="stone"><link name="stone"/></robot>', naming="no degrees of freedom")


if __name__ == "__main__":
    main()
