#!/usr/bin/env python3
"""Tests of lissom plan, and of lissom control --scene.

usage: plan_command_test.py --lissom COMMAND --models FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

LISSOM = MODELS = None


class Plan(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.here = pathlib.Path(self.folder.name)
        self.humanoid = MODELS / "humanoid.urdf"
        self.out = self.here / "climb.json"

    def tearDown(self):
        self.folder.cleanup()

    def file(self, name, value):
        path = self.here / name
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path

    def run_lissom(self, *arguments):
        return subprocess.run([LISSOM, *map(str, arguments)], capture_output=True, text=True, timeout=300)

    def plan(self, scene, goal, *more, robot=None):
        return self.run_lissom("plan", robot or self.humanoid, "--scene", scene, "--goal", goal, "--out", self.out, "--quiet", *more)

    def refused(self, ran, code, *words):
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        for word in words:
            self.assertIn(word, ran.stdout + ran.stderr)
        self.assertEqual(list(self.here.glob("climb*")), [])

    def test_a_stair_is_planned_and_climbed(self):
        scene = self.file("scene.json", {"ground": True, "fixed": [
            {"name": "stair", "shape": {"kind": "box", "size": [0.6, 1, 0.1]}, "pose": [0.6, 0, 0.05]}]})
        ran = self.plan(scene, self.file("goal.json", {"base": [0.5, 0]}), "--json")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        found = json.loads(ran.stdout)
        self.assertTrue(found["reached"])
        for contact in found["steps"][-1]["contacts"]:
            self.assertEqual(contact["on"], "stair/top")
        ran = self.run_lissom("control", self.humanoid, "--motion", self.out, "--scene", scene, "--quiet", "--json")
        self.assertEqual(ran.returncode, 0, ran.stdout[:500] + ran.stderr)
        self.assertTrue(json.loads(ran.stdout)["succeeded"])

    def test_what_is_refused(self):
        flat = self.file("flat.json", {"ground": True})
        goal = self.file("goal.json", {"base": [0.5, 0]})
        self.refused(self.plan(self.file("empty.json", {"fixed": []}), goal), 2, "has no face to stand on")
        self.refused(self.plan(self.file("bad.json", "{"), goal), 2, "bad.json")
        self.refused(self.plan(flat, self.file("none.json", {"tolerance": 1})), 2, "no \"base\", \"contacts\" or \"posture\"")
        self.refused(self.plan(flat, self.file("limb.json", '{\n "contacts": [\n  "tail"]}')), 2,
                     "limb.json:3: /contacts/0", "tail", "left_foot_contact")
        self.refused(self.plan(flat, self.file("far.json", {"base": [0, 1], "tolerance": -1})), 2, "far.json:1: /tolerance", "-1")
        self.refused(self.plan(self.file("shape.json", '{"ground": true,\n"fixed": [{"name": "a", "shape": {"kind": "bax"}}]}'), goal), 2,
                     "shape.json:2: /fixed/0/shape/kind", "bax")
        self.refused(self.plan(flat, self.file("beyond.json", {"base": [4000, 0]})), 1, "has no place there", "no face of the scene")
        self.refused(self.plan(flat, goal, robot=MODELS / "arm7.urdf"), 2, "arm7")

    def test_a_missing_folder_is_said_before_the_search(self):
        flat, far = self.file("flat.json", {"ground": True}), self.file("goal.json", {"base": [900, 0]})
        self.out = self.here / "none" / "climb.json"
        self.refused(self.plan(flat, far), 2, "climb.json' cannot be written", "no folder")

    def test_a_quadruped_steps_up(self):
        scene = self.file("scene.json", {"ground": True, "fixed": [
            {"name": "step", "shape": {"kind": "box", "size": [2, 1.6, 0.08]}, "pose": [1.6, 0, 0.04]}]})
        quadruped = MODELS / "quadruped.urdf"
        ran = self.plan(scene, self.file("goal.json", {"base": [1.3, 0]}), "--json", robot=quadruped)
        self.assertEqual(ran.returncode, 0, ran.stdout[:500] + ran.stderr)
        self.assertEqual({c["on"] for c in json.loads(ran.stdout)["steps"][-1]["contacts"]}, {"step/top"})

    def test_a_quadruped_walks_as_planned(self):
        flat, goal = self.file("flat.json", {"ground": True}), self.file("goal.json", {"base": [0.5, 0]})
        quadruped = MODELS / "quadruped.urdf"
        ran = self.plan(flat, goal, robot=quadruped)
        self.assertEqual(ran.returncode, 0, ran.stdout[:500] + ran.stderr)
        ran = self.run_lissom("control", quadruped, "--motion", self.out, "--scene", flat, "--quiet", "--json")
        self.assertEqual(ran.returncode, 0, ran.stdout[:500] + ran.stderr)

    def test_holes(self):
        box = lambda name, x: {"name": name, "shape": {"kind": "box", "size": [0.6, 1, 0.1]}, "pose": [x, 0, -0.05]}
        scene = self.file("hole.json", {"fixed": [box("here", 0), box("there", 2.5)]})
        self.refused(self.plan(scene, self.file("goal.json", {"base": [2.5, 0]}), "--seconds", "2"), 1,
                     "the goal was not reached", "m away")
        self.refused(self.plan(scene, self.file("in_it.json", {"base": [1.2, 0]})), 1, "has no place there", "no face of the scene")
        under_the_feet = self.file("under.json", {"fixed": [box("there", 2.5)]})
        self.refused(self.plan(under_the_feet, self.file("goal.json", {"base": [2.5, 0]})), 2, "the start is no stance", "on no face")

    def test_robots_without_feet(self):
        flat, goal = self.file("flat.json", {"ground": True}), self.file("goal.json", {"base": [0.5, 0]})
        for robot in ("arm7.urdf", "planar3.urdf", "gripper.urdf"):
            ran = self.plan(flat, goal, robot=MODELS / robot)
            self.refused(ran, 2, "foot" if "foot" in ran.stderr else "feet")

    def test_recordings_show_the_scene(self):
        scene = self.file("scene.json", {"ground": True, "fixed": [
            {"name": "far_box", "shape": {"kind": "box", "size": [0.1, 0.1, 0.1]}, "pose": [3, 0, 0.05]}]})
        run = self.here / "run.npz"
        ran = self.run_lissom("control", self.humanoid, "--motion", "stand", "--scene", scene, "--record", run, "--quiet", "--json",
                              "--push", "1N@left_foot@0.1:0.2")
        self.assertEqual(ran.returncode, 0, ran.stdout[:500] + ran.stderr)
        page = self.here / "page.html"
        ran = self.run_lissom("view", run, "--save", page, "--quiet", "--rate", "2")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertIn("far_box", page.read_text())


if __name__ == "__main__":
    arguments = sys.argv[1:]
    LISSOM = str(pathlib.Path(arguments[arguments.index("--lissom") + 1]).resolve())
    MODELS = pathlib.Path(arguments[arguments.index("--models") + 1]).resolve()
    unittest.main(argv=[sys.argv[0]])
