#!/usr/bin/env python3
"""Tests of lissom compare, lissom convert and lissom plot.

usage: command_test.py --lissom COMMAND --recorder PROGRAM [CASE | CASE.test …]
"""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

LISSOM = RECORDER = None
MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
ARM, HUMANOID = MODELS / "arm7.urdf", MODELS / "humanoid.urdf"


class RecordingCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.record("a.mcap")
        cls.record("same.npz", "flip=1")  # the same motion, quaternions with the other sign
        cls.record("other.csv", "shift=1e-4", "from=120")
        cls.record("coarse.mcap", "step=0.02", "frames=100")
        cls.record("odd.mcap", "odd=1", "nan=1")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def record(cls, *words):
        subprocess.run([RECORDER, *words], cwd=cls.folder.name, check=True)

    def run_lissom(self, *arguments, **more):
        return subprocess.run([LISSOM, *map(str, arguments)], cwd=self.folder.name, capture_output=True, text=True, timeout=300, **more)

    def ends(self, code, *arguments):
        """Standard output of a run that ends with this code and complains about nothing."""
        ran = self.run_lissom(*arguments)
        self.assertEqual((ran.returncode, ran.stderr), (code, ""), ran.stdout)
        return ran.stdout

    def refused(self, *arguments, naming, **more):
        ran = self.run_lissom(*arguments, **more)
        self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran.stderr)
        for name in [naming] if isinstance(naming, str) else naming:
            self.assertIn(name, ran.stderr)

    def path(self, name):
        return pathlib.Path(self.folder.name) / name


class Compare(RecordingCase):
    def compare(self, code, *arguments):
        return json.loads(self.ends(code, "compare", "--json", *arguments))

    def test_alike(self):
        self.assertIn("equal within 1e-09", self.ends(0, "compare", "a.mcap", "a.mcap"))
        report = self.compare(0, "a.mcap", "same.npz", "--tolerance", 0)
        self.assertEqual((report["alike"], report["frames"], report["complaints"]), (True, 200, []))
        self.assertEqual({s["signal"]: s["columns"] for s in report["signals"]}, {"q": 37, "v": 36, "energy": 3})

    def test_where_they_part(self):
        report = self.compare(1, "a.mcap", "other.csv")
        q = report["signals"][0]
        self.assertEqual((q["parted"]["column"], q["parted"]["unit"], q["parted"]["time"]), ("left_knee", "rad", 1.2))
        self.assertAlmostEqual(q["largest"]["difference"], 1e-4)
        self.assertIsNone(report["signals"][1]["parted"])
        text = self.ends(1, "compare", "a.mcap", "other.csv")
        self.assertIn("left_knee at 1.2 s", text)
        self.assertIn("different (tolerance 1e-09)", text)
        self.compare(0, "a.mcap", "other.csv", "--tolerance", 1e-3)
        self.compare(0, "a.mcap", "other.csv", "--signals", "v,energy")
        self.compare(1, "a.mcap", "other.csv", "--signals", "v", "--signals", "q")

    def test_other_times_signals_and_settings(self):
        report = self.compare(1, "a.mcap", "coarse.mcap")
        self.assertEqual((report["frames"], report["only_in_first"], report["only_in_second"]), (100, 100, 0))
        self.assertEqual([s for s in report["settings"] if s.startswith("setting")], ["setting step: 0.01 in the first, 0.02 in the second"])
        report = self.compare(1, "a.mcap", "odd.mcap", "--signals", "foot_left, 'größe'")
        self.assertIn("only in the second", report["complaints"][0])
        energy = [s for s in self.compare(1, "a.mcap", "odd.mcap")["signals"] if s["signal"] == "energy"][0]
        self.assertTrue(energy["largest"]["infinite"])

    def test_not_closed(self):
        self.record("cut.mcap", "crash=1", "frames=150")
        ran = self.run_lissom("compare", "a.mcap", "cut.mcap")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("warning: cut.mcap was not closed: 150 frames", ran.stderr)

    def test_wrong_use_is_2(self):
        self.refused("compare", naming="FILE")
        self.refused("compare", "a.mcap", naming="OTHER_FILE")
        self.refused("compare", "a.mcap", "none.mcap", naming="none.mcap")
        self.refused("compare", "a.mcap", "a.mcap", "--tolerance", "-1", naming="--tolerance")
        self.refused("compare", "a.mcap", "a.mcap", "--signals", "enrgy", naming=["enrgy", "energy"])
        self.path("bad.mcap").write_text("hello")
        self.refused("compare", "a.mcap", "bad.mcap", naming="bad.mcap: byte 0")


