#!/usr/bin/env python3
"""lissom bench --contacts: rows for programs and for people, measured tosses, refusals."""
import gzip
import json
import math
import pathlib
import signal
import subprocess
import tempfile
import time

from command_case import MODELS, CommandCase, main

WORLDS = ["rolling", "bouncing", "666", "elastic_666", "momentum", "quadruped_energy", "grip", "stack", "step_derivatives"]
TOSSES = ["tosses_position_mm", "tosses_rotation_deg"]
NAMES = "toss,t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n"
STARTS = "toss,frames_before_contact,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n"
# A cube without rotation whose center of mass lies under its center falls as a point does.
FALL = [f"one,{t / 100},0,0,{1 - 4.8 * (t / 100) ** 2 + .003},1,0,0,0,0,0,0,0,0,0\n" for t in range(6)]
START = "one,6,0,0,1,1,0,0,0,0,0,0,0,0,0\n"


class BenchContacts(CommandCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, tosses, starts):
        with gzip.open(self.folder / "tosses.csv.gz", "wt") as file:
            file.write(tosses)
        (self.folder / "starts.csv").write_text(starts)

    def bench(self, *arguments):
        return self.good("bench", "--contacts", "--quick", "--tosses", self.folder, *arguments)

    def test_json(self):
        self.write(NAMES + "".join(FALL), STARTS + START)
        rows = json.loads(self.bench("--json"))
        self.assertEqual([row["test"] for row in rows], WORLDS + TOSSES)
        for row in rows:
            self.assertEqual(set(row), {"test", "error", "us_per_step", "published"})
            self.assertTrue(math.isfinite(row["error"]), row)
            self.assertGreaterEqual(row["error"], 0)
            self.assertGreater(row["us_per_step"], 0)
        of = {row["test"]: row for row in rows}
        self.assertEqual((of["rolling"]["published"], of["stack"]["published"]), (5.7e-9, None))
        for test, bar in (("rolling", 1e-20), ("bouncing", 1e-15), ("666", 1e-12), ("elastic_666", 1e-12), ("grip", 1e-3), ("step_derivatives", 1e-4)):
            self.assertLess(of[test]["error"], bar, test)
        self.assertAlmostEqual(of["tosses_position_mm"]["error"], 3, delta=1e-3)
        self.assertAlmostEqual(of["tosses_rotation_deg"]["error"], 0, delta=1e-6)

    def test_text(self):
        self.write(NAMES + "".join(FALL), STARTS + START)
        text = self.bench()
        for word in ("µs per step", "elastic_666", "RaiSim", "N²s²", "tosses_rotation_deg"):
            self.assertIn(word, text)

    def test_one_of_them(self):
        self.assertEqual([row["test"] for row in json.loads(self.good("bench", "--contacts", "--quick", "--only", "grip", "--json"))], ["grip"])
        self.refused("bench", "--contacts", "--only", "griip", naming=["'griip'", "did you mean 'grip'?", "rolling"])

    def test_without_tosses(self):
        """Where there are none, their rows are left out, with a note."""
        ran = subprocess.run([self.lissom, "bench", "--contacts", "--quick", "--json"], capture_output=True, text=True, timeout=300,
                             cwd=self.folder, env={"LISSOM_SHARED": str(self.folder)})
        self.assertEqual(ran.returncode, 0)
        self.assertEqual([row["test"] for row in json.loads(ran.stdout)], WORLDS)
        self.assertIn("--tosses DIR", ran.stderr)

    def test_wrong_use(self):
        self.refused("bench", "--contacts", MODELS / "arm7.urdf", naming=["FILE", "--contacts"])
        self.refused("bench", "--contacts", "--seconds", "1", naming=["--seconds", "--contacts"])
        self.refused("bench", "--quick", MODELS / "arm7.urdf", naming=["--quick", "--contacts"])
        self.refused("bench", naming="FILE")

    def test_wrong_tosses(self):
        """They are refused before anything is measured."""
        self.refused("bench", "--contacts", "--tosses", self.folder / "none", naming=["tosses.csv.gz", "does not exist"])
        self.write(NAMES + "".join(FALL), STARTS)
        self.refused("bench", "--contacts", "--tosses", self.folder, naming=["starts.csv", "no lines"])
        self.write(NAMES + "".join(FALL) + "one,0.06,0,0,up,1,0,0,0,0,0,0,0,0,0\n", STARTS + START)
        self.refused("bench", "--contacts", "--tosses", self.folder, naming=["tosses.csv.gz:8", "'up'"])
        (self.folder / "tosses.csv.gz").write_text(NAMES)
        self.refused("bench", "--contacts", "--tosses", self.folder, naming=["tosses.csv.gz", "gzip"])

    def test_interrupted(self):
        ran = subprocess.Popen([self.lissom, "bench", "--contacts", "--only", "666", "--json"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        while int(pathlib.Path(f"/proc/{ran.pid}/stat").read_text().rsplit(")", 1)[1].split()[11]) < 20:  # ticks of processor time
            time.sleep(0.01)
        ran.send_signal(signal.SIGINT)
        out, messages = ran.communicate(timeout=60)
        self.assertEqual((ran.returncode, json.loads(out)), (130, []))
        self.assertIn("interrupted", messages)


if __name__ == "__main__":
    main()
