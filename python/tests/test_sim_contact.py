"""Simulated robots in contact: weight, friction, noise, failures; wrong input."""
import gc
import threading
import weakref

import numpy as np
import pytest

import lissom
from lissom import sim


def box():
    text = """<robot name="box"><link name="box"><inertial><mass value="3"/><inertia ixx="0.05" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial>
      <collision><geometry><box size="0.4 0.2 0.1"/></geometry></collision></link>
      <link name="sole"/><joint name="sole" type="fixed"><parent link="box"/><child link="sole"/><origin xyz="0 0 -0.05"/></joint></robot>"""
    return lissom.load_text(text, base="free")


CORNERS = [[x, y, 0] for x in (-0.2, 0.2) for y in (-0.1, 0.1)]


def resting(**options):
    model = box()
    q = model.neutral()
    q[2] = 0.05
    return sim.contact_robot(model, [lissom.Contact("sole", points=CORNERS, friction=options.pop("friction", 0.7))], q, **options)


def test_contact_carries_the_weight_and_friction_the_push():
    robot = resting(pushes=[("box", [6, 0, 0])])
    for _ in range(20):
        assert robot.step(np.zeros(6)), robot.failure
    contact = robot.contacts[0]
    np.testing.assert_allclose(contact.force, [-6, 0, 3 * 9.81], atol=1e-6)
    assert contact.points == 4 and contact.friction_use == pytest.approx(6 / (0.7 * 3 * 9.81), abs=2e-3)
    assert np.abs(robot.v).max() < 1e-9 and robot.time == pytest.approx(0.02) and robot.failure == ""


def test_contact_that_slips_goes_on_and_a_robot_that_falls_fails():
    robot = resting(pushes=[("box", [25, 0, 0])])
    for _ in range(100):
        assert robot.step(np.zeros(6)), robot.failure
    contact = robot.contacts[0]
    assert contact.friction_use == pytest.approx(1, abs=2e-3)
    # Coulomb: a = F/m - friction g
    assert contact.slip == pytest.approx(0.5 * (25 / 3 - 0.7 * 9.81) * 0.1**2, rel=0.02)
    falling = sim.contact_robot(box(), [], box().neutral() + [0, 0, 0.1, 0, 0, 0, 0])
    while falling.time < 0.5 and falling.step(np.zeros(6)):
        pass
    assert "hits the ground" in falling.failure and "hits the ground" in repr(falling) and not falling.step(np.zeros(6))
    again = sim.contact_robot(box(), [], box().neutral() + [0, 0, 0.1, 0, 0, 0, 0])
    with pytest.raises(lissom.Error, match="hits the ground") as caught:
        sim.run(again, lambda t, q, v: np.zeros(6), seconds=0.5)
    assert len(caught.value.run) >= 1


def test_run_of_a_robot_in_contact():
    run = sim.run(resting(), lambda t, q, v: np.zeros(6), seconds=0.05, every=5)
    assert len(run) == 11 and run.columns("forces") == ["sole.x", "sole.y", "sole.z"]
    np.testing.assert_allclose(run["forces"][1:, 2], 3 * 9.81, rtol=1e-9)
    assert run.report.steps == 50 and run.report.warnings == []


def test_noise_is_that_of_the_seed():
    sensed = [resting(position_noise=1e-3, velocity_noise=1e-2, seed=seed).sense() for seed in (1, 1, 2)]
    assert (sensed[0][0] == sensed[1][0]).all() and (sensed[0][0] != sensed[2][0]).any()
    readings = np.array([v for _, v in (lambda r: [r.sense() for _ in range(400)])(resting(velocity_noise=1e-2))])
    assert np.std(readings) == pytest.approx(1e-2, rel=0.1)
    heavy = resting(options=sim.RobotOptions(mass_error=0.3, seed=5)).model.mass
    assert heavy != 3 and abs(heavy / 3 - 1) <= 0.3


def test_prescribed_accelerations():
    model = box()
    robot = sim.prescribed_acceleration_robot(model, ["sole"], model.neutral() + [0, 0, 1, 0, 0, 0, 0], step=1e-2)
    command = sim.Command(torques=np.zeros(6), accelerations=[1, 0, 0, 0, 0, 0], contacts=[sim.ContactForce(active=False)])
    for _ in range(10):
        assert robot.step(command), robot.failure
    assert robot.v[0] == pytest.approx(0.1) and robot.follows_accelerations and (robot.command.accelerations == command.accelerations).all()


def test_wrong_input_of_robots():
    robot = resting()
    with pytest.raises(lissom.Error, match="torques"):
        robot.step(np.zeros(5))
    with pytest.raises(lissom.Error, match="soul"):
        sim.contact_robot(box(), ["soul"], box().neutral())
    with pytest.raises(TypeError, match="has no field 'stp'"):
        resting(stp=1)
    with pytest.raises(lissom.Error, match="step"):
        resting(step=-1)
    with pytest.raises(TypeError, match="contact"):
        sim.contact_robot(box(), [3], box().neutral())
    assert not robot.step(np.full(6, np.nan)) and "finite" in robot.failure


