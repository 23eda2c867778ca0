"""Who is told how much of a long call is done, and what Ctrl-C stops."""

import functools
import signal
import time

import numpy as np
import pytest

import lissom
from lissom import ik


def falling():
    world = lissom.World()
    world.add_body(lissom.RigidBody.homogeneous("ball", lissom.Shape("sphere", radius=0.1), 1.0))
    return world


def test_steps_of_worlds():
    told = []
    world = falling()
    world.step(1e-4, 200, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (200, 200) and world.time == pytest.approx(0.02)
    batch = lissom.WorldBatch(world, 3)
    batch.step(1e-4, 50, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (50, 50)
    for call in (world.step, batch.step):
        with pytest.raises(TypeError, match="progress is 3"):
            call(1e-4, 5, progress=3)
        with pytest.raises(ZeroDivisionError):
            call(1e-4, 5, progress=lambda done, total: 1 / 0)


def test_inverse_kinematics_of_many(arm):
    told = []
    poses = arm.placement(arm.random_configuration(1, 5), arm.links[-1].name)
    ik.Batch(arm, arm.links[-1].name).solve(poses, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (5, 5)
    with pytest.raises(TypeError, match="progress"):
        ik.Batch(arm, arm.links[-1].name).solve(poses, progress="tell me")


def test_progress_of_a_thread(humanoid):
    """A batch that takes longer than a fraction of a second tells it; a short one says nothing."""
    told = []
    q = np.broadcast_to(humanoid.neutral(), (200_000, humanoid.nq))
    out = np.empty((200_000, humanoid.nv))

    def compute_until(told_enough):
        """Again and again, and more rows where the machine is fast."""
        nonlocal q, out
        end = time.monotonic() + 60
        while not told_enough() and time.monotonic() < end:
            before = time.monotonic()
            humanoid.gravity_forces(q, out=out)
            if time.monotonic() - before < 0.5:
                q, out = np.broadcast_to(humanoid.neutral(), (2 * len(q), humanoid.nq)), np.empty((2 * len(q), humanoid.nv))

    with lissom.progress(lambda done, total: told.append((done, total))):
        humanoid.gravity_forces(q[:10])
        assert not told
        compute_until(lambda: told)
        assert told and told[-1][0] == told[-1][1] and all(0 < done <= total for done, total in told)
        with lissom.progress(None):
            count = len(told)
            humanoid.gravity_forces(q, out=out)
            assert len(told) == count
    with pytest.raises(ZeroDivisionError):
        with lissom.progress(lambda done, total: 1 / 0):
            compute_until(lambda: False)
    humanoid.gravity_forces(q, out=out)  # nobody is told any more
    with pytest.raises(TypeError, match="progress is 3"):
        with lissom.progress(3):
            pass


class Alarm(Exception):
    pass


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="signals of POSIX")
def test_signals_end_equations(arm):
    """What a signal raises comes out of the call itself, not after it."""
    def ring(number, frame):
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    done = []
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(Alarm):
            # (A list that C fills: Python itself could raise only after the result is in it.)
            done.extend(map(functools.partial(arm.equations, symbols="all", max_terms=10_000_000), ["H,C,G"]))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not done


def test_calls_of_unknown_length_show_that_they_go_on(arm, humanoid, rng):
    """The total is 0 where nobody knows it. What the function raises ends the call, as Ctrl-C does."""
    class Enough(Exception):
        pass

    told = []

    def tell(done, total):
        told.append((done, total))
        if len(told) == 2:
            raise Enough

    far = lissom.StanceContact("left_sole", placement=[[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    parts = [lissom.mesh.convex_hull(rng.uniform(-0.05, 0.05, (60, 3)) + rng.uniform(-1, 1, 3)).mesh for _ in range(200)]
    starts = np.cumsum([0] + [len(part.vertices) for part in parts])
    stones = lissom.mesh.TriangleMesh(np.concatenate([part.vertices for part in parts]),
                                      np.concatenate([np.asarray(part.triangles) + start for part, start in zip(parts, starts)]))
    for call in (lambda: lissom.mesh.decompose(stones, max_hulls=1000, max_concavity=0, resolution=256, max_vertices=0, use_cache=False),
                 lambda: arm.equations("H,C,G", symbols="all", max_terms=10_000_000),
                 lambda: lissom.find_stance(humanoid, [far, lissom.StanceContact("right_sole", placement=np.eye(4))], starts=100_000_000)):
        told.clear()
        with pytest.raises(Enough), lissom.progress(tell):
            call()
        assert 0 < told[0][0] < told[1][0] and told[0][1] == told[1][1] == 0


def test_progress_of_generated_code(arm, tmp_path):
    told = []
    lissom.generate(arm, ["rnea", "aba"], lang="c", out=tmp_path / "a", progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 2), (1, 2), (2, 2)]
    with pytest.raises(ZeroDivisionError):
        lissom.generate(arm, ["rnea"], lang="c", out=tmp_path / "b", progress=lambda done, total: 1 / 0)
    assert not (tmp_path / "b").exists()
    with pytest.raises(TypeError, match="progress is 3"):
        lissom.generate(arm, ["rnea"], lang="c", out=tmp_path / "b", progress=3)


def test_progress_of_generated_motions():
    robot, contacts, stance = lissom.load_standing_robot(lissom.models / "quadruped.urdf")
    with pytest.raises(TypeError, match="progress is 'x'"):
        lissom.control.generate_motion(robot, contacts, stance.q, "squat", progress="x")
    told = []
    plan = lissom.control.generate_motion(robot, contacts, stance.q, "squat", progress=told.append)
    assert plan.stages and all(steps > 0 for steps in told)
