#!/usr/bin/env python3
"""Every verb of the command, with one failure at a time: an allocation, a write, or a disk that is full after some bytes.

It must never crash, hang, end with exit status 0 and less than the whole result, or leave part of a file that is of use only as a whole. LISSOM_LONG=1 in the environment tries many more places.

usage: faults_test.py --lissom COMMAND --models FOLDER --faults LIBRARY [CASE | CASE.test …]
"""
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile
import unittest

LISSOM = MODELS = FAULTS = None
LONG = "LISSOM_LONG" in os.environ


class Verb:
    """A call of the command. timed: its output holds times, and differs from run to run. files: what it writes beside standard output.
    environment: variables that it needs."""

    def __init__(self, *arguments, timed=False, files=(), environment=None):
        self.arguments, self.timed, self.files, self.environment = [str(a) for a in arguments], timed, files, environment or {}

    def __str__(self):
        return "lissom " + " ".join(self.arguments)


class Outcome:
    """What a call left behind."""

    def __init__(self, verb, folder, code, errors):
        self.code, self.errors = code, errors
        self.output = (folder / "out").read_bytes()
        self.files = {name: (folder / name).read_bytes() if (folder / name).exists() else None for name in verb.files}


def prepare(folder):
    """What the calls read."""
    (folder / "states.json").write_text('{"states": [{"q": {"joint1": [0.1]}}]}')
    (folder / "goal.json").write_text('{"base": [0.05, 0]}')
    numbers = [2.0, -1.0, -10.0, 10.0, 0.0, 0.5]
    (folder / "one.qp").write_bytes(b"LQP1" + struct.pack("<iiiii", 1, 1, 0, 0, 0) + struct.pack("<6d", 0.0, *numbers[:5]))
    subprocess.run([LISSOM, "sim", MODELS / "planar2.urdf", "--seconds", "0.02", "--record", folder / "a.csv"], check=True, stdout=subprocess.DEVNULL)
    (folder / "python3").write_text('#!/bin/sh\n[ "$1" = -c ] && exit 0\necho "$@" || exit 2\n')
    (folder / "python3").chmod(0o755)


def verbs(folder):
    """Calls of all verbs. (test_every_verb_is_called compares them with the command's own list.)"""
    prepare(folder)
    planar, humanoid, scenes, recorded = MODELS / "planar2.urdf", MODELS / "humanoid.urdf", MODELS / "scenes", folder / "a.csv"
    short = ["--seconds", "0.05", "--record"]
    return [
        Verb("info", planar),
        Verb("check", planar, "--json"),
        Verb("eval", planar, "--states", folder / "states.json"),
        Verb("linearize", planar, "--hold", "--step", "0.01"),
        Verb("equations", planar),
        Verb("bench", planar, "--only", "rnea", "--seconds", "0.001", "--threads", "1", timed=True),
        Verb("generate", planar, "--out", "code", files=["code/planar2.h", "code/planar2_test.cpp", "code/CMakeLists.txt"]),
        Verb("verify", planar),
        Verb("bridge", planar, "--seconds", "0.02", "--refinements", "1", timed=True),
        Verb("ik", planar, "--frame", "tip", "--position", "0.5,0.5,0"),
        Verb("sim", planar, *short, "run.mcap", timed=True, files=["run.mcap"]),
        Verb("sim", planar, *short, "run.npz", timed=True, files=["run.npz"]),
        Verb("sim", planar, *short, "run.csv", timed=True, files=["run.csv"]),
        Verb("sim", humanoid, "--ground", "--base", "free", "--seconds", "0.01", "--record", "run.mcap", timed=True, files=["run.mcap"]),
        Verb("sim", scenes / "stack.json", "--seconds", "0.01", "--record", "run.npz", timed=True, files=["run.npz"]),
        Verb("control", humanoid, "--motion", "stand", "--record", "run.mcap", timed=True, files=["run.mcap"]),
        Verb("qp", folder / "one.qp", timed=True),
        Verb("stance", humanoid, "--contacts", "left_sole,right_sole", "--base", "free"),
        Verb("plan", humanoid, "--scene", scenes / "flat.json", "--goal", folder / "goal.json", "--out", "plan.json", "--quiet", timed=True, files=["plan.json"]),
        Verb("contacts", humanoid, "--write", "contacts.json", files=["contacts.json"]),
        Verb("view", planar, "--save", "page.html", files=["page.html"]),
        Verb("compare", recorded, recorded),
        Verb("plot", recorded, "--list"),
        Verb("convert", recorded, "copy.mcap", "--quiet", files=["copy.mcap"]),
        Verb("convert", recorded, "copy.npz", "--quiet", files=["copy.npz"]),
        Verb("convert", recorded, "copy.csv", "--quiet", files=["copy.csv"]),
        Verb("convert", planar, "robot.xml", files=["robot.xml"]),
        Verb("convert", planar, "robot.sdf", files=["robot.sdf"]),
        Verb("same", planar, planar),
        Verb("sweep", "study.json", environment={"LISSOM_PYTHON": str(folder / "python3")}),
        Verb("help", "sim"),
        Verb("completion", "bash"),
        Verb("man", "sim"),
        Verb("man", "--out", "pages", files=["pages/lissom.1", "pages/lissom-sim.1"]),
    ]


