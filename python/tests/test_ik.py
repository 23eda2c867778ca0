"""Inverse kinematics: results are checked by forward kinematics."""
import copy
import pickle
import threading

import numpy as np
import pytest

import lissom
from lissom import ik


@pytest.fixture(scope="module")
def arm():
    return lissom.load(str(lissom.models / "arm7.urdf"))


@pytest.fixture(scope="module")
def humanoid():
    return lissom.load(str(lissom.models / "humanoid.urdf"), base="free")


def test_position(arm):
    result = ik.solve(arm, ik.position("tool", [0.4, 0.1, 0.6]))
    assert result.status == "solved"
    assert np.allclose(arm.placement(result.q, "tool")[:3, 3], [0.4, 0.1, 0.6], atol=1e-6)
    assert np.all(result.q >= arm.lower) and np.all(result.q <= arm.upper)
    assert result.residuals[0].distance < 1e-6 and result.starts >= 1


def test_out_of_reach_is_closest(arm):
    result = ik.solve(arm, ik.position("tool", [0, 3, 0.5]), starts=5)
    assert result.status == "closest"
    reached = arm.placement(result.q, "tool")[:3, 3]
    assert result.residuals[0].distance == pytest.approx(np.linalg.norm(reached - [0, 3, 0.5]), rel=1e-9)


def test_all_kinds_at_once(humanoid):
    q0 = humanoid.read_postures(str(lissom.models / "postures/humanoid.json"))["stand"]
    sole = humanoid.placement(q0, "left_sole")
    R = humanoid.placement(q0, "right_palm")[:3, :3]
    goal = np.array([1.0, 0.3, 0.9])
    tip = np.array([0.0, 0.0, 0.05])
    hand = humanoid.placement(q0, "left_palm")[:3, 3] + [0.1, 0.0, 0.1]
    targets = [ik.pose("left_sole", sole), ik.look_at("head_camera", [1, 0, 0], goal), ik.point("left_palm", tip, hand),
               ik.orientation("right_palm", R), ik.center_of_mass(humanoid.center_of_mass(q0), linear_weight=(1, 1, 0))]
    q = ik.solve(humanoid, targets, q0).q
    assert ik.solve(humanoid, targets, q0).status == "solved"
    assert np.allclose(humanoid.placement(q, "left_sole"), sole, atol=1e-5)
    X = humanoid.placement(q, "head_camera")
    to = goal - X[:3, 3]
    assert np.allclose(X[:3, 0], to / np.linalg.norm(to), atol=1e-5)
    P = humanoid.placement(q, "left_palm")
    assert np.allclose(P[:3, :3] @ tip + P[:3, 3], hand, atol=1e-5)
    assert np.allclose(humanoid.placement(q, "right_palm")[:3, :3], R, atol=1e-5)
    assert np.allclose(humanoid.center_of_mass(q)[:2], humanoid.center_of_mass(q0)[:2], atol=1e-5)


def test_in_another_frame(humanoid):
    q = ik.solve(humanoid, ik.position("left_palm", [0, 0, 0.3], in_="right_palm")).q
    A, B = humanoid.placement(q, "right_palm"), humanoid.placement(q, "left_palm")
    assert np.allclose((np.linalg.inv(A) @ B)[:3, 3], [0, 0, 0.3], atol=1e-6)


def test_weights_leave_an_axis_free(arm):
    q0 = arm.random_configuration(3)
    target = ik.position("tool", arm.placement(q0, "tool")[:3, 3] + [0.01, 0, 5.0])
    target.linear_weight[2] = 0  # in place
    assert ik.solve(arm, target, q0).status == "solved"
    assert ik.solve(arm, ik.position("tool", target.pose[:3, 3]), q0, starts=2).status == "closest"


def test_solver_keeps_targets_and_seed(arm):
    solver = ik.Solver(arm, [ik.position("tool", [0.4, 0.1, 0.6])])
    a = solver.solve(seed=3, prefer="central", starts=20)
    b = ik.Solver(arm, ik.position("tool", [0.4, 0.1, 0.6])).solve(options=ik.Options(seed=3, prefer="central", starts=20))
    assert np.array_equal(a.q, b.q)
    X = np.eye(4)
    X[:3, 3] = [0.3, -0.2, 0.7]
    solver.set_target_pose(0, X)
    assert np.allclose(arm.placement(solver.solve().q, "tool")[:3, 3], X[:3, 3], atol=1e-6)
    solver.set_weights(0, [1, 1, 0], 1)
    assert len(solver.solve_all(starts=10)) > 1
    with pytest.raises(lissom.Error, match="target is 1, expected 0 to 0"):
        solver.set_target_pose(1, X)


def test_batch(arm):
    Q = arm.random_configuration(1, count=60).reshape(3, 20, -1)
    X = arm.placement(Q, "tool")
    batch = ik.BatchSolver(arm, ik.pose("tool", np.eye(4)), threads=2)
    result = batch.solve(X)
    assert result.q.shape == (3, 20, arm.nq) and result.status.shape == (3, 20) and result.solved.all()
    assert result.failures == []
    assert np.allclose(arm.placement(result.q, "tool"), X, atol=1e-5)
    assert np.array_equal(ik.Batch(arm, "tool").solve(X).q, result.q)
    one = batch.solve(X[1, 2])
    assert one.q.shape == (arm.nq,) and np.array_equal(one.q, result.q[1, 2])
    each = batch.solve(X, q0=Q)  # from the solutions themselves
    assert np.array_equal(each.starts, np.ones((3, 20))) and np.allclose(each.q, Q, atol=1e-5)


