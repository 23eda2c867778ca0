#!/usr/bin/env python3
"""lissom generate and lissom bench --generated."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import command_case  # noqa: E402
from command_case import MODELS  # noqa: E402

ARM = str(MODELS / "arm7.urdf")
PLANAR = str(MODELS / "planar2.urdf")


class Generate(command_case.CommandCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / "some" / "folder"

    def test_files_and_counts(self):
        report = json.loads(self.good("generate", ARM, "--algorithms", "rnea,aba,crba,fk", "--out", self.out, "--json"))
        self.assertEqual([pathlib.Path(file).name for file in report["files"]], ["arm7.h", "arm7_test.cpp", "CMakeLists.txt"])
        self.assertEqual([f["algorithm"] for f in report["functions"]], ["rnea", "aba", "crba", "placements"])
        for function in report["functions"]:
            self.assertGreater(function["operations"]["multiplications"], 50)
        for file in report["files"]:
            self.assertTrue(pathlib.Path(file).is_file())
        text = self.good("generate", ARM, "--out", self.out)
        self.assertIn("multiplications", text)

    def test_frames_of_jacobians(self):
        self.good("generate", PLANAR, "--algorithms", "jacobian", "--frames", "tip,link1", "--out", self.out)
        header = (self.out / "planar2.h").read_text()
        self.assertIn("'tip', 'link1'", header)
        self.assertIn("J[24]", header.replace(" ", ""))

    def test_operations_are_those_of_the_documentation(self):
        """docs/codegen.md has a table of multiplications + additions."""
        lines = (MODELS.parent / "docs" / "codegen.md").read_text().split("## Operations")[1].split("\n## ")[0].splitlines()
        rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
        robots, rows = [cell.split(",")[0] for cell in rows[0][1:]], rows[1:]
        self.assertEqual(robots, ["planar2", "arm7", "quadruped", "humanoid"])
        for column, robot in enumerate(robots, 1):
            base = ["--base", "free"] if robot in ("quadruped", "humanoid") else []
            report = json.loads(self.good("generate", MODELS / f"{robot}.urdf", *base, "--algorithms", ",".join(row[0] for row in rows), "--out",
                                          self.out, "--json"))
            counted = {f["algorithm"]: f"{f['operations']['multiplications']:,} + {f['operations']['additions']:,}" for f in report["functions"]}
            self.assertEqual(counted, {row[0]: row[column] for row in rows}, robot)

    def test_every_language(self):
        for language, file in (("c++", "planar2_test.cpp"), ("c", "planar2_test.c"), ("cuda", "planar2_test.cu")):
            self.good("generate", PLANAR, "--lang", language, "--out", self.out / language)
            compiler = {"c++": ["c++", "-std=c++17"], "c": ["cc", "-std=c99"], "cuda": ["c++", "-std=c++17", "-x", "c++"]}[language]
            if shutil.which(compiler[0]):
                program = self.out / language / "test"
                subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror", file, "-lm", "-o", program], cwd=self.out / language, check=True)
                subprocess.run([program], check=True, stdout=subprocess.DEVNULL)

    def test_wrong_use(self):
        self.refused("generate", ARM, "--algorithms", "rnae", "--out", self.out, naming=["no algorithm 'rnae'", "did you mean 'rnea'?"])
        self.refused("generate", ARM, "--lang", "rust", "--out", self.out, naming="--lang")
        self.refused("generate", ARM, "--scalar", "float", "--out", self.out, naming="--scalar float")
        self.refused("generate", ARM, "--name", "no name", "--out", self.out, naming=["--name 'no name'", "no_name"])
        self.refused("generate", ARM, "--frames", "hnad", "--algorithms", "fk", "--out", self.out, naming="'hnad'")
        self.refused("generate", ARM, naming="--out")
        self.assertFalse(self.out.exists())

    def test_folders_that_cannot_be_written(self):
        self.out.parent.mkdir(parents=True)
        self.out.write_text("a file")
        self.refused("generate", ARM, "--out", self.out, naming="--out")
        if os.geteuid() != 0:  # root may write everywhere
            locked = self.out.parent / "locked"
            locked.mkdir(mode=0o500)
            self.refused("generate", ARM, "--out", locked, naming="--out")

    def test_robots_without_coordinates(self):
        stone = '<robot name="stone"><link name="stone"/></robot>'
        self.refused("generate", "-", "--base", "fixed", "--out", self.out, text=stone, naming="'stone' has no degrees of freedom")


class Bench(command_case.CommandCase):
    def test_generated_rows(self):
        ran = self.run_lissom("bench", PLANAR, "--generated", "--json", "--seconds", "0.001", "--quiet")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        rows = {(row["algorithm"], row["mode"]): row["us"] for row in json.loads(ran.stdout)}
        if not any(shutil.which(name) for name in ("clang++-19", "clang++", "g++", "c++")):
            self.assertIn("no C++ compiler was found", ran.stderr)
            self.skipTest("no compiler is installed")
        for algorithm in ("rnea", "bias", "crba", "aba", "placements"):
            for mode in ("generated", "generated_lanes_f64", "generated_lanes_f32"):
                self.assertGreater(rows[algorithm, mode], 0)

    def test_without_a_compiler(self):
        ran = subprocess.run([self.lissom, "bench", PLANAR, "--generated", "--seconds", "0.001", "--only", "rnea", "--quiet"], capture_output=True,
                             text=True, env={**os.environ, "PATH": "/nowhere"})
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("no C++ compiler was found", ran.stderr)
        self.assertNotIn("generated_lanes", ran.stdout)


if __name__ == "__main__":
    command_case.main()
