#!/usr/bin/env python3
"""Robots of other projects, as somebody uses them who has just found lissom: `verify` agrees, and `sim` with the default controller holds them.

usage: corpus_test.py --lissom COMMAND [CASE | CASE.test …]     They are in $LISSOM_SHARED/corpus, or shared/ beside the repository; skipped without.
"""
import itertools
import json
import math
import os
import pathlib

from command_case import ROOT, CommandCase, main

SHARED = pathlib.Path(os.environ.get("LISSOM_SHARED") or ROOT.parent / "shared")
# Arms, hands, bipeds and quadrupeds; with meshes that are not there, mimic joints, limits of zero, light fingers.
ROBOTS = ("allegro_right", "anymal_b", "atlas", "cassie_v2", "h1_with_hand", "iiwa14", "panda", "robotiq_2f_140", "solo12", "ur5")


class Corpus(CommandCase):
    def setUp(self):
        if not (SHARED / "corpus/urdf").is_dir():
            self.skipTest("no robots of other projects: set LISSOM_SHARED to the folder that holds corpus/")

    def robots(self):
        for name in ROBOTS:
            found = sorted((SHARED / "corpus/urdf" / name).rglob("*.urdf"))
            self.assertTrue(found, f"{name} is not in the corpus")
            yield found[0]

    def test_formulations_agree(self):
        for robot, base in itertools.product(self.robots(), ("fixed", "free")):
            with self.subTest(robot.stem, base=base):
                ran = self.run_lissom("verify", robot, "--base", base, "--states", 2, "--json")
                self.assertEqual(ran.returncode, 0, ran.stderr + ran.stdout)
                report = json.loads(ran.stdout)
                self.assertEqual(report["states"], 2)
                self.assertTrue(report["comparisons"])

    def test_the_default_controller_holds_them(self):
        for robot, start in itertools.product(self.robots(), ((), ("--random", 1))):
            with self.subTest(robot.stem, start=start):
                ran = self.run_lissom("sim", robot, "--controller", "pd", "--seconds", 0.2, "--json", *start)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                report = json.loads(ran.stdout)
                energy = report["energy"]
                for name, joules in [*energy.items(), *report["work"].items()]:
                    self.assertTrue(isinstance(joules, (int, float)) and math.isfinite(joules), f"{name} is {joules}")
                # It begins where it is to stay, at rest: the motors only carry its weight.
                self.assertLess(energy["highest"] - energy["before"], 0.05 * max(1, abs(energy["before"])))
                self.assertLess(report["largest_speed"], 0.1)
                self.assertFalse([w for w in report["warnings"] if "energy" in w], report["warnings"])


if __name__ == "__main__":
    main()
