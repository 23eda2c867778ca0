#!/usr/bin/env python3
"""Tests of `lissom sweep`: that it finds a Python, and becomes it. What it does there is tested in python/tests.

usage: sweep_command_test.py --lissom COMMAND [CASE | CASE.test …]
"""
import pathlib
import subprocess
import tempfile

from command_case import CommandCase, main


class Sweep(CommandCase):
    def sweep(self, script, *arguments, **environment):
        """Runs `lissom sweep` where python3 is this script of the shell."""
        with tempfile.TemporaryDirectory() as folder:
            python = pathlib.Path(folder) / "python3"
            python.write_text("#!/bin/sh\n" + script)
            python.chmod(0o755)
            return subprocess.run([self.lissom, "sweep", *arguments], env={"PATH": folder, **environment}, capture_output=True, text=True, timeout=60)

    def test_arguments_reach_the_package(self):
        ran = self.sweep('[ "$1" = -c ] && exit 0\nfor word in "$@"; do echo "[$word]"; done; exit 1\n', "a study.json", "--quiet", "--workers=3", "--engine", "ray")
        self.assertEqual((ran.returncode, ran.stderr), (1, ""))
        self.assertEqual(ran.stdout.splitlines(), ["[-m]", "[lissom.sweep]", "[--engine]", "[ray]", "[--workers]", "[3]", "[--quiet]", "[--]", "[a study.json]"])

    def test_no_python_with_the_package(self):
        ran = self.sweep("exit 1\n", "study.json", LISSOM_PYTHON="/nowhere/python3")
        self.assertEqual((ran.returncode, ran.stdout), (2, ""))
        for text in ("'/nowhere/python3' (cannot be started)", "'python3' (does not have it)", "pip install .", "LISSOM_PYTHON"):
            self.assertIn(text, ran.stderr)

    def test_wrong_options_need_no_python(self):
        self.refused("sweep", "study.json", "--engine", "rya", naming=["--engine", "'rya'", "local or ray"])
        self.refused("sweep", "study.json", "--workers", "-1", naming=["--workers", "whole number"])
        self.refused("sweep", naming="STUDY")


if __name__ == "__main__":
    main()