class Convert(RecordingCase):
    def test_every_format_to_every_other(self):
        for source in ("a.mcap", "same.npz", "other.csv", "odd.mcap"):
            for ending in ("mcap", "npz", "csv"):
                with self.subTest(source, to=ending):
                    out = f"converted_{source.replace('.', '_')}.{ending}"
                    frames = json.loads(self.ends(0, "plot", "--list", "--json", source))[0]["frames"]
                    self.assertIn(f"{out}: {frames} frames", self.ends(0, "convert", source, out))
                    report = json.loads(self.ends(0, "compare", "--json", source, out, "--tolerance", 0, "--time-tolerance", 0))
                    self.assertTrue(report["alike"])
                    self.assertEqual(report["settings"], [])  # header and settings, too
                    # There and back again: the same bytes. (Of MCAP, time decides where chunks end.)
                    back = f"back_{out}{pathlib.Path(source).suffix}"
                    self.ends(0, "convert", out, back)
                    if source.endswith(("npz", "csv")):
                        self.assertEqual(self.path(source).read_bytes(), self.path(back).read_bytes())

    def test_nothing_is_overwritten_without_force(self):
        self.path("there.csv").write_text("precious")
        self.refused("convert", "a.mcap", "there.csv", naming=["there.csv", "exists", "--force"])
        self.assertEqual(self.path("there.csv").read_text(), "precious")
        self.ends(0, "convert", "a.mcap", "there.csv", "--force")
        self.ends(0, "compare", "a.mcap", "there.csv")
        for options in ([], ["--force"]):
            self.refused("convert", "a.mcap", "./a.mcap", *options, naming="a.mcap")
        self.ends(0, "compare", "a.mcap", "a.mcap")

    def test_a_recording_that_was_cut(self):
        for name in ("cut.mcap", "cut.csv", "cut.npz"):
            self.record(name, "crash=1", "frames=150")
            source = "cut.npz.part" if name == "cut.npz" else name
            with self.subTest(source):
                out = f"saved_{name.replace('.', '_')}.npz"
                ran = self.run_lissom("convert", source, out)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                self.assertIn(f"warning: {source} was not closed: 150 frames", ran.stderr)
                self.assertIn("150 frames", ran.stdout)
                [listed] = json.loads(self.ends(0, "plot", "--list", "--json", out))  # closed: no warning
                self.assertEqual(listed["frames"], 150)
        self.assertEqual(self.run_lissom("convert", "cut.npz.part", "cut.npz").returncode, 0)
        self.ends(0, "compare", "cut.npz", "saved_cut_npz.npz")
        self.assertEqual([p.name for p in pathlib.Path(self.folder.name).glob("*.new*")], [])

    def test_wrong_use_is_2(self):
        self.refused("convert", "a.mcap", naming="OUT")
        self.refused("convert", "a.mcap", "b.txt", naming=["b.txt", ".mcap, .npz or .csv"])
        self.refused("convert", "none.mcap", "b.npz", naming="none.mcap")
        self.refused("convert", "a.mcap", "no/such/folder/b.npz", naming="no/such/folder/b.npz")


