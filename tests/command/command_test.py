#!/usr/bin/env python3
"""Tests of the command line.

usage: command_test.py --lissom COMMAND [CASE | CASE.test …]
"""
import json
import math
import pathlib
import random
import subprocess
import tempfile

from command_case import GRIPPER, HUMANOID, MALFORMED, MODELS, CommandCase, main


class General(CommandCase):
    def test_help_names_every_verb(self):
        text = self.good("--help")
        for verb in ("info", "check", "eval", "bench", "verify", "bridge", "ik", "sim", "control", "qp", "compare", "plot"):
            self.assertIn(verb, text)
            self.assertIn("FILE", self.good(verb, "--help"))

    def test_wrong_use_is_2(self):
        self.refused(naming="no verb is given")
        self.refused("info", naming="FILE")
        self.refused("info", HUMANOID, "--color", naming="--color")
        self.refused("eval", HUMANOID, naming="--states")
        self.refused("bench", HUMANOID, "--seconds", "soon", naming="--seconds")
        self.refused("bench", HUMANOID, "--threads", "-1", naming="--threads")

    def test_missing_file_is_2_and_named(self):
        for verb, more in (("info", []), ("bench", []), ("eval", ["--states", "-"])):
            self.refused(verb, "no_such_robot.urdf", *more, naming="no_such_robot.urdf", text='{"states": []}')

    def test_file_with_errors_is_2_with_line_and_remedy(self):
        self.refused("info", MALFORMED / "axis_zero.urdf", naming=["axis_zero.urdf:5", "[axis-zero]", "remedy"])

    def test_base_must_be_known(self):
        self.refused("info", HUMANOID, "--base", "hovering", naming=["--base", "hovering", "planar"])
        self.refused("info", HUMANOID, "--mimic", "perhaps", naming=["--mimic", "perhaps", "independent"])


class Info(CommandCase):
    def json_info(self, *arguments):
        return json.loads(self.good("info", "--json", *arguments))

    def test_text(self):
        text = self.good("info", HUMANOID, "--base", "free")
        self.assertIn("36 degrees of freedom", text)
        for joint in ("base: free", "left_knee: revolute", "right_grip: revolute"):
            self.assertIn(joint, text)

    def test_json(self):
        info = self.json_info(HUMANOID, "--base", "free")
        self.assertEqual((info["name"], info["nq"], info["nv"], info["bodies"]), ("humanoid", 37, 36, 31))
        self.assertAlmostEqual(info["mass"], 58)
        self.assertEqual(info["gravity"], [0, 0, -9.81])
        self.assertLessEqual({"joints", "links", "frames", "snapped_axes", "max_snap"}, set(info))
        at_q = at_v = 0
        for joint in info["joints"]:  # in the order of q, without gaps
            if joint["nq"]:
                self.assertEqual((joint["q"], joint["v"]), (at_q, at_v), joint["name"])
            at_q, at_v = at_q + joint["nq"], at_v + joint["nv"]
        self.assertEqual((at_q, at_v), (37, 36))
        self.assertAlmostEqual(sum(link["mass"] for link in info["links"]), 58)

    def test_bases(self):
        sizes = {base: (i["nq"], i["nv"]) for base in ("file", "fixed", "free", "planar")
                 for i in [self.json_info(HUMANOID, "--base", base)]}
        self.assertEqual(sizes, {"file": (30, 30), "fixed": (30, 30), "free": (37, 36), "planar": (33, 33)})

    def test_mimic(self):
        coupled = self.json_info(GRIPPER)
        follows = {j["name"]: j.get("follows") for j in coupled["joints"]}
        self.assertEqual(coupled["nv"], 1)
        self.assertIsNone(follows["left"])
        self.assertEqual(follows["right"], {"joint": "left", "ratio": -1, "offset": 0})
        self.assertEqual(follows["right_tip"], {"joint": "left", "ratio": -0.5, "offset": 0.2})
        self.assertEqual(self.json_info(GRIPPER, "--mimic", "couple"), coupled)
        independent = self.json_info(GRIPPER, "--mimic", "independent")
        self.assertEqual(independent["nv"], 3)
        self.assertFalse(any("follows" in j for j in independent["joints"]))

    def test_every_model(self):
        for file in sorted(MODELS.rglob("*.urdf")):
            for base in ("file",) if file.stem == "floating_box" else ("file", "free"):  # it floats already, and that is said
                with self.subTest(file=file.name, base=base):
                    info = self.json_info(file, "--base", base)
                    self.assertGreater(info["nv"], 0)
                    self.good("info", file, "--base", base)

    def test_loops(self):
        delta = MODELS / "mechanisms" / "delta"
        text = self.good("info", f"{delta}.urdf", "--loops", f"{delta}.json")
        self.assertIn("rod_a_left: rod of 0.6 m, arm_a and platform", text)
        loops = json.loads(self.good("info", f"{delta}.urdf", "--loops", f"{delta}.json", "--json"))["loops"]
        self.assertEqual(len(loops), 6)
        self.assertEqual(loops[0], {"name": "rod_a_left", "kind": "distance", "a": "arm_a", "b": "platform", "length": 0.6})
        bricard = MODELS / "iftomm" / "a04_bricard"
        self.assertIn("along and about xyz ry rz", self.good("info", f"{bricard}.urdf", "--loops", f"{bricard}.json"))
        self.assertEqual(json.loads(self.good("info", f"{delta}.urdf", "--json"))["loops"], [])


