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
        for word in ("energy", "momentum", "motors", "unexplained", "0.1 s of motion in 100 steps of implicit_joints"):
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
                    rest = self.sim("quadruped.urdf", *options, "--seconds", 0.1 - 0.04, "--restart", f"whole.{ending}:20", "--record", f"rest.{ending}")
                    self.assertEqual((whole["q"], whole["v"]), (rest["q"], rest["v"]))
                    # The work, too, which goes on where it was; and the energy at the beginning is that of the whole motion.
                    self.assertEqual((whole["work"], whole["energy"]["before"]), (rest["work"], rest["energy"]["before"]))
                    signals = json.loads(self.run_lissom("compare", f"whole.{ending}", f"rest.{ending}", "--tolerance", 0, "--json").stdout)["signals"]
                    self.assertEqual([(s["signal"], s["largest"]) for s in signals if s["largest"]], [])

    def test_a_motion_to_a_posture_goes_on_where_it_was(self):
        posture = "0.5,0.5,0.5,-0.5,0.5,0.5,0.5"
        for controller in ("pd", "computed_torque"):
            options = ("--controller", controller, "--posture", posture, "--move-seconds", 0.08, "--step", 2e-3, "--stiffness", 200,
                       "--push", "0,20,0@tool@0.03:0.07")
            whole = self.sim("arm7.urdf", *options, "--seconds", 0.1, "--record", "whole.mcap")
            again = self.sim("arm7.urdf", *options, "--seconds", 0.1 - 0.04, "--restart", "whole.mcap:20", "--record", "rest.mcap")
            self.assertEqual((whole["q"], whole["v"]), (again["q"], again["v"]))
            # Without FILE and options, everything is as recorded; also in a restart of a restart.
            for recording, seconds in (("whole.mcap:20", 0.1 - 0.04), ("rest.mcap:10", 0.1 - 0.06)):
                ran = self.run_lissom("sim", "--json", "--restart", recording, "--seconds", seconds)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                rest = json.loads(ran.stdout)
                self.assertEqual((whole["q"], whole["v"]), (rest["q"], rest["v"]))
            self.assertEqual(rest["settings"]["controller"], controller)
            # Another posture is another motion, which begins at the restart.
            other = self.sim("arm7.urdf", "--posture", "0,0,0,-0.5,0,0,0", "--restart", "whole.mcap:20", "--seconds", 0.1)
            self.assertAlmostEqual(other["settings"]["motion"]["start"], 0.04)

    def test_holding_goes_on_where_it_was(self):
        whole = self.sim("arm7.urdf", "--controller", "pd", "--seconds", 0.1, "--record", "whole.csv", "--push", "0,20,0@tool")
        rest = self.sim("arm7.urdf", "--seconds", 0.05, "--restart", "whole.csv:50")
        self.assertEqual((whole["q"], whole["v"]), (rest["q"], rest["v"]))
        self.assertEqual(rest["settings"]["integrator"], "implicit_joints")
        passive = self.sim("arm7.urdf", "--seconds", 0.05, "--restart", "whole.csv:50", "--controller", "none")
        self.assertEqual(passive["settings"]["integrator"], "rk4")

    def test_work_goes_on_where_it_was(self):
        options = ("--v", "1,1,1,1,1,1,1", "--controller", "pd", "--push", "0,20,0@tool", "--step", 2e-3)
        whole = self.sim("arm7.urdf", *options, "--seconds", 0.2, "--record", "whole.mcap")
        self.assertGreater(abs(whole["work"]["motors"]), 0.1)
        self.sim("arm7.urdf", "--restart", "whole.mcap:30", "--seconds", 0.1, "--record", "rest.mcap")
        again = self.sim("arm7.urdf", "--restart", "rest.mcap:20", "--seconds", 0.1)  # a restart of a restart
        for name, joules in whole["work"].items():
            self.assertAlmostEqual(again["work"][name], joules, delta=1e-12, msg=name)
        self.assertAlmostEqual(again["energy"]["unexplained"], whole["energy"]["unexplained"], delta=1e-12)
        # Without gravity the energy at the restart is another one: that is no error of the integrator.
        weightless = self.sim("arm7.urdf", "--restart", "whole.mcap:30", "--seconds", 0.1, "--gravity", "0,0,0")
        self.assertLess(abs(weightless["energy"]["unexplained"]), 0.05)
        self.assertFalse(weightless["warnings"])

    def test_closed_loops_go_on_without_a_file(self):
        whole = self.sim("iftomm/a04_bricard.urdf", "--loops", MODELS / "iftomm/a04_bricard.json", "--seconds", 0.2, "--record", "w.npz")
        ran = self.run_lissom("sim", "--json", "--restart", "w.npz:100", "--seconds", 0.1)
        rest = json.loads(ran.stdout)
        self.assertEqual((whole["q"], whole["v"]), (rest["q"], rest["v"]))

    def test_a_recording_goes_on_when_its_robot_file_is_gone(self):
        robot = pathlib.Path(self.folder.name) / "gone.urdf"
        robot.write_text((MODELS / "arm7.urdf").read_text())
        self.assertEqual(self.run_lissom("sim", robot, "--seconds", 0.02, "--record", "run.mcap").returncode, 0)
        whole = json.loads(self.run_lissom("sim", robot, "--seconds", 0.04, "--json").stdout)
        robot.unlink()
        for recording, record, seconds in (("run.mcap", "more.mcap", 0.01), ("more.mcap", "most.mcap", 0.01)):
            ran = self.run_lissom("sim", "--json", "--restart", recording, "--seconds", seconds, "--record", record)
            self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(json.loads(ran.stdout)["q"], whole["q"])

    def test_a_restart_that_makes_no_sense(self):
        self.sim("arm7.urdf", "--seconds", 0.01, "--record", "run.mcap")
        for frame in ("11", "999999999999999999999"):
            self.refused(MODELS / "arm7.urdf", "--restart", f"run.mcap:{frame}", naming=[f"no frame {frame}", "0 … 10"])
        self.refused(MODELS / "quadruped.urdf", "--restart", "run.mcap", naming=["other joints", "7"])

    def test_energy_is_audited(self):
        report = self.sim("arm7.urdf", "--controller", "pd", "--posture", "0.5,0.5,0.5,-0.5,0.5,0.5,0.5", "--seconds", 0.5,
                          "--push", "0,20,0@tool")
        self.assertEqual(report["warnings"], [])
        work, energy = report["work"], report["energy"]
        self.assertEqual(set(work), {"motors", "damping", "pushes", "forces", "loops", "limits", "friction", "impacts", "overlaps"})
        self.assertAlmostEqual(energy["unexplained"], energy["after"] - energy["before"] - sum(work.values()))
        self.assertEqual(report["motor_work"], work["motors"])
        ran = self.run_lissom("sim", MODELS / "humanoid.urdf", "--base", "free", "--step", 2, "--seconds", 1, "--v", ",".join(["3"] * 36))
        self.assertIn("energy appears from nowhere", ran.stderr)
        self.assertIn("rk4", ran.stderr)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("energy ", ran.stdout)

    def test_a_run_with_energy_from_nowhere_has_its_report_and_its_recording(self):
        ran = self.run_lissom("sim", MODELS / "quadruped.urdf", "--base", "free", "--random", 1, "--integrator", "explicit_euler", "--step", 0.2,
                              "--seconds", 1, "--record", "run.mcap", "--json")
        self.assertEqual(ran.returncode, 1, ran.stderr)
        report = json.loads(ran.stdout)
        self.assertEqual(report["steps"], 5)
        self.assertEqual(self.run_lissom("compare", "run.mcap", "run.mcap").returncode, 0)

    def test_gains_that_are_too_stiff_for_the_step(self):
        ran = self.run_lissom("sim", MODELS / "arm7.urdf", "--controller", "pd", "--integrator", "rk4", "--seconds", 0.1)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        for word in ("warning: rk4", "h d / M", "joint '", "implicit_joints"):
            self.assertIn(word, ran.stderr)
        self.assertEqual(len(self.sim("arm7.urdf", "--controller", "pd", "--integrator", "rk4", "--seconds", 0.1)["warnings"]), 1)

    def test_motors_at_their_limits(self):
        robot = pathlib.Path(self.folder.name) / "weak.urdf"
        robot.write_text((MODELS / "arm7.urdf").read_text().replace('effort="', 'effort="0" was="'))
        ran = self.run_lissom("sim", robot, "--controller", "computed_torque", "--q", "0.5,0.5,0.5,-0.5,0.5,0.5,0.5", "--seconds", 0.1)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("saturated  7 motors at the effort limit", ran.stdout)
        self.assertIn("placeholder", ran.stdout)

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

    def test_rods_and_their_forces(self):
        rods = ("--loops", MODELS / "mechanisms/delta.json", "--seconds", 0.2, "--record")
        for ending in ("mcap", "csv"):
            report = self.sim("mechanisms/delta.urdf", *rods, f"run.{ending}")
            self.assertLess(report["max_gap"], 1e-9)
            self.assertAlmostEqual(report["energy"]["after"], report["energy"]["before"], delta=1e-8)
            self.assertEqual([f["name"] for f in report["loop_forces"]],
                             [f"rod_{arm}_{side}, length" for arm in "abc" for side in ("left", "right")])
            for force in report["loop_forces"]:
                self.assertEqual(force["unit"], "N")
                self.assertGreater(force["max"], 0.01)
            listed = self.run_lissom("plot", "--list", f"run.{ending}").stdout
            for word in ("loops (", "rod_a_left.length"):
                self.assertIn(word, listed)
        ran = self.run_lissom("sim", MODELS / "mechanisms/delta.urdf", *rods, "run.npz")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.assertRegex(ran.stdout, r"in loops +at most rod_._\w+, length [0-9.]+ N; ")

    def four_bar(self, ground):
        """A four-bar with its bars in one line, pinned to the ground at a distance."""
        folder = pathlib.Path(self.folder.name)
        robot = '<robot name="four_bar"><link name="ground"/>'
        parent, at = "ground", 0
        for name, length in (("one", 0.3), ("two", 0.4), ("three", 0.5)):
            robot += f"""<link name="{name}"><inertial><origin xyz="{length / 2} 0 0"/><mass value="1"/>
              <inertia ixx="1e-4" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
              <joint name="to_{name}" type="continuous"><parent link="{parent}"/><child link="{name}"/>
              <origin xyz="{at} 0 0"/><axis xyz="0 1 0"/></joint>"""
            parent, at = name, length
        (folder / "bar.urdf").write_text(robot + "</robot>")
        (folder / "bar.json").write_text(json.dumps({"loops": [
            {"name": "pin", "a": {"frame": "world", "position": [ground, 0, 0]}, "b": {"frame": "three", "position": [0.5, 0, 0]}}]}))

    def test_a_linkage_that_is_drawn_straight(self):
        self.four_bar(1.0)
        ran = self.run_lissom("sim", "bar.urdf", "--loops", "bar.json", "--seconds", 0.1, "--json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("configuration nearby", ran.stderr)
        self.assertLess(json.loads(ran.stdout)["max_gap"], 1e-10)
        checked = self.run_lissom("check", "bar.urdf", "--loops", "bar.json")
        self.assertIn("loops-straight", checked.stdout)

    def test_a_linkage_that_closes_only_stretched(self):
        self.four_bar(1.2)
        for one in self.integrators():
            ran = self.run_lissom("sim", "bar.urdf", "--loops", "bar.json", "--integrator", one["name"])
            self.assertEqual(ran.returncode, 1, ran.stderr)
            self.assertIn("loop 'pin' closes in this configuration only", ran.stderr)
        checked = self.run_lissom("check", "bar.urdf", "--loops", "bar.json")
        self.assertEqual(checked.returncode, 1)
        self.assertIn("loops-rigid", checked.stdout)

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

    def test_durations_that_are_none(self):
        for option, number in (("--seconds", "nan"), ("--seconds", "inf"), ("--seconds", "-1"), ("--seconds", "1e16"), ("--step", "1e-320")):
            ran = self.run_lissom("sim", MODELS / "arm7.urdf", f"{option}={number}")
            self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran.stderr)
            self.assertIn("seconds", ran.stderr)
            self.assertLess(len(ran.stderr), 200)

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
