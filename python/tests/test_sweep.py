"""Sweeps in this process and in processes of this machine: order, failures, workers that die, tables. Checkpoints: test_sweep_checkpoint.py."""
import functools
import re
import sys
import time

import numpy as np
import pytest

from lissom.sweep import SweepError, combine, grid, load_table, seeds, sweep
from sweep_functions import add, ends, fails_at_first, fails_for_three, kills_its_worker, log_lines, logged, square


def test_a_grid_in_order():
    result = sweep(add, grid(a=[1, 2, 3], b=[0.5, 1]), workers=2)
    assert list(result.table) == ["a", "b", "sum", "point", "name", "equal"]
    assert result.table["a"].tolist() == [1, 1, 2, 2, 3, 3] and result.table["a"].dtype.kind == "i"
    assert result.table["b"].tolist() == [0.5, 1, 0.5, 1, 0.5, 1]
    assert result.table["sum"].tolist() == [1.5, 2, 2.5, 3, 3.5, 4]
    assert result.table["point"].shape == (6, 2)
    assert result.table["name"][0] == "1 and 0.5" and result.table["name"].dtype.kind == "U"
    assert result.table["equal"].tolist() == [False, True, False, False, False, False] and result.table["equal"].dtype == bool
    assert (len(result), result.failed, result.resumed) == (6, [], 0)


def test_order_does_not_depend_on_who_finishes_first(tmp_path):
    waits = [0.3 if seed == 0 else 0.0 for seed in range(12)]
    cases = [{"seed": seed, "log": str(tmp_path / "log"), "seconds": wait} for seed, wait in enumerate(waits)]
    result = sweep(logged, cases, workers=2, batch_size=1)
    assert result.table["square"].tolist() == [seed ** 2 for seed in range(12)]
    assert len(set(result.table["pid"])) == 2
    assert len(log_lines(tmp_path / "log")) == 12


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_the_same_table_for_any_number_of_workers(workers):
    cases = seeds(300, x={"uniform": [0, 1]})
    result = sweep(functools.partial(add, b=2), [{"a": case["x"]} for case in cases], workers=workers)
    assert result.table["sum"].tolist() == [case["x"] + 2 for case in cases]


def test_seeds_draw_the_same_whatever_else_is_drawn():
    few, many = seeds(3, x={"normal": [0, 1]}), seeds(5, y={"integers": [1, 6]}, x={"normal": [0, 1]}, z={"choice": ["a", "b"]})
    assert [case["x"] for case in few] == [case["x"] for case in many][:3]
    assert len({case["x"] for case in many}) == 5
    assert {case["y"] for case in seeds(200, y={"integers": [1, 6]})} == {1, 2, 3, 4, 5, 6}
    assert all(1 <= case["s"] <= 100 for case in seeds(50, s={"log_uniform": [1, 100]}))
    assert seeds([7, 9]) == [{"seed": 7}, {"seed": 9}]
    assert combine(grid(a=[1, 2]), seeds(2)) == [{"a": 1, "seed": 0}, {"a": 1, "seed": 1}, {"a": 2, "seed": 0}, {"a": 2, "seed": 1}]


def test_a_scalar_is_the_column_result_and_lambdas_run_in_process():
    assert sweep(square, seeds(4), workers=0).table["result"].tolist() == [0, 1, 4, 9]
    assert sweep(lambda seed: np.float64(seed), seeds(2), workers=0).table["result"].tolist() == [0, 1]


