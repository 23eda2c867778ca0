"""Motion plans: those of the command, plans and observers of Python, runs that fail."""
import gc
import pickle
import threading

import numpy as np
import pytest

import lissom
from lissom import control

soles = ("left_sole", "right_sole")


class Own(Exception):
    pass


def raises(*_):
    raise Own("mine")


@pytest.fixture(scope="module")
def robot():
    return lissom.load(str(lissom.models / "humanoid.urdf"), base="free")


@pytest.fixture(scope="module")
def stand(robot):
    return robot.read_postures(str(lissom.models / "postures/humanoid.json"))["stand"]


@pytest.fixture(scope="module")
def squat(robot):
    return control.read_motion_plan(robot, lissom.models / "motions/squat.json")


def short(robot, stand, seconds=0.2):
    low = robot.read_postures(str(lissom.models / "postures/humanoid.json"))["squat"]
    plan = control.MotionPlan(name="short", postures={"stand": stand, "low": low}, start="stand", contacts=list(soles), standing=list(soles))
    plan.stages.append(control.Stage("wait", seconds=seconds, posture="stand"))
    return plan


def test_squat_as_the_command_does_it(robot, squat):
    report = control.run(robot, squat, pushes=[("chest", [40, 0, 0], 1, 1.2)])
    assert report.succeeded and report.failure == "" and report.elastic_ticks == report.failed_ticks == 0
    assert report.max_torque_use < 0.5 and report.max_friction_use < 0.5 and report.max_com_error < 0.02
    assert report.unexplained_energy == pytest.approx(report.energy_after - report.energy_before - report.work.sum())
    assert abs(report.unexplained_energy) < 0.01 and report.work.pushes > 0 > report.work.impacts and report.warnings == []
    assert [c.name for c in report.contacts] == list(soles) and len(report.motors) == 30
    assert report.transitions[0].stage == "stand" and "succeeded" in repr(report)


@pytest.mark.parametrize("mode", ["position", "velocity"])
def test_joints_may_take_positions_or_velocities(robot, stand, mode):
    report = control.run(robot, short(robot, stand), mode=mode)
    assert report.succeeded, report.failure
    assert 0 < report.max_tracking_error < 0.5 and robot.has_joint(report.tracking_joint)
    assert report.tracking_unit == ("rad" if mode == "position" else "rad/s")
    assert control.run(robot, short(robot, stand)).tracking_joint == ""


def test_a_plan_from_python(robot, stand):
    plan = short(robot, stand)
    plan.stages.append(control.Stage("down", seconds=0.5, posture="low"))
    plan.stages[1].seconds = 1.0  # lists are Python's own
    plan.gains.joint_stiffness["left_knee"] = 60
    seen = []
    report = control.run(robot, plan, observer=lambda r: seen.append((r.time, r.tick.com[2], r.desired_com[2], r.normals.sum(), r.phase)))
    assert report.succeeded and len(seen) == report.ticks
    t, com, desired, normal, phase = zip(*seen)
    assert t[-1] == pytest.approx(report.seconds) and com[-1] < com[0] - 0.1 and abs(com[-1] - desired[-1]) < 0.03
    assert normal[100] == pytest.approx(lissom.weight(robot), rel=0.02) and {"moving", "settling"} <= set(phase)
    again = pickle.loads(pickle.dumps(plan))
    assert repr(again) == repr(plan)
    again.stages[0].seconds = 7
    assert plan.stages[0].seconds == 0.2


def test_runner_tick_by_tick(robot, stand):
    runner = control.MotionRunner(robot, short(robot, stand), step=2e-3)
    q, v = runner.start, np.zeros(robot.nv)
    extra = runner.controller.add(control.PointTask(frame="left_palm", target=robot.placement(stand, "left_palm")[:3, 3], weight=10))
    while not runner.done:
        tick = runner.advance(q, v)
        assert tick.status == "optimal" and runner.time < 2
        v = v + 2e-3 * tick.accelerations
        q = robot.integrate(q, v, 2e-3)
    runner.controller[extra].target[2] += 0.1
    assert runner.advance(q, v).tasks[extra].desired[2] > 4
    assert runner.phase == "done" and runner.stage_index == 1 and not runner.failed and runner.failure == ""
    assert [t.phase for t in runner.transitions][0] == "moving" and runner.plan.stages[0].name == "wait"
    assert np.allclose(runner.desired_q[7:], stand[7:])
    held = runner.controller
    del runner
    gc.collect()
    assert held.solve(q, v).status == "optimal"