def test_batch_of_positions_with_failures(arm):
    P = np.array([[0.4, 0.1, 0.6], [5, 0, 0], [0.3, 0.2, 0.5]], dtype=np.float32)
    result = ik.Batch(arm, ik.position("tool", [0, 0, 0])).solve(P, starts=3)
    assert list(result.solved) == [True, False, True] and result.status[1] == "closest"
    assert [row for row, _ in result.failures] == [1]
    assert "m and" in result.failures[0][1]
    R = arm.placement(arm.random_configuration(4), "tool")[:3, :3]
    turned = ik.Batch(arm, ik.orientation("tool", np.eye(3))).solve(R)
    assert np.allclose(arm.placement(turned.q, "tool")[:3, :3], R, atol=1e-5)


def test_batch_of_none(arm):
    assert ik.Batch(arm, ik.position("tool", [0, 0, 0])).solve(np.zeros((0, 3))).q.shape == (0, arm.nq)


def test_velocity(arm):
    q = arm.random_configuration(5)
    wanted = np.array([0.02, -0.01, 0.03, 0.05, 0, 0.02])
    result = ik.VelocitySolver(arm).solve(q, ik.at_origin("tool", wanted), damping=1e-8)
    assert np.allclose(arm.jacobian(q, "tool") @ result.v, wanted, atol=1e-6)
    # Along the axes of the tool itself, at another point.
    task = ik.VelocityTask("tool", wanted, at=("tool", [0, 0, 0.1]), in_="tool")
    v = ik.VelocitySolver(arm).solve(q, [task], damping=1e-8).v
    assert np.allclose(arm.velocity(q, v, "tool", at=("tool", [0, 0, 0.1]), in_="tool"), wanted, atol=1e-6)


def test_velocity_priorities_and_limits(arm):
    q = arm.random_configuration(6)
    first, second = ik.at_origin("tool", [0.1, 0, 0, 0, 0, 0]), ik.at_origin("tool", [-0.1, 0, 0, 0, 0, 0], priority=1)
    result = ik.VelocitySolver(arm).solve(q, [second, first])
    assert result.residuals[1] < 1e-4 and result.residuals[0] == pytest.approx(0.2, abs=1e-3)
    fast = ik.VelocitySolver(arm).solve(q, ik.at_origin("tool", [100, 0, 0, 0, 0, 0]))
    assert fast.limited > 0 and np.all(np.abs(fast.v) <= arm.velocity_limit + 1e-12)


def test_extra_rows_from_a_function(arm):
    i = arm.joint("joint3").q_index

    def rows(q):  # joint3 stays at 0.4
        J = np.zeros((1, arm.nv))
        J[0, i] = 1
        return [q[i] - 0.4], J

    result = ik.solve(arm, ik.position("tool", [0.4, 0.1, 0.6]), extra=ik.ExtraRows(1, rows))
    assert result.status == "solved" and result.q[i] == pytest.approx(0.4, abs=1e-6)
    assert result.extra_residual < 1e-6


@pytest.mark.parametrize("rows, error", [(lambda q: 3, TypeError), (lambda q: ([1], [[1, 2]]), lissom.Error),
                                         (lambda q: ([np.nan], np.zeros((1, 7))), lissom.Error), (lambda q: 1 / 0, ZeroDivisionError)])
def test_bad_extra_rows(arm, rows, error):
    solver = ik.Solver(arm, ik.position("tool", [0.4, 0.1, 0.6]), ik.ExtraRows(1, rows))
    for _ in range(2):  # and it stays usable
        with pytest.raises(error):
            solver.solve()


def test_closed_loops():
    delta = lissom.load(str(lissom.models / "mechanisms/delta.urdf"), loops_file=str(lissom.models / "mechanisms/delta.json"))
    extra = ik.closed_loops(delta)
    assert extra.count > 0
    frame = delta.frames[-1].name
    q0 = ik.solve(delta, [], extra=extra).q
    p = delta.placement(q0, frame)[:3, 3] + [0.01, 0.02, -0.01]
    result = ik.solve(delta, ik.position(frame, p), q0, extra=extra)
    assert result.status == "solved" and result.extra_residual <= 1e-8
    assert np.allclose(delta.placement(result.q, frame)[:3, 3], p, atol=1e-6)


def test_stop(arm):
    asked = []
    far = ik.position("tool", [0, 3, 0.5])
    result = ik.solve(arm, far, stop=lambda starts: asked.append(starts) or len(asked) == 3)
    assert result.starts == 3 and asked == [1, 2, 3]

    class Own(Exception):
        pass

    def fail(starts):
        raise Own("mine")

    with pytest.raises(Own, match="mine"):
        ik.solve(arm, far, stop=fail)
    with pytest.raises(Own, match="mine"):  # from a thread of the batch
        ik.Batch(arm, far, threads=2).solve(np.full((50, 3), 3.0), stop=fail)
    with pytest.raises(TypeError, match="stop returned 3"):
        ik.solve(arm, far, stop=lambda starts: 3)