class Plot(RecordingCase):
    def plot(self, *arguments):
        if shutil.which("gnuplot") is None:
            self.skipTest("no gnuplot here")
        return json.loads(self.ends(0, "plot", "--json", *arguments))

    def test_png(self):
        drawn = self.plot("a.mcap", "--signals", "energy,q", "--out", "a.png")
        self.assertEqual([p["signal"] for p in drawn["panels"]], ["energy"] + ["q"] * (len(drawn["panels"]) - 1))
        self.assertEqual(drawn["panels"][0]["lines"], ["kinetic", "potential", "total"])
        self.assertEqual(drawn["panels"][0]["unit"], "J")
        self.assertEqual(sum(len(p["lines"]) for p in drawn["panels"][1:]), 37)
        head = self.path("a.png").read_bytes()[:24]
        self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", head[16:]), (drawn["width"], drawn["height"]))

    def test_svg_keeps_names_as_they_are(self):
        self.plot("odd.mcap", "--out", "odd.svg")
        text = "".join(ElementTree.parse(self.path("odd.svg")).getroot().itertext())
        for name in ("left_shoulder_pitch", "angle [rad]", "foot_left, 'größe'", 'a_b, "c"', "[N·m]", "x^2_{3}", "100 % $HOME `id`", "[1/s]", "time [s]", "energy [J]", "humanoid: odd.mcap"):
            self.assertIn(name, text)

    def test_overlay_and_columns(self):
        drawn = self.plot("a.mcap", "other.csv", "--columns", "left_knee,base.q*", "--out", "both.png")
        self.assertEqual([(p["signal"], p["unit"], len(p["lines"])) for p in drawn["panels"]], [("q", "1", 8), ("q", "rad", 2), ("v", "rad/s", 2)])
        self.assertEqual(drawn["panels"][2]["lines"], ["left_knee · a.mcap", "left_knee · other.csv"])

    def test_limbs(self):
        drawn = self.plot("a.mcap", "--signals", "q", "--out", "limbs.pdf")
        self.assertTrue(self.path("limbs.pdf").read_bytes().startswith(b"%PDF"))
        angles = [p for p in drawn["panels"] if p["unit"] == "rad"]
        self.assertGreater(len(angles), 3)
        for panel in angles:
            self.assertLessEqual(len(panel["lines"]), 9)
            sides = {line.split("_")[0] for line in panel["lines"]} & {"left", "right"}
            self.assertLessEqual(len(sides), 1, panel)  # no panel has joints of both sides
            self.assertIn(panel["lines"][0], panel["title"])
        self.assertEqual(sum(len(p["lines"]) for p in angles), 30)
        # A robot of few joints stays in one panel.
        few = self.plot("a.mcap", "--signals", "q", "--columns", "left_*", "--out", "left.svg")
        self.assertTrue(all(len(p["lines"]) <= 9 for p in few["panels"]))

    def test_desired_values_pushes_and_what_is_zero(self):
        self.ends(0, "sim", ARM, "--controller", "computed_torque", "--posture", "joint2=0.5", "--move-seconds", 0.2, "--seconds", 0.3,
                  "--push", "25N@tool@0.1:0.15", "--push", "0,1,0@tool@0.2:0.25", "--record-frames", "tool,link3", "--record", "run.mcap")
        drawn = self.plot("run.mcap", "--out", "run.svg")
        panels = {(p["signal"], p["unit"]): p["lines"] for p in drawn["panels"]}
        joints = [f"joint{i}" for i in range(1, 8)]
        self.assertEqual(panels["q", "rad"], joints + [f"desired {j}" for j in joints])
        self.assertEqual(panels["frames", "m"], [f"{f}.{a}" for f in ("tool", "link3") for a in "xyz"])
        self.assertNotIn("desired_q", {p["signal"] for p in drawn["panels"]})
        self.assertEqual([(p["signal"], p["unit"]) for p in drawn["panels"] if p["signal"] == "momentum"],
                         [("momentum", "kg·m/s"), ("momentum", "kg·m²/s")])
        self.assertEqual(drawn["always_zero"], ["integrator"])
        self.assertEqual([(r["kind"], r["name"], round(r["begin"], 6), round(r["end"], 6)) for r in drawn["regions"]],
                         [("push", "push tool", 0.1, 0.15), ("push", "push tool", 0.2, 0.25)])
        text = "".join(ElementTree.parse(self.path("run.svg")).getroot().itertext())
        for words in ("dashed: desired", "push tool", "torque [N·m]", "angular velocity [rad/s]"):
            self.assertIn(words, text)
        self.assertIn("always zero: integrator", self.ends(0, "plot", "run.mcap", "--out", "run.png"))
        self.assertEqual([p["signal"] for p in self.plot("run.mcap", "--signals", "integrator", "--out", "run.png")["panels"]], ["integrator"] * 2)
        # Overlays tell recordings apart by dashes, so there are no desired values.
        both = self.plot("run.mcap", "run.mcap", "--signals", "q", "--out", "both.png")
        self.assertEqual(len(both["panels"][0]["lines"]), 14)
        self.assertFalse(any(line.startswith("desired") for line in both["panels"][0]["lines"]))

    def test_a_motion(self):
        """Torques of a floating base are always zero: they are left out with a word. Stages are shaded."""
        motion = {"start": "stand", "postures": str(MODELS / "postures" / "humanoid.json"), "contacts": ["left_sole", "right_sole"],
                  "standing": ["left_sole", "right_sole"],
                  "stages": [{"name": "one", "seconds": 0.05}, {"name": "two", "seconds": 0.05, "hold": 0.02}]}
        self.path("motion.json").write_text(json.dumps(motion))
        self.ends(0, "control", HUMANOID, "--motion", "motion.json", "--push", "25N@chest@0.02:0.04", "--record", "motion.mcap")
        drawn = self.plot("motion.mcap", "--signals", "torque_use,com,q", "--out", "motion.svg")
        use = [p for p in drawn["panels"] if p["signal"] == "torque_use"]
        self.assertFalse(any(line.startswith("base.") for p in use for line in p["lines"]))
        self.assertEqual(sum(len(p["lines"]) for p in use), 30)
        self.assertIn("base.vx … base.wz are always zero", use[0]["title"])
        [com] = [p for p in drawn["panels"] if p["signal"] == "com"]
        self.assertEqual(com["lines"], ["x", "y", "z", "desired x", "desired y", "desired z"])
        self.assertEqual([r["name"] for r in drawn["regions"] if r["kind"] == "stage"][:2], ["one", "two"])
        self.assertIn("push chest", [r["name"] for r in drawn["regions"]])
        drawn = self.plot("motion.mcap", "--signals", "tau", "--columns", "base.*", "--out", "base.svg")  # asked for, they are drawn
        self.assertEqual(sum(len(p["lines"]) for p in drawn["panels"]), 6)

    def test_histogram(self):
        self.record("tick.mcap", "frames=6000", "tick=1")
        drawn = self.plot("tick.mcap", "--signals", "tick", "--histogram", "--out", "tick.svg")
        self.assertEqual([(p["unit"], p["lines"]) for p in drawn["panels"]], [("µs", ["time"]), ("1", ["iterations"]), ("", ["nothing"])])
        [time] = drawn["panels"][0]["distributions"]
        # 2000 different numbers 40 … 59.99, three times each, but the one at 40.21, which is 100 times as large
        self.assertEqual((time["frames"], time["below_the_picture"], time["above_the_picture"]), (6000, 0, 3))
        self.assertAlmostEqual(time["median"], 50, places=6)
        self.assertAlmostEqual(time["p99"], 59.80, places=6)
        self.assertAlmostEqual(time["largest"], 4021, places=6)
        self.assertEqual(drawn["panels"][1]["distributions"][0]["median"], 1)
        self.assertEqual(drawn["panels"][2]["distributions"], [{"name": "nothing", "frames": 0, "not_finite": 6000}])
        text = "".join(ElementTree.parse(self.path("tick.svg")).getroot().itertext())
        for words in ("time: median 50, p99 59.8", "[µs]", "[% of frames]", "outside the plot, of 6000 values: 3 above, up to 4021", "6000 not finite"):
            self.assertIn(words, text)
        drawn = self.plot("tick.mcap", "a.mcap", "--columns", "left_knee", "--histogram", "--out", "knee.png")
        self.assertEqual([len(p["distributions"]) for p in drawn["panels"]], [2, 2])
        size = struct.unpack(">II", self.path("knee.png").read_bytes()[16:24])
        self.assertEqual(size, (drawn["width"], drawn["height"]))

    def test_histogram_corners(self):
        self.record("one.csv", "frames=1")
        self.record("none.csv", "frames=0")
        self.plot("one.csv", "--histogram", "--out", "one.png")
        self.plot("a.mcap", "--histogram", "--signals", "q,energy", "--out", "many.svg")
        self.plot("odd.mcap", "--histogram", "--out", "odd.png")
        self.refused("plot", "none.csv", "--histogram", "--out", "none.png", naming="no frames")

    def test_corners(self):
        self.record("one.csv", "frames=1")
        self.record("none.csv", "frames=0")
        self.record("long.mcap", "frames=20000", "step=0.001")
        self.plot("one.csv", "--out", "one.png")
        self.plot("long.mcap", "--out", "long.svg", "--signals", "energy")
        self.assertLess(self.path("long.svg").stat().st_size, 1_000_000)
        self.refused("plot", "none.csv", "--out", "none.png", naming="no frames")

    def test_list(self):
        text = self.ends(0, "plot", "--list", "a.mcap")
        for words in ("200 frames, 0 … 1.99 s", "left_knee [rad]", "base.wz [rad/s]", "energy (3 columns)", '"iterations": 10'):
            self.assertIn(words, text)
        [listed] = json.loads(self.ends(0, "plot", "--list", "--json", "a.mcap"))
        self.assertEqual((listed["frames"], listed["last_time"], listed["settings"]["step"]), (200, 1.99, 0.01))

    def test_wrong_use_is_2(self):
        self.refused("plot", naming="FILE")
        self.refused("plot", "a.mcap", naming="--out")
        self.refused("plot", "a.mcap", "--out", "a.gif", naming=[".png", ".svg", ".pdf"])
        self.refused("plot", "none.mcap", "--out", "a.png", naming="none.mcap")
        self.refused("plot", "a.mcap", "--out", "a.png", "--signals", "enrgy", naming=["enrgy", "energy"])
        self.refused("plot", "a.mcap", "--out", "a.png", "--columns", "left_kneee", naming=["left_kneee", "left_knee"])
        self.refused("plot", "a.mcap", "--out", "a.png", "--signals", "energy", "--columns", "left_knee", naming="--list")
        if shutil.which("gnuplot"):
            self.refused("plot", "a.mcap", "--out", "no/such/folder/a.png", naming="no/such/folder/a.png")

    def test_without_gnuplot(self):
        self.refused("plot", "a.mcap", "--out", "a.png", naming="gnuplot-nox", env=dict(os.environ, PATH="/nowhere"))


if __name__ == "__main__":
    def option(name):
        at = sys.argv.index(name)
        value = str(pathlib.Path(sys.argv[at + 1]).resolve())
        del sys.argv[at:at + 2]
        return value
    LISSOM, RECORDER = option("--lissom"), option("--recorder")
    unittest.main()
