#!/usr/bin/env python3
"""Tests of lissom control.

usage: control_command_test.py --lissom COMMAND --models FOLDER [CASE | CASE.test …]
"""
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest

LISSOM = MODELS = None


class Control(unittest.TestCase):
    def setUp(self):
        self.humanoid = MODELS / "humanoid.urdf"
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_lissom(self, *arguments):
        return subprocess.run([LISSOM, *map(str, arguments)], capture_output=True, text=True, timeout=300)

    def control(self, *arguments, code=0):
        ran = self.run_lissom("control", self.humanoid, *arguments, "--json")
        self.assertEqual((ran.returncode, ran.stderr), (code, ""), ran.stdout[:300])
        return json.loads(ran.stdout)

    def refused(self, *arguments, naming):
        ran = self.run_lissom("control", *arguments)
        self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran.stderr)
        for name in naming:
            self.assertIn(name, ran.stderr)

    def motion(self, **changes):
        """Writes a motion file: stand.json with some keys changed; returns its path."""
        content = json.loads((MODELS / "motions" / "stand.json").read_text())
        content["postures"] = str(MODELS / "postures" / "humanoid.json")
        content["stages"] = [{"name": "stand", "seconds": 0, "hold": 0.2}]
        content.update(changes)
        path = pathlib.Path(self.folder.name) / "motion.json"
        path.write_text(json.dumps(content))
        return path

    def test_robot_recovers_from_a_push_with_both_simulators(self):
        for simulator in ("prescribed_acceleration", "contact"):
            r = self.control("--motion", "stand", "--simulator", simulator, "--push", "60N@chest")
            self.assertTrue(r["succeeded"], r["failure"])
            self.assertGreater(r["max_com_error"], 1e-3)  # the push had an effect
            self.assertEqual((r["elastic_ticks"], r["failed_ticks"]), (0, 0))
            for contact in r["contacts"]:
                self.assertLess(contact["slip"], 1e-3)
                self.assertLess(contact["friction_use"], 1)
            for motor in r["motors"]:
                self.assertLess(motor["max_torque"], motor["limit"])

    def test_too_hard_a_push_fails_with_a_reason(self):
        r = self.control("--motion", "stand", "--push", "400,0,0@chest@0.5:1", code=1)
        self.assertFalse(r["succeeded"])
        self.assertNotEqual(r["failure"], "")
        self.assertLess(r["seconds"], 5)

    def test_same_seed_gives_the_same_run(self):
        arguments = ("--motion", self.motion(), "--mass-error", 0.1, "--position-noise", 1e-4, "--velocity-noise", 2e-3,
                     "--delay", 1, "--seed", 7)
        one, two = self.control(*arguments), self.control(*arguments)
        for r in (one, two):
            del r["tick_us"]
        self.assertEqual(one, two)

    def test_recording(self):
        file = pathlib.Path(self.folder.name) / "run.mcap"
        r = self.control("--motion", self.motion(), "--record", file)
        self.assertEqual(r["recording"]["frames"], r["ticks"])
        listed = self.run_lissom("plot", "--list", "--json", file)
        signals = {s["name"]: s["columns"] for s in json.loads(listed.stdout)[0]["signals"]}
        self.assertEqual(set(signals), {"q", "v", "tau", "torque_use", "com", "forces", "friction_use", "tick", "stage", "energy",
                                        "work", "desired_q", "desired_v"})
        self.assertEqual(len(signals["forces"]), 6)
        self.assertEqual([c["name"] for c in signals["work"]][:3] + [c["name"] for c in signals["work"]][-1:], ["motors", "damping", "pushes", "unexplained"])

    def test_a_full_disk_ends_with_a_report(self):
        def little_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000000, 2000000))
        for motion in (("--motion", MODELS / "motions" / "stand.json"), ("--motion", "walk")):
            file = pathlib.Path(self.folder.name) / "run.mcap"
            ran = subprocess.run([LISSOM, "control", self.humanoid, *motion, "--record", file, "--json"], capture_output=True, text=True, timeout=300,
                                 preexec_fn=little_room)
            self.assertEqual(ran.returncode, 1, ran.stderr)
            self.assertRegex(ran.stderr, "^lissom: cannot record to '.*run.mcap': .*frames until .* s are safe")
            report = json.loads(ran.stdout)
            self.assertEqual((report["succeeded"], report["interrupted"]), (False, False))
            self.assertIn("cannot record to", report["failure"])
            listed = json.loads(self.run_lissom("plot", "--list", "--json", file).stdout)
            self.assertEqual(listed[0]["frames"], report["recording"]["frames"])
            self.assertGreater(listed[0]["frames"], 100)

    def test_energy_is_audited(self):
        r = self.control("--motion", self.motion(), "--push", "20N@chest@0.1:0.2")
        energy, work = r["energy"], r["work"]
        self.assertAlmostEqual(energy["unexplained"], energy["after"] - energy["before"] - sum(work.values()))
        self.assertLess(abs(energy["unexplained"]), 0.01)
        self.assertGreater(work["pushes"], 0)
        for name in ("friction", "impacts"):
            self.assertLess(work[name], 0)
        self.assertEqual(r["warnings"], [])
        # Nothing says which forces a robot took that follows accelerations.
        r = self.control("--motion", self.motion(), "--simulator", "prescribed_acceleration")
        self.assertNotIn("work", r)
        self.assertEqual(set(r["energy"]), {"before", "after", "lowest", "highest"})

    def test_report_for_people(self):
        ran = self.run_lissom("control", self.humanoid, "--motion", self.motion())
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        for word in ("succeeded", "holding", "tick", "Bouyarmane and Kheddar 2012: 7000 µs", "left_sole", "left_knee"):
            self.assertIn(word, ran.stdout)

    def test_list(self):
        ran = self.run_lissom("control", self.humanoid, "--list-motions")
        for name in ("stand", "squat", "one-foot", "step", "steps", "on-hands", "handstand"):
            self.assertIn(name, ran.stdout)

    def test_gaits_are_recorded_and_take_the_options_of_motions(self):
        recording = pathlib.Path(self.folder.name) / "walk.csv"
        r = self.control("--motion", "walk", "--steps", "3", "--speed", "0.3", "--record", recording)
        self.assertTrue(r["succeeded"], r["failure"])
        self.assertEqual((r["steps"], r["recording"]["frames"]), (3, r["ticks"]))
        self.assertAlmostEqual(r["distance"], 2 * r["settings"]["step_length"], delta=0.1)
        ice = self.control("--motion", "walk", "--friction", "0.02", code=1)
        self.assertFalse(ice["succeeded"])
        self.refused(self.humanoid, "--motion", "squat", "--speed", "1", naming=["--speed", "walk"])

    def test_gaits_take_servos_and_encoders_and_tell_of_limits(self):
        for option, value in (("--mode", "position"), ("--sensing", "encoders")):
            r = self.control("--motion", "walk", "--steps", "3", option, value)
            self.assertTrue(r["succeeded"], (value, r["failure"]))
            self.assertEqual(r["steps"], 3)
        self.assertEqual([c["name"] for c in r["contacts"]], [f["name"] for f in r["feet"]])
        self.assertTrue(all(0 < c["friction_use"] < 1 + 1e-9 for c in r["contacts"]))
        self.assertEqual((r["first_elastic"], r["conflicts"], r["beyond_limits"]), (-1, [], []))
        self.assertEqual(len(r["motors"]), 30)
        r = self.control("--motion", "balance", "--push", "2000,0,0@chest@0.2:0.3", code=1)
        self.assertGreater(r["first_elastic"], 0.2)
        self.assertEqual(r["conflicts"][0]["first"], r["first_elastic"])
        self.assertTrue(any("its limit is" in line for line in r["beyond_limits"]), r["beyond_limits"])

    def test_a_pushed_robot_steps_only_if_it_may(self):
        push = ("--motion", "balance", "--duration", "2", "--push", "420N@chest@0.5:0.6")
        r = self.control(*push)
        self.assertTrue(r["succeeded"], r["failure"])
        self.assertGreaterEqual(r["capture_steps"], 1)
        fell = self.control(*push, "--no-capture-steps", code=1)
        self.assertEqual(fell["capture_steps"], 0)
        self.assertIn("t = ", fell["failure"])

    def test_stairs(self):
        r = self.control("--motion", "walk", "--stairs", "2x0.12", "--steps", "3")
        self.assertEqual((r["steps"], r["planned_steps"]), (3, 3))
        for wrong in ("3", "0x0.1", "3x", "3x0.12m", "axb"):
            self.refused(self.humanoid, "--motion", "walk", "--stairs", wrong, naming=["--stairs", "3x0.12"])
        self.refused(self.humanoid, "--motion", "trot", naming=["four legs"])
        self.refused(self.humanoid, "--motion", "walk", "--speed", "1", "--step-time", "1", "--step-length", "0.2",
                     naming=["two of the three"])

    def test_a_stance_is_a_posture_file(self):
        posture = json.loads((MODELS / "postures" / "humanoid.json").read_text())["stand"]
        (pathlib.Path(self.folder.name) / "mine.json").write_text(json.dumps({"status": "found", **posture}))
        self.assertTrue(self.control("--motion", self.motion(postures="mine.json", start="mine"))["succeeded"])
        self.refused(self.humanoid, "--motion", self.motion(postures="mine.json"), naming=["stand", "mine"])

    def test_slip_ends_nothing_and_is_told(self):
        # On ice a foot that is pulled slides; the robot goes on, but has not done what it should: the report says how far.
        ice = [{"frame": "left_sole", "friction": 0.05}, {"frame": "right_sole", "friction": 0.05}]
        r = self.control("--motion", self.motion(contacts=ice, stages=[{"name": "stand", "seconds": 0.5, "hold": 1.5}]),
                         "--push", "60N@left_sole@0.5:0.6", code=1)
        self.assertIn("left_sole is", r["failure"])
        self.assertGreaterEqual(r["seconds"], 2)
        left, right = r["contacts"]
        self.assertGreater(left["loaded_slip"], 0.02)
        self.assertGreaterEqual(left["slip"], left["loaded_slip"])
        self.assertAlmostEqual(left["friction_use"], 1, delta=2e-3)
        self.assertLess(right["slip"], 1e-3)

    def test_joints_may_take_positions_or_velocities(self):
        for mode, unit in (("position", "rad"), ("velocity", "rad/s")):
            r = self.control("--motion", self.motion(), "--mode", mode)
            self.assertTrue(r["succeeded"], r["failure"])
            self.assertEqual((r["settings"]["mode"], r["tracking_unit"]), (mode, unit))
            self.assertGreater(r["max_tracking_error"], 0)
            self.assertGreater(r["watched_pairs"], 50)
        for arguments, naming in (
            (("--mode", "effort"), ["--mode", "position"]),
            (("--mode", "position", "--simulator", "prescribed_acceleration"), ["needs the simulator contact"]),
        ):
            self.refused(self.humanoid, *arguments, naming=naming)

    def test_wrong_masses_do_not_bend_the_hands(self):
        """Masses that are off by up to 10 %: the light links at the ends of the arms keep their posture in the squat, too."""
        for seed in (5, 8, 12):
            ran = self.control("--motion", "squat", "--simulator", "contact", "--mass-error", 0.1, "--seed", seed, "--quiet")
            self.assertTrue(ran["succeeded"], ran["failure"])
            self.assertLess(ran["hold_posture_error"], 0.3)

    def test_wrong_use(self):
        self.refused(self.humanoid, "--motion", "dance", naming=["dance", "handstand"])
        self.refused(self.humanoid, "--simulator", "real", naming=["real", "prescribed_acceleration", "contact"])
        self.refused(self.humanoid, "--plant", "held", naming=["--simulator", "prescribed_acceleration"])
        self.refused(self.humanoid, "--push", "60N@chst", naming=["chst", "chest"])
        self.refused(self.humanoid, "--push", "hard@chest", naming=["--push"])
        self.refused(self.humanoid, "--push", "60N", naming=["25N@FRAME"])
        self.refused(self.humanoid, "--formulation", "new", naming=["new", "reduced"])
        self.refused("absent.urdf", naming=["absent.urdf"])

    def test_wrong_motions(self):
        stage = {"name": "a", "seconds": 1}
        for changes, naming in (
            (dict(start="flying"), ["/start", "flying", "stand"]),
            (dict(stages=[{**stage, "posture": "flying"}]), ["/stages/0/posture", "flying"]),
            (dict(stages=[{**stage, "seconds": -1}]), ["/stages/0/seconds", "-1"]),
            (dict(stages=[{**stage, "secs": 1}]), ["/stages/0", "secs", "seconds"]),
            (dict(stages=[{**stage, "release": ["left_palm"]}]), ["/stages/0/release", "left_palm"]),
            (dict(stages=[{**stage, "move": [{"frame": "left_sol"}]}]), ["/stages/0/move/0/frame", "left_sole"]),
            (dict(stages=[{**stage, "move": [{"frame": "left_sole", "to": [1, 2]}]}]), ["/stages/0/move/0/to", "2"]),
            (dict(contacts=["chest"], standing=["chest"]), ["chest", "points"]),
            (dict(contacts=[{"frame": "left_sole", "friction": -1}]), ["/contacts/0/friction"]),
            (dict(gains={"com_wait": 1}), ["/gains", "com_wait", "com_weight"]),
            (dict(postures="absent.json"), ["absent.json"]),
            (dict(self_clearances=1), ["/self_clearances", "expected true or false"]),
            (dict(clearances=[{"between": ["left_hand"]}]), ["/clearances/0/between", "expected two"]),
            (dict(clearances=[{"between": ["left_hand", "left_hand"]}]), ["/clearances/0/between", "twice"]),
            (dict(clearances=[{"between": ["left_hand", "chst"]}]), ["/clearances/0/between", "chest"]),
            (dict(clearances=[{"between": ["left_hand", "chest"], "influence_distance": 0}]), ["/clearances/0", "influence_distance is 0 m"]),
        ):
            with self.subTest(changes=changes):
                self.refused(self.humanoid, "--motion", self.motion(**changes), naming=naming)

    def test_clearances_keep_links_apart(self):
        """Each hand has a target on the other side of the other hand."""
        def min_distance(weight):
            meet = [{"frame": palm, "to": [0.3, y, 0.8], "lift": 0, "touch": False}
                    for palm, y in (("left_palm", -0.1), ("right_palm", 0.1))]
            motion = self.motion(
                self_clearances=False,
                stages=[{"name": "meet", "seconds": 1, "hold": 1, "move": meet}],
                clearances=[{"between": ["left_hand", "right_hand"], "min_distance": 0.08, "influence_distance": 0.15, "weight": weight}])
            # (Hands that meet, or keep apart, do not get where they should, and the report says so.)
            report = self.control("--motion", motion, "--simulator", "contact", code=1)
            self.assertIn("palm", report["failure"])
            (clearance,) = report["clearances"]
            self.assertEqual((clearance["name"], clearance["required"]), ("left_hand and right_hand", 0.08))
            return clearance["min_distance"]
        self.assertLess(min_distance(1e-9), 0.03)
        self.assertGreater(min_distance(1e4), 0.078)

    def test_infeasible_motion_names_its_stage(self):
        stages = [{"name": "far", "seconds": 0.5, "com": [1, 0, 0.7], "timeout": 0.3}]
        motion = self.motion(stages=stages)
        (reason,) = self.control("--motion", motion, code=1)["impossible"]
        self.assertIn("far", reason)
        self.assertIn("outside of what left_sole, right_sole can carry", reason)
        r = self.control("--motion", motion, "--simulator", "prescribed_acceleration", "--no-check", code=1)
        self.assertFalse(r["succeeded"])
        self.assertIn("fallen", r["failure"])

    def test_a_contact_that_stands_is_not_moved(self):
        stages = [{"name": "up", "move": [{"frame": "right_sole", "by": [0, 0, 0.1], "touch": False}]}]
        self.refused(self.humanoid, "--motion", self.motion(stages=stages), naming=["'up'", "right_sole", "release"])

    def test_motions_are_generated_for_any_robot_with_feet(self):
        quadruped = MODELS / "quadruped.urdf"
        listed = self.run_lissom("control", quadruped, "--list-motions", "--json")
        self.assertLessEqual({"lift", "squat", "stand", "steps", "sway"}, set(json.loads(listed.stdout)))
        ran = self.run_lissom("control", quadruped, "--motion", "sway", "--json")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        report = json.loads(ran.stdout)
        self.assertTrue(report["succeeded"])
        self.assertEqual(len(report["limbs"]), 4)
        arm = self.run_lissom("control", MODELS / "arm7.urdf", "--motion", "lift")
        self.assertEqual(arm.returncode, 2)
        self.assertIn("foot", arm.stderr.replace("feet", "foot"))

    def test_the_ground_and_the_masses_may_differ_from_what_the_controller_knows(self):
        motion = self.motion(stages=[{"name": "stand", "seconds": 0, "hold": 1}])
        heavy = self.control("--motion", motion, "--mass-scale", "2", code=1)
        self.assertIn("center of mass", heavy["failure"])
        self.assertGreater(heavy["hold_com_error"], 0.08)
        self.assertEqual(self.control("--motion", motion, "--friction", "0.3")["settings"]["friction"], 0.3)

    def test_robots_that_cannot_move_carry_out_no_motion_file(self):
        robot = pathlib.Path(self.folder.name) / "humanoid.urdf"
        robot.write_text(re.sub(r'velocity="[^"]*"', 'velocity="0"', self.humanoid.read_text()))
        self.refused(robot, "--motion", self.motion(), naming=["velocity", "chest_yaw"])

    def test_contacts_of_a_motion_file_are_those_of_the_robot(self):
        # Balls, of which the file says nothing but the name.
        quadruped, here = MODELS / "quadruped.urdf", pathlib.Path(self.folder.name)
        posture = self.run_lissom("stance", quadruped, "--json")
        self.assertEqual(posture.returncode, 0, posture.stderr)
        (here / "standing.json").write_text(posture.stdout)
        feet = [f"{end}_{side}_foot_contact" for end in ("front", "rear") for side in ("left", "right")]
        motion = here / "motion.json"
        motion.write_text(json.dumps({"postures": "standing.json", "start": "standing", "contacts": feet, "standing": feet,
                                      "stages": [{"name": "stand", "seconds": 0.5, "hold": 0.5}]}))
        ran = self.run_lissom("control", quadruped, "--motion", motion, "--json", "--quiet")
        self.assertEqual(ran.returncode, 0, ran.stdout[:300] + ran.stderr)
        self.assertEqual([c["name"] for c in json.loads(ran.stdout)["contacts"]], feet)

    def test_a_scene_has_its_friction(self):
        ice = pathlib.Path(self.folder.name) / "ice.json"
        ice.write_text(json.dumps({"ground": True, "contact": {"friction": 0.05}}))
        walk = ["--motion", "walk", "--steps", "3", "--scene", ice, "--quiet"]
        self.assertFalse(self.control(*walk, code=1)["succeeded"])
        self.assertTrue(self.control(*walk, "--friction", "0.7")["succeeded"])

    def test_what_motors_cannot_do_is_predicted(self):
        text = (MODELS / "quadruped.urdf").read_text()
        robot = pathlib.Path(self.folder.name) / "weak.urdf"
        robot.write_text(re.sub(r'effort="[^"]*"', 'effort="8"', text))
        ran = self.run_lissom("control", robot, "--motion", "lift", "--json", "--quiet")
        self.assertEqual(ran.returncode, 1, ran.stderr)
        reasons = json.loads(ran.stdout)["impossible"]
        self.assertIn("without disturbances", reasons[0])
        self.assertIn("torque", reasons[0])


if __name__ == "__main__":
    arguments = sys.argv[1:]
    LISSOM = pathlib.Path(arguments[arguments.index("--lissom") + 1]).resolve()
    MODELS = pathlib.Path(arguments[arguments.index("--models") + 1]).resolve()
    unittest.main(argv=[sys.argv[0]] + arguments[4:])