@pytest.mark.parametrize("workers", [0, 2])
def test_failing_cases_are_listed(workers):
    result = sweep(fails_for_three, seeds(6), workers=workers, retries=1)
    failed, = result.failed
    assert (failed.index, failed.case, failed.attempts, failed.summary) == (3, {"seed": 3}, 2, "ValueError: three is no good")
    assert "in fails_for_three" in failed.error and "in run_case" not in failed.error
    half, word = result.table["half"], result.table["word"]
    assert np.isnan(half[3]) and half[[0, 1, 2, 4, 5]].tolist() == [0, 0.5, 1, 2, 2.5]
    assert word.tolist() == ["0", "1", "2", None, "4", "5"]
    assert np.isnan(result.table["row"][3]).all() and result.table["row"][5].tolist() == [5, 1.5]
    assert result.table["seed"].tolist() == [0, 1, 2, 3, 4, 5]
    assert "1 failed" in repr(result) and "three is no good" in repr(result)


def test_retries_help_and_are_counted(tmp_path):
    cases = [{"seed": seed, "log": str(tmp_path / "log")} for seed in range(4)]
    result = sweep(fails_at_first, cases, workers=2, retries=2)
    assert result.failed == [] and result.table["result"].tolist() == [0, 1, 2, 3]
    assert len(log_lines(tmp_path / "log")) == 12
    result = sweep(fails_at_first, [{"seed": 9, "log": str(tmp_path / "other")}], workers=0, retries=1)
    assert result.failed[0].attempts == 2


def killing(tmp_path, times, **options):
    cases = [{"seed": seed, "log": str(tmp_path / "log"), "victim": 5, "times": times} for seed in range(20)]
    return sweep(kills_its_worker, cases, workers=2, **options), log_lines(tmp_path / "log")


@pytest.mark.parametrize("batch_size", [None, 1, 7])
def test_a_killed_worker_loses_nothing(tmp_path, batch_size):
    result, log = killing(tmp_path, 1, batch_size=batch_size)
    assert result.failed == []
    assert result.table["square"].tolist() == [seed ** 2 for seed in range(20)]
    assert log.count("5") == 2


def test_who_kills_its_worker_always_is_blamed_alone(tmp_path):
    result, log = killing(tmp_path, 99, batch_size=7, retries=2)
    assert [(one.index, one.attempts) for one in result.failed] == [(5, 3)]
    assert "worker process died" in result.failed[0].error
    assert log.count("5") == 4  # once with others, three times alone
    assert np.isnan(result.table["square"][5]) and np.isfinite(np.delete(result.table["square"], 5)).all()


@pytest.mark.parametrize("how, error", [("exit", "died"), ("system_exit", "SystemExit: 3"), ("memory", "MemoryError"), ("hang", "longer than 0.5 s")])
def test_other_ends_of_a_case(how, error):
    result = sweep(ends, grid(seed=[0, 1, 2], how=[how]), workers=2, retries=0, timeout=0.5)
    assert [one.index for one in result.failed] == [1] and error in result.failed[0].error
    assert result.table["result"][[0, 2]].tolist() == [0, 2]


def test_an_exit_of_the_function_is_no_exit_of_the_sweep():
    assert [one.summary for one in sweep(ends, grid(seed=[1], how=["system_exit"]), workers=0, retries=0).failed] == ["SystemExit: 3"]


def test_an_interrupted_sweep_leaves_no_worker(tmp_path):
    def interrupt(done, total):
        raise KeyboardInterrupt
    cases = combine(grid(log=[str(tmp_path / "log")], seconds=[0.02]), seeds(500))
    with pytest.raises(KeyboardInterrupt, match="of 500 cases were finished and are lost; a checkpoint would have kept them"):
        sweep(logged, cases, workers=2, progress=interrupt, batch_size=50)
    before = len(log_lines(tmp_path / "log"))
    time.sleep(0.2)
    assert len(log_lines(tmp_path / "log")) == before


def test_outputs_that_are_no_columns():
    for returned, error in (({"a": object()}, "'a' is of type object"), ({"seed": 1}, "name of a parameter"), ({1: 2}, "has no name")):
        result = sweep(lambda seed: returned, seeds(1), workers=0, retries=0)
        assert error in result.failed[0].error


