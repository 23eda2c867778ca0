#!/usr/bin/env python3
"""Tests of lissom linearize.

usage: linearize_test.py --lissom COMMAND [CASE | CASE.test …]
"""
import json
import math
import tempfile
import pathlib

from command_case import HUMANOID, MODELS, CommandCase, largest, main

PLANAR = str(MODELS / "planar2.urdf")
PENDULUM = """<robot name="pendulum"><link name="ground"/>
  <link name="bob"><inertial><origin xyz="0 0 -2"/><mass value="3"/><inertia ixx="1e-9" iyy="1e-9" izz="1e-9" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pivot" type="continuous"><parent link="ground"/><child link="bob"/><axis xyz="0 1 0"/></joint></robot>"""


def rod(name, end):
    """A uniform rod of 1 m and 1 kg from its joint to `end`, along x or z."""
    x, z = end
    inertia = f'<inertia ixx="{abs(z) / 12}" iyy="{1 / 12}" izz="{abs(x) / 12}" ixy="0" ixz="0" iyz="0"/>'
    return f'<link name="{name}"><inertial><origin xyz="{x / 2} 0 {z / 2}"/><mass value="1"/>{inertia}</inertial></link>'


def hinge(name, parent, at):
    return f'<joint name="{name}" type="continuous"><origin xyz="{at}"/><parent link="{parent}"/><child link="{name}"/><axis xyz="0 1 0"/></joint>'


FOUR_BAR = f"""<robot name="four_bar"><link name="ground"/>{rod("crank", (0, -1))}{rod("coupler", (1, 0))}{rod("rocker", (0, -1))}
  {hinge("crank", "ground", "0 0 0")}{hinge("coupler", "crank", "0 0 -1")}{hinge("rocker", "ground", "1 0 0")}</robot>"""
FOUR_BAR_LOOP = {"loops": [{"name": "pin", "a": {"frame": "rocker", "position": [0, 0, -1]}, "b": {"frame": "coupler", "position": [1, 0, 0]}, "axes": "xyz"}]}


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

    def test_it_says_which_branch_it_took(self):
        squeezer = MODELS / "iftomm" / "a03_squeezer.urdf"
        ran = self.run_lissom("linearize", squeezer, "--loops", squeezer.with_suffix(".json"), "--json",
                              "--q=2.827,2.777,-2.749,-2.574,2.08,1.463,1.052")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("closed from a random configuration", ran.stderr)

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
        self.assertLess(largest(*(abs(x) for x in held["a"])), 1e-9)
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

    def test_integrators(self):
        # A damped oscillator, for which every step is a closed form.
        damped = PENDULUM.replace("</joint>", '<dynamics damping="6"/></joint>')
        h, k, d = 0.01, 9.81 / 2, 6 / 12  # 1/s², 1/s
        of = lambda name: self.of("-", "--step", str(h), "--integrator", name, text=damped)["discrete"]
        A = [[0, 1], [-k, -d]]
        times = lambda X, Y: [[sum(X[i][m] * Y[m][j] for m in range(2)) for j in range(2)] for i in range(2)]
        plus = lambda X, Y, f: [[X[i][j] + f * Y[i][j] for j in range(2)] for i in range(2)]
        one = [[1, 0], [0, 1]]
        A2, A3 = times(A, A), times(A, times(A, A))
        self.close(of("explicit_euler")["A"], plus(one, A, h), 1e-8)
        self.close(of("midpoint")["A"], plus(plus(one, A, h), A2, h * h / 2), 1e-8)
        rk4 = plus(plus(plus(plus(one, A, h), A2, h**2 / 2), A3, h**3 / 6), times(A, A3), h**4 / 24)
        self.close(of("rk4")["A"], rk4, 1e-8)
        self.assertEqual(of("rk4")["integrator"], "rk4")
        damping = 1 + h * d + h * h * k
        self.close(of("implicit_euler")["A"], [[1 - h * h * k / damping, h / damping], [-h * k / damping, 1 / damping]], 1e-8)
        self.close(of("implicit_joints")["A"], [[1 - h * h * k / (1 + h * d), h / (1 + h * d)], [-h * k / (1 + h * d), 1 / (1 + h * d)]], 1e-8)
        self.close(of("semi_implicit_euler")["A"], [[1 - h * h * k, h * (1 - h * d)], [-h * k, 1 - h * d]], 1e-8)
        for name in ("variational", "dopri5"):  # of second and fifth order
            self.close(of(name)["A"], rk4, 1e-5)
        text = self.good("linearize", "-", "--step", "0.01", "--integrator", "rk4", text=damped)
        self.assertIn("rk4 steps of lissom sim", text)

    def test_closed_loops(self):
        # A parallelogram: one pendulum of 2/3 + 1 kg m², on which 2/2 + 1 kg m hang.
        rate = math.sqrt(2 * 9.81 / (5 / 3))
        with tempfile.TemporaryDirectory() as folder:
            loops = pathlib.Path(folder) / "loop.json"
            loops.write_text(json.dumps(FOUR_BAR_LOOP))
            hanging = self.of("-", "--loops", str(loops), "--step", "1e-3", text=FOUR_BAR)
            upright = ("-", "--loops", str(loops), "--q", f"crank={math.pi},coupler={-math.pi},rocker={math.pi}")
            up = self.of(*upright, "--step", "1e-3", "--integrator", "rk4", text=FOUR_BAR)
            text = self.good("linearize", *upright, text=FOUR_BAR)
            self.refused("linearize", *upright, "--step", "1e-3", "--integrator", "variational", text=FOUR_BAR, naming=["variational", "closed loops"])
        self.close(hanging["continuous"]["eigenvalues"], [[0, rate], [0, -rate]], 1e-6)
        directions = hanging["continuous"]["directions"]
        self.assertEqual((len(hanging["continuous"]["A"]), len(directions), len(directions[0])), (6, 6, 2))
        self.assertEqual(hanging["discrete"]["integrator"], "semi_implicit_euler")
        largest = hanging["discrete"]["eigenvalues"][0]
        self.assertAlmostEqual(math.hypot(*largest), 1, delta=1e-9)  # symplectic
        self.assertAlmostEqual(math.atan2(largest[1], largest[0]), rate * 1e-3, delta=1e-8)
        self.close(up["continuous"]["eigenvalues"], [[rate, 0], [-rate, 0]], 1e-6)
        self.close(up["discrete"]["eigenvalues"][0], [math.exp(rate * 1e-3), 0], 1e-9)
        for words in ("3 loop rows, 2 of them independent, leave 1", "along motions that keep the loops closed", "an equilibrium", "doubles in 0.202 s"):
            self.assertIn(words, text)

    def test_wrong_use_is_2(self):
        self.refused("linearize", PLANAR, "--integrator", "rk4", naming=["--integrator", "--step"])
        self.refused("linearize", PLANAR, "--step", "0.1", "--integrator", "euler", naming=["--integrator", "rk4"])
        self.refused("linearize", PLANAR, "--step", "0", naming="--step")
        self.refused("linearize", PLANAR, "--step", "1e300", naming=["--step 1e+300", "short"])
        self.refused("linearize", PLANAR, "--q", "1,2,3", naming=["--q", "3"])
        self.refused("linearize", PLANAR, "--v", "elbwo=1", naming="elbwo")
        self.refused("linearize", PLANAR, "--hold", "--tau", "1,2", naming=["--hold", "--tau"])
        self.refused("linearize", "-", text='<robot name="stone"><link name="stone"/></robot>', naming="no degrees of freedom")


if __name__ == "__main__":
    main()
