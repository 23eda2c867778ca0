"""Recordings: arrays that are views, files that hold the same bits, comparison, frame by frame, wrong input."""
import copy
import pathlib
import pickle

import numpy as np
import pytest

import lissom
from lissom import recording

MODELS = pathlib.Path(__file__).parents[2] / "models"


@pytest.fixture(scope="module")
def robot():
    return lissom.load(str(MODELS / "quadruped.urdf"), base="free")


@pytest.fixture(scope="module")
def run(robot):
    return lissom.simulate(robot, 0.05, random=1)


def test_arrays_are_views_of_its_memory(robot, run):
    q = run["q"]
    assert q.shape == (51, robot.nq) and q.base is run and not q.flags.writeable and np.shares_memory(q, run["q"])
    knee = run.columns("q")[9]
    assert (run["q", knee] == q[:, 9]).all() and np.shares_memory(run["q." + knee], q)
    assert run.columns("q")[:7] == ["base.x", "base.y", "base.z", "base.qw", "base.qx", "base.qy", "base.qz"] and run.units("v")[3] == "rad/s"
    assert len(run) == len(run.times) == 51 and run["time"] is not None and "q" in run and "r" not in run
    assert set(run.to_dict()) == {"time", *run.signals} and run.to_dict()["v"].base is run
    with pytest.raises(ValueError):
        q[0, 0] = 1
    with pytest.raises(TypeError):
        iter(run)


@pytest.mark.parametrize("extension", ["mcap", "npz", "csv"])
def test_files_have_the_same_bits(run, tmp_path, extension):
    path = tmp_path / f"run.{extension}"
    run.save(path)
    again = lissom.read_recording(path)
    assert again.signals == run.signals and again.header == run.header and again.warnings == []
    for signal in run.signals:
        np.testing.assert_array_equal(again[signal], run[signal])
    np.testing.assert_array_equal(again.times, run.times)
    assert again.settings["integrator"] == run.report.integrator
    model = again.rebuild()
    assert model.nq == run["q"].shape[1] and (model.lower == run.rebuild().lower).all()


def test_npz_is_that_of_numpy(run, tmp_path):
    run.save(str(tmp_path / "run.npz"))
    np.testing.assert_array_equal(np.load(tmp_path / "run.npz")["q"], run["q"])


def test_truncated_file_is_read_with_a_warning(run, tmp_path):
    run.save(tmp_path / "run.csv")
    text = (tmp_path / "run.csv").read_text().splitlines(keepends=True)
    (tmp_path / "cut.csv").write_text("".join(text[:-20]))
    cut = lissom.read_recording(tmp_path / "cut.csv")
    assert 0 < len(cut) < 51 and cut.warnings and (cut["q"] == run["q"][:len(cut)]).all()


def test_copies_and_pickles(run):
    assert copy.copy(run) is run and copy.deepcopy(run) is run
    again = pickle.loads(pickle.dumps(run))
    assert type(again) is type(run) and again.report.steps == 50 and (again.report.momentum_after == run.report.momentum_after).all()
    assert recording.compare(again, run, tolerance=0) and "51 frames" in repr(again)
    plain = recording.Recording(run.header, run.times, {"q": run["q"]})
    assert (pickle.loads(pickle.dumps(plain))["q"] == run["q"]).all()


def test_pandas(run):
    pytest.importorskip("pandas")
    table = run.to_pandas()
    assert table.shape == (51, sum(len(run.columns(s)) for s in run.signals)) and table.index.name == "time"
    np.testing.assert_array_equal(table["q.base.z"], run["q", "base.z"])
    assert list(run.to_pandas(["energy"]).columns) == ["energy.kinetic", "energy.potential", "energy.total"]
    with pytest.raises(lissom.Error, match="nothing"):
        run.to_pandas(["nothing"])


def test_recording_of_arrays(robot, tmp_path):
    t, q = np.linspace(0, 1, 4), np.tile(robot.neutral(), (4, 1))
    own = recording.Recording(robot, t, {"q": q, "error": np.arange(4.0), "force": np.ones((4, 2))}, columns={"error": "m"}, settings={"gain": np.float64(2)})
    assert own.columns("error") == ["error"] and own.units("error") == ["m"] and own.columns("force") == ["0", "1"] and own.settings == {"gain": 2.0}
    own.save(tmp_path / "own.mcap")
    assert recording.compare(own, tmp_path / "own.mcap", tolerance=0).alike
    with pytest.raises(lissom.Error, match="times"):
        recording.Recording(robot, [0, 1, 0.5], {})
    with pytest.raises(lissom.Error, match="q has shape"):
        recording.Recording(robot, [0, 1], {"q": np.zeros((2, 3))})
    with pytest.raises(TypeError, match="Model or a Header"):
        recording.Recording("robot", [0, 1], {})


