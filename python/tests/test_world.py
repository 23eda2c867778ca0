"""Worlds: bodies and robots that touch, states, readings, wrong input."""

import copy
import pickle
import threading

import numpy as np
import pytest

import lissom


def at(x, y, z):
    return np.eye(3), [x, y, z]


def box_world(**fields):
    world = lissom.World(**fields)
    world.add_ground()
    world.add_body(lissom.RigidBody.homogeneous("box", lissom.Shape("box", size=[0.1, 0.1, 0.1]), 2.0, pose=at(0, 0, 0.05)))
    return world


def humanoid_world():
    robot = lissom.load(lissom.models / "humanoid.urdf", base="free")
    world = lissom.World()
    world.add_ground()
    q = robot.neutral()
    q[2] = 1.1
    world.add_robot("robot", robot, q)
    return world, robot


def test_the_work_of_steps_is_told_on_request():
    robot = lissom.load(lissom.models / "planar2.urdf")
    world = lissom.World(audit=True)
    world.add_robot("arm", robot, robot.neutral())
    world.tau("arm")[:] = 1
    world.external("arm")[1] = 2
    before = world.kinetic_energy() + world.potential_energy()
    work = world.step(1e-3, 50).work
    assert work.motors > 0 and work.pushes > 0
    assert world.kinetic_energy() + world.potential_energy() - before == pytest.approx(work.sum(), abs=1e-9)
    assert world.state().external[0].tolist() == [0, 2]
    assert lissom.World().step(1e-3).work.sum() == 0


def test_box_slides_to_where_friction_stops_it():
    world = box_world()
    world.set_properties("box", "ground", friction=0.4)
    world.v("box")[0] = 1
    report = world.step(1e-3, 400)
    assert report.converged and report.contacts == 4 and not report.moved_apart
    assert world.pose("box")[0, 3] == pytest.approx(1 / (2 * 0.4 * 9.81), abs=2e-5)
    assert world.time == pytest.approx(0.4) and np.abs(world.v("box")).max() < 1e-8
    np.testing.assert_allclose(world.contact_force("box"), [0, 0, 2 * 9.81], atol=1e-6)
    np.testing.assert_allclose(world.contact_force("ground"), [0, 0, -2 * 9.81], atol=1e-6)


def test_attached_shapes_touch():
    world, robot = humanoid_world()
    tool = lissom.Geometry(origin=[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -0.2], [0, 0, 0, 1]], shape=lissom.Shape("sphere", radius=0.05))
    world.attach("stick", "robot", "left_sole", [tool])
    world.q("robot")[2] += 0.2 + 0.05  # the stick is the lowest part by now
    for _ in range(400):
        world.step(1e-3)
        touching = {name for reading in world.contacts() for name in (reading.a, reading.b)}
        if touching:
            break
    assert touching == {"stick", "ground"}
    with pytest.raises(lissom.Error, match="rabot"):
        lissom.World().attach("stick", "rabot", "left_sole", [tool])
    with pytest.raises(TypeError, match=r"shapes\[0\]"):
        humanoid_world()[0].attach("stick", "robot", "left_sole", [3])


def test_readings_of_contacts():
    world = box_world()
    assert world.contacts() == [] and len(world.contact_array()) == 0
    world.step(1e-3, 5)
    readings, array = world.contacts(), world.contact_array()
    assert len(readings) == len(array) >= 3
    assert {readings[0].a, readings[0].b} == {"box", "ground"} and {array["a"][0], array["b"][0]} == {"box", "ground"}
    for reading, row in zip(readings, array):
        assert (reading.point == row["point"]).all() and (reading.force == row["force"]).all() and (reading.normal == row["normal"]).all()
        assert reading.gap == row["gap"] and reading.slip == row["slip"]
    sign = 1 if array["a"][0] == "box" else -1
    assert sign * array["force"][:, 2].sum() == pytest.approx(2 * 9.81)
    assert "force" in repr(readings[0]) and pickle.loads(pickle.dumps(readings[0])).gap == readings[0].gap


def test_arrays_are_views_of_the_state():
    world = box_world(gravity=[0, 0, 0])
    q, v, tau = world.q("box"), world.v("box"), world.tau("box")
    assert q.shape == (7,) and v.shape == tau.shape == (6,)
    q[2] = 1
    tau[:] = [2, 0, 0, 0, 0, 0]
    world.step(0.1)
    assert v[0] == pytest.approx(0.1) and q[0] == pytest.approx(0.005) and q[2] == 1
    world.scale_masses({"box": 2})
    world.set_v("box", [0, 0, 3, 0, 0, 0])
    world.step(0.1)
    assert q[2] == pytest.approx(1.3) and v[0] == pytest.approx(0.05)
    del world
    assert q[2] == pytest.approx(1.3)  # (the array keeps the world alive)


