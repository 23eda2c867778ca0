#!/usr/bin/env python3
"""Tests of xacro files and their arguments on the command line.

usage: xacro_command_test.py --lissom COMMAND [CASE | CASE.test …]
"""
import json
import pathlib
import re
import tempfile

from command_case import MODELS, ROOT, CommandCase, main

XACRO = ROOT / "tests" / "io" / "xacro"
PLANAR = XACRO / "ours" / "planar3.urdf.xacro"
MOBILE = XACRO / "trees" / "mobile_manipulator_description" / "urdf" / "mobile_manipulator.urdf.xacro"


class Xacro(CommandCase):
    def joints(self, *arguments):
        return len(json.loads(self.good("info", *arguments, "--json"))["joints"])

    def test_robots_are_read(self):
        self.assertEqual(self.good("info", XACRO / "ours" / "quadruped.urdf.xacro").replace(".xacro", ""), self.good("info", MODELS / "quadruped.urdf")
                         .replace(str(MODELS), str(XACRO / "ours")))

    def test_arguments_follow_the_file(self):
        one = self.joints(MOBILE)
        self.assertGreater(self.joints(MOBILE, "arms:=2"), one)
        self.assertGreater(one, self.joints(MOBILE, "arms:=0", "sensors:=false"))
        self.assertIn("left_wrist_1", self.good("info", MOBILE, "arms:=2", "prefix:="))
        self.assertEqual(self.joints("--base", "fixed", MOBILE, "arms:=2"), self.joints(MOBILE, "arms:=2", "--base", "fixed"))

    def test_arguments_may_follow_packages(self):
        self.assertEqual(self.joints(MOBILE, "--packages", ROOT, "arms:=2"), self.joints(MOBILE, "arms:=2"))

    def test_check_and_standard_input_take_them(self):
        ran = self.run_lissom("check", MOBILE, "arms:=7")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("arms is 7 but 0, 1 or 2 are possible", ran.stdout)
        self.assertIn("mobile_manipulator.urdf.xacro:36: error", ran.stdout)
        self.assertIn("tip", self.good("info", "-", "links:=2", text=PLANAR.read_text()))

    def test_convert_and_same_take_them(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "two.xml"
            self.good("convert", PLANAR, out, "links:=2")
            self.good("same", PLANAR, out, "links:=2")
            self.assertEqual(self.run_lissom("same", PLANAR, out, "links:=3").returncode, 1)

    def test_wrong_arguments_are_refused(self):
        self.refused("info", PLANAR, "links=2", naming=["unexpected argument 'links=2'", "NAME:=VALUE"])
        self.refused("info", PLANAR, ":=2", naming="unexpected argument ':=2'")
        self.refused("info", PLANAR, "links:=many", naming=["planar3.urdf.xacro", "many"])

    def test_arguments_that_nothing_uses_are_told(self):
        unused = re.compile(r"planar3\.urdf\.xacro:.*warning: .*the argument 'lnks' is given, but nothing declares or uses it \[xacro-unused\]\n"
                            r" +remedy: did you mean 'links'\?")
        with tempfile.TemporaryDirectory() as folder:
            for words in (("info",), ("sim", "--seconds", "0.01"), ("verify", "--states", "1"), ("eval", "--q", "0,0,0"), ("linearize",), ("equations",),
                          ("bench", "--only", "rnea", "--seconds", "0.001"), ("same", PLANAR), ("convert", f"{folder}/robot.xml")):
                verb, *options = words
                with self.subTest(verb):
                    files = [PLANAR] if verb != "convert" else [PLANAR, options.pop()]
                    ran = self.run_lissom(verb, *files, *options, "lnks:=2")
                    self.assertEqual(ran.returncode, 0, ran.stderr)
                    self.assertRegex(ran.stderr, unused)
        self.assertEqual(self.run_lissom("info", PLANAR, "links:=2").stderr, "")

    def test_arguments_of_other_files_are_unused(self):
        for verb in ("info", "check"):
            with self.subTest(verb=verb):
                run = self.run_lissom(verb, MODELS / "arm7.urdf", "foo:=1")
                self.assertIn("the argument 'foo' is given, but the file has no macros of xacro", run.stdout + run.stderr)
                self.assertNotIn("xacro-unused", self.run_lissom(verb, MODELS / "arm7.urdf").stdout)

    def test_findings_name_the_included_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "part.xacro").write_text('<r xmlns:xacro="x">\n\n<link name="${1 / 0}"/></r>')
            (path / "robot.xacro").write_text('<robot name="r" xmlns:xacro="x"><xacro:include filename="part.xacro"/></robot>')
            found = json.loads(self.run_lissom("check", path / "robot.xacro", "--json").stdout)["files"][0]["diagnostics"]
            self.assertEqual([(d["code"], pathlib.Path(d["file"]).name, d["line"]) for d in found], [("xacro-expression", "part.xacro", 3)])


if __name__ == "__main__":
    main()