def test_recorder(robot, tmp_path):
    path = tmp_path / "own.mcap"
    with recording.Recorder(path, robot, {"q": None, "tau": None, "energy": {"kinetic": "J", "total": "J"}, "cost": "1"}, settings={"a": [1, 2]}) as r:
        for k in range(10):
            r.write(0.1 * k, {"q": robot.neutral(), "tau": np.full(robot.nv, k), "energy": [k, 2 * k], "cost": -k})
        r.write(1, [robot.neutral(), np.zeros(robot.nv), (0, 0), 3.0])
        assert r.frames == 11 and r.signals == ["q", "tau", "energy", "cost"]
    run = lissom.read_recording(path)
    assert (run["energy", "total"][:10] == 2.0 * np.arange(10)).all() and run["cost"][-1, 0] == 3 and run.units("tau")[6] == "N·m" and run.settings == {"a": [1, 2]}
    assert r.safe_frames == 11
    r.close()  # once more does nothing


def test_recorder_keeps_the_frames_before_an_exception(robot, tmp_path):
    with pytest.raises(KeyError, match="mine"):
        with recording.Recorder(tmp_path / "run.npz", robot, ["v"]) as r:
            r.write(0, {"v": np.ones(robot.nv)})
            raise KeyError("mine")
    assert len(lissom.read_recording(tmp_path / "run.npz")) == 1


def test_wrong_frames(robot, tmp_path):
    with recording.Recorder(tmp_path / "run.mcap", robot, ["q", "v"]) as r:
        for values, kind, text in (({"q": robot.neutral()}, lissom.Error, "no signal 'v'"), ({"q": [1, 2], "v": np.zeros(robot.nv)}, lissom.Error, "q has shape"),
                                   ({"q": robot.neutral(), "v": np.zeros(robot.nv), "w": 1}, lissom.Error, "no signal 'w'"), (3, TypeError, "values"),
                                   ({"q": robot.neutral(), "v": None}, TypeError, "v"), ([robot.neutral()], lissom.Error, "expected 2")):
            with pytest.raises(kind, match=text):
                r.write(0, values)
        r.write(1, {"q": robot.neutral(), "v": np.zeros(robot.nv)})
        with pytest.raises(lissom.Error):
            r.write(0.5, {"q": robot.neutral(), "v": np.zeros(robot.nv)})
        with pytest.raises(lissom.Error):
            recording.Recorder(tmp_path / "run.mcap", robot, ["q"])  # it is being written
    for signals, kind in ((["w"], lissom.Error), ({"w": 3}, TypeError), ("q", TypeError), ({"time": "s"}, lissom.Error), ({"w": ["a", "a"]}, lissom.Error)):
        with pytest.raises(kind):
            recording.Recorder(tmp_path / "other.mcap", robot, signals)
    with pytest.raises(lissom.Error, match="mcap"):
        recording.Recorder(tmp_path / "run.txt", robot, ["q"])


def test_compare_finds_the_difference(run, tmp_path):
    v = run["v"].copy()
    v[20:, 3] += 1e-4
    v[30, 3] += 1e-3
    other = recording.Recording(run.header, run.times, {"q": -run["q"] * 0 + run["q"], "v": v}, columns={"q": dict(zip(run.columns("q"), run.units("q"))), "v": dict(zip(run.columns("v"), run.units("v")))})
    comparison = recording.compare(run, other, tolerance=1e-6, signals=["q", "v"])
    assert not comparison and not comparison.alike and comparison.frames == 51
    by_name = {s.signal: s for s in comparison.signals}
    worst, first = by_name["v"].max_deviation, by_name["v"].first_deviation
    assert worst.difference == pytest.approx(1.1e-3) and worst.time == pytest.approx(0.03) and worst.column == run.columns("v")[3]
    assert first.time == pytest.approx(0.02) and by_name["q"].first_deviation is None and "different" in repr(comparison)
    assert recording.compare(run, other, tolerance=1e-2, signals=["v"])
    with pytest.raises(lissom.Error):
        recording.compare(run, other, signals=["nothing"])
    with pytest.raises(TypeError):
        recording.compare(run, 3)


def test_quaternion_equals_its_negative(run):
    q = run["q"].copy()
    q[:, 3:7] *= -1
    columns = {"q": dict(zip(run.columns("q"), run.units("q")))}
    assert recording.compare(recording.Recording(run.header, run.times, {"q": run["q"]}, columns), recording.Recording(run.header, run.times, {"q": q}, columns), tolerance=0)


