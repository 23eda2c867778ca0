#!/usr/bin/env python3
"""Tests of what all verbs share: messages about wrong use, configurations and pushes, progress, completion, manual pages.

usage: usage_test.py --lissom COMMAND [CASE | CASE.test …]
"""
import gzip
import json
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import subprocess
import tempfile
import zipfile

from command_case import HUMANOID, MODELS, ROOT, CommandCase, chain, main

ARM = str(MODELS / "arm7.urdf")
VERBS = ("info", "check", "eval", "linearize", "equations", "bench", "generate", "verify", "bridge", "ik", "sim", "control", "qp", "stance", "contacts", "plan", "compare",
         "plot", "convert", "same", "sweep", "view", "help", "completion", "man")


class Usage(CommandCase):
    def test_unknown_options_suggest_the_nearest(self):
        self.refused("sim", ARM, "--secnods", "2", naming="--secnods: unknown option; did you mean --seconds?")
        self.refused("sim", "--secnods=2", ARM, naming="did you mean --seconds?")
        self.refused("check", "--jsn", naming="did you mean --json?")  # though FILE is missing, too
        self.refused("info", HUMANOID, "-json", naming="-json: unknown option; did you mean --json?")
        self.refused("info", HUMANOID, "--zzzzzz", naming=["--zzzzzz", "lissom help info"])
        self.refused("--versoin", naming="--version")
        self.refused("info", HUMANOID, "extra.urdf", naming="unexpected argument 'extra.urdf'")

    def test_unknown_verbs_suggest_the_nearest(self):
        self.refused("smi", ARM, naming=["no verb 'smi'", "did you mean sim?", "control"])
        self.refused("help", "smi", naming="did you mean sim?")

    def test_alone_it_lists_the_verbs(self):
        text = self.refused(naming=VERBS)
        self.assertIn("simulate a robot", text)

    def test_help(self):
        self.assertEqual(self.good("help"), self.good("--help"))
        for verb in VERBS:
            self.assertEqual(self.good("help", verb), self.good(verb, "--help"))
        self.assertIn("130", self.good("help"))
        for option in ("--starts", "--tolerance", "--seed", "--from"):
            line = re.search(rf"{option} .*", self.good("help", "ik"))[0]
            self.assertIn("default", line)

    def test_numbers_in_plain_words(self):
        for verb, more in (("sim", ("--seconds",)), ("sim", ("--step",)), ("bench", ("--seconds",)), ("sim", ("--stiffness",)),
                           ("stance", ("--contacts", "x", "--friction")), ("sim", ("--min-step",)), ("ik", ("--tolerance",))):
            for wrong in ("-1", "nan", "inf", "abc", "1e999", ""):
                with self.subTest(verb=verb, option=more[-1], wrong=wrong):
                    text = self.refused(verb, ARM, *more[:-1], f"{more[-1]}={wrong}" if wrong else f"{more[-1]}=", naming=more[-1])
                    self.assertLess(len(text), 200)
                    if wrong:
                        self.assertIn(f"'{wrong}': expected a number", text)
        for wrong in ("0", "1.5", "-2", "1e3", "99999999999999999999"):
            self.refused("sim", ARM, f"--every={wrong}", naming=["--every", "whole number"])
        for verb in ("ik", "verify", "stance"):
            self.refused(verb, ARM, "--seed=-1", naming=["--seed", "whole number"])

    def test_numbers_of_values_in_plain_words(self):
        self.refused("sim", ARM, "--seconds", "1", "--seconds", "2", naming="--seconds takes one value, but 2 are given")
        text = self.refused("sim", ARM, "--seconds", naming="--seconds")
        self.assertNotIn("required", text)
        for option, value in (("--seconds", "a number"), ("--every", "a whole number"), ("--controller", "one of none|pd|computed_torque|gravity")):
            self.refused("sim", ARM, option, naming=f"{option} needs a value: {value} (lissom help sim)")
        self.refused("check", ARM, "--ignore", naming="--ignore needs a value: CODE (")
        self.refused("sim", ARM, "--push", naming="--push needs a value (lissom help sim)")
        self.refused("qp", naming="FILE")

    def test_values_of_joints(self):
        self.refused("sim", ARM, "--q", "joint1", naming=["--q", "JOINT=VALUE"])
        self.refused("sim", ARM, "--q", "1", naming="--q '1' has 1 element, expected 7 in the order that lissom info prints; JOINT=VALUE")
        self.refused("sim", ARM, "--q", "joint1=1,joint1=2", naming="--q: 'joint1' is given twice")
        self.refused("eval", ARM, "--v", "joint2=1,joint1=1,joint2=1", naming="--v: 'joint2' is given twice")
        self.refused("sim", ARM, "--q", "joint2=1:2", naming="--q: joint2 '1:2'")
        self.refused("sim", ARM, "--push", "link7=1,0,0@0:1", naming=["the frame stands after the force", "FX,FY,FZ@FRAME"])

    def test_a_directory_does_not_hide_a_motion(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "stand").mkdir()
            ran = subprocess.run([self.lissom, "control", HUMANOID, "--motion", "stand", "--quiet"], cwd=folder, capture_output=True, text=True)
            self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_directories_and_empty_files(self):
        with tempfile.TemporaryDirectory() as folder:
            empty = pathlib.Path(folder) / "empty.json"
            empty.write_text(" \n")
            self.refused("eval", ARM, "--states", empty, naming=["empty.json", "there is no text"])
            self.refused("control", HUMANOID, "--motion", folder, naming=["--motion", "this is a directory"])
            self.refused("convert", ARM, folder, "--force", naming=[folder, "is a directory, not a file"])
            recording = pathlib.Path(folder) / "run.mcap"
            self.good("sim", ARM, "--seconds", "0.01", "--record", recording)
            (pathlib.Path(folder) / "folder.npz").mkdir()
            self.refused("convert", recording, f"{folder}/folder.npz", "--force", naming="is a directory, not a file")
            os.mkfifo(f"{folder}/pipe.npz")
            self.refused("convert", recording, f"{folder}/pipe.npz", "--force", naming="is no regular file")
            self.refused("sim", ARM, "--seconds", "0.01", "--record", f"{folder}/nowhere/run.mcap", naming="make the folder first")

    def test_files_that_are_no_robots_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "arm7.urdf.gz").write_bytes(gzip.compress(pathlib.Path(ARM).read_bytes()))
            for name in ("run.mcap", "run.npz", "run.csv"):
                self.good("sim", ARM, "--seconds", "0.01", "--record", folder / name)
            with zipfile.ZipFile(folder / "arm7.zip", "w") as archive:
                archive.write(ARM, "arm7.urdf")
            (folder / "gripper.glb").write_bytes(b"glTF\x02\0\0\0")
            for name, expected in (("arm7.urdf.gz", "a file compressed by gzip"), ("run.mcap", "a recording (MCAP)"), ("run.npz", "a recording (NPZ)"),
                                   ("run.csv", "a recording (CSV)"), ("arm7.zip", "a ZIP archive"), ("gripper.glb", "a mesh (GLB)")):
                self.refused("info", folder / name, naming=[f"{name}:1", f"this is {expected}; expected URDF, MJCF or SDF"])

    def test_files_that_are_too_large_are_told_without_words_of_programs(self):
        for verb in ("info", "view"):
            text = self.refused(verb, "/dev/full", naming=["/dev/full: error: the file is larger than the limit of 67108864 bytes [file-size]",
                                                           "remedy: check that this is the file of a robot"])
            self.assertIn("a program that reads larger ones", text)

    def test_words(self):
        self.refused("check", ARM, "--ignore", "limit-zreo", naming=["--ignore", "no finding has the code 'limit-zreo'", "did you mean 'limit-zero'?"])
        self.refused("check", ARM, "--ignore", "xyz123", naming="docs/findings.json")
        self.refused("sim", ARM, "--controller", "magic", naming=["--controller", "'magic'", "computed_torque or gravity"])
        self.refused("bench", ARM, "--only", "rnae", "--seconds", "0.001", naming=["'rnae'", "did you mean 'rnea'?", "crba"])
        self.refused("bench", ARM, "--only", "RNEA", "--seconds", "0.001", naming="did you mean 'rnea'?")
        rows = json.loads(self.good("bench", ARM, "--only", "rnea", "--seconds", "0.001", "--json"))
        self.assertEqual({r["algorithm"] for r in rows}, {"rnea"})

    def test_motions_of_a_robot_without(self):
        with tempfile.TemporaryDirectory() as folder:
            robot = shutil.copy(ARM, folder)
            ran = self.run_lissom("control", robot, "--list-motions")
            self.assertEqual((ran.returncode, ran.stdout), (1, ""))
            self.assertIn("no motion in", ran.stderr)
            self.refused("control", robot, naming=["arm7", "has no feet"])
        for robot in ("quadruped.urdf", "arm7.urdf"):  # the humanoid's motions are in the same folder
            self.assertNotIn("handstand", self.run_lissom("control", MODELS / robot, "--list-motions").stdout)
        self.assertIn("handstand", self.good("control", HUMANOID, "--list-motions"))

    def test_names_that_differ_by_case_come_first(self):
        with tempfile.TemporaryDirectory() as folder:
            joints = "".join(f'<link name="l{n}"/><joint name="{n}" type="continuous"><parent link="root"/><child link="l{n}"/></joint>'
                             for n in ("LF_KFE", "LF_HFE", "LF_HAA", "lf_hab"))
            path = pathlib.Path(folder) / "robot.urdf"
            path.write_text(f'<robot name="r"><link name="root"/>{joints}</robot>')
            text = self.refused("eval", path, "--states", "-", text='{"states": [{"q": {"lf_haa": [0]}}]}', naming="LF_HAA")
            self.assertRegex(text, r"joints: LF_HAA,")

    def test_standard_input(self):
        robot = pathlib.Path(ARM).read_text()
        self.assertIn("0 errors, 0 warnings", self.good("check", "-", text=robot))
        self.assertEqual(self.good("info", "-", "--json", text=robot), self.good("info", ARM, "--json"))
        ran = self.run_lissom("check", "-", text="<robot name='x'><link name='a'/><link name='a'/></robot>")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("standard input:1", ran.stdout)
        self.refused("info", "-", naming="standard input", text="")
        self.refused("eval", "-", "--states", "-", naming="only one standard input", text=robot)
        # A recording contains the robot, wherever it came from.
        self.good("sim", "-", "--seconds", "0.01", "--record", "run.mcap", text=robot)
        self.assertIn("arm7", self.good("plot", "run.mcap", "--list"))

    def test_version(self):
        version = re.search(r"project\(lissom VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
        first, second = self.good("--version").splitlines()
        self.assertEqual(first, f"lissom {version}")
        self.assertRegex(second, r"compiled by (g\+\+|clang) .*LISSOM_TARGET=(dispatch|native|portable)\); uses the instruction set \w+")


class States(CommandCase):
    def sim(self, *arguments, robot=ARM):
        return json.loads(self.good("sim", robot, "--seconds", "0", "--json", *arguments))

    def test_configurations_by_name_and_by_number(self):
        by_name = self.sim("--q", "joint2=0.5,joint4=-1", "--v", "joint1=2")
        self.assertEqual(by_name["q"], [0, 0.5, 0, -1, 0, 0, 0])
        self.assertEqual(by_name["v"], [2, 0, 0, 0, 0, 0, 0])
        self.assertEqual(self.sim("--q", "0,0.5,0,-1,0,0,0")["q"], by_name["q"])
        free = self.sim("--base", "free", "--q", "base.z=0.9,base.qz=1,left_knee=0.3", "--v", "base.wz=1", robot=HUMANOID)
        self.assertEqual(free["q"][2], 0.9)
        self.assertAlmostEqual(free["q"][3], 0.5 ** 0.5)
        self.assertAlmostEqual(free["q"][6], 0.5 ** 0.5)
        self.assertEqual(free["v"][5], 1)

    def test_configurations_from_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "reach.json"
            path.write_text(self.good("ik", ARM, "--frame", "tool", "--position", "0.4,0.1,0.6", "--json"))
            q = json.loads(path.read_text())["q"]
            self.assertEqual(self.sim("--q", f"@{path}")["q"], q)
            again = json.loads(self.good("ik", ARM, "--frame", "tool", "--position", "0.4,0.1,0.6", "--from", f"@{path}", "--json"))
            self.assertLessEqual(again["iterations"], 2)
            path.write_text(json.dumps({"v": [1, 0, 0, 0, 0, 0, 0], "q": [0, 0]}))
            self.assertEqual(self.sim("--v", f"@{path}")["v"][0], 1)
            self.refused("sim", ARM, "--q", f"@{path}", naming=["--q", "2 numbers", "7"])
        posture = f"{MODELS}/postures/humanoid.json#handstand"
        at = self.sim("--base", "free", "--q", f"@{posture}", robot=HUMANOID)["q"]
        self.assertEqual(at, self.sim("--base", "free", "--q", posture, robot=HUMANOID)["q"])

    def test_eval_of_one_state(self):
        request = {"states": [{"q": {"joint2": [0.5]}, "v": {"joint1": [2]}, "a": {"joint3": [1]}, "tau": {"joint1": [3]}}]}
        self.assertEqual(self.good("eval", ARM, "--states", "-", text=json.dumps(request)),
                         self.good("eval", ARM, "--q", "joint2=0.5", "--v", "joint1=2", "--a", "0,0,1,0,0,0,0", "--tau", "joint1=3"))
        self.refused("eval", ARM, "--q", "joint2=0.5", "--states", "-", naming="both given")
        self.refused("eval", ARM, naming="--states")

    def test_wrong_configurations(self):
        for verb, option, more in (("sim", "--q", []), ("ik", "--from", ["--frame", "tool", "--position", "0.4,0,0.6"]),
                                   ("sim", "--posture", ["--controller", "pd"]), ("stance", "--from", ["--contacts", "tool"])):
            wrong = lambda text, naming: self.refused(verb, ARM, *more, option, text, naming=[option, *naming])
            wrong("@nofile.json", ["'nofile.json' does not exist"])
            wrong("joint9=2", ["joint9", "joint"])
            wrong("joint2=x", ["'x'"])
            wrong("joint2=0.5,1", ["'1'", "JOINT=VALUE"])
        self.refused("sim", HUMANOID, "--base", "free", "--q", "base=1", naming=["--q", "'base' has 7 elements", "base.x=VALUE"])
        self.refused("sim", ARM, "--v", "@nofile.json", naming=["--v", "does not exist"])

    def test_options_without_effect(self):
        for option, value in (("--posture", "joint2=1"), ("--move-seconds", "1"), ("--stiffness", "5"), ("--damping", "1")):
            for more in ((), ("--controller", "gravity"), ("--ground",)):
                self.refused("sim", ARM, option, value, *more, naming=[f"{option} has no effect", "add --controller pd"])
        self.good("sim", ARM, "--posture", "joint2=1", "--controller", "pd", "--seconds", "0.01")
        self.refused("sim", ARM, "--tolerance", "1e-9", naming=["--tolerance is that of dopri5", "--integrator dopri5"])
        self.good("sim", ARM, "--tolerance", "1e-9", "--integrator", "dopri5", "--seconds", "0.01")

    def test_a_restart_does_not_overwrite_its_recording(self):
        with tempfile.TemporaryDirectory() as folder:
            run = pathlib.Path(folder) / "run.csv"
            self.good("sim", ARM, "--seconds", "0.02", "--record", run)
            before = run.read_bytes()
            self.refused("sim", "--restart", f"{run}:5", "--record", run, naming=["--record", "is the recording that is restarted"])
            self.assertEqual(run.read_bytes(), before)
            self.good("sim", "--restart", f"{run}:5", "--record", run.with_name("next.csv"))

    def test_pushes_that_never_act_are_told(self):
        for more in ((), ("--ground",)):
            ran = self.run_lissom("sim", ARM, "--seconds", "0.1", "--push", "25N@tool@2:3", "--push", "1N@tool@0.05:3", *more)
            self.assertEqual(ran.returncode, 0)
            self.assertEqual(ran.stderr.count("never acts"), 1, ran.stderr)
            self.assertIn("warning: --push '25N@tool@2:3' never acts: the run is from 0 to 0.1 s", ran.stderr)

    def test_pushes_are_written_the_same_way(self):
        same = [json.loads(self.good("sim", ARM, "--json", "--seconds", "0.2", "--push", push))
                for push in ("25N@tool@0.05:0.1", "25,0,0@tool@0.05:0.1")]
        self.assertEqual(same[0]["q"], same[1]["q"])
        free = json.loads(self.good("sim", ARM, "--json", "--seconds", "0.2"))
        self.assertNotEqual(free["q"], same[0]["q"])
        for verb, robot, frame in (("sim", ARM, "tool"), ("control", HUMANOID, "chest")):
            self.refused(verb, robot, "--push", f"1,2,3@{frame}@2:1", naming=["--push", "ends at 1 s and begins at 2 s"])
            self.refused(verb, robot, "--push", f"1,2,3@{frame}@1:1", naming=["--push", "FROM before UNTIL"])
            self.refused(verb, robot, "--push", f"1,2,3@{frame}@nan:1", naming=["--push", "nan"])
            self.refused(verb, robot, "--push", f"1,2@{frame}", naming=["--push", "expected 3"])
            self.refused(verb, robot, "--push", f"25N@{frame[:-1]}", naming=["--push", frame])
            self.refused(verb, robot, "--push", "25N", naming=["--push", "25N@FRAME"])
            self.refused(verb, robot, "--push", f"25N@{frame}@1", naming=["--push", "FROM:UNTIL"])


class Size(CommandCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_large_recordings_are_refused_before_they_are_written(self):
        for name in ("run.mcap", "run.npz", "run.csv"):
            path = self.folder / name
            text = self.refused("sim", ARM, "--seconds", 1e6, "--record", path, naming=["--record", "1e+09 frames", "GB", "more than 4 GB", "--max-size", "--every"])
            self.assertEqual(list(self.folder.iterdir()), [])
        self.good("sim", ARM, "--seconds", 0.1, "--record", self.folder / "run.mcap")
        size = (self.folder / "run.mcap").stat().st_size
        self.refused("sim", ARM, "--seconds", 1, "--record", self.folder / "b.mcap", "--max-size", 1e-4, naming=["more than --max-size 0.0001"])
        self.assertFalse((self.folder / "b.mcap").exists())
        self.good("sim", ARM, "--seconds", 1, "--record", self.folder / "b.mcap", "--max-size", 2e-3)
        self.good("sim", ARM, "--seconds", 1, "--every", 1000, "--record", self.folder / "c.mcap", "--max-size", 1e-4)
        self.assertGreater(size, 0)


class Progress(CommandCase):
    def on_a_terminal(self, *arguments):
        """Runs lissom with standard error on a terminal, and returns what it wrote there until it wrote anything; then ends it."""
        leader, follower = pty.openpty()
        ran = subprocess.Popen([self.lissom, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=follower)
        self.addCleanup(ran.kill)
        os.close(follower)
        text = b""
        while b"left" not in text and b"so far" not in text and select.select([leader], [], [], 60)[0]:
            try:
                more = os.read(leader, 4096)
            except OSError:  # the other end is closed
                break
            if not more:
                break
            text += more
        ran.kill()
        ran.wait()
        os.close(leader)
        return text.decode()

    def test_time_left(self):
        for arguments in (("sim", ARM, "--seconds", 1e5), ("sim", ARM, "--seconds", 1e5, "--json"),
                          ("verify", HUMANOID, "--states", 1000000), ("same", HUMANOID, HUMANOID, "--states", 100000), ("bench", HUMANOID, "--seconds", 60),
                          ("ik", HUMANOID, "--frame", "left_palm", "--position", "0.3,0.3,0.2", "--all", "--starts", 1000000)):
            with self.subTest(arguments[0]):
                self.assertRegex(self.on_a_terminal(*arguments), r"\[#*\.*\] +\d+ %  .*, .* left")

    def test_time_so_far_where_nobody_knows_how_long_it_will_take(self):
        for arguments in (("stance", HUMANOID, "--contacts", "left_sole,right_sole", "--place", "left_sole=5,0,0", "--place", "right_sole=-5,0,0",
                           "--starts", 100000),
                          ("equations", ARM, "--force", "--symbols", "all")):
            with self.subTest(arguments[0]):
                self.assertRegex(self.on_a_terminal(*arguments), r"\r[^\[]+, \d+ s so far")

    def test_one_state_alone_may_take_long(self):
        with tempfile.TemporaryDirectory() as folder:
            robot = pathlib.Path(folder) / "chain.urdf"
            robot.write_text(chain(2000))
            states = pathlib.Path(folder) / "states.json"
            states.write_text('{"states": [{}]}')
            for arguments in (("verify", robot, "--states", 1), ("eval", robot, "--states", states), ("eval", robot, "--q", "joint1=1"), ("linearize", robot)):
                with self.subTest(arguments):
                    self.assertRegex(self.on_a_terminal(*arguments), r"\r(state|evaluating|linearizing)[^#]*, \d+ s so far")
            self.assertEqual(self.on_a_terminal("linearize", robot, "--quiet"), "")

    def test_quiet_and_short_runs_show_nothing(self):
        self.assertEqual(self.on_a_terminal("sim", ARM, "--seconds", 0.01), "")
        self.assertEqual(self.on_a_terminal("sim", ARM, "--seconds", 200, "--quiet"), "")


class Completion(CommandCase):
    def complete(self, *words):
        """What bash offers after these words; the last one may be incomplete."""
        script = self.good("completion", "bash")
        line = " ".join(f"'{w}'" for w in words)
        test = f"{script}\nCOMP_WORDS=(lissom {line})\nCOMP_CWORD={len(words)}\n_lissom\nprintf '%s\\n' \"${{COMPREPLY[@]}}\""
        ran = subprocess.run(["bash", "-c", test], capture_output=True, text=True, cwd=MODELS)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        return set(ran.stdout.split())

    def test_bash(self):
        self.assertLessEqual(set(VERBS), self.complete(""))
        self.assertEqual(self.complete("con"), {"contacts", "control", "convert"})
        self.assertEqual(self.complete("sim", "--sec"), {"--seconds"})
        self.assertEqual(self.complete("sim", ARM, "--rec"), {"--record", "--record-frames", "--record-ros"})
        self.assertEqual(self.complete("sim", "--controller", ""), {"none", "pd", "computed_torque", "gravity"})
        self.assertEqual(self.complete("info", "--base", "f"), {"file", "fixed", "free"})
        self.assertEqual(self.complete("help", "ver"), {"verify"})
        self.assertEqual(self.complete("completion", ""), {"bash", "zsh", "fish"})
        self.assertEqual(self.complete("info", "huma"), {"humanoid.urdf", "humanoid.svg"})
        self.assertNotIn("--plant", self.complete("control", "--p"))

    def test_every_option_is_in_every_script(self):
        scripts = {shell: self.good("completion", shell) for shell in ("bash", "zsh", "fish")}
        for verb in VERBS:
            options = set(re.findall(r"^  (?:-h,)?--([\w-]+)", self.good("help", verb), re.M)) - {"help"}
            for option in options:
                self.assertRegex(scripts["bash"], rf"(?m)^ +{verb}\) words='.*--{option}[ ']")
                self.assertRegex(scripts["zsh"], rf"(?s)\n    {verb}\).*?'\*--{option}\[")
                self.assertRegex(scripts["fish"], rf"__fish_seen_subcommand_from {verb}' -l {option} ")
        for shell in ("zsh", "fish"):
            shlex.split(scripts[shell], comments=True)  # quotes are balanced
            if shutil.which(shell):
                ran = subprocess.run([shell, "-n"], input=scripts[shell], capture_output=True, text=True)
                self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        self.refused("completion", "powershell", naming=["powershell", "bash, zsh or fish"])


class Manual(CommandCase):
    def test_pages_have_every_option(self):
        for verb in VERBS:
            page = self.good("man", verb).replace("\\-", "-")
            for option in re.findall(r"^  (?:-h,)?(--[\w-]+)", self.good("help", verb), re.M):
                self.assertIn(f"\\fB{option}\\fR", page, verb)
            for section in ("NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS"):
                self.assertIn(f".SH {section}", page)
        for verb in VERBS:
            self.assertIn(f"lissom\\-{verb} (1)", self.good("man"))
        self.refused("man", "smi", naming="did you mean sim?")

    def test_pages_are_written_to_a_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            self.good("man", "--out", folder)
            self.assertEqual({p.name for p in pathlib.Path(folder).iterdir()}, {"lissom.1", *(f"lissom-{v}.1" for v in VERBS)})
        self.refused("man", "--out", "/dev/null/x", naming="/dev/null/x")


if __name__ == "__main__":
    main()