def test_energy_and_momentum():
    world = lissom.World(gravity=[0, 0, -10])
    world.add_body(lissom.RigidBody(name="body", mass=2, inertia=np.diag([1, 2, 3]), pose=at(1, 0, 4), velocity=[0, 3, 0], angular_velocity=[0, 0, 1]))
    assert world.kinetic_energy() == pytest.approx(9 + 1.5) and world.potential_energy() == pytest.approx(80)
    np.testing.assert_allclose(world.momentum(), [0, 6, 0, -24, 0, 3 + 6])
    before = world.kinetic_energy() + world.potential_energy()
    world.step(1e-3, 300)
    assert world.kinetic_energy() + world.potential_energy() == pytest.approx(before, rel=1e-12)


def test_body_of_several_shapes():
    body = lissom.RigidBody("dumbbell", 2, np.diag([0.1, 0.1, 0.1]))
    for x in (-0.3, 0.3):
        body.shapes.append(lissom.Geometry(origin=at(x, 0, 0), shape=lissom.Shape("sphere", radius=0.1)))
    body.velocity[2] = -1
    body.pose = at(0, 0, 0.1)
    world = lissom.World()
    world.add_ground()
    world.add_body(body)
    world.step(1e-3, 20)
    assert len(world.contacts()) == 2 and world.pose("dumbbell")[2, 3] == pytest.approx(0.1, abs=1e-5)
    assert "dumbbell" in repr(body) and len(copy.copy(body).shapes) == 2


def test_humanoid_falls_and_comes_to_rest_with_its_weight():
    world, robot = humanoid_world()
    assert world.robot("robot").nv == robot.nv and world.robot("ground") is None and world.names == ["ground", "robot"]
    world.set_servos("robot", stiffness=np.zeros(robot.nv), damping=np.r_[np.zeros(6), np.full(robot.nv - 6, 5.0)], q_target=robot.neutral())
    for _ in range(20):
        report = world.step(2e-3, 100)
    assert report.contacts > 3 and world.motor_torques("robot").shape == (robot.nv,)
    assert world.contact_force("ground")[2] == pytest.approx(-lissom.weight(robot), rel=0.02)
    links = {reading.a for reading in world.contacts()} | {reading.b for reading in world.contacts()}
    assert "ground" in links and any(name.startswith("robot/") for name in links)
    assert (world.servos("robot").q_target == robot.neutral()).all()
    assert isinstance(world.notes, list) and world.loop_forces("robot").size == 0


def test_servos_hold_an_arm():
    arm = lissom.load(lissom.models / "arm7.urdf")
    world = lissom.World()
    world.add_robot("arm", arm, v=np.full(arm.nv, 0.1), settings=lissom.RobotSettings(effort_limits=False))
    target = np.linspace(-0.3, 0.3, 7)
    world.set_servos("arm", lissom.Servos(stiffness=np.full(7, 1e5), damping=np.full(7, 1e3), q_target=target))
    world.step(1e-3, 2000)
    np.testing.assert_allclose(world.q("arm"), target, atol=2e-3)
    world.set_servos("arm")
    assert world.servos("arm").stiffness.size == 0


def test_state_is_restored_to_the_bit_and_can_be_pickled():
    world, _ = humanoid_world()
    world.step(2e-3, 200)
    state = world.state()
    again = pickle.loads(pickle.dumps(state))
    assert state.time == again.time and len(state.q) == 1 and (state.q[0] == again.q[0]).all() and "WorldState(" in repr(state)
    copied = world.clone()
    world.step(2e-3, 50)
    after = world.q("robot").copy()
    copied.step(2e-3, 50)
    assert (copied.q("robot") == after).all() and (copy.deepcopy(copied).q("robot") == after).all()
    world.restore(again)
    assert world.time == state.time
    world.step(2e-3, 50)
    assert (world.q("robot") == after).all()


