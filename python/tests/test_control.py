"""Whole-body control: the documented examples, the equation of motion, tasks and callbacks of Python."""
import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest

import lissom
from lissom import control

soles = ("left_sole", "right_sole")


@pytest.fixture(scope="module")
def robot():
    return lissom.load(str(lissom.models / "humanoid.urdf"), base="free")


@pytest.fixture(scope="module")
def stand(robot):
    return robot.read_postures(str(lissom.models / "postures/humanoid.json"))["stand"]


@pytest.fixture
def zero(robot):
    return np.zeros(robot.nv)


def standing(robot, q, **options):
    controller = control.WholeBody(robot, **options)
    com = controller.add(control.CenterOfMassTask(target=robot.center_of_mass(q), stiffness=60, weight=100))
    posture = controller.add(control.PostureTask(target=q, stiffness=40, weight=0.2))
    feet = [controller.add(lissom.Contact(sole, friction=0.7)) for sole in soles]
    return controller, com, posture, feet


def test_documented_tick(robot, stand, zero):
    controller, com, posture, feet = standing(robot, stand)
    tick = controller.solve(stand, zero)
    assert tick.status == "optimal" and (tick.variables, tick.equalities, tick.rows) == (60, 18, 62)
    assert tick.contacts[feet[0]].force[2] == pytest.approx(284, abs=1)
    assert tick.torques[robot.joint("left_knee").v_index] == pytest.approx(-29, abs=1)
    assert controller.task_names[posture] and controller.contact_names == list(soles)
    assert "optimal" in repr(tick) and np.allclose(tick.com, robot.center_of_mass(stand))


def test_equation_of_motion(robot, stand):
    controller, com, _, feet = standing(robot, stand)
    v = 0.1 * np.random.default_rng(0).normal(size=robot.nv)
    tick = controller.solve(stand, v)
    external = {s: np.concatenate([tick.contacts[f].force, tick.contacts[f].torque]) for s, f in zip(soles, feet)}
    tau = robot.inverse_dynamics(stand, v, tick.accelerations, external)
    assert np.allclose(tau, tick.torques, atol=1e-6 * lissom.weight(robot))
    reading = tick.tasks[com]
    assert reading.cost == pytest.approx(50 * ((reading.actual - reading.desired) ** 2).sum())
    assert tick.contacts[feet[0]].point_forces.shape == (4, 3)
    assert tick.contacts[feet[0]].point_forces[:, 2].sum() == pytest.approx(tick.contacts[feet[0]].normal)


def test_targets_change_the_controller(robot, stand, zero):
    controller, com, posture, feet = standing(robot, stand)
    before = controller.solve(stand, zero)
    controller[com].target[2] -= 0.03
    down = controller.solve(stand, zero)
    assert down.tasks[com].desired[2] == pytest.approx(before.tasks[com].desired[2] - 0.03 * 60)
    controller[com].target += [0, 0, 0.03]
    controller[com].stiffness = 30
    assert np.allclose(controller.solve(stand, zero).tasks[com].desired, 0, atol=1e-9)
    for i in range(20):  # what was read before stays valid when the controller grows
        controller.add(control.CenterOfMassTask(weight=1e-6, name=f"extra {i}"))
    controller[com].target = robot.center_of_mass(stand) + [0, 0, 0.01]
    tick = controller.solve(stand, zero)
    assert tick.tasks[com].desired[2] == pytest.approx(0.3)
    assert before.tasks[com].desired[2] == pytest.approx(0, abs=1e-9)  # ticks stay as they were
    with pytest.raises(ValueError, match="read-only"):
        controller[posture].target[3] = 1
    with pytest.raises(ValueError, match="read-only"):
        tick.torques[0] = 1
    controller[posture].target = [1, 2, 3]
    assert controller.solve(stand, zero).status == "invalid" and controller.tick.reason
    controller[posture].target = stand
    assert controller.solve(stand, zero).status == "optimal"
    controller[feet[0]].friction = 0.01
    assert controller[feet[0]].friction == 0.01


