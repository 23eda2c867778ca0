#!/usr/bin/env python3
"""Tests of Ctrl-C: verbs that take long end with what they have.

usage: interrupt_test.py --lissom COMMAND [CASE | CASE.test …]
"""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from command_case import HUMANOID, MODELS, CommandCase, chain, main

ARM = str(MODELS / "arm7.urdf")


class Interrupt(CommandCase):
    """Signals end a run with its report. The runs would take hours; they are ended when their recording has begun to grow."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def size(self):
        with contextlib.suppress(FileNotFoundError):  # a file that is renamed just now
            return sum(path.stat().st_size for path in self.folder.iterdir())
        return 0

    def start(self, *arguments, **more):
        def take_signals():  # what a shell runs in the background ignores SIGINT
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        ran = subprocess.Popen([self.lissom, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=take_signals, **more)
        self.addCleanup(ran.kill)
        return ran

    def ended(self, signal_number, *arguments):
        """Runs lissom in the folder, sends the signal when a megabyte has been written there, and returns exit code, output and messages."""
        ran = self.start(*arguments, cwd=self.folder, text=True)
        before = self.size()
        while self.size() < before + 1_000_000 and ran.poll() is None:
            time.sleep(0.01)
        ran.send_signal(signal_number)
        out, messages = ran.communicate(timeout=120)
        return ran.returncode, out, messages

    def test_sim_closes_its_recording_and_reports(self):
        for signal_number, name in ((signal.SIGINT, "run.mcap"), (signal.SIGTERM, "run.npz"), (signal.SIGINT, "run.csv"),
                                    (signal.SIGHUP, "hangup.csv")):
            with self.subTest(name):
                code, out, messages = self.ended(signal_number, "sim", ARM, "--seconds", 1e5, "--record", name, "--max-size", 1000,
                                                 "--json")
                self.assertEqual((code, messages), (130, ""))
                report = json.loads(out)
                self.assertTrue(report["interrupted"])
                self.assertEqual(report["recording"]["frames"], report["steps"] + 1)
                listed = self.run_lissom("plot", "--list", "--json", self.folder / name)
                self.assertEqual((listed.returncode, listed.stderr), (0, ""))  # no warning: it is closed
                self.assertEqual(json.loads(listed.stdout)[0]["frames"], report["steps"] + 1)

    def test_convert_leaves_nothing(self):
        for seconds in (30, 120, 480):  # a machine may be quicker with a short one than this test with its signal
            self.run_lissom("sim", ARM, "--seconds", seconds, "--step", "1e-3", "--record", self.folder / "run.mcap", "--quiet")
            code, out, messages = self.ended(signal.SIGINT, "convert", "run.mcap", "run.csv")
            if code != 0:
                break
            (self.folder / "run.csv").unlink()
        self.assertEqual((code, out, messages), (130, "", "lissom: convert: interrupted; 'run.csv' was not written\n"))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["run.mcap"])

    def test_in_the_middle_of_a_state(self):
        robot = self.folder / "chain.urdf"
        robot.write_text(chain(300))  # a state takes half a minute; most of it in one of the formulations
        ran = self.start("verify", robot, "--states", 1, text=True)
        time.sleep(2)
        ran.send_signal(signal.SIGINT)
        out, messages = ran.communicate(timeout=120)
        self.assertEqual(ran.returncode, 130)
        self.assertIn("interrupted after 0 of 1 states", messages)
        self.assertIn("nothing was compared", out)

    def test_text_says_so(self):
        code, out, _ = self.ended(signal.SIGINT, "sim", ARM, "--seconds", 1e5, "--record", "run.mcap", "--max-size", 1000)
        self.assertEqual(code, 130)
        self.assertRegex(out, r"ends at    t = \S+ s, interrupted")
        self.assertIn("energy", out)

    def test_control(self):
        motion = json.loads((MODELS / "motions" / "stand.json").read_text())
        motion["postures"] = str(MODELS / "postures" / "humanoid.json")
        motion["stages"] = [{"name": "stand", "seconds": 0, "hold": 290}]
        (self.folder / "long.json").write_text(json.dumps(motion))
        code, out, messages = self.ended(signal.SIGINT, "control", HUMANOID, "--motion", "long.json", "--record", "run.mcap", "--json")
        self.assertEqual((code, messages), (130, ""))
        report = json.loads(out)
        self.assertEqual((report["interrupted"], report["succeeded"]), (True, False))
        self.assertIn("stopped at", report["failure"])
        self.assertEqual(report["recording"]["frames"], report["ticks"])
        self.assertEqual(self.run_lissom("plot", "--list", self.folder / "run.mcap").stderr, "")

    def test_eval_gives_the_results_that_it_has(self):
        (self.folder / "states.json").write_text(json.dumps({"states": [{}] * 5000}))
        code, out, messages = self.soon("eval", HUMANOID, "--states", self.folder / "states.json")
        self.assertEqual(code, 130)
        self.assertLess(len(json.loads(out)["results"]), 5000)
        self.assertRegex(messages, r"interrupted after \d+ of 5000 states")

    def test_eval_ends_within_a_state(self):
        robot = self.folder / "chain.urdf"
        robot.write_text(chain(2000))  # a state takes seconds, most of them for the Jacobians of all links
        (self.folder / "states.json").write_text(json.dumps({"states": [{}] * 3}))
        for count, state in ((3, ("--states", self.folder / "states.json")), (1, ("--q", "joint1=1"))):
            ran = self.start("eval", robot, *state, text=True)
            while not self.catches(ran):
                time.sleep(0.01)
            self.wait_for_work(ran, 0.1)
            ran.send_signal(signal.SIGINT)
            out, messages = ran.communicate(timeout=120)
            done = len(json.loads(out)["results"])
            self.assertEqual(ran.returncode, 130)
            self.assertLess(done, count)
            self.assertIn(f"interrupted after {done} of {count} states", messages)

    def test_bench_ends_within_an_algorithm(self):
        robot = self.folder / "chain.urdf"
        robot.write_text(chain(1000))  # its derivatives, at many states, take minutes
        ran = self.start("bench", robot, "--json", text=True)
        self.wait_for_work(ran, 3)
        ran.send_signal(signal.SIGINT)
        out, messages = ran.communicate(timeout=60)
        self.assertEqual((ran.returncode, json.loads(out)), (130, []))
        self.assertIn("interrupted", messages)

    def test_plot_leaves_nothing(self):
        """A program that is called gnuplot and never ends; Ctrl-C reaches both of them, as on a terminal."""
        self.run_lissom("sim", ARM, "--seconds", 0.01, "--record", self.folder / "run.mcap")
        (self.folder / "gnuplot").write_text("#!/bin/sh\ntouch ../started\nexec sleep 1000\n")
        (self.folder / "gnuplot").chmod(0o755)
        scratch = self.folder / "scratch"
        scratch.mkdir()
        ran = self.start("plot", self.folder / "run.mcap", "--out", self.folder / "run.png", text=True, start_new_session=True,
                         env=dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}", TMPDIR=str(scratch)))
        while not (scratch / "started").exists() and ran.poll() is None:
            time.sleep(0.01)
        os.killpg(ran.pid, signal.SIGINT)
        out, messages = ran.communicate(timeout=120)
        self.assertEqual((ran.returncode, out), (130, ""), messages)
        self.assertIn("run.png' was not written", messages)
        self.assertEqual([path.name for path in scratch.iterdir()], ["started"])
        self.assertFalse((self.folder / "run.png").exists())

    def catches(self, process):
        """Whether it has a handler of SIGINT now."""
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        return int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16) >> (signal.SIGINT - 1) & 1

    def wait_for_work(self, process, seconds):
        """Until it has taken so much more processor time, or has ended."""
        def state_and_ticks():
            fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return fields[0], int(fields[11])
        enough = state_and_ticks()[1] + seconds * os.sysconf("SC_CLK_TCK")
        while (now := state_and_ticks())[0] != "Z" and now[1] < enough:
            time.sleep(0.01)

    def soon(self, *arguments):
        """Ends a verb that writes no file, as soon as it can be ended with a report."""
        ran = self.start(*arguments, text=True)
        while not self.catches(ran):
            time.sleep(0.01)
        ran.send_signal(signal.SIGINT)
        out, messages = ran.communicate(timeout=120)
        return ran.returncode, out, messages

    def test_other_verbs(self):
        code, out, messages = self.soon("verify", HUMANOID, "--base", "free", "--states", 1000000, "--json")
        self.assertEqual(code, 130)
        self.assertLess(json.loads(out)["states"], 1000000)
        self.assertIn("interrupted after", messages)
        code, out, messages = self.soon("ik", HUMANOID, "--frame", "left_palm", "--position", "0.3,0.3,0.2", "--all", "--starts", 1000000,
                                        "--json")
        self.assertEqual(code, 130)
        self.assertLess(json.loads(out)["starts"], 1000000)
        code, out, messages = self.soon("stance", HUMANOID, "--contacts", "left_sole,right_sole", "--place", "left_sole=5,0,0",
                                        "--place", "right_sole=-5,0,0", "--starts", 100000, "--json")
        self.assertEqual(code, 130)
        self.assertLess(json.loads(out)["starts"], 100000)
        self.assertIn("interrupted after", messages)
        code, out, messages = self.soon("same", HUMANOID, HUMANOID, "--states", 100000, "--json")
        self.assertEqual(code, 130)
        self.assertLess(json.loads(out)["states"], 100000)
        self.assertIn("interrupted after", messages)
        code, out, messages = self.soon("check", *[HUMANOID] * 3000, "--json")
        self.assertEqual(code, 130)
        self.assertLess(len(json.loads(out)["files"]), 3000)
        self.assertIn("of 3000 files", messages)
        if self.run_lissom("bridge", ARM, "--seconds", "0.01", "--refinements", "1").returncode == 0:  # (not without an engine)
            code, out, messages = self.soon("bridge", ARM, "--seconds", 10000, "--json")
            self.assertEqual((code, json.loads(out)["interrupted"]), (130, True))
            self.assertIn("interrupted after", messages)
        code, out, messages = self.soon("bench", HUMANOID, "--seconds", 60, "--json")
        self.assertEqual(code, 130)
        self.assertIn("interrupted", messages)
        json.loads(out)

    def test_the_second_signal_ends_at_once(self):
        """Nobody reads the output, which is longer than a pipe holds; so after the first signal, the program waits."""
        ran = self.start("ik", HUMANOID, "--frame", "left_palm", "--position", "0.3,0.3,0.2", "--all", "--starts", 1000000, "--json")
        self.addCleanup(ran.stdout.close)
        self.addCleanup(ran.stderr.close)
        self.wait_for_work(ran, 1)
        ran.send_signal(signal.SIGINT)
        while self.catches(ran):
            time.sleep(0.01)
        ran.send_signal(signal.SIGINT)
        self.assertEqual(ran.wait(120), -signal.SIGINT)


if __name__ == "__main__":
    main()
