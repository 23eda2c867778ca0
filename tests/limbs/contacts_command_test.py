#!/usr/bin/env python3
"""Tests of lissom contacts, and of lissom stance on a robot's own feet.

usage: contacts_command_test.py --lissom COMMAND --models FOLDER [CASE | CASE.test …]
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

LISSOM = MODELS = None


def run(*arguments):
    return subprocess.run([LISSOM, *map(str, arguments)], capture_output=True, text=True, timeout=300)


class Contacts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_what_is_printed(self):
        ran = run("contacts", MODELS / "humanoid.urdf")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        for words in ("humanoid: 4 contacts (proposed)", "left_foot_contact", "link left_foot: lowest face of its "
                      "collision shapes, 240 × 130 mm", "joints left_hip_yaw", "it stands: base at 0.7"):
            self.assertIn(words, ran.stdout)

    def test_json(self):
        ran = run("contacts", MODELS / "quadruped.urdf", "--json")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        out = json.loads(ran.stdout)
        self.assertEqual([c["name"] for c in out["contacts"]],
                         [f"{end}_{side}_foot_contact" for end in ("front", "rear") for side in ("left", "right")])
        self.assertEqual({(c["kind"], c["radius"], c["link"][-5:]) for c in out["contacts"]}, {("point", 0.025, "_foot")})
        self.assertTrue(out["stands"])

    def test_a_file_that_was_edited(self):
        robot = self.folder / "robot.urdf"
        shutil.copy(MODELS / "humanoid.urdf", robot)
        file = self.folder / "robot.contacts.json"
        self.assertEqual(run("contacts", robot, "--write", file).returncode, 0)
        contacts = json.loads(file.read_text())
        for contact in contacts["contacts"]:
            contact["name"] = contact["name"].replace("_contact", "_face")
            contact["friction"] = 0.5
        contacts["posture"]["left_knee"] = 1.0
        file.write_text(json.dumps(contacts))
        ran = run("contacts", robot)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn(f"4 contacts ({file})", ran.stdout)
        self.assertIn("left_foot_face", ran.stdout)
        self.assertIn("(proposed)", run("contacts", robot, "--propose").stdout)
        stance = json.loads(run("stance", robot, "--json").stdout)
        self.assertEqual([c["frame"] for c in stance["contacts"]], ["left_foot_face", "right_foot_face"])
        self.assertGreater(stance["joints"]["left_knee"][0], 0.9)
        file.write_text("{")
        ran = run("stance", robot)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("invalid JSON", ran.stderr)

    def test_stance_without_contacts_stands_on_the_feet(self):
        for name, feet in ("humanoid", 2), ("quadruped", 4):
            ran = run("stance", MODELS / f"{name}.urdf", "--json")
            self.assertEqual(ran.returncode, 0, ran.stdout[:300] + ran.stderr)
            stance = json.loads(ran.stdout)
            self.assertEqual((stance["status"], len(stance["contacts"])), ("found", feet))
            for contact in stance["contacts"]:
                for point in contact["points"]:
                    self.assertAlmostEqual(point[2], 0, delta=1e-6)

    def test_names_of_contacts(self):
        ran = run("stance", MODELS / "humanoid.urdf", "--contacts", "left_foot_contact", "--json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(json.loads(ran.stdout)["contacts"][0]["kind"], "surface")
        ran = run("stance", MODELS / "humanoid.urdf", "--contacts", "left_fot_contact")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("nearest frames: left_foot_contact", ran.stderr)

    def test_robots_without_feet(self):
        for verb in "contacts", "stance":
            ran = run(verb, MODELS / "arm7.urdf")
            self.assertEqual((ran.returncode, ran.stdout), (1, ""))
            self.assertIn("robot 'arm7' has no feet", ran.stderr)
        written = self.folder / "none.json"
        self.assertEqual(run("contacts", MODELS / "arm7.urdf", "--write", written).returncode, 1)
        self.assertFalse(written.exists())

    def test_wrong_use(self):
        for arguments, words in (
            (("contacts", self.folder / "none.urdf"), "none.urdf"),
            (("contacts", MODELS / "humanoid.urdf", "--contacts-file", self.folder / "none.json"), "none.json"),
            (("contacts", MODELS / "humanoid.urdf", "--write", self.folder / "none" / "x.json"), "cannot be written"),
            (("stance", MODELS / "humanoid.urdf", "--base", "fixed"), "--contacts is missing"),
        ):
            ran = run(*arguments)
            self.assertEqual(ran.returncode, 2, ran.stdout + ran.stderr)
            self.assertIn(words, ran.stderr)

    def test_a_contact_above_the_sole(self):
        """The ankle's frame is not the sole: the foot would be in the ground."""
        ran = run("stance", MODELS / "humanoid.urdf", "--contacts", "left_foot,right_foot", "--starts", "1")
        self.assertEqual(ran.returncode, 1, ran.stdout[:300] + ran.stderr)
        self.assertIn("which carries it, 10", ran.stdout)
        self.assertIn("below it", ran.stdout)

    def test_a_robot_without_mass(self):
        text = (MODELS / "humanoid.urdf").read_text()
        file = self.folder / "light.urdf"
        import re
        file.write_text(re.sub(r"<inertial>.*?</inertial>", "", text, flags=re.S))
        ran = run("stance", file, "--contacts", "left_sole,right_sole")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("no mass", ran.stderr)

    def test_effort_limits_of_zero(self):
        text = (MODELS / "humanoid.urdf").read_text()
        import re
        file = self.folder / "weak.urdf"
        file.write_text(re.sub(r'(name="left_grip".*?effort=)"[^"]*"', r'\1"0"', text, count=1, flags=re.S))
        ran = run("stance", file, "--contacts", "left_sole,right_sole")
        self.assertNotIn("nan", ran.stdout)
        self.assertIn("joint 'left_grip' has an effort limit of 0", ran.stdout)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    LISSOM = arguments[arguments.index("--lissom") + 1]
    MODELS = pathlib.Path(arguments[arguments.index("--models") + 1])
    rest = [a for k, a in enumerate(arguments) if not a.startswith("--") and (k == 0 or not arguments[k - 1].startswith("--"))]
    unittest.main(argv=[sys.argv[0], *rest])
