#!/usr/bin/env python3
"""Tests of lissom stance.

usage: stance_command_test.py --lissom COMMAND --models FOLDER [CASE | CASE.test …]
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

LISSOM = MODELS = None
WEIGHT = 58 * 9.81


class Stance(unittest.TestCase):
    def setUp(self):
        self.humanoid = MODELS / "humanoid.urdf"
        self.postures = MODELS / "postures" / "humanoid.json"

    def run_lissom(self, *arguments, text=None):
        return subprocess.run([LISSOM, *map(str, arguments)], input=text, capture_output=True, text=True, timeout=300)

    def stance(self, *arguments, code=0):
        ran = self.run_lissom("stance", *arguments, "--json")
        self.assertEqual((ran.returncode, ran.stderr), (code, ""), ran.stdout[:300])
        return json.loads(ran.stdout)

    def refused(self, *arguments, naming):
        ran = self.run_lissom("stance", *arguments)
        self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran.stderr)
        for name in naming:
            self.assertIn(name, ran.stderr)

    def found(self, *arguments):
        """Returns a stance after checks: `lissom eval` places the contacts as reported, and their forces balance the weight."""
        s = self.stance(self.humanoid, *arguments)
        self.assertEqual((s["status"], s["what"]), ("found", ""))
        self.assertEqual(s["joints"]["base"], s["base_position"] + s["base_quaternion"])
        states = json.dumps({"states": [{"q": s["joints"]}]})
        ran = self.run_lissom("eval", self.humanoid, "--base", "free", "--states", "-", text=states)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        placements = json.loads(ran.stdout)["results"][0]["placements"]
        for contact in s["contacts"]:
            for x, y in zip(placements[contact["frame"]][9:], contact["position"]):
                self.assertAlmostEqual(x, y, delta=1e-9)
            self.assertLessEqual(contact["friction_use"], 1 + 1e-6)
        for axis, expected_sum in enumerate((0, 0, WEIGHT)):
            self.assertAlmostEqual(sum(c["force"][axis] for c in s["contacts"]), expected_sum, delta=1e-2)
        for name, joint in s["torques"].items():
            self.assertLessEqual(abs(joint["torque"][0]), 0.9 * joint["limit"] + 1e-3, name)
        self.assertEqual((len(s["q"]), len(s["tau"])), (37, 36))
        return s

    def test_feet_one_foot_hands(self):
        s = self.found("--contacts", "left_sole,right_sole")
        self.assertGreater(s["balance_margin"], 0.05)
        self.found("--contacts", "right_sole", "--from", f"{self.postures}#stand")
        s = self.found("--contacts", "left_palm,right_palm", "--from", f"{self.postures}#handstand")
        self.assertGreater(s["com"][2], 0.8)
        self.assertGreater(s["balance_margin"], 0.0199)
        self.found("--contacts", "left_sole,right_sole,left_palm,right_palm", "--from", f"{self.postures}#squat")

    def test_places_and_center_of_mass(self):
        s = self.found("--contacts", "left_sole,right_sole", "--place", "left_sole=0.1,0.15,0,0,0,0.2", "--place",
                       "right_sole=-0.1,-0.1,0", "--com", "0.02,-0.03")
        for x, expected in zip(s["contacts"][0]["position"] + s["com"][:2], (0.1, 0.15, 0, 0.02, -0.03)):
            self.assertAlmostEqual(x, expected, delta=1e-8)

    def test_result_is_a_valid_initial_posture(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "stance.json"
            first = self.stance(self.humanoid, "--contacts", "left_sole", "--from", f"{self.postures}#stand")
            file.write_text(json.dumps(first))
            again = self.stance(self.humanoid, "--contacts", "left_sole", "--from", file)
            self.assertLess(again["posture_distance"], 0.05)
            self.assertEqual(first, self.stance(self.humanoid, "--contacts", "left_sole", "--from", f"{self.postures}#stand"))

    def test_point_feet_and_text(self):
        feet = "front_left_foot,front_right_foot,rear_left_foot:point"
        ran = self.run_lissom("stance", MODELS / "quadruped.urdf", "--contacts", feet)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        for word in ("a stance", "center of mass", "inside the support region", "rear_left_foot", "front_left_knee", "N m", "%"):
            self.assertIn(word, ran.stdout)

    def test_faces_that_collision_boxes_do_not_give(self):
        """The frame of a foot is at its ankle, 10.5 cm above the face: a point in the ground, unless the corners are given."""
        feet = ("--contacts", "left_foot,right_foot")
        s = self.stance(self.humanoid, *feet, code=1)
        self.assertIn("the frame is not at the sole", s["what"])
        self.assertEqual([c["kind"] for c in s["contacts"]], ["point", "point"])
        self.assertEqual(len(s["remarks"]), 2)
        self.assertIn("'left_foot' is taken as a point, because no collision box", s["remarks"][0])
        self.assertIn("note: contact 'left_foot' is taken as a point", self.run_lissom("stance", self.humanoid, *feet).stdout)
        self.assertEqual(self.stance(self.humanoid, *feet[:1], "left_foot:point,right_foot:point", code=1)["remarks"], [])
        self.refused(self.humanoid, "--contacts", "left_foot:surface", naming=["left_foot", "--points"])

        corners = "-0.1,-0.05,-0.105:0.14,-0.05,-0.105:0.14,0.05,-0.105:-0.1,0.05,-0.105"
        points = ("--points", f"left_foot={corners}", "--points", f"right_foot={corners}")
        s = self.found(*feet, *points)
        self.assertEqual(s["remarks"], [])
        self.assertGreater(s["balance_margin"], 0.0199)
        for contact in s["contacts"]:
            self.assertEqual((contact["kind"], len(contact["points"])), ("surface", 4))
            self.assertAlmostEqual(contact["position"][2], 0.105, delta=1e-9)
            for point in contact["points"]:
                self.assertAlmostEqual(point[2], 0, delta=1e-9)
        self.refused(self.humanoid, *feet, "--points", "left_foot", naming=["--points", "FRAME=x,y,z:x,y,z"])
        self.refused(self.humanoid, *feet, "--points", "left_hand=0,0,0", naming=["--points", "not among"])
        self.refused(self.humanoid, *feet, "--points", "left_foot=0,0,0:1,0,0", naming=["--points", "2 points"])
        self.refused(self.humanoid, *feet, "--points", "left_foot=0,0,0:1,0,0:0,1,0.1", naming=["left_foot", "different z"])

    def test_feet_of_meshes(self):
        text = self.humanoid.read_text()
        start = text.index('<link name="left_foot">')
        end = text.index("</link>", start)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mesh.urdf"
            file.write_text(text[:start] + re.sub(r"<box[^>]*>", '<mesh filename="foot.stl"/>', text[start:end]) + text[end:])
            s = self.stance(file, "--contacts", "left_sole,right_sole")
        self.assertEqual([c["kind"] for c in s["contacts"]], ["point", "surface"])
        self.assertEqual(len(s["remarks"]), 1)
        self.assertIn("'left_sole' is taken as a point, because its body has meshes", s["remarks"][0])

    def test_no_stance_and_the_reason(self):
        two = ("--contacts", "left_sole,right_sole")
        s = self.stance(self.humanoid, *two, "--place", "left_sole=0,0,0", "--place", "right_sole=3,0,0", code=1)
        self.assertEqual(s["status"], "no_posture")
        self.assertIn("'right_sole' does not reach its placement", s["what"])
        s = self.stance(self.humanoid, *two, "--place", "left_sole=0,0,0", "--place", "right_sole=0.3,0,0", "--com",
                        "0.1,0.4,0.7", code=1)
        self.assertEqual(s["status"], "not_balanced")
        self.assertIn("33.5 cm outside", s["what"])
        s = self.stance(self.humanoid, *two, "--com", "0.02,0,0.4", "--from", f"{self.postures}#squat", "--torque-fraction",
                        "0.02", "--starts", "3", code=1)
        self.assertEqual(s["status"], "torque_limits")
        self.assertIn("N m more than 0.02 of its limit", s["what"])
        ran = self.run_lissom("stance", self.humanoid, *two, "--place", "left_sole=0,0,0", "--place", "right_sole=3,0,0")
        self.assertEqual((ran.returncode, ran.stderr), (1, ""))
        self.assertIn("no stance found: contact 'right_sole'", ran.stdout)

    def test_wrong_use(self):
        H = self.humanoid
        self.refused(H, "--contacts", "left_sol", naming=["--contacts", "left_sole"])
        self.refused(H, "--contacts", "left_sole:flat", naming=["left_sole:flat", "FRAME:point"])
        self.refused(H, "--contacts", "left_sole,left_sole", naming=["left_sole", "twice"])
        self.refused(H, "--contacts", "left_sole", "--place", "right_sole=0,0,0", naming=["right_sole", "not among"])
        self.refused(H, "--contacts", "left_sole", "--place", "left_sole=0,0", naming=["--place", "2 numbers"])
        self.refused(H, "--contacts", "left_sole", "--place", "left_sole", naming=["--place", "FRAME=x,y,z"])
        self.refused(H, "--contacts", "left_sole", "--com", "0", naming=["--com", "1 number"])
        self.refused(H, "--contacts", "left_sole", "--from", "nowhere.json#stand", naming=["--from", "nowhere.json"])
        self.refused(H, "--contacts", "left_sole", "--from", f"{self.postures}#stood", naming=["stood", "handstand"])
        self.refused(H, "--contacts", "left_sole", "--from", self.postures, naming=["which posture", "handstand"])
        self.refused(H, "--contacts", "left_sole", "--from", H, naming=["--from", "JSON"])
        self.refused(H, "--contacts", "left_sole", "--ground", "low", naming=["--ground"])
        self.refused(MODELS / "arm7.urdf", "--contacts", "tool", "--from", f"{self.postures}#stand", naming=["chest_pitch"])


if __name__ == "__main__":
    arguments = sys.argv[1:]
    LISSOM = arguments[arguments.index("--lissom") + 1]
    MODELS = pathlib.Path(arguments[arguments.index("--models") + 1]).resolve()
    rest = [a for i, a in enumerate(arguments) if not a.startswith("--") and arguments[i - 1] not in ("--lissom", "--models")]
    unittest.main(argv=[sys.argv[0], *rest])
