#!/usr/bin/env python3
"""Tests of lissom sim.

usage: command_test.py --lissom COMMAND --models FOLDER [CASE | CASE.test …]
"""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

LISSOM = MODELS = None


class Sim(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_lissom(self, *arguments, **more):
        return subprocess.run([LISSOM, *map(str, arguments)], cwd=self.folder.name, capture_output=True, text=True, timeout=300, **more)

    def sim(self, robot, *arguments, code=0):
        ran = self.run_lissom("sim", MODELS / robot, "--json", *arguments)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return json.loads(ran.stdout)

    def refused(self, *arguments, naming):
        ran = self.run_lissom("sim", *arguments)
        self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran.stderr)
        for name in naming:
            self.assertIn(name, ran.stderr)

    def integrators(self):
        return json.loads(self.run_lissom("sim", "--list-integrators", "--json").stdout)

    def test_falls_as_galileo_said(self):
        for one in self.integrators():
            with self.subTest(one["name"]):
                report = self.sim("quadruped.urdf", "--base", "free", "--seconds", 0.5, "--integrator", one["name"])
                self.assertAlmostEqual(report["q"][2], -9.81 / 2 * 0.25, delta=0.003 if one["order"] == 1 else 1e-6)
                self.assertEqual(report["steps"], 500)
                self.assertAlmostEqual(report["energy"]["after"], report["energy"]["before"], delta=4)

    def test_report_for_people(self):
        ran = self.run_lissom("sim", MODELS / "arm7.urdf", "--controller", "pd", "--seconds", 0.1)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        for word in ("energy", "momentum", "motors", "0.1 s of motion in 100 steps of rk4"):
            self.assertIn(word, ran.stdout)

    def test_former_names_are_accepted(self):
        new, old = (self.sim("arm7.urdf", "--seconds", 0.01, flag) for flag in ("--no-passive-forces", "--no-joint-forces"))
        self.assertFalse(new["settings"]["passive_forces"])
        self.assertEqual(new["settings"], old["settings"])
        self.assertEqual(new["largest_speed"], new["max_speed"])
        self.assertNotIn("--no-joint-forces", self.run_lissom("sim", "--help").stdout)

    def test_begun_anew_from_any_frame_it_takes_the_same_bits(self):
        for ending in ("mcap", "npz", "csv"):
            for one in self.integrators():
                with self.subTest(one["name"], ending=ending):
                    options = ("--base", "free", "--random", 4, "--integrator", one["name"], "--step", 2e-3)
                    whole = self.sim("quadruped.urdf", *options, "--seconds", 0.1, "--record", f"whole.{ending}")
                    self.assertEqual(whole["recording"]["frames"], 51)
                    rest = self.sim("quadruped.urdf", *options, "--seconds", 0.1 - 0.04, "--restart", f"whole.{ending}:20")
                    self.assertEqual((whole["q"], whole["v"]), (rest["q"], rest["v"]))

    def test_a_recording_of_all_that_matters(self):
        self.sim("arm7.urdf", "--seconds", 0.1, "--controller", "pd", "--record", "run.mcap", "--push", "0,0,5@tool@0.02:0.05"
                 if "tool" in (MODELS / "arm7.urdf").read_text() else "0,0,5@link7@0.02:0.05")
        listed = self.run_lissom("plot", "--list", "run.mcap").stdout
        for word in ("q (", "v (", "tau (", "energy", "momentum", "101 frames"):
            self.assertIn(word, listed)
        self.assertEqual(self.run_lissom("compare", "run.mcap", "run.mcap").returncode, 0)

    def test_closed_loops_from_a_file(self):
        report = self.sim("iftomm/a04_bricard.urdf", "--loops", MODELS / "iftomm/a04_bricard.json", "--seconds", 1)
        self.assertLess(report["max_gap"], 1e-12)
        self.assertAlmostEqual(report["energy"]["after"], report["energy"]["before"], delta=1e-7)

    def test_a_loop_that_cannot_close(self):
        side = pathlib.Path(self.folder.name) / "far.json"
        side.write_text(json.dumps({"loops": [{"name": "reach", "a": {"frame": "world", "position": [50, 0, 0]}, "b": "mass"}]}))
        self.refused(MODELS / "iftomm/a01_pendulum.urdf", "--loops", "far.json", naming=["reach", "cannot be closed", " m", "--random 1"])

    def test_what_makes_no_sense(self):
        arm = MODELS / "arm7.urdf"
        self.refused(arm, "--integrator", "rk5", naming=["rk5", "rk4"])
        self.refused(arm, "--controller", "magic", naming=["magic", "computed_torque"])
        self.refused(arm, "--q", "1,2", naming=["--q", "expected 7"])
        self.refused(arm, "--push", "1,2@hand", naming=["--push"])
        self.refused(arm, "--gravity", "0,0,x", naming=["--gravity", "'x'"])
        self.refused(arm, "--restart", "nothing.mcap", naming=["nothing.mcap"])
        self.refused(arm, "--attitude", "sideways", naming=["sideways", "quaternion"])
        self.refused(naming=["FILE"])

    def test_a_step_that_is_none(self):
        for step in ("0", "-1e-3", "nan"):
            ran = self.run_lissom("sim", MODELS / "arm7.urdf", "--step", step)
            self.assertEqual(ran.returncode, 2, ran.stderr)
            self.assertIn("step", ran.stderr)

    def test_a_run_that_explodes_says_so_and_its_recording_stays_readable(self):
        ran = self.run_lissom("sim", MODELS / "arm7.urdf", "--integrator", "explicit_euler", "--controller", "pd", "--stiffness", 1e7,
                              "--posture", "0.5,0.5,0.5,-0.5,0.5,0.5,0.5", "--no-effort-limits", "--seconds", 5, "--record", "run.mcap")
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn("smaller step", ran.stderr)
        self.assertEqual(self.run_lissom("plot", "--list", "run.mcap").returncode, 0)

    def test_a_full_disk(self):
        def little_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000000, 2000000))
        ran = self.run_lissom("sim", MODELS / "quadruped.urdf", "--base", "free", "--seconds", 10, "--record", "run.mcap",
                              preexec_fn=little_room)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertIn("run.mcap", ran.stderr)
        listed = self.run_lissom("plot", "--list", "run.mcap")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertIn("frames", listed.stdout)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    LISSOM = arguments[arguments.index("--lissom") + 1]
    MODELS = pathlib.Path(arguments[arguments.index("--models") + 1]).resolve()
    rest = [a for i, a in enumerate(arguments) if not a.startswith("--") and arguments[i - 1] not in ("--lissom", "--models")]
    unittest.main(argv=[sys.argv[0], *rest])