def test_ctrl_c(arm):
    import _thread

    timer = threading.Timer(0.15, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ik.solve(arm, ik.position("tool", [0, 3, 0.5]), starts=100_000_000)
    timer.join()


def test_one_caller_at_a_time(arm):
    solver = ik.Solver(arm, ik.position("tool", [0, 3, 0.5]))

    def stop(starts):
        with pytest.raises(lissom.Error, match="in use"):
            solver.solve()
        return True

    assert solver.solve(stop=stop).starts == 1


def test_errors(arm):
    good = ik.position("tool", [0.4, 0.1, 0.6])
    with pytest.raises(lissom.Error, match="no frame 'tol'"):
        ik.solve(arm, ik.position("tol", [0, 0, 1]))
    with pytest.raises(lissom.Error, match="p has shape"):
        ik.position("tool", [0, 0])
    with pytest.raises(TypeError):
        ik.position("tool", None)
    with pytest.raises(lissom.Error, match="NaN"):
        ik.solve(arm, ik.position("tool", [0, np.nan, 0]))
    with pytest.raises(lissom.Error, match="q0 has shape"):
        ik.solve(arm, good, [1, 2])
    with pytest.raises(TypeError, match="no field 'sed'"):
        ik.solve(arm, good, sed=1)
    with pytest.raises(TypeError, match="prefer"):
        ik.solve(arm, good, prefer="best")
    with pytest.raises(TypeError, match=r"targets\[1\]"):
        ik.solve(arm, [good, 3])
    with pytest.raises(lissom.Error, match="rotation"):
        ik.pose("tool", np.diag([2, 1, 1, 1]))
    with pytest.raises(lissom.Error, match=r"expected \(…, 4, 4\)"):
        ik.Batch(arm, ik.pose("tool", np.eye(4))).solve(np.zeros((5, 3)))
    with pytest.raises(lissom.Error, match=r"poses\[0\]"):
        ik.Batch(arm, good).solve([[np.nan, 0, 0]])
    with pytest.raises(TypeError, match="expected the name of a frame"):
        ik.position(3, [0, 0, 0])


def test_records_are_copied_and_pickled(arm):
    target = ik.pose("tool", np.eye(4), angular_weight=(1, 1, 0))
    for other in (pickle.loads(pickle.dumps(target)), copy.deepcopy(target)):
        assert repr(other) == repr(target)
        other.point[0] = 3
        assert target.point[0] == 0
    result = ik.solve(arm, ik.position("tool", [0.4, 0.1, 0.6]))
    assert np.array_equal(pickle.loads(pickle.dumps(result)).q, result.q)
    with pytest.raises(ValueError, match="read-only"):
        target.pose[0, 3] = 1  # a copy: writing to it would have no effect


def test_locked_joints_keep_their_positions(arm):
    q0 = arm.random_configuration(3)
    first, third = arm.joints[0], arm.joints[2]
    result = lissom.ik.Solver(arm, lissom.ik.position("tool", [0.3, 0.2, 0.5]), locked=[first.name, third.name]).solve(q0)
    assert result.q[first.q_index] == q0[first.q_index] and result.q[third.q_index] == q0[third.q_index]
    assert result.q[arm.joints[1].q_index] != q0[arm.joints[1].q_index]
    with pytest.raises(lissom.Error, match="no such joint"):
        lissom.ik.Solver(arm, lissom.ik.position("tool", [0.3, 0.2, 0.5]), locked=["no such joint"])


def test_pull_moves_near_joints_first(humanoid):
    q = humanoid.neutral()
    q[humanoid.joint("left_elbow").q_index] = -1
    at = humanoid.placement(q, "left_palm")[:3, 3]
    pull = lissom.ik.Pull(humanoid, "left_palm", [0, 0, 0])
    near, distance = pull.solve(q, at + [0.02, 0, 0.02])
    assert distance < 2e-4
    base = humanoid.joint("base")
    np.testing.assert_array_equal(near[base.q_index:base.q_index + 7], q[base.q_index:base.q_index + 7])
    np.testing.assert_allclose(humanoid.placement(near, "left_palm")[:3, 3], at + [0.02, 0, 0.02], atol=2e-4)
    far, distance = pull.solve(q, at + [3, 0, 0])
    assert distance < 2e-4 and far[base.q_index] > 1.5
    pinned = lissom.ik.Pull(humanoid, "left_palm", [0, 0, 0], pinned=["left_sole"])
    stays, distance = pinned.solve(q, at + [3, 0, 0])
    assert distance > 1
    np.testing.assert_allclose(humanoid.placement(stays, "left_sole")[:3, 3], humanoid.placement(q, "left_sole")[:3, 3], atol=1e-3)
    with pytest.raises(lissom.Error, match=r"to has shape \(2,\), expected \(3,\)"):
        pull.solve(q, [0, 0])