def test_fixed_shapes_exclusions_and_properties():
    world = box_world()
    world.add_fixed("wall", lissom.Shape("box", size=[0.1, 1, 1]), at(0.3, 0, 0.5))
    world.set_properties("box", "wall", lissom.ContactProperties(friction=0, restitution=1))
    world.set_properties("box", "ground", friction=0)
    assert world.properties("wall", "box").restitution == 1 and world.properties("", "").friction == 1
    free = world.clone()
    free.exclude("box", "wall")
    for each in (world, free):
        each.v("box")[0] = 2
        each.step(1e-3, 200)
    assert world.v("box")[0] == pytest.approx(-2) and free.v("box")[0] == pytest.approx(2)


def test_wrong_input():
    world = box_world()
    for call, text in [
        (lambda: world.q("bix"), "nothing called 'bix'"),
        (lambda: world.q("ground"), "'ground' is fixed"),
        (lambda: world.set_v("box", [1, 2]), r"v.*2.*6"),
        (lambda: world.set_properties("box", "ground", friction=-1), "friction is -1"),
        (lambda: world.add_ground(), "already has something called 'ground'"),
        (lambda: world.step(-1), "h is -1 s"),
        (lambda: world.step(1e-3, -1), "count is -1"),
        (lambda: world.scale_masses({"box": 0}), "mass of 'box' is 0"),
        (lambda: world.set_servos("box", stiffness=[1]), "'box' is a rigid body"),
        (lambda: lissom.RigidBody.homogeneous("p", lissom.Shape("plane"), 1), "plane"),
        (lambda: lissom.World(lissom.WorldOptions(), margin=1), "either"),
    ]:
        with pytest.raises(lissom.Error, match=text):
            call()
    for call, text in [
        (lambda: world.set_properties("box", "ground", frictoin=1), "friction"),
        (lambda: lissom.World(gravty=[0, 0, 0]), "gravity"),
        (lambda: world.scale_masses([1]), "mass"),
    ]:
        with pytest.raises(TypeError, match=text):
            call()
    world.tau("box")[0] = np.nan
    with pytest.raises(lissom.Error, match="'box' is not finite"):
        world.step(1e-3)
    assert world.time == 0
    with pytest.raises(lissom.Error, match="another world"):
        world.restore(humanoid_world()[0].state())


def test_step_releases_the_gil_and_has_one_caller():
    world = box_world()
    thread = threading.Thread(target=world.step, args=(1e-4, 20_000))
    thread.start()
    refused = False
    while thread.is_alive() and not refused:
        try:
            world.time
        except lissom.Error as error:
            refused = "in use" in str(error)
    thread.join()
    assert refused and world.time == pytest.approx(2)


def test_derivatives_of_a_step():
    world = box_world(tolerance=1e-13)
    world.q("box")[2] += 1e-6
    world.v("box")[:2] = 0.8, 0.3
    world.set_properties("box", "ground", friction=0.3)
    state = world.state()
    friction = lissom.StepParameter(kind="friction", a="box", b="ground")
    report, derivatives = world.step_with_derivatives(1e-3, [friction])
    assert report.converged and derivatives.modes == ["slides"] * 4 and world.moving == ["box"]
    assert derivatives.A.shape == (12, 12) and derivatives.B.shape == (12, 6) and derivatives.P.shape == (12, 1)

    def velocity(dx):
        world.restore(state)
        world.v("box")[0] += dx
        world.step(1e-3)
        return world.v("box").copy()

    width = 1e-6
    np.testing.assert_allclose((velocity(width) - velocity(-width)) / (2 * width), derivatives.A[6:, 6], atol=1e-5)
    # Friction takes μ g h off the velocity, against its direction.
    speed = np.hypot(0.8, 0.3)
    np.testing.assert_allclose(derivatives.P[6:8, 0], -9.81e-3 * np.array([0.8, 0.3]) / speed, rtol=0.2)


def test_imu_of_a_box_at_rest():
    world = box_world()
    world.add_imu("imu", "box")
    world.step(1e-3, 10)
    assert world.imus == ["imu"]
    np.testing.assert_allclose(world.imu("imu").specific_force, [0, 0, 9.81], atol=1e-6)
    np.testing.assert_allclose(world.imu("imu").angular_velocity, 0, atol=1e-9)
    with pytest.raises(lissom.Error, match="no IMU"):
        world.imu("other")
    with pytest.raises(lissom.Error, match="box2"):
        world.add_imu("second", "box2")


def test_semi_implicit_euler():
    world = lissom.World(stepping="semi_implicit_euler")
    world.add_body(lissom.RigidBody.homogeneous("ball", lissom.Shape("sphere", radius=0.1), 1.0))
    world.step(1e-2, 100)
    assert world.q("ball")[2] == pytest.approx(-0.5 * 9.81 * 1.01)