def test_wrong_names_and_files(run, tmp_path):
    for key, kind, text in (("tua", lissom.Error, "tau"), (("q", "nose"), lissom.Error, "nose"), ("q.nose", lissom.Error, "nose"), (0, TypeError, "name of a signal")):
        with pytest.raises(kind, match=text):
            run[key]
    with pytest.raises(lissom.Error):
        run.columns("nothing")
    with pytest.raises(lissom.Error):
        lissom.read_recording(tmp_path / "missing.mcap")
    (tmp_path / "bad.mcap").write_bytes(b"nonsense")
    with pytest.raises(lissom.Error):
        lissom.read_recording(tmp_path / "bad.mcap")
    with pytest.raises(TypeError, match="path"):
        lissom.read_recording(3)
    with pytest.raises(lissom.Error, match="frame"):
        run.state(51)
    with pytest.raises(lissom.Error):
        run.save(tmp_path / "folder" / "run.mcap")


def test_robot_from_text_is_recorded_with_its_description(tmp_path):
    robot = lissom.load_text('<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>', base="free")
    run = lissom.simulate(robot, 0.01)
    assert not run.warnings and run.header.robot_text == ""
    run.save(tmp_path / "run.mcap")
    again = lissom.read_recording(tmp_path / "run.mcap")
    assert len(again) == 11 and again.rebuild().links[0].mass == 1


def test_columns_and_header(robot):
    header = recording.describe(robot, {"a": 1})
    assert header.model == robot.name and header.base == "free" and "<robot" in header.robot_text
    assert [c.name for c in recording.configuration_columns(robot)] == [c.name for c in header.q] and header.v[0] == recording.Column("base.vx", "m/s")
    assert recording.rebuild(header).nv == robot.nv and pickle.loads(pickle.dumps(header)) == header
    assert "<robot" not in repr(header)


def test_estimated_size(robot, tmp_path):
    signals = [recording.Signal("q", recording.configuration_columns(robot))]
    with recording.Recorder(tmp_path / "a.mcap", robot, signals) as r:
        for k in range(20000):
            r.write(k, [robot.neutral()])
    assert recording.estimated_bytes("a.mcap", signals, 20000) == pytest.approx((tmp_path / "a.mcap").stat().st_size, rel=0.03)


def topics(path):
    """The channels of an .mcap file, by their names in its bytes."""
    data = path.read_bytes()
    return {name for name in ("/robot_description", "/joint_states", "/tf") if name.encode() in data}


def test_topics_of_ros(robot, tmp_path):
    q, v = robot.random_configuration(1), np.zeros(robot.nv)

    def record(name, **arguments):
        with recording.Recorder(tmp_path / name, robot, ["q", "v"], **arguments) as recorder:
            for k in range(5):
                recorder.write(0.1 * k, [q, v])
        return tmp_path / name

    assert topics(record("none.mcap")) == set()
    everything = record("all.mcap", ros="all")
    assert topics(everything) == {"/robot_description", "/joint_states", "/tf"}
    assert topics(record("some.mcap", ros=["joint_states"])) == topics(record("text.mcap", ros="joint_states")) == {"/joint_states"}
    assert b"std_msgs/msg/String" in everything.read_bytes()
    np.testing.assert_array_equal(lissom.read_recording(everything)["q"], np.tile(q, (5, 1)))
    again = recording.Recorder(tmp_path / "header.mcap", recording.describe(robot), {"q": [c.name for c in recording.configuration_columns(robot)]}, ros="tf")
    again.write(0, [q])
    again.close()
    assert topics(tmp_path / "header.mcap") == {"/tf"}
    lissom.simulate(robot, 0.01, record=tmp_path / "run.mcap")
    assert topics(tmp_path / "run.mcap") == {"/robot_description", "/joint_states", "/tf"}
    lissom.simulate(robot, 0.01, record=tmp_path / "quiet.mcap", ros="none")
    assert topics(tmp_path / "quiet.mcap") == set()
    with pytest.raises(lissom.Error, match="ros: found 'joints', expected all, none, or some of description, joint_states, tf, meshes"):
        record("wrong.mcap", ros=["joints"])
    with pytest.raises(lissom.Error, match="signal"):
        recording.Recorder(tmp_path / "no_q.mcap", robot, ["v"], ros="all")
    with pytest.raises(TypeError, match="ros is a int"):
        record("wrong.mcap", ros=3)
