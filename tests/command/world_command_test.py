#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lissom sim of worlds: scenes and robots on the ground, their reports, recordings and errors."""
import csv
import json
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from command_case import HUMANOID, MODELS, CommandCase, largest, main

SCENES = MODELS / "scenes"
STACK = str(SCENES / "stack.json")
QUADRUPED = str(MODELS / "quadruped.urdf")


class Scenes(CommandCase):
    def test_every_scene_runs(self):
        # Those in which nothing moves are surroundings of robots (`lissom plan`, `lissom control --scene`).
        surroundings = {"bar", "flat", "stairs", "step"}
        for name in surroundings:
            self.refused("sim", SCENES / f"{name}.json", naming=["nothing in the scene moves"])
        names = sorted({path.stem for path in SCENES.glob("*.json")} - surroundings)
        self.assertEqual(names, ["666", "carry", "cradle", "domino", "grip", "rolling", "stack", "wall"])
        for name in names:
            run = self.run_lissom("sim", SCENES / f"{name}.json", "--seconds", "0.02", "--json", "--quiet")
            ran = json.loads(run.stdout)
            self.assertEqual(run.returncode, 0)
            # The wall has more rows than Newton's method takes, and says that its steps are off by some µm/s.
            self.assertEqual(len(ran["warnings"]), name == "wall", ran["warnings"])
            self.assertEqual(run.stderr.count("did not meet the laws of contact"), name == "wall")
            self.assertEqual(ran["steps"], 20)
            self.assertAlmostEqual(ran["t"], 0.02)
            self.assertLess(ran["max_residual"], 1e-3)
            self.assertLess(ran["max_overlap"], 1e-4)
            self.assertGreater(ran["contacts"]["max"], 0)
            self.assertFalse(ran["interrupted"])
            self.assertEqual(ran["settings"]["scene"], name)

    def test_the_stack_stands(self):
        ran = json.loads(self.good("sim", STACK, "--json"))
        self.assertEqual(ran["steps"], 2000)  # as the file says
        heights = [part["q"][2] for part in ran["parts"]]
        for i, height in enumerate(heights):
            self.assertAlmostEqual(height, 0.05 + 0.1 * i, delta=1e-4)
        self.assertEqual(ran["slips"], [])
        text = self.good("sim", STACK, "--seconds", "0.1")
        for word in ("contacts", "residual", "not converged", "energy", "overlap", "slips"):
            self.assertIn(word, text)

    def test_step_gravity_and_pushes_are_taken(self):
        ran = json.loads(self.good("sim", STACK, "--seconds", "0.05", "--step", "0.005", "--gravity", "0,0,-1", "--json"))
        self.assertEqual((ran["steps"], ran["settings"]["gravity"]), (10, [0, 0, -1]))
        pushed = json.loads(self.run_lissom("sim", STACK, "--seconds", "0.2", "--push", "30,0,0@box9@0:0.1", "--json").stdout)
        self.assertEqual(pushed["slips"][0]["a"], "box9")
        self.assertGreater(pushed["parts"][9]["v"][0], 0.1)

    def test_recordings_are_those_of_robots(self):
        with tempfile.TemporaryDirectory() as folder:
            run, other = f"{folder}/run.mcap", f"{folder}/run.npz"
            ran = json.loads(self.good("sim", STACK, "--seconds", "0.1", "--every", "10", "--record", run, "--json"))
            self.assertEqual(ran["recording"]["frames"], 11)
            listed = json.loads(self.good("plot", "--list", "--json", run))
            signals = {s["name"]: s["columns"] for s in listed[0]["signals"]}
            self.assertEqual(len(signals["q"]), 70)
            self.assertEqual(len(signals["contacts"]) % 14, 0)
            self.assertIn("box3.z", [c["name"] for c in signals["forces"]])
            self.good("convert", run, other)
            self.good("compare", run, other, "--tolerance", "0")
            self.good("view", run, "--save", f"{folder}/run.html")
            self.refused("sim", "--restart", run, naming="recording of a world")

    def test_contacts_keep_their_places(self):
        with tempfile.TemporaryDirectory() as folder:
            run = f"{folder}/run.csv"
            self.good("sim", STACK, "--seconds", "0.05", "--record", run)
            with open(run, encoding="utf-8") as file:
                rows = list(csv.reader(line for line in file if not line.startswith("#")))
            first = rows[0].index("contacts.0.x [m]")
            places = [[tuple(map(float, row[first + 14 * i:first + 14 * (i + 1)])) for i in range(80)] for row in rows[2:]]
            # Ten boxes: 4 points on the ground, 8 of each two that are turned against each other.
            for frame in places:
                self.assertEqual(sum(place[12] >= 0 for place in frame), 76)
                # All forces on bodies and from the ground: the weight of all boxes.
                weight = sum(abs(place[8]) for place in frame if place[13] == 0 or place[12] == 0)
                self.assertAlmostEqual(weight, 98.1, delta=0.01)
            for before, after in zip(places, places[1:]):
                for one, other in zip(before, after):
                    self.assertEqual(one[12:], other[12:])
                    self.assertLess(largest(*(abs(x - y) for x, y in zip(one[:3], other[:3]))), 1e-6)

    def test_two_runs_have_the_same_bits(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a", "b"):
                self.good("sim", SCENES / "666.json", "--seconds", "0.05", "--record", f"{folder}/{name}.mcap")
            self.good("compare", f"{folder}/a.mcap", f"{folder}/b.mcap", "--tolerance", "0")

    def test_semi_implicit_euler_is_of_first_order(self):
        """A ball that falls for 0.1 s in steps of 10 ms is lower by g h t/2 with it."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "fall.json"
            for stepping, option in (("trapezoid", []), ("semi_implicit_euler", []), ("trapezoid", ["--integrator", "semi_implicit_euler"])):
                path.write_text('{"step": 0.01, "seconds": 0.1, "stepping": "' + stepping + '", "bodies": [{"name": "a", "mass": 1, '
                                '"shape": {"kind": "sphere", "radius": 0.1}}]}')
                ran = json.loads(self.good("sim", path, *option, "--json"))
                lag = 0 if stepping == "trapezoid" and not option else 0.5 * 9.81 * 0.01 * 0.1
                self.assertAlmostEqual(ran["parts"][0]["q"][2], -0.5 * 9.81 * 0.01 - lag, places=9)
            path.write_text('{"stepping": "euler", "bodies": []}')
            self.refused("sim", path, naming=["/stepping", "'euler'", "semi_implicit_euler"])

    def test_wrong_use_is_refused(self):
        for option in (["--q", "0"], ["--controller", "pd"], ["--base", "free"], ["--random", "1"], ["--ground"], ["--friction", "1"],
                       ["--integrator", "rk4"], ["--tolerance", "1e-3"], ["--zero-order-hold"], ["--loops", "x.json"]):
            self.refused("sim", STACK, *option, naming=option[0])
        self.refused("sim", STACK, "--push", "1N@nobody", naming="nobody")
        self.refused("sim", "nowhere.json", naming="nowhere.json")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.json"
            path.write_text('{"bodies": [{"name": "a", "mass": -1}]}')
            self.refused("sim", path, naming=["bad.json:1: /bodies/0/mass", "expected a positive number"])


class Ground(CommandCase):
    def test_the_humanoid_stands_on_its_servos(self):
        with tempfile.TemporaryDirectory() as folder:
            run = f"{folder}/run.mcap"
            ran = json.loads(self.good("sim", HUMANOID, "--base", "free", "--ground", "--seconds", "1", "--controller", "pd", "--stiffness", "500",
                                       "--damping", "50", "--record", run, "--json"))
            self.assertAlmostEqual(ran["raised"]["humanoid"], 0.765, places=6)
            self.assertAlmostEqual(ran["parts"][0]["q"][2], 0.765, delta=0.01)
            self.assertEqual(ran["contacts"]["now"], 8)
            listed = self.good("plot", "--list", run)
            for name in ("base.z", "left_knee", "left_foot.z", "desired_q"):
                self.assertIn(name, listed)

    def test_it_falls_without(self):
        ran = json.loads(self.good("sim", HUMANOID, "--base", "free", "--ground", "--seconds", "1", "--json"))
        self.assertLess(ran["parts"][0]["q"][2], 0.6)
        energy, work = ran["energy"], ran["work"]
        self.assertLess(energy["after"], energy["before"])
        self.assertAlmostEqual(energy["unexplained"], energy["after"] - energy["before"] - sum(work.values()))
        self.assertLess(largest(work["impacts"], work["friction"], work["limits"]), -1)
        self.assertLess(abs(energy["unexplained"]), 0.1)
        self.assertEqual(ran["warnings"], [])

    def test_energy_from_nowhere(self):
        """Steps of 50 ms are too long for a quadruped that falls on bent legs, where nothing corrects its energy."""
        ran = self.run_lissom("sim", QUADRUPED, "--base", "free", "--ground", "--random", "2", "--seconds", "1", "--step", "0.05", "--json", "--quiet",
                              "--integrator", "semi_implicit_euler")
        report = json.loads(ran.stdout)
        self.assertIn("energy appears from nowhere", ran.stderr)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("energy appears from nowhere", report["warnings"][0])
        self.assertGreater(report["energy"]["appeared"], 1)
        self.assertLess(report["energy"]["appeared_from"], report["energy"]["appeared_until"])

    def test_a_given_place_stays(self):
        ran = json.loads(self.good("sim", QUADRUPED, "--base", "free", "--ground", "--q", "base.z=2", "--seconds", "0.1", "--json"))
        self.assertEqual(ran["raised"], {})
        self.assertAlmostEqual(ran["parts"][0]["q"][2], 2 - 0.5 * 9.81 * 0.01, places=6)
        self.assertIn("lowest point is on the ground", self.good("sim", QUADRUPED, "--base", "free", "--ground", "--seconds", "0.01"))

    def test_friction_is_that_of_the_ground(self):
        slips = []
        for friction in ("0", "0.8"):
            ran = json.loads(self.good("sim", QUADRUPED, "--base", "free", "--ground", "--friction", friction, "--controller", "pd", "--stiffness", "1000",
                                       "--push", "30N@trunk", "--seconds", "0.3", "--json"))
            slips.append(ran["parts"][0]["q"][0])
        self.assertGreater(slips[0], 0.02)
        self.assertLess(slips[1], 0.3 * slips[0])
        self.refused("sim", QUADRUPED, "--friction", "1", naming="--ground")

    def test_meshes_touch_whether_someone_watches_or_not(self):
        """A cube whose only shape is a file falls on the ground, and stays there: of `sim --ground`, and in a scene."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            corners = [f"v {x} {y} {z}\n" for x in (-.1, .1) for y in (-.1, .1) for z in (-.1, .1)]
            (folder / "cube.obj").write_text("".join(corners) + "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")
            robot = folder / "cube.urdf"
            robot.write_text('<robot name="cube"><link name="cube"><inertial><mass value="1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" '
                             'iyz="0"/></inertial><collision><geometry><mesh filename="cube.obj"/></geometry></collision></link></robot>')
            scene = folder / "scene.json"
            scene.write_text('{"ground": {}, "robots": [{"name": "cube", "file": "cube.urdf", "base": "free", "pose": [0, 0, 0.12]}]}')
            for words in ([robot, "--base", "free", "--ground", "--q", "base.z=0.12"], [scene]):
                ran = json.loads(self.good("sim", *words, "--seconds", "0.5", "--json"))
                self.assertAlmostEqual(ran["parts"][0]["q"][2], 0.1, delta=1e-3)

    def test_without_ground_nothing_has_changed(self):
        ran = json.loads(self.good("sim", QUADRUPED, "--seconds", "0.1", "--json"))
        self.assertEqual(ran["settings"]["integrator"], "rk4")
        self.assertNotIn("contacts", ran)

    def test_interrupted(self):
        with tempfile.TemporaryDirectory() as folder:
            run = f"{folder}/run.mcap"
            with subprocess.Popen([self.lissom, "sim", STACK, "--seconds", "1000", "--every", "100", "--max-size", "100", "--record", run, "--json"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                while not pathlib.Path(run).exists():
                    time.sleep(0.01)
                time.sleep(0.3)
                process.send_signal(signal.SIGINT)
                out, _ = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130)
            report = json.loads(out)
            self.assertTrue(report["interrupted"])
            self.assertGreater(report["recording"]["frames"], 1)
            self.good("plot", "--list", run)


if __name__ == "__main__":
    main()