def test_an_added_task_is_a_copy(robot, stand, zero):
    task = control.CenterOfMassTask(target=robot.center_of_mass(stand))
    a, b = control.WholeBody(robot), control.WholeBody(robot)
    i, j = a.add(task), b.add(task)
    a[i].target[0] += 1
    assert b[j].target[0] == task.target[0] != a[i].target[0]


def test_contacts_are_released_and_activated(robot, stand, zero):
    controller = control.WholeBody(robot, step=0.01)
    controller.add(control.PostureTask(target=stand))
    left, right = (controller.add(lissom.Contact(sole, ramp=0.05)) for sole in soles)
    for foot in (left, right):
        controller.activate_without_ramp(foot)
    controller.set_placement(right, robot.placement(stand, "right_sole"))
    assert controller.solve(stand, zero).contacts[right].ramp_fraction == 1
    controller.enable(right, False)
    fractions = [controller.solve(stand, zero).contacts[right].ramp_fraction for _ in range(7)]
    assert fractions[0] < 1 and fractions[-1] == 0 and not controller.active(right)
    assert controller.tick.contacts[right].normal == 0 and not controller.tick.contacts[right].active
    controller.enable(right)
    assert controller.active(right)


def test_formulations_agree(robot, stand, zero):
    controller, *_ = standing(robot, stand)
    v = 0.05 * np.ones(robot.nv)
    torques = controller.solve(stand, v).torques
    for formulation in ("multiplier", "projected"):
        controller.set_formulation(formulation)
        assert np.allclose(controller.solve(stand, v).torques, torques, atol=1e-4)


def test_damping_of_joints_is_compensated(robot, stand):
    description = robot.description
    for joint in description.joints:
        if joint.type == "revolute":
            joint.damping = 3
    damped, v = lissom.build(description, base="free"), np.full(robot.nv, 0.1)
    torques = [standing(damped, stand, passive_forces=control.PassiveForces(damping=damping))[0].solve(stand, v).torques for damping in (True, False)]
    knee = robot.joint("left_knee").v_index
    assert torques[0][knee] - torques[1][knee] == pytest.approx(0.3, abs=1e-6)


def test_all_kinds_of_tasks(robot, stand, zero):
    controller, com, posture, feet = standing(robot, stand)
    hand = robot.placement(stand, "left_palm")
    ids = [controller.add(control.PointTask(frame="left_palm", target=hand[:3, 3] + [0.1, 0, 0])),
           controller.add(control.FrameTask(frame="right_palm", target=robot.placement(stand, "right_palm"), relative_to="")),
           controller.add(control.MomentumTask(weight=0.1)), controller.add(control.GazeTask(frame="head_camera", target=[2, 0, 1])),
           controller.add(control.TorqueTask()), controller.add(control.ForceTask(contact="left_sole", target=[0, 0, 300]))]
    clearance = controller.add(control.Clearance(a=control.bounding_capsule(robot, "left_thigh"), b=control.bounding_capsule(robot, "right_thigh")))
    tick = controller.solve(stand, zero)
    assert tick.status == "optimal" and tick.clearances[clearance] > 0
    assert [len(tick.tasks[i].desired) for i in ids] == [3, 6, 6, 2, robot.nv, 3]
    assert tick.tasks[ids[0]].desired == pytest.approx([5, 0, 0], abs=1e-9)
    controller.enable(ids[0], False)
    assert np.linalg.norm(controller.solve(stand, zero).accelerations) < np.linalg.norm(tick.accelerations)


def test_conflicts():
    arm = lissom.load(str(lissom.models / "arm7.urdf"))
    q, v = arm.neutral(), np.zeros(arm.nv)
    q[arm.joint("joint2").q_index], q[arm.joint("joint4").q_index] = 0.8, 1.5
    controller = control.WholeBody(arm)
    controller.add(control.PostureTask(target=q))
    controller.add(lissom.Contact("tool", points=[[0.02, 0.02, 0], [-0.02, 0.02, 0], [-0.02, -0.02, 0], [0.02, -0.02, 0]], min_normal_force=1500))
    tick = controller.solve(q, v)
    assert tick.status == "elastic" and controller.explain().startswith("torque of joint4: off by 89.5")
    worst = tick.conflicts[0]
    assert (worst.name, worst.unit) == ("torque of joint4", "N m") and worst.amount == pytest.approx(89.502, abs=1e-2)


