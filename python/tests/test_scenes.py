"""Worlds from scene files, and runs of worlds as recordings; worlds as one model."""

import pickle
import shutil
import subprocess

import numpy as np
import pytest

import lissom

SCENES = lissom.models / "scenes"


def at(x, y, z):
    return np.eye(3), [x, y, z]


def thrown_box(**fields):
    world = lissom.World(**fields)
    world.add_ground()
    world.add_body(lissom.RigidBody.homogeneous("box", lissom.Shape("box", size=[0.1, 0.1, 0.1]), 2.0, pose=at(0, 0, 0.05)))
    world.set_properties("box", "ground", friction=0.4)
    world.v("box")[0] = 1
    return world


def test_every_scene_runs():
    for file in sorted(SCENES.glob("*.json")):
        if file.stem in ("stairs", "step", "bar", "flat"):  # surroundings, in which nothing moves
            with pytest.raises(lissom.Error, match=file.name):
                lissom.load_scene(file)
            continue
        world = lissom.load_scene(file)
        assert world.name == file.stem and world.description and world.moving
        run = world.run(0.02)
        assert len(run) > 2 and run.report.seconds == pytest.approx(0.02) and run.report.max_residual < 1e-3, file
        # A wall has too many contacts for all of its steps to be solved, which the report says.
        assert not run.report.warnings or file.stem == "wall" and "did not meet the laws of contact" in run.report.warnings[0], file


