#!/usr/bin/env python3
"""Tests scripts/fuzz with programs that only pretend to fuzz: how it counts, divides the work, and says what was found.

usage: script_test.py
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "fuzz"
# Reads 7 seeds, and does as many executions as -runs asks for, but at most 1000; what is told to be a finding for TARGET is one.
FAKE = """#!/bin/bash
target= runs=1000 prefix=
for word in "$@"; do
  case $word in
    --target=*) target=${word#*=} ;;
    -runs=*) runs=${word#*=} ;;
    -artifact_prefix=*) prefix=${word#*=} ;;
  esac
done
((runs > 1000)) && runs=1000
echo "#7	INITED cov: 1"
if [[ $target == "$BROKEN" ]]; then
  echo "broken promise: it holds"
  [[ -z $prefix ]] || echo x >"${prefix}crash-1"
  echo "stat::number_of_executed_units: 27"
  exit 77
fi
echo "stat::number_of_executed_units: $runs"
"""


class Script(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "fake").write_text(FAKE)
        (self.folder / "fake").chmod(0o755)

    def fuzz(self, *arguments, broken=""):
        command = [sys.executable, "-B", SCRIPT, *arguments, "--program", self.folder / "fake", "--out", self.folder]
        ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=100, env={"BROKEN": broken, "PATH": "/usr/bin:/bin"})
        rows = {words[0]: words[1:] for words in map(str.split, ran.stdout.splitlines()) if words}
        return ran, rows

    def test_every_target_gets_its_runs(self):
        ran, rows = self.fuzz("all", "--runs", 2500, "--jobs", 3)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        targets = {path.name for path in (SCRIPT.parents[1] / "tests/fuzz/corpus").iterdir()}
        self.assertEqual(set(rows) - {"target", "all"}, targets)
        for target in targets:
            self.assertGreaterEqual(int(rows[target][0]), 2500)  # seeds do not count
        self.assertEqual((self.folder / "summary.txt").read_text(), ran.stdout)

    def test_seeds_do_not_count(self):
        _, rows = self.fuzz("urdf", "--runs", 100, "--jobs", 1)
        self.assertEqual(int(rows["urdf"][0]), 93 + 7)  # a second process does what the first one's seeds took

    def test_findings(self):
        ran, rows = self.fuzz("urdf", "sdf", "--runs", 2000, "--jobs", 2, broken="sdf")
        self.assertEqual(ran.returncode, 1)
        self.assertEqual(rows["urdf"][3], "-")
        self.assertEqual(rows["sdf"][3], "3")  # then it is left alone
        self.assertEqual(int(rows["sdf"][0]), 60)
        self.assertIn("sdf: exit status 77", ran.stdout)
        self.assertIn("broken promise: it holds", ran.stdout)
        self.assertTrue((self.folder / "findings/sdf/crash-1").is_file())

    def test_a_program_that_does_not_run(self):
        ran, _ = self.fuzz("urdf", "--runs", 10, broken="options")  # it is tried with these
        self.assertEqual((ran.returncode, ran.stdout), (2, ""))

    def test_wrong_usage(self):
        for arguments in ((), ("nothing",), ("urdf", "--runs", "-1"), ("urdf", "--jobs", "0")):
            self.assertEqual(self.fuzz(*arguments)[0].returncode, 2, arguments)


if __name__ == "__main__":
    unittest.main()