def run(verb, environment=None, max_file_bytes=None):
    def limit():
        if max_file_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (max_file_bytes, max_file_bytes))

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with open(folder / "out", "wb") as out:
            ran = subprocess.run([LISSOM, *verb.arguments], cwd=folder, stdout=out, stderr=subprocess.PIPE, timeout=120, preexec_fn=limit,
                                 env={**os.environ, **verb.environment, **(environment or {})})
        return Outcome(verb, folder, ran.returncode, ran.stderr.decode(errors="replace"))


def places(count, few, many):
    """Where to fail: the first ones, the last one, and random ones between."""
    draw = random.Random(count)
    chosen = many if LONG else few
    if count <= chosen:
        return range(1, count + 1)
    return sorted({1, 2, 3, count, *(draw.randint(1, count) for _ in range(chosen - 4))})


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.verbs = verbs(pathlib.Path(cls.folder.name))

    def judge(self, verb, good, found, what):
        words = f"{verb}\nwith {what}: exit status {found.code}\n{found.errors[:2000]}"
        self.assertIn(found.code, (0, 1, 2), words)
        self.assertNotIn("terminate called", found.errors, words)
        if found.code == good.code:
            if not verb.timed:
                self.assertEqual(found.output, good.output, words)
            for name, content in good.files.items():
                self.assertIsNotNone(found.files[name], words)
                if not verb.timed or name.endswith(".npz"):
                    self.assertEqual(len(found.files[name]), len(content), words)
        else:
            self.assertNotEqual(found.errors.strip(), "", words)
            for name, content in good.files.items():  # a recording is of use as far as it goes
                if verb.arguments[0] not in ("sim", "control"):
                    left = found.files[name]
                    self.assertTrue(left is None or len(left) == len(content), f"{words}\nleaves part of {name}")

    def counts(self, verb):
        with tempfile.NamedTemporaryFile("r") as file:
            good = run(verb, {"LD_PRELOAD": FAULTS, "LISSOM_COUNT_CALLS": file.name})
            self.assertIn(good.code, (0, 1), f"{verb}\n{good.errors}")
            return good, *map(int, file.read().split())

    def test_every_verb_is_called(self):
        ran = subprocess.run([LISSOM, "completion", "bash"], check=True, capture_output=True, text=True)
        listed = ran.stdout.split("compgen -W '", 1)[1].split("'", 1)[0].split()
        self.assertEqual({verb.arguments[0] for verb in self.verbs}, {word for word in listed if not word.startswith("-")})

    def each(self, check):
        for verb in self.verbs:
            with self.subTest(str(verb)):
                check(verb)

    def test_an_allocation_fails(self):
        def check(verb):
            good, allocations, _ = self.counts(verb)
            self.assertGreater(allocations, 20)
            for k in places(allocations, 8, 400):
                found = run(verb, {"LD_PRELOAD": FAULTS, "LISSOM_FAIL_ALLOCATION": str(k)})
                self.judge(verb, good, found, f"LISSOM_FAIL_ALLOCATION={k} of {allocations}")
        self.each(check)

    def test_a_write_fails(self):
        def check(verb):
            good, _, writes = self.counts(verb)
            if verb.timed:  # times are written, too, and take more or fewer bytes
                writes = writes * 9 // 10
            for k in places(writes, 6, 100):
                found = run(verb, {"LD_PRELOAD": FAULTS, "LISSOM_FAIL_WRITE": str(k)})
                self.judge(verb, good, found, f"LISSOM_FAIL_WRITE={k} of {writes}")
                self.assertNotEqual(found.code, 0, f"write {k} failed")
        self.each(check)

    def test_the_disk_is_full(self):
        def check(verb):
            good = run(verb)
            largest = max(len(good.output), *(len(content) for content in good.files.values()), 1) * (9 if verb.timed else 10) // 10
            for bytes_left in sorted({0, *(places(largest - 1, 4, 50) if largest > 1 else ())}):
                found = run(verb, max_file_bytes=bytes_left)
                self.judge(verb, good, found, f"files of at most {bytes_left} of {largest} bytes")
                self.assertNotEqual(found.code, 0, f"files of at most {bytes_left} of {largest} bytes")
        self.each(check)


if __name__ == "__main__":
    def option(name):
        at = sys.argv.index(name)
        value = sys.argv[at + 1]
        del sys.argv[at:at + 2]
        return value

    LISSOM, MODELS, FAULTS = str(pathlib.Path(option("--lissom")).resolve()), pathlib.Path(option("--models")).resolve(), option("--faults")
    unittest.main()