class Distance:
    """Keeps the palms at a distance (docs/control.md)."""

    size, weight, name = 1, 10.0, "distance of the palms"

    def __init__(self, distance):
        self.distance, self.kept = distance, None

    def evaluate(self, robot, J, Jdot_v, desired):
        a, b = "left_palm", "right_palm"
        difference = robot.placement(a)[:3, 3] - robot.placement(b)[:3, 3]
        y = np.linalg.norm(difference)
        n = difference / y
        dv, da = (robot.velocity(a) - robot.velocity(b))[:3], (robot.acceleration(a) - robot.acceleration(b))[:3]
        rate = n @ dv
        J[0] = n @ (robot.jacobian(a) - robot.jacobian(b))[:3]
        Jdot_v[0] = n @ da + (dv @ dv - rate**2) / y
        desired[0] = 50 * (self.distance - y) - 14 * rate
        self.kept = robot, J


def test_an_object_is_a_task(robot, stand, zero):
    controller = control.WholeBody(robot)
    controller.add(control.PostureTask(target=stand))
    task = Distance(0.5)
    palms = controller.add(task)
    for sole in soles:
        controller.add(lissom.Contact(sole))
    q, v = stand, zero
    for _ in range(2000):
        v = v + 1e-3 * controller.solve(q, v).accelerations
        q = robot.integrate(q, v, 1e-3)
    apart = np.linalg.norm((robot.placement(q, "left_palm") - robot.placement(q, "right_palm"))[:3, 3])
    assert apart == pytest.approx(0.501, abs=1e-3)
    assert controller.tick.tasks[palms].desired[0] == pytest.approx(-0.041, abs=1e-3)
    assert controller[palms] is task and controller.task_names[palms] == task.name
    cost = controller.solve(q, v).tasks[palms].cost
    controller[palms].weight = 20
    assert controller.solve(q, v).tasks[palms].cost != cost
    snapshot, J = task.kept
    J[:] = np.nan  # it is a copy
    with pytest.raises(lissom.Error, match="has ended"):
        snapshot.M
    assert controller.solve(q, v).status == "optimal"


def test_snapshot(robot, stand):
    v = 0.1 * np.random.default_rng(1).normal(size=robot.nv)
    s = lissom.RobotSnapshot(robot, stand, v)
    assert np.allclose(s.M, robot.mass_matrix(stand)) and np.allclose(s.h, robot.bias_forces(stand, v))
    assert np.allclose(s.com, robot.center_of_mass(stand)) and s.mass == pytest.approx(robot.mass)
    assert np.allclose(s.A @ v, s.momentum) and np.allclose(s.placement("head"), robot.placement(stand, "head"))
    J = s.jacobian("left_palm")
    assert np.allclose(J, robot.jacobian(stand, "left_palm")) and np.allclose(J @ v, s.velocity("left_palm"))
    assert np.allclose(s.acceleration("left_palm"), robot.jacobian_rate(stand, v, "left_palm") @ v, atol=1e-9)
    X, velocity, Jdot_v, J = s.relative("left_palm", "right_palm")
    assert np.allclose(X, np.linalg.inv(s.placement("right_palm")) @ s.placement("left_palm")) and np.allclose(J @ v, velocity)
    with pytest.raises(lissom.Error, match=r"^q\[0\] is NaN$"):
        lissom.RobotSnapshot(robot, np.full(robot.nq, np.nan))


class Own(Exception):
    pass


def raises(*_):
    raise Own("mine")


@pytest.mark.parametrize("evaluate, error, text", [
    (raises, Own, "mine"), (lambda s, J, b, d: (J, b, d), TypeError, "expected None"),
    (lambda s, J, b, d: J.fill(np.nan), lissom.Error, "NaN"), (lambda s: None, TypeError, "positional"),
    (lambda s, J, b, d: J.resize((1, 3), refcheck=False), lissom.Error, "resized"),
    (lambda s, J, b, d: d.resize((500,), refcheck=False), lissom.Error, "resized"),
    (lambda s, J, b, d: s.placement("nose") and None, lissom.Error, "no frame 'nose'")])
