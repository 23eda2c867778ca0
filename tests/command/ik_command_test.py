#!/usr/bin/env python3
"""Tests of lissom ik.

usage: ik_command_test.py --lissom COMMAND [CASE | CASE.test …]
"""
import json
import math

from command_case import HUMANOID, MODELS, CommandCase, main


class Ik(CommandCase):
    ARM = str(MODELS / "arm7.urdf")

    def solved(self, *arguments):
        return json.loads(self.good("ik", *arguments, "--json"))

    def unsolved(self, *arguments):
        ran = self.run_lissom("ik", *arguments, "--json")
        self.assertEqual((ran.returncode, ran.stderr), (1, ""))
        return json.loads(ran.stdout)

    def placement(self, robot, frame, joints, *more):
        """The placement of a frame by `lissom eval`: nine elements of the rotation, row by row, then the position."""
        text = json.dumps({"states": [{"q": joints}]})
        return json.loads(self.good("eval", robot, "--states", "-", *more, text=text))["results"][0]["placements"][frame]

    def test_pose(self):
        found = self.solved(self.ARM, "--frame", "tool", "--position", "0.4,0.1,0.6", "--orientation-rpy", "0,1.57,0")
        self.assertEqual(found["status"], "solved")
        self.assertLess(found["targets"][0]["distance"], 1e-6)
        X = self.placement(self.ARM, "tool", found["joints"])
        for x, expected in zip(X[9:], (0.4, 0.1, 0.6)):
            self.assertAlmostEqual(x, expected, delta=1e-6)
        self.assertAlmostEqual(X[2], math.sin(1.57), delta=2e-6)  # the tool's z axis, rotated about y
        same = self.solved(self.ARM, "--frame", "tool", "--position", "0.4,0.1,0.6", "--orientation-quaternion",
                           f"{math.cos(0.785)},0,{math.sin(0.785)},0")
        for a, b in zip(found["q"], same["q"]):
            self.assertAlmostEqual(a, b, delta=1e-4)

    def test_negative_numbers_point_look_at_com_and_base(self):
        found = self.solved(self.ARM, "--frame", "tool", "--position", "-0.3,-0.4,0.5", "--point", "0,0,0.1")
        X = self.placement(self.ARM, "tool", found["joints"])
        tip = [X[9 + i] + 0.1 * X[3 * i + 2] for i in range(3)]
        for x, expected in zip(tip, (-0.3, -0.4, 0.5)):
            self.assertAlmostEqual(x, expected, delta=2e-6)
        found = self.solved(HUMANOID, "--base", "free", "--frame", "left_palm", "--position", "0.3,0.3,0.2",
                            "--eye", "head_camera", "--look-at", "0.6,0.4,0", "--com", "0,0,-0.1")
        self.assertEqual([t["kind"] for t in found["targets"]], ["position", "look-at", "center of mass"])
        self.assertEqual(len(found["q"]), 37)

    def test_a_platform_on_rods(self):
        delta, to = str(MODELS / "mechanisms" / "delta.urdf"), (0.05, -0.08, -0.55)
        found = self.solved(delta, "--loops", str(MODELS / "mechanisms" / "delta.json"), "--frame", "platform",
                            "--position", ",".join(map(str, to)))
        X = self.placement(delta, "platform", found["joints"])
        for x, expected in zip(X, (1, 0, 0, 0, 1, 0, 0, 0, 1, *to)):
            self.assertAlmostEqual(x, expected, delta=1e-5)
        # The arm in the xz plane, as the delta's equation says: the rods span from the elbow to the platform.
        angle = found["joints"]["shoulder_a"][0]
        span = (to[0] + 0.06 - 0.20 - 0.22 * math.cos(angle), to[1], to[2] + 0.22 * math.sin(angle))
        self.assertAlmostEqual(math.hypot(*span), 0.6, delta=1e-6)

    def test_text_names_joints_limits_and_residuals(self):
        text = self.good("ik", self.ARM, "--frame", "tool", "--position", "0.4,0.1,0.6")
        for part in ("solved", "position of 'tool'", "joint1", "°", "limits"):
            self.assertIn(part, text)

    def test_out_of_reach_is_1_and_closest(self):
        found = self.unsolved(self.ARM, "--frame", "tool", "--position", "3,0,0.2", "--starts", 5)
        self.assertEqual(found["status"], "closest")
        self.assertGreater(found["targets"][0]["distance"], 1)
        joints = {j["name"]: j for j in json.loads(self.good("info", self.ARM, "--json"))["joints"]}
        for name, (x,) in found["joints"].items():
            self.assertTrue(joints[name]["lower"][0] <= x <= joints[name]["upper"][0], name)
        ran = self.run_lissom("ik", self.ARM, "--frame", "tool", "--position", "3,0,0.2", "--starts", 5)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("not reached", ran.stdout)

    def test_seed_from_all_and_prefer(self):
        ask = [self.ARM, "--frame", "tool", "--position", "0.4,-0.2,0.5", "--orientation-rpy", "0.3,1.5,0.1"]
        self.assertEqual(self.solved(*ask, "--seed", 3), self.solved(*ask, "--seed", 3))
        all_of_them = self.solved(*ask, "--all", "--starts", 30, "--prefer", "nearest")
        self.assertGreater(len(all_of_them["solutions"]), 1)
        lengths = [sum(x * x for x in s["q"]) for s in all_of_them["solutions"]]
        self.assertEqual(lengths, sorted(lengths))
        again = self.solved(*ask, "--from", ",".join(map(str, all_of_them["q"])))
        self.assertLessEqual(again["iterations"], 3)
        self.solved(*ask, "--from", "joint2=0.5,joint4=-1", "--prefer", "central")

    def test_wrong_use_is_2(self):
        arm = self.ARM
        self.refused("ik", arm, naming="no target")
        self.refused("ik", arm, "--frame", "tol", "--position", "1,0,0", naming=["--frame", "tol", "tool"])
        self.refused("ik", arm, "--position", "1,0,0", naming="--frame is missing")
        self.refused("ik", arm, "--frame", "tool", "--position", "1,0", naming=["--position", "2 numbers", "expected 3"])
        self.refused("ik", arm, "--frame", "tool", "--position", "1,0,up", naming=["--position", "up"])
        self.refused("ik", arm, "--frame", "tool", "--position", "1,0,nan", naming=["--position", "nan"])
        self.refused("ik", arm, "--frame", "tool", "--orientation-quaternion", "1,1,0,0", naming=["norm 1.41421", "expected"])
        self.refused("ik", arm, "--frame", "tool", "--orientation-quaternion", "1,0,0,0", "--orientation-rpy", "0,0,0",
                     naming="one of them")
        self.refused("ik", arm, "--frame", "tool", "--point", "1,0,0", naming="--position")
        self.refused("ik", arm, "--frame", "tool", "--position", "1,0,0", "--from", "1,2", naming=["--from", "expected 7"])
        self.refused("ik", arm, "--frame", "tool", "--position", "1,0,0", "--from", "joint9=2", naming="joint9")
        self.refused("ik", arm, "--frame", "tool", "--position", "1,0,0", "--prefer", "best", naming=["--prefer", "best"])
        self.refused("ik", arm, "--frame", "tool", "--position", "1,0,0", "--starts", "0", naming="--starts")
        self.refused("ik", "no_such_robot.urdf", "--frame", "tool", "--position", "1,0,0", naming="no_such_robot.urdf")


if __name__ == "__main__":
    main()
