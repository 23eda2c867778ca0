#!/usr/bin/env python3
"""Plans carried out by robots that differ from what the planner knows: masses, noise, delay, and a push at some time.

One run of the plan that is quickest; LISSOM_LONG=1: 20 runs of each of four plans, of which 18 succeed (an hour).
usage: disturbed_plans_test.py --lissom COMMAND --models FOLDER
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

LISSOM = MODELS = None
LONG = "LISSOM_LONG" in os.environ
PLANS = {  # scene, goal, further options of the planner
    "handstand": ("flat", "handstand", []),
    "stairs": ("stairs", "stairs", []),
    "step": ("step", "step", ["--support", "2"]),
    "bar": ("bar", "bar", []),
}
SEEDS = range(101, 121)
MANY_ENOUGH = 18  # of 20


class DisturbedPlans(unittest.TestCase):
    def run_lissom(self, *arguments):
        return subprocess.run([LISSOM, *map(str, arguments)], capture_output=True, text=True, timeout=3600)

    def planned(self, folder, name):
        """The motion file of a plan."""
        scene, goal, options = PLANS[name]
        motion = folder / f"{name}.json"
        ran = self.run_lissom("plan", MODELS / "humanoid.urdf", "--scene", MODELS / f"scenes/{scene}.json",
                              "--goal", MODELS / f"goals/{goal}.json", "--out", motion, "--quiet", *options)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        return motion

    def disturbed(self, name, motion, seed):
        """Why a run fails; empty if it succeeds."""
        stages = json.loads(motion.read_text())["stages"]
        seconds = sum(stage["seconds"] + stage.get("hold", 0) for stage in stages)
        chance = random.Random(seed)
        begin, angle = chance.uniform(0.5, seconds), chance.uniform(0, 2 * math.pi)
        push = f"{40 * math.cos(angle):.2f},{40 * math.sin(angle):.2f},0@chest@{begin:.2f}:{begin + 0.1:.2f}"
        ran = self.run_lissom("control", MODELS / "humanoid.urdf", "--motion", motion, "--scene", MODELS / f"scenes/{PLANS[name][0]}.json",
                              "--mass-error", 0.05, "--position-noise", 5e-4, "--velocity-noise", 2e-3, "--delay", 1,
                              "--seed", seed, "--push", push, "--no-check", "--json", "--quiet")
        self.assertIn(ran.returncode, (0, 1), ran.stderr)
        return json.loads(ran.stdout)["failure"]

    def test_plans_are_carried_out(self):
        for name in PLANS if LONG else ["handstand"]:
            with self.subTest(plan=name), tempfile.TemporaryDirectory() as folder:
                motion = self.planned(pathlib.Path(folder), name)
                seeds = SEEDS if LONG else SEEDS[:1]
                failures = {seed: why for seed in seeds if (why := self.disturbed(name, motion, seed))}
                print(f"{name}: {len(seeds) - len(failures)} of {len(seeds)}", failures, flush=True)
                self.assertLessEqual(len(failures), len(SEEDS) - MANY_ENOUGH if LONG else 0, failures)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    LISSOM = str(pathlib.Path(arguments[arguments.index("--lissom") + 1]).resolve())
    MODELS = pathlib.Path(arguments[arguments.index("--models") + 1]).resolve()
    unittest.main(argv=[sys.argv[0]])