def test_bad_tasks(robot, stand, zero, evaluate, error, text):
    controller, *_ = standing(robot, stand)
    bad = controller.add(control.CustomTask(2, evaluate, weight=1e-3))
    for _ in range(2):
        with pytest.raises(error, match=text):
            controller.solve(stand, zero)
    controller.enable(bad, False)  # and it stays usable
    assert controller.solve(stand, zero).status == "optimal"


def test_a_task_cannot_use_its_controller(robot, stand, zero):
    controller, com, *_ = standing(robot, stand)
    controller.add(control.CustomTask(1, lambda *_: controller.add(control.PostureTask()) and None))
    with pytest.raises(lissom.Error, match="in use"):
        controller.solve(stand, zero)


def test_threads(robot, stand, zero):
    controller, *_ = standing(robot, stand)
    seen = []

    def work():
        for _ in range(300):
            try:
                seen.append(controller.solve(stand, zero).status)
            except lissom.Error as error:
                seen.append(str(error)[:12])

    threads = [threading.Thread(target=work) for _ in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert set(seen) <= {"optimal", "this WholeBo"} and "optimal" in seen


def test_cycles_are_collected(robot):
    class Holder:
        size = 1

        def evaluate(self, *_):
            pass

    task = Holder()
    task.controller = control.WholeBody(robot)
    task.controller.add(task)
    alive = weakref.ref(task)
    del task
    gc.collect()
    assert alive() is None


def test_invalid_states(robot, stand, zero):
    controller, *_ = standing(robot, stand)
    assert controller.solve(np.full(robot.nq, np.nan), zero).status == "invalid" and controller.tick.reason == "q[0] is NaN"
    assert np.all(controller.tick.torques == 0) and controller.solve(stand, zero).status == "optimal"
    with pytest.raises(lissom.Error, match=r"q has shape \(3,\)"):
        controller.solve([1, 2, 3], zero)
    with pytest.raises(TypeError):
        controller.solve(stand, None)


def test_errors(robot, stand):
    controller = control.WholeBody(robot)
    with pytest.raises(lissom.Error, match="no frame 'nose'"):
        controller.add(control.PointTask(frame="nose"))
    with pytest.raises(TypeError, match="is no task"):
        controller.add(3)
    with pytest.raises(lissom.Error, match="size"):
        controller.add(control.CustomTask(0, raises))
    with pytest.raises(lissom.Error, match="no contact"):
        controller.add(control.ForceTask(contact="left_sole"))
    with pytest.raises(lissom.Error, match="step is -1"):
        control.WholeBody(robot, step=-1)
    with pytest.raises(TypeError, match="no field 'stap'"):
        control.WholeBody(robot, stap=1)
    with pytest.raises(TypeError, match="PointTask.target is"):
        control.PointTask(frame="head", target=[1, 2])
    with pytest.raises(TypeError, match="kind"):
        lissom.Contact("left_sole", kind="sticky")
    with pytest.raises(lissom.Error, match="no task 7"):
        controller.enable(control.TaskId(7))
    with pytest.raises(lissom.Error, match="no contact 0"):
        controller.active(control.ContactId(0))
    with pytest.raises(lissom.Error, match="no task 9"):
        controller[control.TaskId(9)]
    with pytest.raises(TypeError):
        controller["com"]


def test_records_are_pickled(robot, stand):
    for record in (control.PostureTask(target=stand, weight=3), lissom.Contact("left_sole", placement=np.eye(4), points=[[1, 2, 0], [3, 4, 0], [1, 0, 0]]),
                   control.WholeBodyOptions(passive=["a"], joints=control.JointLimits(braking=3)), control.MotionGains(joint_stiffness={"a": 3})):
        for other in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record)):
            assert repr(other) == repr(record)
