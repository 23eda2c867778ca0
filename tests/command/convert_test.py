"""lissom convert and lissom same: robots in other formats, loss reports, exit codes; and, where the corpus is available
($LISSOM_SHARED, or shared/ beside the repository), every robot of it in every format and back."""
import glob
import json
import os
import pathlib
import tempfile

from command_case import MODELS, CommandCase, main

ENDINGS = ("urdf", "xml", "sdf")
# Losses that bear on what `same` compares.
MECHANICAL = {"inertia-impossible", "world-mass"}


class ConvertCase(CommandCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_for(self, exit_code, *arguments):
        ran = self.run_lissom(*arguments)
        self.assertEqual(ran.returncode, exit_code, f"lissom {' '.join(map(str, arguments))}\n{ran.stdout}\n{ran.stderr}")
        return ran

    def convert(self, *arguments, exit_code=0):
        return self.run_for(exit_code, "convert", *arguments)


class Convert(ConvertCase):
    def test_own_models_in_every_format_are_the_same(self):
        for file in sorted(MODELS.glob("*.urdf")) + sorted(MODELS.glob("mechanisms/*.urdf")):
            loops = file.with_suffix(".json")
            given = ["--loops", str(loops)] if loops.exists() else []
            for ending in ENDINGS:
                with self.subTest(file=file.name, ending=ending):
                    out = self.folder / f"robot.{ending}"
                    report = json.loads(self.convert(file, out, "--force", "--json", *given).stdout)
                    self.assertEqual(report["lost"], 0, report["losses"])
                    answer = json.loads(self.run_for(0, "same", file, out, "--json", *given).stdout)
                    self.assertTrue(answer["same"], answer["sentence"])
                    self.assertLess(answer["mass_matrix_difference"], 1e-10)

    def test_a_difference_is_found_and_named(self):
        text = (MODELS / "planar2.urdf").read_text()
        changed = self.folder / "changed.urdf"
        changed.write_text(text.replace('<mass value="', '<mass value="1', 1))
        run = self.run_for(1, "same", MODELS / "planar2.urdf", changed)
        self.assertIn("mass", run.stdout)
        self.assertIn("they differ", run.stdout)
        self.run_for(2, "same", MODELS / "planar2.urdf", "not-there.urdf")

    def test_strict_writes_nothing(self):
        out = self.folder / "plain.urdf"
        source = MODELS / "mechanisms" / "ball_pendulum.urdf"
        run = self.convert(source, out, "--plain", "--strict", exit_code=1)
        self.assertIn("[joint-type]", run.stdout)
        self.assertIn("nothing is written", run.stdout)
        self.assertFalse(out.exists())
        self.convert(source, out, "--strict")
        self.assertTrue(out.exists())

    # What the reader leaves out is in no description, and so the writers cannot list it.
    LEFT_OUT = {
        "robot.xml": ("""<mujoco><worldbody><light/><site name="s"/><body name="b"><joint name="j"/><geom size=".1"/><site name="t"/>
<composite type="cable" count="3 1 1"/></body></worldbody><tendon><spatial name="rope"><site site="s"/><site site="t"/></spatial></tendon>
<equality><weld body1="b" active="false"/></equality><sensor><jointpos joint="j"/></sensor></mujoco>""",
                      {"not-read", "composite", "tendon-spatial", "equality-inactive"}),
        "robot.sdf": ("""<sdf version="1.9"><model name="m"><link name="a"><sensor name="s" type="imu"/></link><plugin name="p" filename="f"/><foo/>
</model></sdf>""", {"not-read", "unknown-tag"}),
        "robot.urdf": ("""<robot name="r"><link name="a"/><transmission name="t"/><gazebo/><foo/></robot>""", {"foreign-tag", "unknown-tag"})}

    def test_what_the_reader_leaves_out_is_lost(self):
        for name, (text, codes) in self.LEFT_OUT.items():
            source = self.folder / name
            source.write_text(text)
            for ending in ENDINGS:
                out = self.folder / f"out.{ending}"
                with self.subTest(name=name, ending=ending):
                    run = self.convert(source, out, "--strict", exit_code=1)
                    self.assertIn("nothing is written", run.stdout)
                    self.assertFalse(out.exists())
                    report = json.loads(self.convert(source, out, "--json", "--force").stdout)
                    lost = [loss for loss in report["losses"] if loss["severity"] == "warning"]
                    self.assertLessEqual(codes, {loss["code"] for loss in lost})
                    self.assertEqual(report["lost"], len(lost))
                    self.assertGreaterEqual(report["not_read"], len(codes))
                    for loss in lost:
                        self.assertEqual(loss["file"], str(source))
                        self.assertGreater(loss["line"], 0)
                    out.unlink()

    def test_what_lissom_has_written_is_no_loss_when_it_is_read_again(self):
        source = MODELS / "mechanisms" / "ball_pendulum.urdf"
        for first in ENDINGS:
            self.convert(source, self.folder / f"first.{first}", "--strict")
            for second in ENDINGS:
                with self.subTest(first=first, second=second):
                    self.convert(self.folder / f"first.{first}", self.folder / f"second.{second}", "--force", "--strict")

    def test_losses_have_file_and_line(self):
        out = self.folder / "robot.xml"
        report = json.loads(self.convert(MODELS / "mechanisms" / "screw_jack.urdf", out, "--json").stdout)
        loss = next(loss for loss in report["losses"] if loss["code"] == "joint-type")
        self.assertTrue(loss["file"].endswith("screw_jack.urdf"))
        self.assertGreater(loss["line"], 0)

    def test_recordings_say_what_was_written_as_json(self):
        run = self.folder / "run.csv"
        self.good("sim", MODELS / "planar2.urdf", "--seconds", "0.1", "--record", run)
        told = json.loads(self.good("convert", run, self.folder / "run.npz", "--json"))
        self.assertEqual((told["to"], told["frames"]), (str(self.folder / "run.npz"), 101))
        self.assertGreaterEqual(told["signals"], 4)

    def test_a_pipe_that_nobody_writes_to_does_not_hang(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.refused("convert", pipe, self.folder / "out.xml", naming="a pipe that no program writes to")

    def test_files_are_protected(self):
        source = self.folder / "robot.urdf"
        source.write_text((MODELS / "planar2.urdf").read_text())
        self.assertIn("choose another name", self.convert(source, source, "--force", exit_code=2).stderr)
        out = self.folder / "robot.sdf"
        out.write_text("precious")
        self.assertIn("--force", self.convert(source, out, exit_code=2).stderr)
        self.assertEqual(out.read_text(), "precious")
        self.assertIn("--to", self.convert(source, self.folder / "robot.txt", exit_code=2).stderr)

    def test_standard_output_has_the_robot_alone(self):
        run = self.convert(MODELS / "planar2.urdf", "-", "--to", "mjcf")
        self.assertTrue(run.stdout.startswith("<?xml"))
        self.assertTrue(run.stdout.rstrip().endswith("</mujoco>"))
        self.assertIn("lost", run.stderr)


class ConvertCorpus(ConvertCase):
    def test_the_corpus_in_every_format_is_the_same(self):
        shared = os.environ.get("LISSOM_SHARED", str(pathlib.Path(__file__).parents[3] / "shared"))
        files = [file for pattern in ("urdf/*/*.urdf", "urdf/*/*.URDF", "mjcf/*/*.xml", "sdf/*/*.sdf", "sdf/*/*.world")
                 for file in sorted(glob.glob(os.path.join(shared, "corpus", pattern)))]
        if not files:
            self.skipTest("set LISSOM_SHARED to the directory that holds corpus/")
        compared, refused = 0, []
        for file in files:
            for ending in ENDINGS:
                out = self.folder / f"robot.{ending}"
                run = self.run_lissom("convert", file, out, "--force", "--json")
                if run.returncode == 2:  # not a robot by itself, or one that lissom refuses: it says why
                    refused.append(os.path.relpath(file, shared))
                    print("left out:", refused[-1], (run.stderr.strip().splitlines() or ["without a word"])[0], flush=True)
                    with self.subTest(file=refused[-1]):
                        self.assertNotEqual(run.stderr.strip(), "")
                    break
                lost = {loss["code"] for loss in json.loads(run.stdout)["losses"] if loss["severity"] == "warning"}
                run = self.run_lissom("same", file, out, "--json")
                with self.subTest(file=os.path.basename(file), ending=ending):
                    self.assertNotEqual(run.returncode, 2, run.stderr[:500])
                    if not lost & MECHANICAL:
                        answer = json.loads(run.stdout)
                        self.assertTrue(answer["same"], answer["sentence"])
                    compared += 1
        print(f"{compared} conversions compared; {len(refused)} of {len(files)} files left out", flush=True)
        self.assertGreater(compared, 100)


if __name__ == "__main__":
    main()