def test_surroundings_patches_and_forces():
    wall = sim.FixedShape("wall", lissom.Shape("box", size=[0.1, 2, 2]), [[1, 0, 0, 0.26], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    robot = resting(surroundings=[wall], forces=[lambda t, q, v: {"box": [40, 0, 0, 0, 0, 0]}], friction=0.1)
    while robot.time < 1 and robot.step(np.zeros(6)):
        pass
    assert robot.q[0] < 0.02  # the wall begins 1 cm before it
    assert "wall" in robot.failure or robot.q[0] == pytest.approx(0.01, abs=2e-3)
    # The box stands on a stair of its own, half a meter above the ground.
    high = np.eye(4)
    high[2, 3] = 0.5
    model = box()
    contact = lissom.Contact("sole", points=CORNERS)
    stair = sim.contact_robot(model, [contact], model.neutral() + [0, 0, 0.55, 0, 0, 0, 0], patches=[sim.Patch(contact=0, surface=high)])
    for _ in range(50):
        assert stair.step(np.zeros(6)), stair.failure
    assert stair.contacts[0].normal == pytest.approx(3 * 9.81, rel=1e-6) and stair.contacts[0].loaded_slip < 1e-6
    with pytest.raises(TypeError, match="force law"):
        resting(forces=[3])


def test_servos_take_targets():
    model = lissom.load(lissom.models / "planar2.urdf")
    robot = sim.contact_robot(model, [], model.neutral(), servo_stiffness=[2000, 2000], servo_damping=[80, 80])
    command = sim.Command(torques=np.zeros(2), targets=[0.3, -0.2, 0, 0])
    for _ in range(2000):
        assert robot.step(command), robot.failure
    assert np.allclose(robot.q, [0.3, -0.2], atol=0.05) and np.abs(robot.v).max() < 1e-3


def test_pulling():
    model = box()
    law = sim.PullLaw(model, 1e-3)
    assert law.applied is None
    law.pull("box", [0, 0, 0], [0, 0, 0.5])
    robot = sim.contact_robot(model, [], model.neutral() + [0, 0, 0.3, 0, 0, 0, 0], forces=[law])
    for _ in range(2000):
        assert robot.step(np.zeros(6)), robot.failure
    spring = sim.pull_spring(model, robot.q, "box", [0, 0, 0], [0, 0, 0.5], 1e-3)
    assert robot.q[2] == pytest.approx(0.5 - 3 * 9.81 / spring.stiffness, abs=1e-3)  # where it carries the weight
    assert law.applied.frame == "box" and law.applied.force[2] == pytest.approx(3 * 9.81, rel=1e-3)
    system = sim.System(model)
    system.add(law)
    assert np.allclose(system.acceleration(0, robot.q, np.zeros(6)), 0, atol=0.05)
    law.release()
    assert law.applied is None and system.acceleration(0, robot.q, np.zeros(6))[2] == pytest.approx(-9.81)
    with pytest.raises(lissom.Error, match="step is 0"):
        sim.PullLaw(model, 0)
    with pytest.raises(lissom.Error, match="no frame 'bax'"):
        law.pull("bax", [0, 0, 0], [0, 0, 0])


def test_robots_and_their_forces_are_collected():
    model, alive = box(), weakref.WeakSet()

    class Law:
        def __call__(self, t, q, v):
            return {}

    def make():
        law = Law()
        law.robot = sim.contact_robot(model, [], model.neutral() + [0, 0, 1, 0, 0, 0, 0], forces=[law])
        alive.add(law)

    make()
    gc.collect()
    assert not alive


def test_lists_of_records_are_copies():
    command = sim.Command(contacts=[sim.ContactForce(force=[1, 2, 3])])
    first = command.contacts[0]
    command.contacts = []
    assert (first.force == [1, 2, 3]).all()


def test_controller_may_look_at_its_robot_and_others_may_not():
    robot, seen, started, done = resting(), [], threading.Event(), threading.Event()

    def controller(t, q, v):
        seen.append((robot.time, robot.contacts[0].normal))
        started.set()
        done.wait(2)
        return np.zeros(6)

    thread = threading.Thread(target=robot.step, args=(controller,))
    thread.start()
    assert started.wait(2)
    with pytest.raises(lissom.Error, match="in use"):
        robot.q
    with pytest.raises(lissom.Error, match="in use"):
        robot.step(np.zeros(6))
    done.set()
    thread.join()
    assert robot.time == pytest.approx(1e-3) and seen == [(0, 0)]
