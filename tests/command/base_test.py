#!/usr/bin/env python3
"""Tests of --base on files that float already or have a link `world`, of limits that are none, and of what check says about all that.

usage: base_test.py --lissom COMMAND [CASE | CASE.test …]
"""
import json
import math
import pathlib
import tempfile

from command_case import HUMANOID, MALFORMED, MODELS, CommandCase, main

FLOATING_BOX = MODELS / "mechanisms" / "floating_box.urdf"
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'


def link(name, content=INERTIAL):
    return f'<link name="{name}">{content}</link>\n'


def joint(name, kind, parent, child, content=""):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{content}</joint>\n'


class BaseCase(CommandCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def robot(self, *elements):
        path = self.folder / "robot.urdf"
        path.write_text('<robot name="r">\n' + "".join(elements) + "</robot>\n")
        return path


class Base(BaseCase):
    def test_floating_file_gets_no_second_base(self):
        for base in ("free", "planar"):
            ran = self.run_lissom("info", FLOATING_BOX, "--base", base, "--json")
            self.assertEqual(ran.returncode, 0)
            self.assertEqual((json.loads(ran.stdout)["nv"], json.loads(ran.stdout)["joints"][0]["name"]), (6, "flight"))
            self.assertIn("note: joint 'flight'", ran.stderr)
            self.assertIn("[base-floats]", ran.stderr)
            self.assertIn("[base-floats]", self.good("check", FLOATING_BOX, "--base", base))
        self.assertNotIn("base-floats", self.good("check", FLOATING_BOX))
        ran = self.run_lissom("sim", FLOATING_BOX, "--base", "free", "--seconds", "0.1", "--json")
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_fixed_base_of_a_floating_file_is_a_warning(self):
        ran = self.run_lissom("info", FLOATING_BOX, "--base", "fixed", "--json")
        self.assertEqual((ran.returncode, json.loads(ran.stdout)["nv"]), (0, 6))
        self.assertIn("warning: joint 'flight': a fixed base was asked for, but the robot floats by this joint", ran.stderr)

    def test_link_world_that_moves_is_not_the_inertial_frame(self):
        robot = self.robot(link("world", ""), joint("mount", "fixed", "world", "trunk", '<origin xyz="0 0 0.5"/>'), link("trunk"))
        ran = self.run_lissom("eval", robot, "--base", "free", "--states", "-",
                              text=json.dumps({"states": [{"q": {"base": [1, 2, 3, 1, 0, 0, 0]}}]}))
        self.assertEqual(ran.returncode, 0)
        self.assertIn("[world-moves]", ran.stderr)
        result = json.loads(ran.stdout)["results"][0]
        self.assertEqual(result["placements"]["world"][9:], [1, 2, 3])
        self.assertEqual(result["placements"]["trunk"][9:], [1, 2, 3.5])
        self.assertEqual(result["jacobians"]["world"], [[float(i == j) for j in range(6)] for i in range(6)])
        frames = [f["name"] for f in json.loads(self.run_lissom("info", robot, "--base", "free", "--json").stdout)["frames"]]
        self.assertEqual(frames, ["universe", "world", "trunk"])
        fixed = json.loads(self.good("info", robot, "--json"))["frames"]
        self.assertEqual([(f["name"], f["body"]) for f in fixed], [("universe", 0), ("world", 0), ("trunk", 0)])
        tree = self.run_lissom("info", robot, "--base", "free").stdout
        self.assertRegex(tree, r"\n  world +base: free")


class Limits(BaseCase):
    def test_far_limits_are_none(self):
        robot = self.robot(link("a"), link("b"), link("c"),
                           joint("rotor", "revolute", "a", "b", '<axis xyz="0 0 1"/><limit lower="-1e+16" upper="1e+16" effort="1" velocity="1"/>'),
                           joint("winch", "revolute", "b", "c", '<axis xyz="0 0 1"/><limit lower="-1" upper="1e+16" effort="1" velocity="1"/>'))
        self.assertIn("[limit-infinite]", self.good("check", robot))
        text = self.good("info", robot)
        self.assertNotIn("e+", text)
        self.assertRegex(text, r"rotor: revolute  q\[0\]  v\[0\]  1 N·m")
        self.assertRegex(text, r"winch: revolute .* from -57\.3 °")
        joints = json.loads(self.good("info", robot, "--json"))["joints"]
        self.assertEqual([(j["lower"], j["upper"]) for j in joints], [([], []), ([-1], [None])])
        self.good("verify", robot, "--base", "free", "--states", "5")
        text = self.good("ik", robot, "--frame", "b", "--orientation-rpy", "0,0,1")
        self.assertNotIn("e+", text)
        # Angles themselves may be as large as one likes.
        states = json.dumps({"states": [{"q": {"rotor": [x]}} for x in (1e6, math.remainder(1e6, 2 * math.pi))]})
        far, near = json.loads(self.good("eval", robot, "--states", "-", text=states))["results"]
        for x, y in zip(far["placements"]["b"], near["placements"]["b"]):
            self.assertAlmostEqual(x, y, delta=1e-9)


class CheckOptions(BaseCase):
    def test_base_and_mimic(self):
        massless = self.robot(link("only", ""))
        self.assertIn("no link has mass", self.good("check", massless))
        ran = self.run_lissom("check", massless, "--base", "free")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("warning: robot: no link has mass", ran.stdout)

        hinged = self.robot(link("a", ""), link("b"), joint("j", "continuous", "a", "b", '<axis xyz="0 0 1"/>'))
        self.assertIn("no problems found", self.good("check", hinged))
        ran = self.run_lissom("check", hinged, "--base", "free")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("joint 'base'", ran.stdout)
        self.assertIn("[dynamics-singular]", ran.stdout)

        follower = self.robot(link("a"), link("b"), link("c", ""), joint("j", "continuous", "a", "b"),
                              joint("k", "continuous", "a", "c", '<mimic joint="j"/>'))
        self.good("check", follower)
        self.assertEqual(self.run_lissom("check", follower, "--mimic", "independent").returncode, 1)
        self.refused("check", follower, "--base", "loose", naming="loose")

    def test_findings_are_grouped(self):
        limit = '<limit lower="-1" upper="1" effort="0" velocity="0"/>'
        links = [link(f"l{i}") for i in range(41)]
        joints = [joint(f"j{i}", "revolute", f"l{i}", f"l{i + 1}", '<axis xyz="0 0 1"/>' + limit) for i in range(40)]
        robot = self.robot(*links, *joints)
        ran = self.run_lissom("check", robot)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("the velocity and effort limits are zero", ran.stdout)
        self.assertIn("and 39 more of this kind: joint 'j1' (line 44), joint 'j2'", ran.stdout)
        self.assertIn("0 errors, 40 warnings, 0 notes", ran.stdout)
        self.assertEqual(len(ran.stdout.splitlines()), 4)
        self.assertEqual(len(self.run_lissom("check", robot, "--all").stdout.splitlines()), 81)
        report = json.loads(self.run_lissom("check", robot, "--json").stdout)["files"][0]
        self.assertEqual((report["warnings"], len(report["diagnostics"])), (40, 40))

    def test_ignore(self):
        robot = MALFORMED / "inertia_triangle.urdf"
        self.assertEqual(self.run_lissom("check", robot).returncode, 1)
        self.assertEqual(self.good("check", robot, "--ignore", "limit-zero,inertia-triangle"), "no problems found\n")
        report = json.loads(self.good("check", robot, "--ignore", "inertia-triangle", "--json"))["files"][0]
        self.assertEqual(report["diagnostics"], [])
        # It takes one argument, not the next file.
        ran = self.run_lissom("check", "--ignore", "limit-zero", robot, HUMANOID)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("inertia-triangle", ran.stdout)
        self.refused("check", "--packages", self.folder, robot, HUMANOID, naming=["--packages", "inertia_triangle.urdf"])
        # An error is one in any case.
        self.assertEqual(self.run_lissom("check", MALFORMED / "axis_zero.urdf", "--ignore", "axis-zero").returncode, 1)

    def test_meshes(self):
        mesh = '<visual><geometry><mesh filename="{}"/></geometry></visual>'
        robot = self.robot(*(link(f"l{i}", INERTIAL + mesh.format(f"meshes/{i}.stl")) for i in range(20)),
                           *(joint(f"j{i}", "continuous", "l0", f"l{i}") for i in range(1, 20)))
        text = self.good("check", robot)
        self.assertIn("'meshes/0.stl' is not found (20 times, first here)", text)
        self.assertLess(len(text.splitlines()), 5)
        self.assertEqual(self.run_lissom("check", robot, "--require-meshes").returncode, 1)

    def test_own_robots_with_a_free_base(self):
        for robot in (HUMANOID, MODELS / "quadruped.urdf"):
            self.assertRegex(self.good("check", robot, "--base", "free"), r"no problems found|0 errors, 0 warnings, \d+ notes?\n$")


if __name__ == "__main__":
    main()
