#!/usr/bin/env python3
"""Hostile and unlucky input on the command line: names, pipes, full disks, huge and deep files. Exit codes and messages, never a crash.

usage: hostile_test.py --lissom COMMAND [CASE | CASE.test …]
"""
import gzip
import json
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import tempfile

from command_case import HUMANOID, MODELS, CommandCase, main

PLANAR = str(MODELS / "planar2.urdf")
HEADER = {"lissom_recording": 1, "lissom_version": "0.1.0", "model": "m", "robot_file": "", "base": "file", "mimic": True,
          "axis_tolerance": 0.0, "gravity": [0, 0, -9.81], "q": [], "v": [], "settings": {},
          "signals": [{"name": "x", "columns": [{"name": "a", "unit": "1"}]}]}


class HostileCase(CommandCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_here(self, *arguments, **more):
        more = {"capture_output": True, "timeout": 300} | more
        return subprocess.run([self.lissom, *arguments], cwd=self.folder.name, **more)

    def ends(self, code, *arguments, naming=(), **more):
        """Runs lissom in the folder; it must exit with this code and name these words on standard error. Returns both outputs."""
        ran = self.run_here(*arguments, **more)
        errors = ran.stderr.decode(errors="replace")
        self.assertEqual(ran.returncode, code, (arguments, ran.stdout, errors))
        for words in naming:
            self.assertIn(words, errors)
        for words in ("terminate called", "json.exception", "basic_", "std::"):
            self.assertNotIn(words, errors)
        return ran.stdout, errors

    def write(self, name, content):
        path = os.path.join(os.fsencode(self.folder.name), os.fsencode(name))
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return name

    def recording(self, name, frames, header=HEADER, end=None):
        lines = "".join(",".join(map(str, frame)) + "\n" for frame in frames)
        return self.write(name, f"# lissom recording 1\n# {json.dumps(header)}\ntime [s]\n{lines}# end {len(frames)}\n")

    def record(self, name, *more):
        self.ends(0, "sim", PLANAR, "--seconds", "0.02", "--quiet", "--record", name, *more)


class Output(HostileCase):
    """Results that cannot be written are no success."""

    def test_full_disk(self):
        self.write("states.json", '{"states": [{}]}')
        self.record("run.csv")
        with open("/dev/full", "wb") as full:
            for arguments in (["check", PLANAR], ["info", PLANAR], ["info", PLANAR, "--json"], ["eval", PLANAR, "--states", "states.json"],
                              ["sim", PLANAR, "--seconds", "0.01", "--json"], ["plot", "run.csv", "--list"], ["compare", "run.csv", "run.csv"],
                              ["--help"], ["--version"]):
                ran = self.run_here(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(ran.returncode, 2, arguments)
                self.assertIn(b"standard output cannot be written: No space left", ran.stderr)

    def test_control_characters_of_names(self):
        name = "run\x1b[2J\nlissom: all is well\x9b.csv"
        self.record(name)
        for arguments in (["plot", "--list", name], ["compare", name, name], ["info", name], ["check", name], ["plot", name, "--out", "x.gif"],
                          ["plot", "no" + name, "--list"], ["eval", PLANAR, "--states", name], ["qp", name], [name]):
            ran = self.run_here(*arguments)
            shown = ran.stdout + ran.stderr
            for raw in (b"\x1b", b"\xc2\x9b", b"\nlissom: all is well"):
                self.assertNotIn(raw, shown, arguments)

    def test_control_characters_in_files(self):
        text = pathlib.Path(PLANAR).read_text().replace('name="joint1"', 'name="j&#27;[31m&#10;lissom: all is well"')
        self.write("escapes.urdf", text)
        out, _ = self.ends(1, "check", "escapes.urdf")
        self.assertIn(b"name-control-character", out)
        self.assertIn(b"j\\x1b[31m lissom", out)
        self.ends(2, "info", "escapes.urdf", naming=["name-control-character", "\\x1b"])
        self.write("states.json", '{"states": [{"q": {"joint\\u001b[31m\\nlissom: 0 errors": [1]}}]}')
        _, errors = self.ends(2, "eval", PLANAR, "--states", "states.json", naming=["joint\\x1b[31m"])
        self.assertEqual(errors.count("\n"), 1)
        self.write("loops.json", '{"\\u001b[2J": 1}')
        self.ends(2, "sim", PLANAR, "--loops", "loops.json", naming=['"\\x1b[2J"'])
        self.recording("settings.csv", [], HEADER | {"settings": {"note": "\x9b2J"}})
        for arguments in (["--list"], ["--list", "--json"]):
            out, _ = self.ends(0, "plot", "settings.csv", *arguments)
            self.assertIn(b"\\u009b2J", out)

    def test_names_that_are_not_utf8(self):
        shutil.copy(PLANAR, os.path.join(os.fsencode(self.folder.name), b"\xff.urdf"))
        out, _ = self.ends(0, "sim", b"\xff.urdf", "--seconds", "0.01", "--json", "--record", b"\xfe.mcap")
        self.assertEqual(json.loads(out)["recording"], {"file": "\ufffd.mcap", "frames": 11})
        for arguments in (["plot", b"\xfe.mcap", "--list"], ["compare", b"\xfe.mcap", b"\xfe.mcap"], ["check", b"\xff.urdf"]):
            self.assertTrue(json.loads(self.ends(0, *arguments, "--json")[0]))
        self.ends(2, "info", b"\xfd.urdf", naming=["\\xfd.urdf"])


class Drawing(HostileCase):
    def setUp(self):
        super().setUp()
        if shutil.which("gnuplot") is None:
            self.skipTest("no gnuplot here")

    def test_names_are_no_commands(self):
        self.record("base.csv")
        content = (pathlib.Path(self.folder.name) / "base.csv").read_bytes()
        for k, name in enumerate(('run\nsystem("touch PWNED")\n#.csv', "a'\nsystem('touch PWNED')\n'b.csv", "`touch PWNED`.csv", "$(touch PWNED).csv",
                                  "a'.system(\"touch PWNED\").'b.csv", "@x\"`touch PWNED`\".csv", "'\"`touch PWNED`\"'.csv")):
            self.write(name, content)
            environment = dict(os.environ, HOME=self.folder.name)
            self.ends(0, "plot", name, "base.csv", "--out", f"{k}.png", env=environment)
        left = set(os.listdir(self.folder.name))
        self.assertNotIn("PWNED", left)
        self.assertLessEqual({f"{k}.png" for k in range(7)}, left)

    def test_quotes_in_names(self):
        for name in ("&apos;knee", "a&apos;&apos;b", "knee&apos;", "&apos;&apos;&apos;", "&quot;a&quot;", "back\\slash", "`id`", "a&apos;`id`&apos;b"):
            text = pathlib.Path(PLANAR).read_text().replace('name="joint1"', f'name="{name}"')
            self.write("r.urdf", text)
            self.ends(0, "sim", "r.urdf", "--seconds", "0.01", "--quiet", "--record", "r.csv")
            self.ends(0, "plot", "r.csv", "--out", "r.svg")
            drawn = (pathlib.Path(self.folder.name) / "r.svg").read_text()
            shown = name.replace("&apos;", "'").replace("&quot;", '"')
            self.assertTrue(any(form in drawn for form in (shown, name, shown.replace("'", "&#39;").replace('"', "&quot;"))), name)

    def test_numbers_at_the_edges(self):
        for frames in ([[0, 0], [1, 5e-324], [2, 0]], [[0, 1e299]], [[0, 1e299], [1, -1e299]], [[0, 1e16], [1, 1e16]], [[0, "nan"], [1, "inf"]],
                       [[0, 1], [1e308, 2]], [[0, 5e-324]], [[0, 1e-300], [1, 2e-300]]):
            self.recording("edge.csv", frames)
            for more in ([], ["--histogram"]):
                self.ends(0, "plot", "edge.csv", "--out", "edge.svg", *more)

    def test_the_old_picture_stays_where_the_disk_is_full(self):
        self.record("run.csv")
        self.ends(0, "plot", "run.csv", "--out", "a.png")
        picture = pathlib.Path(self.folder.name) / "a.png"
        before = picture.read_bytes()
        self.write("run2.csv", (pathlib.Path(self.folder.name) / "run.csv").read_bytes())
        ran = self.run_here("plot", "run2.csv", "--out", "a.png", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        self.assertEqual(ran.returncode, 2)
        self.assertEqual(picture.read_bytes(), before)
        (pathlib.Path(self.folder.name) / "link.png").symlink_to("a.png")
        self.ends(0, "plot", "run.csv", "--out", "link.png")
        self.assertTrue((pathlib.Path(self.folder.name) / "link.png").is_symlink())
        self.assertEqual([n for n in os.listdir(self.folder.name) if n.endswith(".new")], [])

    def test_many_columns(self):
        header = dict(HEADER, signals=[{"name": "x", "columns": [{"name": f"c{i}", "unit": "1"} for i in range(40000)]}])
        self.recording("wide.csv", [[0] + [1] * 40000, [1] + [2] * 40000], header)
        self.ends(2, "plot", "wide.csv", "--out", "wide.png", naming=["more than 2000 lines", "--columns"])
        self.ends(0, "plot", "wide.csv", "--out", "wide.png", "--columns", "c17")
        self.ends(0, "compare", "wide.csv", "wide.csv")

    def test_limits(self):
        for lines, code in (2000, 0), (2001, 2):
            columns = [{"name": f"c{i}", "unit": "1"} for i in range(lines)]
            self.recording("lines.csv", [[0] + [1] * lines, [1] + [2] * lines], dict(HEADER, signals=[{"name": "x", "columns": columns}]))
            self.ends(code, "plot", "lines.csv", "--out", "lines.png", naming=["more than 2000 lines"] if code else [])
        for panels, code in (48, 0), (49, 2):
            signals = [{"name": f"s{i}", "columns": [{"name": "a", "unit": "1"}]} for i in range(panels)]
            self.recording("panels.csv", [[0] + [1] * panels, [1] + [2] * panels], dict(HEADER, signals=signals))
            self.ends(code, "plot", "panels.csv", "--out", "panels.png", naming=["more than 48 panels"] if code else [])

    def test_temporary_folder(self):
        self.record("run.csv")
        self.ends(2, "plot", "run.csv", "--out", "a.png", naming=["TMPDIR"], env=dict(os.environ, TMPDIR="/no/such/folder"))


class Input(HostileCase):
    def test_deep_json(self):
        deep = "[" * 200000 + "]" * 200000
        for name, text, arguments in (("states.json", f'{{"states": [{{"q": {{"joint1": [{deep}]}}}}]}}', ["eval", PLANAR, "--states"]),
                                      ("gravity.json", f'{{"gravity": {deep}, "states": []}}', ["eval", PLANAR, "--states"]),
                                      ("loops.json", f'{{"gravity": [0, 0, {deep}]}}', ["sim", PLANAR, "--loops"]),
                                      ("motion.json", f'{{"postures": {deep}}}', ["control", HUMANOID, "--motion"]),
                                      ("posture.json", f'{{"q": {deep}}}', ["stance", HUMANOID, "--contacts", "left_foot", "--from"])):
            self.write(name, text)
            self.ends(2, *arguments, name, naming=[name, "nested more than 64 levels deep"])
        self.write("q.json", f'{{"q": [0, {deep}]}}')
        self.ends(2, "sim", PLANAR, "--q", "@q.json", naming=["--q", "q.json", "deep"])

    def test_long_values_are_shortened(self):
        self.write("states.json", json.dumps({"states": [{"q": {"joint1": "x" * 5_000_000}}]}))
        _, errors = self.ends(2, "eval", PLANAR, "--states", "states.json", naming=["joint1"])
        self.assertLess(len(errors), 500)

    def test_states(self):
        def refused(text, *naming):
            self.write("s.json", text)
            self.ends(2, "eval", PLANAR, "--states", "s.json", naming=naming)
        refused('{"states": [], "gravty": [0, 0, 0]}', "'gravty'", "gravity")
        refused('{"states": [{"q": {"joint1": [1], "joint1": [2]}}]}', "'joint1' is given twice")
        refused('{"states": [], "states": []}', "given twice")
        refused('{"states": [{"q": {"joint1": [1e400]}}]}', "s.json", "1e400")

    def test_what_is_no_file(self):
        for arguments in (["eval", PLANAR, "--states", "."], ["sim", PLANAR, "--q", "@."], ["sim", PLANAR, "--loops", "."], ["qp", "."],
                          ["info", "."], ["plot", ".", "--list"], ["stance", HUMANOID, "--contacts", "left_foot", "--from", "."]):
            self.ends(2, *arguments)
        self.write("text.json", "hello")
        self.ends(2, "sim", PLANAR, "--q", "@text.json", naming=["--q", "text.json"])
        self.write("words.json", '{"q": ["a", "b"]}')
        self.ends(2, "sim", PLANAR, "--q", "@words.json", naming=["--q", "words.json", "expected a number"])
        self.ends(2, "eval", PLANAR, "--states", "/dev/zero", naming=["larger than the limit"])
        self.ends(2, "info", "/dev/zero", naming=["larger than the limit"])

    def test_pipes(self):
        os.mkfifo(os.path.join(self.folder.name, "pipe"))
        os.mkfifo(os.path.join(self.folder.name, "pipe.csv"))
        for arguments in (["info", "pipe"], ["eval", PLANAR, "--states", "pipe"], ["qp", "pipe"], ["sim", PLANAR, "--loops", "pipe"],
                          ["sim", PLANAR, "--record", "pipe.csv"], ["plot", "pipe.csv", "--list"]):
            self.ends(2, *arguments, timeout=60)
        # A pipe that a program writes to is read, once; a recording has the robot nevertheless.
        for more in [], ["--record", "run.csv"]:
            ran = subprocess.run(["bash", "-c", '"$0" sim <(cat "$1") --seconds 0.01 "${@:2}"', self.lissom, PLANAR, *more], cwd=self.folder.name,
                                 capture_output=True, timeout=60)
            self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_numbers(self):
        for verb, option in (("sim", "--random"), ("verify", "--seed")):
            self.ends(2, verb, PLANAR, option, "99999999999999999999999", naming=[option, "18446744073709551615"])
            self.ends(2, verb, PLANAR, option, "-1", naming=[option])
        self.ends(0, "sim", PLANAR, "--seconds", "0.01", "--random", "18446744073709551615")
        self.record("run.mcap")
        self.ends(2, "sim", PLANAR, "--restart", "run.mcap:99999999999999999999", naming=["no frame", "0 … 20"])
        self.ends(2, "control", HUMANOID, "--delay", "2000000000", naming=["--delay", "to 100000"])
        self.ends(2, "bench", PLANAR, "--only", "nothing", "--seconds", "0.001", naming=["--only", "nothing"])


class Memory(HostileCase):
    LIMIT = 3 << 30

    def with_memory(self, limit):
        """Options that limit the memory of a process; not with sanitizers, which need address space without end."""
        sanitized = b"__asan_init" in pathlib.Path(self.lissom).read_bytes()
        return {} if sanitized else {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))}

    def limited(self, code, *arguments, naming=()):
        """Runs lissom with little memory, as others may have."""
        return self.ends(code, *arguments, naming=naming, **self.with_memory(self.LIMIT))

    def test_quadratic_programs(self):
        n = mi = 2000
        with gzip.open(os.path.join(self.folder.name, "bomb.qp.gz"), "wb", compresslevel=1) as file:
            file.write(b"LQP1" + struct.pack("<i", 40))
            for _ in range(17):  # the limit is reached before they end
                file.write(struct.pack("<4id", n, 0, mi, 0, 0.0))
                file.write(bytes(8 * (n * n + n + mi * n + 2 * mi + 3 * n)))
        self.limited(2, "qp", "bomb.qp.gz", "--repeat", "1", naming=["bomb.qp.gz: problem 16 of 40", "more than 1073741824 bytes"])

    def test_sparse_recording(self):
        for start in (b"", b"\x89MCAP0\r\n"):
            self.write("sparse.mcap", start)
            os.truncate(os.path.join(self.folder.name, "sparse.mcap"), 1 << 40)
            self.limited(2, "plot", "sparse.mcap", "--list", naming=["sparse.mcap"])

    def test_long_chain(self):
        inertia = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
        parts = [f'<link name="l{i}">{inertia}</link><joint name="j{i}" type="continuous"><parent link="l{i - 1}"/><child link="l{i}"/></joint>\n'
                 for i in range(1, 40000)]
        self.write("chain.urdf", '<robot name="a"><link name="l0"/>' + "".join(parts) + "</robot>")
        self.limited(2, "info", "chain.urdf", naming=["too-large", "at most 4000"])
        out, _ = self.limited(1, "check", "chain.urdf")
        self.assertIn(b"too-large", out)

    def test_many_findings(self):
        self.write("many.urdf", '<robot name="a"><link name="l"/>' + "".join(f"<tag{i}/>\n" for i in range(200000)) + "</robot>")
        out, _ = self.limited(0, "check", "many.urdf", "--all")  # elements that are not known are notes
        self.assertIn(b"and 199000 more of this kind", out)
        self.assertLess(len(out), 1_000_000)

    def test_not_enough_memory_is_said_with_the_file(self):
        if not self.with_memory(1):
            self.skipTest("sanitizers need address space without end")
        self.recording("short.csv", [[0, 1], [1, 1]])
        self.recording("long.csv", [[i, 1] for i in range(700_000)])  # 6 MB of text, and 11 of numbers
        few, enough = 1, 1024  # MiB in which a short recording cannot be read, and can be
        while enough - few > 1:
            middle = (few + enough) // 2
            ran = self.run_here("plot", "short.csv", "--list", **self.with_memory(middle << 20))
            few, enough = (few, middle) if ran.returncode == 0 else (middle, enough)
        self.ends(0, "plot", "long.csv", "--list", **self.with_memory((enough + 100) << 20))
        for more in (2, 5, 8):
            self.ends(2, "plot", "long.csv", "--list", naming=["long.csv", "not enough memory"], **self.with_memory((enough + more) << 20))


class Hardening(HostileCase):
    def test_all_symbols_are_bound_at_the_start(self):
        if shutil.which("readelf") is None:
            self.skipTest("no readelf here")
        dynamic = subprocess.run(["readelf", "-dW", self.lissom], capture_output=True, text=True).stdout
        segments = subprocess.run(["readelf", "-lW", self.lissom], capture_output=True, text=True).stdout
        self.assertRegex(dynamic, r"BIND_NOW|Flags:.*NOW")
        self.assertIn("GNU_RELRO", segments)


if __name__ == "__main__":
    main()