def test_observer_and_stop(robot, squat):
    kept = []
    report = control.run(robot, squat, observer=kept.append, stop=lambda: len(kept) == 10)
    assert report.stopped and not report.succeeded and report.ticks == 10 and "failed" in repr(report)
    with pytest.raises(lissom.Error, match="has ended"):
        kept[0].q
    with pytest.raises(Own, match="mine"):
        control.run(robot, squat, observer=raises)
    with pytest.raises(Own, match="mine"):
        control.run(robot, squat, progress=raises)
    with pytest.raises(TypeError, match="stop returned None"):
        control.run(robot, squat, stop=lambda: None)
    with pytest.raises(TypeError, match="observer is 3"):
        control.run(robot, squat, observer=3)


def test_ctrl_c(robot, squat):
    import _thread

    timer = threading.Timer(0.1, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            control.run(robot, squat)
    timer.join()


def test_failing_runs_say_why(robot, squat):
    report = control.run(robot, squat, pushes=[("chest", [900, 0, 0], 0.5, 1.5)])
    assert not report.succeeded and report.failure
    assert not control.run(robot, squat, max_duration=0.1).succeeded
    assert control.run(robot, squat, simulator="prescribed_acceleration", max_duration=0.05).ticks > 10


def test_plan_errors(robot, stand, squat, tmp_path):
    plan = short(robot, stand)
    plan.start = "nowhere"
    with pytest.raises(lissom.Error, match="nowhere"):
        control.run(robot, plan)
    plan = short(robot, stand)
    plan.postures["low"] = [1, 2]
    with pytest.raises(lissom.Error, match=r"postures\['low'\] has shape"):
        control.run(robot, plan)
    plan = short(robot, stand)
    plan.stages.append("down")
    with pytest.raises(TypeError, match=r"stages\[1\] is 'down', expected a Stage"):
        control.run(robot, plan)
    with pytest.raises(lissom.Error, match="seconds"):
        control.run(robot, short(robot, stand, seconds=np.nan))
    with pytest.raises(lissom.Error, match="prescribed_acceleration"):
        control.run(robot, squat, simulator="magic")
    with pytest.raises(TypeError, match="plan is 3"):
        control.run(robot, 3)
    with pytest.raises(lissom.Error):
        control.run(robot, tmp_path / "none.json")
    with pytest.raises(TypeError, match="expected a Push"):
        control.run(robot, squat, pushes=[3])
    with pytest.raises(lissom.Error, match="no frame 'nose'"):
        control.run(robot, squat, pushes=[("nose", [0, 0, 1], 0, 1)])


@pytest.mark.parametrize("name", ["stand", "squat", "sway", "lift", "steps"])
def test_generated_motions(name):
    assert name in control.generated_motions()
    robot, contacts, stance = lissom.load_standing_robot(str(lissom.models / "quadruped.urdf"))
    try:
        plan = control.generate_motion(robot, contacts, stance.q, name)
    except control.ImpossibleMotion as error:
        pytest.fail(str(error))
    assert plan.stages and (plan.postures[plan.start] == robot.normalize(stance.q)).all()
    assert plan.standing == [c.name for c in contacts.limbs if c.role == "foot"] == [c.frame for c in plan.contacts]
    assert [f for f in control.check_motion(robot, plan) if f.serious] == []
    if name == "squat":
        assert control.run(robot, plan).succeeded


def test_what_cannot_work_is_said(robot, stand):
    humanoid, contacts, stance = lissom.load_standing_robot(str(lissom.models / "humanoid.urdf"))
    plan = control.generate_motion(humanoid, contacts, stance.q, "sway")
    plan.stages[0].posture = None  # a field that may be None can be set to it
    plan.stages[0].com = [0.5, 0, 0.7]
    findings = control.check_motion(humanoid, plan, postures=False)
    assert findings and findings[0].serious and not findings[0].wrong and findings[0].stage == plan.stages[0].name
    assert any(character.isdigit() for character in findings[0].what)
    assert control.check_motion(robot, short(robot, stand)) == []
    with pytest.raises(lissom.Error, match="no motion 'jump'"):
        control.generate_motion(humanoid, contacts, stance.q, "jump")
    with pytest.raises(TypeError, match="feet is a str"):
        control.generate_motion(humanoid, "left_foot_contact", stance.q, "stand")
    assert issubclass(control.ImpossibleMotion, lissom.Error)
    weak = lissom.load(str(lissom.models / "humanoid.urdf"), base="free")
    with pytest.raises(control.ImpossibleMotion, match="lift|stand still"):
        control.generate_motion(weak, [lissom.Contact(foot, points=[[0, 0, 0], [1e-3, 0, 0], [0, 1e-3, 0]]) for foot in soles],
                                lissom.find_stance(weak, list(soles)).q, "lift")


def test_what_the_controller_does_not_know(robot, stand, tmp_path):
    plan = short(robot, stand)
    report = control.run(robot, plan, mass_scale=1.1, ground_friction=0.5, sensing="encoders", tolerances=control.Tolerances(com=0.2),
                         record=tmp_path / "run.mcap", record_frames=["left_palm"], pushes=[("chest", [10, 0, 0], 0.05, 0.1)])
    assert report.succeeded and report.limbs == [] or [limb.distance < 0.02 for limb in report.limbs]
    assert sum(contact.max_normal for contact in report.contacts) > 1.05 * lissom.weight(robot)
    run = lissom.read_recording(tmp_path / "run.mcap")
    assert len(run) == report.ticks and run.settings["mass_scale"] == 1.1 and run.settings["friction"] == 0.5
    assert run.settings["stages"] == ["wait", "end"] and run.settings["phases"][0] == "releasing" and run.settings["motion"] == "short"
    assert run["frames"].shape == (report.ticks, 3) and run["pushes"].max() == 10 and run["desired_q"].shape == run["q"].shape
    assert not control.run(robot, plan, tolerances=control.Tolerances(com=1e-9, limb=1e-9)).succeeded
    with pytest.raises(TypeError, match="'full', 'encoders'"):
        control.run(robot, plan, sensing="eyes")
    with pytest.raises(TypeError, match="did you mean 'mass_error'"):
        control.run(robot, plan, mass_eror=0.1)
    with pytest.raises(lissom.Error, match="mass_scale"):
        control.run(robot, plan, mass_scale=-1)


def test_the_same_signals_as_the_command(robot, tmp_path):
    """A recording of run() has the signals and columns of `lissom control --record`."""
    import os
    import shutil
    import subprocess
    import sys

    command = shutil.which("lissom", path=os.path.dirname(sys.executable))
    if not command:
        pytest.skip("the command is not installed beside this Python")
    subprocess.run([command, "control", lissom.models / "humanoid.urdf", "--motion", "stand", "--record", "command.mcap", "--quiet"], check=True, cwd=tmp_path,
                   capture_output=True)
    control.run(robot, lissom.models / "motions/stand.json", record=tmp_path / "python.mcap")
    comparison = lissom.recording.compare(tmp_path / "command.mcap", tmp_path / "python.mcap")
    assert [s.signal for s in comparison.signals if s.max_deviation.difference > 0] == ["tick"]  # its time
    assert comparison.complaints == [] and comparison.only_first == comparison.only_second == 0
    settings = [lissom.read_recording(tmp_path / file).settings for file in ("command.mcap", "python.mcap")]
    assert set(settings[1]) <= set(settings[0]) and settings[0]["contacts"] == settings[1]["contacts"] and settings[0]["phases"] == settings[1]["phases"]


def test_surroundings_of_a_scene(robot, stand):
    assert control.run(robot, short(robot, stand), scene=lissom.models / "scenes/flat.json").succeeded
    with pytest.raises(lissom.Error, match="surroundings"):
        control.run(robot, short(robot, stand), scene=lissom.models / "scenes/stairs.json", simulator="prescribed_acceleration")
