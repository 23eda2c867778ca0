"""Checkpoints of sweeps: whatever ends a sweep, the next one continues; nothing is lost, nothing is there twice."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from lissom.sweep import SweepError, combine, grid, seeds, sweep
from sweep_functions import add, fails_for_three, log_lines, logged, square

TESTS = str(pathlib.Path(__file__).parent)
SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
from lissom.sweep import combine, grid, seeds, sweep
from sweep_functions import logged
if __name__ == "__main__":
    sweep(logged, combine(grid(log=[{log!r}], seconds=[{seconds}]), seeds({count})), workers=2, checkpoint={folder!r})
"""


def cases(tmp_path, count, seconds=0.02):
    return combine(grid(log=[str(tmp_path / "log")], seconds=[seconds]), seeds(count))


def start(tmp_path, count, seconds=0.02):
    """A sweep in a process of its own."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(tests=TESTS, log=str(tmp_path / "log"), seconds=seconds, count=count, folder=str(tmp_path / "kept")))
    return subprocess.Popen([sys.executable, str(script)], stderr=subprocess.PIPE, text=True)


def kept(tmp_path):
    path = tmp_path / "kept" / "results.jsonl"
    return path.read_text().splitlines() if path.exists() else []


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.01)


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for processes in /proc")
def test_a_sweep_that_was_killed_continues(tmp_path):
    sweeping = start(tmp_path, 60)
    wait_for(lambda: len(kept(tmp_path)) >= 15)
    sweeping.kill()
    sweeping.communicate()
    workers = {int(line.split(":")[1]) for line in log_lines(tmp_path / "log")}
    wait_for(lambda: not any(map(is_running, workers)))  # they end with it
    safe = len(kept(tmp_path))
    before = len(log_lines(tmp_path / "log"))
    assert 15 <= safe < 60
    result = sweep(logged, cases(tmp_path, 60), workers=2, checkpoint=tmp_path / "kept")
    assert result.table["seed"].tolist() == list(range(60))
    assert result.table["square"].tolist() == [seed ** 2 for seed in range(60)]
    assert result.resumed >= safe - 1 and result.failed == []
    executed = [int(line.split(":")[0]) for line in log_lines(tmp_path / "log")]
    assert set(executed) == set(range(60))
    assert len(executed) - before == 60 - result.resumed  # what was safe did not run again
    keys = [json.loads(line)["key"] for line in kept(tmp_path)]
    assert len(keys) == len(set(keys)) == 60
    again = sweep(logged, cases(tmp_path, 60), workers=2, checkpoint=tmp_path / "kept")
    assert again.resumed == 60 and len(log_lines(tmp_path / "log")) == len(executed)
    assert all(np.array_equal(again.table[name], result.table[name]) for name in result.table)


def test_ctrl_c_says_what_is_safe(tmp_path):
    sweeping = start(tmp_path, 1000)
    wait_for(lambda: len(kept(tmp_path)) >= 10)
    sweeping.send_signal(signal.SIGINT)
    _, messages = sweeping.communicate(timeout=20)
    assert sweeping.returncode in (-signal.SIGINT, 130)
    said = re.search(r"KeyboardInterrupt: interrupted: (\d+) of 1000 cases are safe in '.*kept'; run the same sweep again to continue", messages)
    assert said, messages
    assert int(said[1]) == len(kept(tmp_path)) >= 10
    log = len(log_lines(tmp_path / "log"))
    time.sleep(0.2)
    assert len(log_lines(tmp_path / "log")) == log  # no worker goes on


def test_a_study_may_grow_and_arrays_come_back(tmp_path):
    first = sweep(add, grid(a=[0.1, float("nan"), -0.0], b=[1e-320, 3]), workers=0, checkpoint=tmp_path / "kept")
    grown = sweep(add, grid(a=[7, 0.1, float("nan"), -0.0], b=[1e-320, 3]), workers=0, checkpoint=tmp_path / "kept")
    assert (first.resumed, grown.resumed) == (0, 6)
    assert all(np.array_equal(grown.table[name][2:], first.table[name], equal_nan=first.table[name].dtype.kind == "f") for name in first.table)
    assert grown.table["point"].dtype == np.float64


def test_the_same_case_twice_is_two_rows(tmp_path):
    for resumed in (0, 3):
        result = sweep(square, [{"seed": 2}, {"seed": 2}, {"seed": 3}], workers=0, checkpoint=tmp_path)
        assert result.table["result"].tolist() == [4, 4, 9] and result.resumed == resumed


def test_failed_cases_run_again(tmp_path):
    for _ in range(2):
        result = sweep(fails_for_three, seeds(5), workers=0, retries=0, checkpoint=tmp_path)
        assert [one.index for one in result.failed] == [3]
    assert result.resumed == 4
    assert sum("three is no good" in line for line in (tmp_path / "results.jsonl").read_text().splitlines()) == 2


def test_checkpoints_of_others_are_refused(tmp_path):
    sweep(square, seeds(5), workers=0, checkpoint=tmp_path / "kept")
    before = (tmp_path / "kept" / "results.jsonl").read_bytes()
    for message, function, some in (("belongs to the function 'square', not to 'fails_for_three'", fails_for_three, seeds(5)),
                                    ('has the case {"seed": 4}, which this study has not', square, seeds(4))):
        with pytest.raises(SweepError, match=re.escape(message)):
            sweep(function, some, workers=0, checkpoint=tmp_path / "kept")
    with pytest.raises(SweepError, match="it is no checkpoint"):
        sweep(square, seeds(1), workers=0, checkpoint=tmp_path)
    assert (tmp_path / "kept" / "results.jsonl").read_bytes() == before
    study = tmp_path / "kept" / "study.json"
    study.write_text(study.read_text()[:20])
    with pytest.raises(SweepError, match="cannot be read"):
        sweep(square, seeds(5), workers=0, checkpoint=tmp_path / "kept")


def test_a_function_that_changed_is_another(tmp_path):
    def study(text):
        path = tmp_path / "changing.py"
        path.write_text(text)
        names = {}
        exec(compile(text, str(path), "exec"), names)
        import linecache
        linecache.checkcache(str(path))
        return names["f"]
    sweep(study("def f(seed):\n    return seed\n"), seeds(2), workers=0, checkpoint=tmp_path / "kept")
    changed = study("def f(seed):\n    return seed + 1\n")
    with pytest.raises(SweepError, match="before its source changed"):
        sweep(changed, seeds(2), workers=0, checkpoint=tmp_path / "kept")
    for function in (square, changed):
        assert sweep(function, seeds(2), workers=0, checkpoint=tmp_path / "named", name="mine").table["result"].tolist() == [0, 1]


def test_lines_that_are_damaged(tmp_path):
    sweep(square, seeds(6), workers=0, checkpoint=tmp_path, batch_size=1)
    log = tmp_path / "results.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    assert len(lines) == 6
    twice = lines[1].replace(b'"result":1', b'"result":999')
    log.write_bytes(b"".join([lines[0], lines[1], b"\0\0\0\n", twice, lines[2][:-10] + b"\n", lines[3], lines[4][:-7]]))
    result = sweep(square, seeds(6), workers=0, checkpoint=tmp_path)
    assert result.table["result"].tolist() == [0, 1, 4, 9, 16, 25]  # the first of two lines counts
    assert result.resumed == 3
    assert sweep(square, seeds(6), workers=0, checkpoint=tmp_path).resumed == 6


def test_one_sweep_at_a_time(tmp_path):
    pytest.importorskip("fcntl", reason="locks of files are not the same on Windows")
    errors = []

    def meanwhile(done, total):
        with pytest.raises(SweepError, match="in use by another sweep") as error:
            sweep(square, seeds(3), workers=0, checkpoint=tmp_path)
        errors.append(error)
    sweep(square, seeds(3), workers=0, checkpoint=tmp_path, progress=meanwhile)
    assert errors