def test_arguments_that_are_wrong():
    for message, arguments, options in [
            ("engine is 'rya'; did you mean 'ray'?", (square, seeds(1)), {"engine": "rya"}),
            ("workers is -1", (square, seeds(1)), {"workers": -1}),
            ("retries is None", (square, seeds(1)), {"retries": None}),
            ("batch_size is 0", (square, seeds(1)), {"batch_size": 0}),
            ("timeout is -1 s", (square, seeds(1)), {"timeout": -1}),
            ("take workers=1", (square, seeds(1)), {"timeout": 1, "workers": 0}),
            ("function is 3", (3, seeds(1)), {}),
            ("cases[1] is 7, expected a dict", (square, [{"seed": 1}, 7]), {}),
            ("cases[0]['seed']: object is not a JSON value", (square, [{"seed": object()}]), {}),
            ("does not take the parameters of cases[1] (sed)", (square, [{"seed": 1}, {"sed": 1}]), {})]:
        with pytest.raises(SweepError, match=re.escape(message)):
            sweep(*arguments, **options)
    with pytest.raises(SweepError, match="swap them"):
        seeds(1, x={"uniform": [2, 1]})
    with pytest.raises(SweepError, match="did you mean 'uniform'"):
        seeds(1, x={"unifrom": [2, 1]})
    with pytest.raises(SweepError, match="'seed' is in two of the lists"):
        combine(seeds(2), seeds(2))


def test_progress_as_a_function_and_as_a_line(capsys):
    calls = []
    sweep(square, seeds(10), workers=0, batch_size=1, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(done, 10) for done in range(1, 11)]
    from lissom.sweep.progress import Line
    assert re.fullmatch(r"\[#{5}\.{15}\]  25 %  25 of 100 cases, 2.5 per s, 30 s left, 3 failed", Line(100, 0).text(25, 3, 10))
    assert capsys.readouterr().err == ""


def test_no_cases():
    assert len(sweep(square, [], workers=2)) == 0


def same(a, b):
    return list(a) == list(b) and all(a[name].dtype.kind == b[name].dtype.kind and a[name].shape == b[name].shape and
                                      np.array_equal(a[name], b[name], equal_nan=a[name].dtype.kind == "f") for name in a)


@pytest.mark.parametrize("suffix", ["npz", "parquet", "csv"])
def test_tables_come_back_from_files(tmp_path, suffix):
    if suffix == "parquet":
        pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    path = tmp_path / f"table.{suffix}"
    for result in (sweep(add, grid(a=[1, 2], b=[0.1, 1e300]), workers=0), sweep(fails_for_three, seeds(5), workers=0, retries=0)):
        result.save(path)
        table = load_table(path)
        if suffix == "csv" and "word" in table:  # CSV has no types: '0' is a number
            table["word"] = result.table["word"]
        assert same(table, result.table)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_saved_columns_with_odd_names(tmp_path):
    result = sweep(lambda file, self_: {"allow_pickle": 1, "a b": [[1, 2], [3, 4]]}, grid(file=[1], self_=["x"]), workers=0)
    result.save(tmp_path / "t.npz")
    assert same(load_table(tmp_path / "t.npz"), result.table)
    with pytest.raises(SweepError, match="ends with .npz, .parquet or .csv"):
        result.save(tmp_path / "t.xls")


def test_pandas():
    pytest.importorskip("pandas", reason="to_pandas needs pandas")
    frame = sweep(add, grid(a=[1, 2], b=[3]), workers=0).to_pandas()
    assert frame["sum"].tolist() == [4, 5] and frame["point"][1].tolist() == [2, 3]


def test_packages_that_are_missing(monkeypatch):
    for package, call in (("ray", lambda: sweep(square, seeds(1), engine="ray")), ("pandas", lambda: sweep(square, [], workers=0).to_pandas())):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(ImportError, match=f"pip install {package}"):
            call()


def test_the_module_can_be_called():
    import lissom
    assert lissom.sweep(square, seeds(3), workers=0).table["result"].tolist() == [0, 1, 4]
