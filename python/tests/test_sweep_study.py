"""Study files, programs as functions, and the command `python -m lissom.sweep`."""
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from lissom.sweep import SweepError, load_table
from lissom.sweep.study import read_study

FUNCTION = """
import math
from beside import scale
def fall(seed, mass, height=1.0):
    if mass < 0:
        raise ValueError("mass is negative")
    return {"energy": scale * mass * height, "root": math.sqrt(seed)}
"""
PROGRAM = "import json, sys; print(json.dumps({'sum': float(sys.argv[1]) + float(sys.argv[2]), 'rows': [{'x': sys.argv[3]}]}))"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fall.py").write_text(FUNCTION)
    (tmp_path / "beside.py").write_text("scale = 10\n")
    return tmp_path


def write(folder, study):
    path = folder / "study.json"
    path.write_text(study if isinstance(study, str) else json.dumps(study))
    return path


def run(folder, *words):
    return subprocess.run([sys.executable, "-m", "lissom.sweep", *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=60)


def test_a_python_file(folder):
    write(folder, {"description": "falls", "function": "fall.py:fall", "fixed": {"height": 2}, "grid": {"mass": [1, 3]}, "seeds": 2})
    ran = run(folder, "study.json", "--workers", 2, "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    said = json.loads(ran.stdout)
    assert (said["cases"], said["succeeded"], said["failed"], said["table"]) == (4, 4, [], "study.npz")
    table = load_table(folder / "study.npz")
    assert list(table) == ["height", "mass", "seed", "energy", "root"]
    assert table["energy"].tolist() == [20, 20, 60, 60] and table["seed"].tolist() == [0, 1, 0, 1]


def test_failed_cases_and_checkpoint(folder):
    write(folder, {"function": "fall.py:fall", "cases": [{"mass": 1}, {"mass": -1}], "seeds": [4]})
    for resumed in (False, True):
        ran = run(folder, "study.json", "--workers", 0, "--retries", 1, "--checkpoint", "kept", "--out", "t.csv")
        assert ran.returncode == 1
        assert '1 of 2 cases succeeded' in ran.stdout and ("1 of them from the checkpoint" in ran.stdout) == resumed
        assert 'case 1 {"mass": -1, "seed": 4}, 2 attempts: ValueError: mass is negative' in ran.stdout
    assert (folder / "t.csv").read_text().splitlines() == ["mass,seed,energy,root", "1,4,10.0,2.0", "-1,4,nan,nan"]


def test_random_parameters_need_seeds_and_are_the_same_on_every_row_of_a_grid(folder):
    study = read_study(write(folder, {"function": "fall.py:fall", "grid": {"height": [1, 2]}, "seeds": 3, "random": {"mass": {"uniform": [1, 2]}}}))
    masses = [case["mass"] for case in study.cases]
    assert len(masses) == 6 and masses[:3] == masses[3:] and len(set(masses)) == 3


def program(**more):
    return {"command": [sys.executable, "-c", PROGRAM, "{a}", "{b}", "{word}:{list}"], "columns": {"total": "sum", "x": "rows.0.x"},
            "grid": {"a": [1, 2]}, "fixed": {"b": 0.5, "word": "$(echo {b})", "list": [1, 2.5]}, **more}


def test_a_program_without_a_shell(folder):
    write(folder, program())
    ran = run(folder, "study.json", "--quiet")
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
    table = load_table(folder / "study.npz")
    assert table["total"].tolist() == [1.5, 2.5]
    assert table["x"].tolist() == ["$(echo {b}):1,2.5"] * 2


def test_programs_that_fail(folder):
    def failed(text, **more):
        write(folder, {"command": [sys.executable, "-c", text], "columns": ["sum"], "seeds": 1, **more})
        ran = run(folder, "study.json", "--workers", 0, "--retries", 0, "--json")
        return ran.returncode, json.loads(ran.stdout)["failed"]
    code, errors = failed("import sys; print('one\\ntwo', file=sys.stderr); sys.exit(7)")
    assert code == 1 and re.search(r"exited with 7:\none\ntwo", errors[0]["error"])
    assert failed("print('{\"sum\": 1}'); raise SystemExit(1)", exit_codes=[0, 1]) == (0, [])
    assert "printed no JSON" in failed("print('hello')")[1][0]["error"]
    assert "no 'sum' for the column 'sum'; did you mean 'sums'?" in failed("print('{\"sums\": 1}')")[1][0]["error"]
    begin = time.monotonic()
    assert "longer than 0.3 s" in failed("import time; time.sleep(60)", timeout=0.3)[1][0]["error"]
    assert time.monotonic() - begin < 20


@pytest.mark.parametrize("study, message", [
    ("{", "study.json:1:2: Expecting property name enclosed in double quotes; expected JSON"),
    ("[]", "study.json: is [], expected an object"),
    ('{"seeds": 1, "seeds": 2}', "study.json: the key 'seeds' is there twice"),
    ({"function": "fall.py:fall", "sedes": 3}, "study.json: unknown key 'sedes'; did you mean 'seeds'?"),
    ({"seeds": 3}, "expected either 'function' or 'command'"),
    ({"function": "fall.py:fal"}, "study.json: function: no function 'fal' in 'fall.py'; did you mean 'fall'?"),
    ({"function": "nofile.py:f"}, "nofile.py': No such file or directory"),
    ({"function": "nomodule:f"}, "study.json: function: cannot import 'nomodule'"),
    ({"function": "json:dump_"}, "no function 'dump_' in the module 'json'; did you mean 'dump'?"),
    ({"function": "fall"}, "function: is 'fall', expected 'module:function'"),
    ({"function": "fall.py:fall", "grid": {"mass": 3}}, "study.json: grid.mass: is 3, expected a list"),
    ({"function": "fall.py:fall", "grid": {"m s": [3]}}, "study.json: grid: the parameter 'm s' is no name"),
    ({"function": "fall.py:fall", "cases": [{"mass": 1}, 2]}, "study.json: cases[1]: is 2, expected an object"),
    ({"function": "fall.py:fall", "cases": []}, "has no cases"),
    ({"function": "fall.py:fall", "seeds": 1.5}, "study.json: seeds: is 1.5"),
    ({"function": "fall.py:fall", "seeds": True}, "study.json: seeds: is true"),
    ({"function": "fall.py:fall", "random": {"mass": {"uniform": [0, 1]}}}, "random: needs 'seeds'"),
    ({"function": "fall.py:fall", "seeds": 1, "random": {"mass": {"gauss": [0, 1]}}}, "study.json: random.mass: no distribution 'gauss'"),
    ({"function": "fall.py:fall", "seeds": 1, "random": {"mass": {"uniform": [0]}}}, "random.mass: uniform is [0], expected a list of 2"),
    ({"function": "fall.py:fall", "seeds": 1, "fixed": {"seed": 1}}, "the parameter 'seed' is in two of"),
    ({"function": "fall.py:fall", "timeout": -1}, "timeout: is -1 s"),
    ({"function": "fall.py:fall", "columns": ["x"]}, "columns: belongs to 'command'"),
    (program(columns=[]), "study.json: columns: expected which keys"),
    (program(columns={"a": "sum"}), "columns: 'a' is the name of a parameter"),
    (program(grid={"a": [1], "c": [1]}), "command: the parameter 'c' is not used"),
    (program(grid={"aa": [1]}), "command: no parameter 'a' for {a} in every case; did you mean 'aa'?"),
    (program(exit_codes=["0"]), "exit_codes: is"),
])
def test_wrong_studies(folder, study, message):
    with pytest.raises(SweepError) as error:
        read_study(write(folder, study))
    assert message in str(error.value)


def test_wrong_use(folder):
    write(folder, {"function": "fall.py:fall", "seeds": 2, "grid": {"weight": [1]}})
    for message, words in (("does not take the parameters of cases[0]", ["study.json", "--workers", 0]),
                           ("--engin: unknown option; did you mean '--engine'", ["study.json", "--engin=ray"]),
                           ("invalid choice: 'rya'", ["study.json", "--engine", "rya"]),
                           ("no.json: No such file", ["no.json"]),
                           ("required: STUDY", []),
                           ("ends with .npz", ["study.json", "--out", "x.txt"]),
                           ("no such folder", ["study.json", "--out", "no/x.csv"]),
                           ("workers is -1", ["study.json", "--workers", "-1"])):
        ran = run(folder, *words)
        assert (ran.returncode, ran.stdout) == (2, "") and ran.stderr.startswith("lissom: sweep: ") and message in ran.stderr, ran.stderr
    assert "--checkpoint DIR" in run(folder, "--help").stdout


def test_sigterm_keeps_the_checkpoint(folder):
    (folder / "wait.py").write_text("import time\ndef wait(seed):\n    time.sleep(0.02)\n    return seed\n")
    write(folder, {"function": "wait.py:wait", "seeds": 5000})
    running = subprocess.Popen([sys.executable, "-m", "lissom.sweep", "study.json", "--checkpoint", "kept"], cwd=folder, stderr=subprocess.PIPE, text=True)
    log = folder / "kept" / "results.jsonl"
    while running.poll() is None and not (log.exists() and log.stat().st_size > 100):
        time.sleep(0.01)
    running.send_signal(signal.SIGTERM)
    _, messages = running.communicate(timeout=20)
    assert running.returncode == 130
    safe = int(re.fullmatch(r"lissom: sweep: interrupted: (\d+) of 5000 cases are safe in 'kept'; run the same sweep again to continue\n", messages)[1])
    assert safe == len(log.read_text().splitlines()) > 0
    assert not os.path.exists(folder / "study.npz")