class Check(CommandCase):
    def test_loops(self):
        delta = MODELS / "mechanisms" / "delta"
        self.assertIn("0 errors, 0 warnings", self.good("check", f"{delta}.urdf", "--loops", f"{delta}.json"))
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write('{"loops": [{"name": "rod", "kind": "distance", "a": "arm_a", "b": "arm_b", "length": 9}]}')
            file.flush()
            far = self.run_lissom("check", f"{delta}.urdf", "--loops", file.name)
            self.assertEqual(far.returncode, 1)
            for word in ("loops-open", "'rod, length'"):
                self.assertIn(word, far.stdout)
            file.seek(0)
            file.truncate()
            file.write('{"loops": [{"name": "rod", "kind": "distance", "a": "arm_a", "b": "arm_b", "length": 0}]}')
            file.flush()
            zero = self.run_lissom("check", f"{delta}.urdf", "--loops", file.name)
            self.assertEqual(zero.returncode, 1)
            for word in ("loops-file", "/loops/0/length", "positive"):
                self.assertIn(word, zero.stdout)

    def test_own_models_are_clean(self):
        # Two roots give a warning, and so do the point masses that a benchmark prescribes; both are intended.
        intended = ("parallel_roots", "a01_pendulum", "a05_governor")
        for file in sorted(MODELS.rglob("*.urdf")):
            if file.stem not in intended:
                with self.subTest(file=file.name):
                    self.assertRegex(self.good("check", file), r"no problems found|0 errors, 0 warnings, \d+ notes?\n$")

    def test_warnings_are_1(self):
        ran = self.run_lissom("check", MODELS / "mechanisms" / "parallel_roots.urdf")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("[several-roots]", ran.stdout)

    def test_errors_are_1(self):
        ran = self.run_lissom("check", MALFORMED / "axis_zero.urdf")
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stdout, r"axis_zero\.urdf:5: error: joint 'j': .* \[axis-zero\]\n    remedy: ")
        self.assertIn("1 error", ran.stdout)

    def test_missing_file_is_2(self):
        ran = self.run_lissom("check", HUMANOID, "no_such_robot.urdf")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("no_such_robot.urdf", ran.stdout + ran.stderr)

    def test_json(self):
        files = [str(MALFORMED / "axis_zero.urdf"), HUMANOID]
        ran = self.run_lissom("check", "--json", *files)
        self.assertEqual(ran.returncode, 1)
        report = json.loads(ran.stdout)["files"]
        self.assertEqual([f["file"] for f in report], sorted(files))
        for file in report:
            self.assertEqual(set(file), {"file", "diagnostics", "errors", "warnings", "notes"})
            self.assertEqual(file["errors"] + file["warnings"] + file["notes"], len(file["diagnostics"]))
            for finding in file["diagnostics"]:
                self.assertEqual(set(finding), {"severity", "code", "file", "line", "subject", "message", "remedy"})
        broken = next(f for f in report if f["file"] == files[0])
        self.assertEqual([(d["code"], d["line"]) for d in broken["diagnostics"] if d["severity"] == "error"],
                         [("axis-zero", 5)])

    def test_arbitrary_bytes_neither_crash_nor_hang(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in {"empty": b"", "zeros": bytes(1000), "binary": bytes(range(256)) * 8,
                                  "cut": pathlib.Path(HUMANOID).read_bytes()[:5000], "latin": b"<robot name='\xe9'/>"}.items():
                path = pathlib.Path(folder) / f"{name}.urdf"
                path.write_bytes(content)
                for form in ([], ["--json"]):
                    ran = subprocess.run([self.lissom, "check", *form, str(path)], capture_output=True, timeout=60)
                    self.assertEqual(ran.returncode, 1, (name, ran.stdout, ran.stderr))


class Eval(CommandCase):
    KEYS = {"q", "v", "M", "h", "g", "tau", "qdd", "com", "kinetic_energy", "potential_energy", "placements", "jacobians"}

    def evaluate(self, states, *arguments, gravity=None):
        request = {"states": states} | ({"gravity": gravity} if gravity else {})
        return json.loads(self.good("eval", *arguments, "--states", "-", text=json.dumps(request)))

    def wrong(self, request, naming, *arguments):
        text = request if isinstance(request, str) else json.dumps(request)
        return self.refused("eval", *(arguments or (HUMANOID, "--base", "free")), "--states", "-", naming=naming, text=text)

    def random_state(self, joints, seed):
        random.seed(seed)
        state = {key: {j["name"]: [random.uniform(-1, 1) for _ in range(j["nv"])] for j in joints} for key in ("v", "a")}
        state["q"] = {j["name"]: [random.uniform(-1, 1) for _ in range(j["nq"])] for j in joints}
        for j in joints:
            if j["type"] in ("free", "spherical"):
                x = state["q"][j["name"]]
                length = math.hypot(*x[-4:])
                x[-4:] = [c / length for c in x[-4:]]
        return state

    def test_shapes(self):
        answer = self.evaluate([{}, {"q": {"left_knee": [0.5]}}], HUMANOID, "--base", "free")
        self.assertEqual(len(answer["results"]), 2)
        for joint in answer["joints"]:
            self.assertEqual(set(joint), {"name", "type", "nq", "nv", "idx_q", "idx_v"})
        for result in answer["results"]:
            self.assertEqual(set(result), self.KEYS)
            self.assertEqual({len(row) for row in result["M"]} | {len(result["M"])}, {36})
            for key in ("h", "g", "tau", "qdd"):
                self.assertEqual(len(result[key]), 36)
            self.assertEqual(len(result["placements"]), 36)
            self.assertEqual({len(x) for x in result["placements"].values()}, {12})
            self.assertEqual({(len(J), len(J[0])) for J in result["jacobians"].values()}, {(6, 36)})

    def test_inverse_and_forward_dynamics_are_inverse_to_each_other(self):
        for file, base in ((HUMANOID, "free"), (HUMANOID, "fixed"), (MODELS / "quadruped.urdf", "free"),
                           (MODELS / "mechanisms" / "tilted_axes.urdf", "file"), (GRIPPER, "file")):
            with self.subTest(file=str(file), base=base):
                joints = [j for j in self.evaluate([{}], file, "--base", base)["joints"] if j["nv"]]
                state = self.random_state(joints, 7)
                tau = self.evaluate([state], file, "--base", base)["results"][0]["tau"]
                again = dict(state, tau={j["name"]: tau[j["idx_v"]:j["idx_v"] + j["nv"]] for j in joints})
                result = self.evaluate([again], file, "--base", base)["results"][0]
                for j in joints:
                    for k in range(j["nv"]):
                        self.assertAlmostEqual(result["qdd"][j["idx_v"] + k], state["a"][j["name"]][k], delta=1e-9)
                # tau = M a + h, and M is symmetric
                a = [0.0] * len(tau)
                for j in joints:
                    a[j["idx_v"]:j["idx_v"] + j["nv"]] = state["a"][j["name"]]
                for i, row in enumerate(result["M"]):
                    self.assertAlmostEqual(sum(m * x for m, x in zip(row, a)) + result["h"][i], tau[i], delta=1e-9)
                    for k in range(i):
                        self.assertEqual(row[k], result["M"][k][i])

    def test_free_fall(self):
        result = self.evaluate([{}], HUMANOID, "--base", "free")["results"][0]
        for found, expected in zip(result["qdd"], [0, 0, -9.81] + [0] * 33):
            self.assertAlmostEqual(found, expected, delta=1e-9)
        self.assertAlmostEqual(result["g"][2], 58 * 9.81)

    def test_gravity_of_the_request(self):
        result = self.evaluate([{}], HUMANOID, "--base", "free", gravity=[0, 0, -1.62])["results"][0]
        self.assertAlmostEqual(result["g"][2], 58 * 1.62)

    def test_planar_arm_as_in_textbooks(self):
        q2 = 0.7
        result = self.evaluate([{"q": {"joint2": [q2]}}], MODELS / "planar2.urdf")["results"][0]
        for found, expected in zip(sum(result["M"], []), [3.5 + math.cos(q2), 1.25 + math.cos(q2) / 2] +
                                                         [1.25 + math.cos(q2) / 2, 1.25]):
            self.assertAlmostEqual(found, expected, delta=1e-12)

    def test_states_from_a_file(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write('{"states": [{}]}')
            file.flush()
            self.assertEqual(len(json.loads(self.good("eval", HUMANOID, "--states", file.name))["results"]), 1)
        self.refused("eval", HUMANOID, "--states", "no_such_states.json", naming="no_such_states.json")

    def test_mimic(self):
        self.assertEqual(len(self.evaluate([{"q": {"left": [0.1]}}], GRIPPER)["results"][0]["tau"]), 1)
        self.wrong({"states": [{"q": {"right": [0.1]}}]}, ["right", "--mimic independent"], GRIPPER)
        result = self.evaluate([{"q": {"right": [0.1]}}], GRIPPER, "--mimic", "independent")["results"][0]
        self.assertEqual(len(result["tau"]), 3)

    def test_states_of_other_programs(self):
        file = MODELS / "iftomm" / "a05_governor.urdf"  # Pinocchio and we number its joints differently
        ours = [j for j in self.evaluate([], file)["joints"] if j["nv"]]
        state = self.random_state(ours, 3)
        mine = self.evaluate([state], file)["results"][0]
        there = self.evaluate([state], file, "--to", "pinocchio")
        self.assertNotEqual([j["name"] for j in there["joints"]], [j["name"] for j in ours])
        found = there["results"][0]
        for j in there["joints"]:  # each joint has the force and the row of M that it has here
            own = next(o for o in ours if o["name"] == j["name"])
            self.assertEqual(found["tau"][j["idx_v"]], mine["tau"][own["idx_v"]])
            self.assertEqual(found["M"][j["idx_v"]][j["idx_v"]], mine["M"][own["idx_v"]][own["idx_v"]])
            self.assertEqual(j["nq"], 2 if j["type"] == "continuous" else 1)
        # lists of all numbers, in the order of Pinocchio, are read back
        lists = {"q": found["q"], "v": found["v"]}
        back = self.evaluate([lists], file, "--from", "pinocchio")["results"][0]
        for key in ("q", "v"):
            for x, y in zip(back[key], mine[key]):
                self.assertAlmostEqual(x, y, delta=1e-14)
        names = ",".join(j["name"] for j in there["joints"])
        self.assertEqual(self.evaluate([lists], file, "--convention", "pinocchio", "--joints", names),
                         self.evaluate([lists], file, "--convention", "pinocchio"))

    def test_one_state_in_the_convention_of_another_program(self):
        file = MODELS / "iftomm" / "a05_governor.urdf"
        joint = next(j["name"] for j in self.evaluate([], file)["joints"] if j["nv"])
        by_options = json.loads(self.good("eval", file, "--q", f"{joint}=0.3", "--to", "pinocchio"))
        self.assertEqual(by_options, self.evaluate([{"q": {joint: [0.3]}}], file, "--to", "pinocchio"))
        self.refused("eval", file, "--q", f"{joint}=0.3", "--from", "pinocchio", naming=["--from 'pinocchio'", "--states"])

    def test_wrong_conventions_are_named(self):
        self.wrong({"states": []}, ["no convention 'drake'", "pinocchio"], HUMANOID, "--to", "drake")
        self.wrong({"states": []}, "lacks 'joint2'", MODELS / "planar2.urdf", "--to", "ros", "--joints", "joint1")
        self.wrong({"states": [{"q": [0, 0, 0]}]}, "states[0].q has 3 elements, expected 4", MODELS / "planar2.urdf",
                   "--from", "pinocchio")
        self.wrong({"states": [{}]}, ["followers", "--mimic independent"], GRIPPER, "--to", "mujoco")

    def test_wrong_requests_are_named(self):
        self.wrong("{", "invalid JSON")
        self.wrong("", "invalid JSON")
        self.wrong([], "states")
        self.wrong({"states": 3}, "states")
        self.wrong({"states": [3]}, "states[0]")
        self.wrong({"states": [{}, {"w": {}}]}, ["states[1]", "'w'"])
        self.wrong({"states": [{"q": {"left_kne": [0]}}]}, ["left_kne", "left_knee"])
        self.wrong({"states": [{"q": [0, 0]}]}, "states[0].q")
        self.wrong({"states": [{"q": {"left_knee": 0.5}}]}, ["left_knee", "0.5"])
        self.wrong({"states": [{"q": {"base": [0, 0, 0]}}]}, ["base", "7"])
        self.wrong({"states": [{"v": {"left_knee": ["fast"]}}]}, ["left_knee", "fast"])
        self.wrong({"states": [{"v": {"left_knee": [None]}}]}, "left_knee")
        self.wrong({"states": [{"q": {"base": [0, 0, 0, 2, 0, 0, 0]}}]}, ["quaternion", "norm 2"])
        self.wrong({"states": [{"q": {"left_sole_mount": [1]}}]}, "left_sole_mount")
        self.wrong({"gravity": [0, 9.81], "states": []}, "gravity")
        self.wrong('{"states": [{"q": {"left_knee": [1e999]}}]}', "1e999")

    def test_no_states(self):
        self.assertEqual(self.evaluate([], HUMANOID)["results"], [])


class Bench(CommandCase):
    ALGORITHMS = {"placements", "velocities", "jacobians", "rnea", "bias", "crba", "factor", "minv", "aba", "centroidal", "coriolis", "d_rnea",
                  "d_aba", "dd_rnea"}

    def test_json_is_complete(self):
        rows = json.loads(self.good("bench", HUMANOID, "--base", "free", "--seconds", "0.001", "--threads", "2", "--json"))
        for row in rows:
            self.assertEqual(set(row), {"robot", "base", "nv", "algorithm", "mode", "us"})
            self.assertEqual((row["robot"], row["base"], row["nv"]), ("humanoid", "free", 36))
            self.assertGreater(row["us"], 0)
        measured = {mode: {r["algorithm"] for r in rows if r["mode"] == mode} for mode in {r["mode"] for r in rows}}
        for mode in ("interpreted", "lanes_f64", "lanes_f32"):
            self.assertLessEqual(self.ALGORITHMS, measured[mode])
        for mode in ("threads_f64", "threads_f32"):
            self.assertLessEqual({"rnea", "aba"}, measured[mode])
        self.assertLessEqual({"rnea", "crba", "aba", "dd_aba"}, measured["api"])
        self.assertEqual(len(rows), len({(r["algorithm"], r["mode"]) for r in rows}))
        rows = json.loads(self.good("bench", MODELS / "arm7.urdf", "--only", "dd_aba", "--seconds", "0.001", "--json"))
        self.assertEqual([(r["algorithm"], r["mode"]) for r in rows], [("dd_aba", "api")])

    def test_text(self):
        text = self.good("bench", MODELS / "arm7.urdf", "--seconds", "0.001", "--best")
        for word in ("µs", "rnea", "lanes_f32", "threads_f64"):
            self.assertIn(word, text)

    def test_nothing_to_measure(self):
        with tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
            file.write('<robot name="stone"><link name="rock"/></robot>')
            file.flush()
            self.refused("bench", file.name, naming="stone")


class Verify(CommandCase):
    def test_all_agree(self):
        for robot in (HUMANOID, GRIPPER, MODELS / "mechanisms" / "ball_pendulum.urdf", MODELS / "mechanisms" / "parallel_roots.urdf"):
            for base in ("fixed", "free"):
                report = json.loads(self.good("verify", robot, "--base", base, "--states", 3, "--json"))
                self.assertTrue(report["agree"])
                self.assertLess(report["max_disagreement"], 1e-9)
                self.assertEqual(report["states"], 3)
                for comparison in report["comparisons"]:
                    self.assertTrue(comparison["pairs"])

    def test_charts(self):
        ball = MODELS / "mechanisms" / "ball_pendulum.urdf"
        for chart in ("euler-zxy", "fixed-xyz", "roll-pitch-yaw", "matrix", "axis-angle", "exponential"):
            self.assertIn("all agree", self.good("verify", ball, "--base", "free", "--chart", f"base={chart}", "--chart", "ball=euler-zyx", "--states", 5))
        self.refused("verify", ball, "--chart", "ball", naming="JOINT=CHART")
        self.refused("verify", ball, "--chart", "ball=qaternion", naming=["qaternion", "quaternion"])
        self.refused("verify", ball, "--chart", "bal=quaternion", naming=["bal", "ball"])
        self.refused("verify", MODELS / "arm7.urdf", "--chart", "joint1=matrix", naming=["joint1", "revolute"])

    def test_disagreement_is_1(self):
        ran = self.run_lissom("verify", HUMANOID, "--base", "free", "--states", 2, "--tolerance", "1e-18")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("!", ran.stdout)
        self.assertRegex(ran.stdout, r"largest: .* between .* and .*, state \d+")


if __name__ == "__main__":
    main()