@pytest.mark.skipif(shutil.which("lissom") is None, reason="needs the command")
@pytest.mark.parametrize("name", ["grip", "cradle"])
def test_the_same_run_as_the_command(name, tmp_path):
    """The servos of grip.json follow keyframes: those of the file, at the same times."""
    file = tmp_path / "run.npz"
    done = subprocess.run(["lissom", "sim", SCENES / f"{name}.json", "--seconds", "0.3", "--record", file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    run = lissom.load_scene(str(SCENES / f"{name}.json")).run(seconds=0.3)
    theirs = lissom.read_recording(file)
    assert run.signals == theirs.signals and all(run.columns(s) == theirs.columns(s) for s in run.signals)
    for signal in run.signals:
        np.testing.assert_array_equal(run[signal], theirs[signal], err_msg=signal)
    assert run.settings["contact_names"] == theirs.settings["contact_names"]


def test_keyframes_are_followed_only_by_run():
    world = lissom.load_scene(SCENES / "grip.json")
    robot = next(name for name in world.moving if world.robot(name))
    before = world.servos(robot).q_target.copy()
    twin = world.clone()
    world.run(2.5, every=1000)
    assert not np.allclose(world.servos(robot).q_target, before) or not np.allclose(world.tau(robot), twin.tau(robot))
    twin.step(1e-3, 10)
    np.testing.assert_array_equal(twin.servos(robot).q_target, before)


def test_a_world_made_in_python(tmp_path):
    world, alone = thrown_box(audit=True), thrown_box()
    run = world.run(0.4, step=1e-3, every=10, record=tmp_path / "run.mcap", settings={"why": "a test"})
    alone.step(1e-3, 400)
    np.testing.assert_array_equal(world.q("box"), alone.q("box"))  # the same bits as step by step
    assert len(run) == 41 and run.times[-1] == pytest.approx(0.4)
    np.testing.assert_allclose(run["q", "box.x"][-1], 1 / (2 * 0.4 * 9.81), atol=2e-5)
    report = run.report
    assert report.steps == 400 and report.max_contacts == 4 and report.not_converged == 0
    assert report.energy_after < report.energy_before == pytest.approx(1 + 2 * 9.81 * 0.05)
    assert report.work.sum() == pytest.approx(report.energy_after - report.energy_before, abs=1e-6)
    assert [(slip.a, slip.b) for slip in report.slips] == [("box", "ground")] or [(slip.b, slip.a) for slip in report.slips] == [("box", "ground")]
    assert report.slips[0].distance == pytest.approx(0.1274, abs=1e-3)
    assert "slid" in repr(report)
    written = lissom.read_recording(tmp_path / "run.mcap")
    assert np.array_equal(written["contacts"], run["contacts"]) and written.settings["why"] == "a test"
    again = pickle.loads(pickle.dumps(run))
    assert again.report.steps == 400 and np.array_equal(again["q"], run["q"])
    assert run.rebuild().nv == 6
    # Without an audit nobody knows the work, and nothing is said of it.
    plain = thrown_box().run(0.1)
    assert plain.report.work.sum() == 0 and plain.report.unexplained_energy == 0 and not plain.report.warnings


def test_forces_of_the_program_stay():
    world = thrown_box()
    world.v("box")[0] = 0
    world.tau("box")[:3] = [0, 0, 4 * 9.81]  # twice its weight
    run = world.run(0.1)
    assert run["q", "box.z"][-1] == pytest.approx(0.05 + 9.81 * 0.1**2 / 2, abs=1e-6)


def test_a_controller_of_python():
    robot = lissom.load(lissom.models / "planar2.urdf")
    world = lissom.World()
    world.add_robot("arm", robot, [0.3, -0.2])

    def hold(w):
        assert w is world
        w.tau("arm")[:] = robot.gravity_forces(w.q("arm")) - 5 * w.v("arm")

    run = world.run(0.2, controller=hold)
    np.testing.assert_allclose(run["q"][-1], [0.3, -0.2], atol=1e-9)
    assert np.abs(run["tau"][-1]).max() > 0.1

    def add(w):
        w.add_ground()

    with pytest.raises(lissom.Error, match="before run"):
        world.run(0.01, controller=add)
    with pytest.raises(lissom.Error, match="runs already"):
        world.run(0.01, controller=lambda w: w.run(0.01))
    with pytest.raises(ZeroDivisionError):
        world.run(0.01, controller=lambda w: 1 / 0)
    world.add_ground()  # it does not run any more


def test_progress_and_stop():
    told, asked = [], []
    run = thrown_box().run(0.05, stop=lambda: asked.append(0) or len(asked) == 20)
    assert run.report.stopped and len(run) == 21 and len(asked) == 20
    world = thrown_box()
    world.run(0.05, progress=lambda done, time: told.append((done, time, world.time)), stop=lambda: world.time > 0.1)
    assert told[-1] == (1, pytest.approx(0.05), world.time)


def test_an_error_has_the_frames_up_to_it():
    world = thrown_box()

    def break_it(w):
        if w.time > 0.0095:
            w.tau("box")[0] = np.nan

    with pytest.raises(lissom.Error) as caught:
        world.run(1, controller=break_it)
    assert len(caught.value.run) == 11 and caught.value.run.report.steps == 10


def test_wrong_arguments():
    world = thrown_box()
    for wrong in ({"seconds": -1}, {"step": 0}, {"every": 0}, {"max_size": 1e-9}, {"record": "run.doc"}):
        with pytest.raises(lissom.Error):
            world.run(**wrong)
    for wrong in ({"controller": 3}, {"progress": "x"}, {"stop": 1}, {"record": 3}):
        with pytest.raises(TypeError):
            world.run(**wrong)
    with pytest.raises(TypeError):
        lissom.load_scene(3)
    with pytest.raises(lissom.Error, match="nobody.json"):
        lissom.load_scene("nobody.json")


# ── As one model

def test_one_model_of_all_parts():
    robot = lissom.load(lissom.models / "planar2.urdf")
    world = thrown_box()
    world.add_robot("arm", robot, [0.3, -0.2])
    world.add_fixed("table", lissom.Shape("box", size=[1, 1, 0.1]), at(2, 0, 0.5))
    combined = lissom.WorldModel(world)
    model = combined.model
    assert model.nv == 8 and {"box", "table", "arm/" + robot.links[-1].name} <= {link.name for link in model.links}
    q, v, tau = combined.read(world)
    assert (q.shape, v.shape, tau.shape) == ((model.nq,), (model.nv,), (model.nv,))
    np.testing.assert_allclose(model.placement(q, "box"), world.pose("box"), atol=1e-12)
    assert model.kinetic_energy(q, v) == pytest.approx(world.kinetic_energy())
    assert combined.link("box") == "box" and combined.link("ground") == ""
    assert "nv=8" in repr(combined)


def test_worlds_of_batches_know_their_parts():
    batch = lissom.WorldBatch(thrown_box(), 3)
    batch.step(1e-3, 10)
    assert lissom.WorldModel(batch[2]).model.nv == 6
    batch[1].add_fixed("wall", lissom.Shape("box", size=[1, 1, 1]), at(3, 0, 0))  # of this one alone
    assert {"wall"} == {link.name for link in lissom.WorldModel(batch[1]).model.links} - {link.name for link in lissom.WorldModel(batch[0]).model.links}

    def world_of(row):
        world = thrown_box()
        for i in range(row):
            world.add_body(lissom.RigidBody.homogeneous(f"ball{i}", lissom.Shape("sphere", radius=0.1), 1.0, pose=at(1 + i, 0, 1)))
        return world

    assert [lissom.WorldModel(world).model.nv for world in lissom.WorldBatch(world_of, 3)] == [6, 12, 18]
    copy = batch[1].clone()
    copy.add_ground("other")
    assert "other" not in [link.name for link in lissom.WorldModel(batch[1]).model.links]
    assert copy.run(0.01).report.steps == 10
