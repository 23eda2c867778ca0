"""Stances: equilibrium is checked by inverse dynamics."""
import numpy as np
import pytest

import lissom


@pytest.fixture(scope="module")
def humanoid():
    return lissom.load(str(lissom.models / "humanoid.urdf"), base="free")


def test_equilibrium(humanoid):
    s = lissom.find_stance(humanoid, ["left_sole", "right_sole"])
    assert s.status == "found" and s.what == ""
    zero = np.zeros(humanoid.nv)
    external = {c.frame: np.concatenate([c.force, c.torque]) for c in s.contacts}
    tau = humanoid.inverse_dynamics(s.q, zero, zero, external)
    assert np.allclose(tau, s.torques, atol=1e-6 * lissom.weight(humanoid))
    assert np.allclose(tau[:6], 0, atol=1e-6 * lissom.weight(humanoid))
    assert sum(c.force[2] for c in s.contacts) == pytest.approx(lissom.weight(humanoid))
    for c in s.contacts:
        assert c.kind == "surface" and c.points.shape == (4, 3) == c.point_forces.shape
        assert np.allclose(c.points[:, 2], 0, atol=1e-9) and np.allclose(c.point_forces.sum(0), c.force)


def test_support_region(humanoid):
    s = lissom.find_stance(humanoid, ["left_sole", "right_sole"], com_margin=0.04)
    corners = s.support[:, :2]
    edges = np.roll(corners, -1, 0) - corners
    normals = np.stack([edges[:, 1], -edges[:, 0]], 1) / np.linalg.norm(edges, axis=1)[:, None]
    inside = ((corners - s.com[:2]) * normals).sum(1).min()  # counter-clockwise: normals point outward
    assert inside == pytest.approx(s.balance_margin, abs=1e-6) and inside > 0.039
    feet = np.concatenate([c.points[:, :2] for c in s.contacts])
    assert np.all((normals[:, None] * (feet[None] - corners[:, None])).sum(-1) < 1e-6)  # the hull of the soles


def test_com_and_contacts(humanoid):
    X = np.eye(4)
    X[:3, 3] = [0.2, 0.1, 0.15]
    step = lissom.StanceContact("left_sole", placement=X, friction=0.5)
    s = lissom.find_stance(humanoid, [step, "right_sole"])
    assert s.status == "found" and np.allclose(humanoid.placement(s.q, "left_sole"), X, atol=1e-8)
    s = lissom.find_stance(humanoid, ["left_sole", "right_sole"], com=[0.03, 0.02])
    assert np.allclose(s.com[:2], [0.03, 0.02], atol=1e-6)
    assert np.allclose(humanoid.center_of_mass(s.q), s.com)


def test_obstacles_and_polygons(humanoid):
    both = ["left_sole", "right_sole"]
    free = lissom.find_stance(humanoid, both)
    hand = humanoid.placement(free.q, "left_palm")
    ball = lissom.StanceObstacle("ball", lissom.Shape("sphere", radius=0.08), hand)
    s = lissom.find_stance(humanoid, both, obstacles=[ball], clearance=0.02, clearances={"left_palm": 0.05}, self_collision=True, start=free.q)
    assert s.status == "found"
    moved = humanoid.placement(s.q, "left_palm")
    assert np.linalg.norm(moved[:3, 3] - hand[:3, 3]) > 0.08
    # A stair for the left foot: anywhere on it.
    pose = np.eye(4)
    pose[:3, 3] = [0.25, 0.12, 0.15]
    stair = lissom.StancePolygon(pose, corners=[[-0.2, -0.15, 0], [0.2, -0.15, 0], [0.2, 0.15, 0], [-0.2, 0.15, 0]], margin=0.01)
    left = lissom.StanceContact("left_sole", polygon=stair, max_normal_force=150)
    s = lissom.find_stance(humanoid, [left, "right_sole"])
    assert s.status == "found" and s.contacts[0].normal <= 150 + 1e-6
    assert humanoid.placement(s.q, "left_sole")[2, 3] == pytest.approx(0.15, abs=1e-6)
    corners = s.contacts[0].points - pose[:3, 3]
    assert np.all(np.abs(corners[:, 0]) < 0.19 + 1e-6) and np.all(np.abs(corners[:, 1]) < 0.14 + 1e-6)
    lifted = lissom.StanceContact("left_sole", polygon=stair, carries=False)
    s = lissom.find_stance(humanoid, [lifted, "right_sole"])
    assert s.status == "found" and s.contacts[0].normal == 0
    with pytest.raises(TypeError, match="obstacles"):
        lissom.find_stance(humanoid, both, obstacles=[3])


def test_impossible(humanoid):
    fixed = lissom.StanceContact("left_sole", placement=np.eye(4))
    s = lissom.find_stance(humanoid, [fixed], com=[5, 5], starts=1)
    assert s.status in ("no_posture", "not_balanced") and s.what and s.balance_margin < 0


def test_errors(humanoid):
    with pytest.raises(lissom.Error, match="left_sool"):
        lissom.find_stance(humanoid, ["left_sool"])
    with pytest.raises(lissom.Error):
        lissom.find_stance(humanoid, [])
    with pytest.raises(TypeError, match=r"contacts\[0\]"):
        lissom.find_stance(humanoid, [3])
    with pytest.raises(TypeError, match="no field 'form'"):
        lissom.find_stance(humanoid, ["left_sole"], form=None)
    with pytest.raises(TypeError, match="from_"):
        lissom.find_stance(humanoid, ["left_sole"], from_="stand")


def test_ctrl_c(humanoid):
    import _thread
    import threading

    far = lissom.StanceContact("left_sole", placement=[[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    timer = threading.Timer(0.15, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        lissom.find_stance(humanoid, [far, lissom.StanceContact("right_sole", placement=np.eye(4))], starts=100_000_000)
    timer.join()
