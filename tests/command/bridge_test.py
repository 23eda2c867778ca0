#!/usr/bin/env python3
"""Tests of lissom bridge.

usage: bridge_test.py --lissom COMMAND [CASE | CASE.test …]
"""
import json

from command_case import HUMANOID, MODELS, CommandCase, main


class Bridge(CommandCase):
    def test_errors_shrink_with_the_step(self):
        missing = []
        for engine in ("ode", "bullet"):
            ran = self.run_lissom("bridge", MODELS / "arm7.urdf", "--engine", engine, "--motion", "sine", "--seconds", 0.5, "--json")
            if ran.returncode == 2 and "built without" in ran.stderr:
                missing.append(engine)
                continue
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            runs = json.loads(ran.stdout)["runs"]
            errors = [r["max_error"] for r in runs]
            self.assertEqual(len(errors), 3)
            self.assertTrue(errors[0] > 1.6 * errors[1] > 2.5 * errors[2], errors)
            for r in runs:
                energy, work = r["energy"], r["work"]
                self.assertEqual((r["warnings"], work["damping"]), ([], 0))
                self.assertGreater(abs(work["motors"]), 0.1)
                self.assertLess(abs(energy["after"] - energy["before"] - work["motors"]), 1e-2)
        if missing:
            self.skipTest(f"lissom is built without {' and '.join(missing)}, which was not tested")

    def test_energy_from_nowhere_is_1(self):
        ran = self.run_lissom("bridge", MODELS / "arm7.urdf", "--seconds", 2, "--step", 0.01, "--refinements", 2)
        if ran.returncode == 2 and "built without" in ran.stderr:
            self.skipTest("lissom is built without ode")
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, "^lissom: warning: energy appears from nowhere: .*; ode with a step of 0.01 s is not accurate .*: take a smaller step\n$")
        self.assertRegex(ran.stdout, r"ode, steps of 10 ms\nenergy .*\nwork +motors .*\n\node, steps of 5 ms\nenergy ")

    def test_wrong_use_is_2(self):
        self.refused("bridge", HUMANOID, "--engine", "physx", naming="physx")
        self.refused("bridge", HUMANOID, "--step", "0", naming="--step")


if __name__ == "__main__":
    main()
