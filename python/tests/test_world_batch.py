"""Many worlds at once: the same bits as alone, parameters by row, failures by row."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import lissom
from test_world import at, box_world, humanoid_world


def test_same_bits_as_alone():
    world, robot = humanoid_world()
    speeds = np.linspace(-1, 1, 5)
    alone = []
    for speed in speeds:
        one = world.clone()
        one.v("robot")[4] = speed
        one.step(2e-3, 150)
        alone.append(one.q("robot").copy())
    for threads in (1, 2):
        batch = lissom.WorldBatch(world, 5, threads=threads)
        v = batch.v("robot")
        v[:, 4] = speeds
        batch.set_v("robot", v)
        assert batch.step(2e-3, 100) == [] and batch.step(2e-3, 50) == []
        assert (batch.q("robot") == alone).all() and batch.threads == threads and len(batch) == 5
    assert (alone[0] != alone[1]).any()


def test_parameters_by_row():
    batch = lissom.WorldBatch(box_world(), 3)
    batch.scale_masses({"box": [0.5, 1, 2]}, inertia={"box": [1, 1, 1]})
    assert [batch[i].mass("box") for i in range(3)] == [1, 2, 4]
    friction = np.array([0.1, 0.2, 0.4])
    batch.set_friction("box", "ground", friction)
    batch.set_v("box", [1, 0, 0, 0, 0, 0])
    assert batch.step(1e-3, 1100) == []
    np.testing.assert_allclose(batch.q("box")[:, 0], 1 / (2 * 9.81 * friction), rtol=1e-3)
    np.testing.assert_allclose(batch.contact_force("box")[:, 2], [9.81, 19.62, 39.24], rtol=1e-6)
    reports = batch.reports
    assert (reports["contacts"] == 4).all() and reports["converged"].all() and reports["residual"].max() < 1e-6


def test_masses_of_links():
    world, robot = humanoid_world()
    link = next(link.name for link in robot.links if link.mass > 1)
    batch = lissom.WorldBatch(world, 2)
    batch.scale_masses({"robot": 1.1, f"robot/{link}": [1, 2]})
    mass = robot.link(link).mass
    assert batch[0].mass(f"robot/{link}") == pytest.approx(1.1 * mass) and batch[1].mass(f"robot/{link}") == pytest.approx(2.2 * mass)
    assert batch[1].mass("robot") == pytest.approx(1.1 * (robot.mass + mass))


def test_servos_by_row():
    arm = lissom.load(lissom.models / "arm7.urdf")
    world = lissom.World(gravity=[0, 0, 0])
    world.add_robot("arm", arm)
    batch = lissom.WorldBatch(world, 2)
    targets = np.zeros((2, 7))
    targets[:, 0] = 0.1, 0.3
    batch.set_servos("arm", np.full(7, 2000.0), np.full((2, 7), 100.0), targets)
    batch.step(1e-3, 2000)
    np.testing.assert_allclose(batch.q("arm"), targets, atol=1e-3)
    assert batch.motor_torques("arm").shape == (2, 7) and batch.tau("arm").shape == (2, 7)


def test_failed_rows_stop_and_disturb_no_other():
    batch, alone = lissom.WorldBatch(box_world(), 4), box_world()
    batch.step(1e-3, 10)
    tau = batch.tau("box")
    tau[2, 1] = np.nan
    batch.set_tau("box", tau)
    [(row, why)] = batch.step(1e-3, 20)
    assert row == 2 and "'box' is not finite" in why and batch.failures == [(row, why)]
    assert batch[2].time == pytest.approx(0.01) and batch[1].time == pytest.approx(0.03)
    alone.step(1e-3, 30)
    assert (batch.q("box")[[0, 1, 3]] == alone.q("box")).all()
    batch[2].tau("box")[1] = 0
    batch.resume(2)
    assert batch.step(1e-3) == [] and batch.failures == [] and batch[2].time == pytest.approx(0.011)


def test_worlds_of_a_function():
    def make(row):
        world = lissom.World()
        world.add_ground()
        for i in range(row + 1):
            world.add_body(lissom.RigidBody.homogeneous(f"ball{i}", lissom.Shape("sphere", radius=0.1), 1, pose=at(0.3 * i, 0, 0.1)))
        return world

    batch = lissom.WorldBatch(make, 3)
    batch.step(1e-3, 10)
    assert batch.reports["contacts"].tolist() == [1, 2, 3] and batch[-1].names[-1] == "ball2"
    with pytest.raises(TypeError, match="expected a World"):
        lissom.WorldBatch(lambda row: 3, 2)
    with pytest.raises(ZeroDivisionError):
        lissom.WorldBatch(lambda row: 1 // 0, 2)


def test_world_of_a_row_is_part_of_the_batch():
    batch = lissom.WorldBatch(box_world(), 2)
    world = batch[1]
    world.v("box")[0] = 1
    assert batch.v("box")[1, 0] == 1
    del batch
    world.step(1e-3)
    assert world.q("box")[0] > 0


def test_wrong_input():
    batch = lissom.WorldBatch(box_world(), 3)
    for call, text in [
        (lambda: batch.set_q("box", np.zeros((2, 7))), "has 2 rows, expected 3"),
        (lambda: batch.set_q("box", np.zeros((3, 6))), "has 6 columns, expected 7"),
        (lambda: batch.scale_masses({"box": [1, 2]}), r"mass\['box'\]"),
        (lambda: batch.scale_masses({"box": [1, 2, -1]}), "row 2: .*-1"),
        (lambda: batch.set_friction("box", "floor", 1), "nothing called 'floor'"),
        (lambda: batch.step(0), "h is 0 s"),
        (lambda: lissom.WorldBatch(box_world(), -1), "count is -1"),
        (lambda: lissom.WorldBatch(box_world(), 1, threads=-1), "threads is -1"),
    ]:
        with pytest.raises(lissom.Error, match=text):
            call()
    with pytest.raises(IndexError):
        batch[3]
    with pytest.raises(TypeError, match="expected a World"):
        lissom.WorldBatch(3, 3)


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="this system does not tell how much memory a program has")
@pytest.mark.parametrize("what", ["lissom.WorldBatch(humanoid_world()[0], 100_000)", "lissom.WorldBatch(lambda row: humanoid_world()[0], 100_000)",
                                  "humanoid_world()[1].variants({}, count=100_000)"])
def test_more_than_the_memory_holds(what):
    """An error in time; without it, the system would end the program."""
    program = (
        "import resource\n"
        "import lissom\n"
        "from test_world import humanoid_world\n"
        "lissom.set_threads(2)\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000,) * 2)\n"
        f"try: {what}\n"
        "except lissom.Error as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, cwd=pathlib.Path(__file__).parent)
    assert "count is 100000, but" in done.stdout and "expected at most 0.75 GB" in done.stdout, done.stdout + done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("what", ["world", "lissom.WorldBatch(world, 20)"])
def test_ctrl_c_stops_long_calls(what):
    program = (
        "import lissom\n"
        "from test_world import box_world\n"
        "world = box_world()\n"
        f"many = {what}\n"
        "print('started', flush=True)\n"
        "many.step(1e-4, 1_000_000_000)\n"
    )
    here = pathlib.Path(__file__).parent
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=here)
    assert process.stdout.readline() == "started\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors
