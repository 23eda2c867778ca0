"""Gaits: walks, trots and balances of any robot with feet, on a simulated robot and tick by tick."""
import os
import pathlib
import threading

import numpy as np
import pytest

import lissom
from lissom import control, sim, walking

ROOT = pathlib.Path(__file__).parents[2]
CORPUS = pathlib.Path(os.environ.get("LISSOM_SHARED", ROOT.parent / "shared")) / "corpus" / "urdf"


@pytest.fixture(scope="module")
def humanoid_standing():
    return lissom.load_standing_robot(str(lissom.models / "humanoid.urdf"))


@pytest.fixture(scope="module")
def quadruped_standing():
    return lissom.load_standing_robot(str(lissom.models / "quadruped.urdf"))


def test_walk_and_its_recording(humanoid_standing, tmp_path):
    robot, contacts, stance = humanoid_standing
    seen, file = [], tmp_path / "walk.mcap"
    report = walking.run(robot, stance.q, contacts, steps=3, hold=0.2, record=file, record_frames=["head"] if "head" in [f.name for f in robot.frames] else None,
                         observer=lambda r: seen.append((r.time, r.normals.sum(), r.phase, np.linalg.norm(r.dcm - r.desired_dcm))))
    assert report.succeeded and report.failure == "" and report.steps == report.planned_steps == 3
    assert report.work.motors > 0 > report.work.impacts and abs(report.unexplained_energy) < 0.01 and report.warnings == []
    assert report.distance > 0.5 * report.step_length and abs(report.turned) < 0.05 and 0 < report.max_torque_use < 1
    assert [foot.frame for foot in report.feet] == ["left_foot_contact", "right_foot_contact"] and all(foot.error < 0.03 for foot in report.feet)
    assert len(seen) == report.ticks and {"transfer", "swing"} <= {phase for _, _, phase, _ in seen} and "succeeded" in repr(report)
    assert np.mean([normal for _, normal, _, _ in seen]) == pytest.approx(lissom.weight(robot), rel=0.05)
    assert np.max([error for *_, error in seen]) == pytest.approx(report.max_dcm_error)
    run = lissom.read_recording(file)
    assert len(run) == report.ticks and run["q"].shape[1] == robot.nq and run.settings["phases"] == ["standing", "transfer", "swing", "done"]
    assert [c["name"] for c in run.settings["contacts"]] == ["left_foot_contact", "right_foot_contact"]
    assert run["forces"].shape[1] == 6 and run["q"][-1, 0] - run["q"][0, 0] == pytest.approx(report.distance, abs=0.05)


def test_a_gait_has_arguments(quadruped_standing):
    robot, contacts, stance = quadruped_standing
    options = walking.GaitOptions(gait="trot", steps=4, hold=0.1)
    report = walking.run(robot, stance.q, contacts, options, step_length=0.05, step_time=0.3)
    assert report.succeeded and report.planned_steps == 4 and report.step_length == 0.05 and report.step_time == 0.3
    sideways = walking.run(robot, stance.q, lissom.control_contacts(contacts), gait="trot", steps=4, hold=0.1, direction=np.pi / 2)
    assert sideways.succeeded
    with pytest.raises(lissom.Error, match="speed"):
        walking.run(robot, stance.q, contacts, speed=1, step_length=0.1, step_time=1)


def test_balance_steps_when_pushed(humanoid_standing):
    robot, contacts, stance = humanoid_standing
    arguments = dict(gait="balance", duration=0.6, hold=0.3, pushes=[("chest", [350, 0, 0], 0.2, 0.3)])
    report = walking.run(robot, stance.q, contacts, **arguments)
    assert report.succeeded and report.capture_steps > 0 and report.planned_steps == 0
    assert not walking.run(robot, stance.q, contacts, capture_steps=False, **arguments).succeeded


def test_walker_tick_by_tick(humanoid_standing):
    robot, contacts, stance = humanoid_standing
    feet = lissom.control_contacts(contacts)
    walker = walking.Walker(robot, stance.q, feet, steps=2, hold=0.1)
    simulated = sim.contact_robot(robot, feet, stance.q)
    assert walker.phase == "standing" and walker.planned_steps == 2 and walker.feet == ["left_foot_contact", "right_foot_contact"]
    start = walker.footholds
    assert start.shape == (2, 4) and start[0, 1] > start[1, 1] and not start[:, 2].any()
    while not walker.done:
        q, v = simulated.sense()
        assert simulated.step(walker.advance(q, v).torques) and walker.time < 10
    assert walker.steps == 2 and walker.footholds[:, 0].min() > start[:, 0].max() - 0.02 and walker.omega == pytest.approx(3.5, abs=1)
    assert np.linalg.norm(walker.dcm - walker.desired_dcm) < 0.02
    with pytest.raises(lissom.Error, match=r"q has shape \(3,\)"):
        walker.advance([1, 2, 3], v)


def test_runs_end_where_python_says(humanoid_standing):
    robot, contacts, stance = humanoid_standing
    kept = []
    report = walking.run(robot, stance.q, contacts, observer=kept.append, stop=lambda: len(kept) == 20)
    assert report.stopped and not report.succeeded and report.ticks == 20
    with pytest.raises(lissom.Error, match="has ended"):
        kept[0].dcm
    with pytest.raises(ZeroDivisionError):
        walking.run(robot, stance.q, contacts, observer=lambda reading: 1 / 0)
    timer = threading.Timer(0.1, __import__("_thread").interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            walking.run(robot, stance.q, contacts)
    timer.join()


def test_wrong_arguments(humanoid_standing):
    robot, contacts, stance = humanoid_standing
    with pytest.raises(lissom.Error, match="no frame 'hoof'"):
        walking.run(robot, stance.q, ["hoof", "left_foot_contact"])
    with pytest.raises(lissom.Error, match="trot"):
        walking.run(robot, stance.q, contacts, gait="trot")
    with pytest.raises(TypeError, match="'walk'"):
        walking.run(robot, stance.q, contacts, gait="gallop")
    with pytest.raises(TypeError, match="did you mean 'step_length'"):
        walking.run(robot, stance.q, contacts, step_lenght=1)
    with pytest.raises(lissom.Error, match="q has shape"):
        walking.run(robot, stance.q[1:], contacts)
    with pytest.raises(lissom.Error, match="ros: found 'joints'"):
        walking.run(robot, stance.q, contacts, record="unused.mcap", ros=["joints"])
    assert not pathlib.Path("unused.mcap").exists()


@pytest.mark.parametrize("name", ["anymal_b/anymal.urdf", "atlas/atlas_convex_hull.urdf"])
def test_robots_of_others(name):
    if not (CORPUS / name).is_file():
        pytest.skip(f"{CORPUS / name} is not there")
    robot, contacts, stance = lissom.load_standing_robot(str(CORPUS / name))
    plan = control.generate_motion(robot, contacts, stance.q, "stand")
    assert not [finding for finding in control.check_motion(robot, plan) if finding.serious]
    assert walking.run(robot, stance.q, contacts, steps=2, hold=0.1).succeeded
