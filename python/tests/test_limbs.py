"""Feet, hands and standing postures from a robot's file alone."""
import json

import numpy as np
import pytest

import lissom


def test_contacts():
    found = lissom.contacts(str(lissom.models / "humanoid.urdf"))
    assert [c.name for c in found.limbs] == [f"{side}_{limb}_contact" for limb in ("foot", "hand") for side in ("left", "right")]
    foot = found.limbs[0]
    assert (foot.link, foot.role, foot.kind, foot.radius) == ("left_foot", "foot", "surface", 0)
    assert foot.points.shape == (4, 3) and np.ptp(foot.points[:, 0]) == pytest.approx(0.24)
    assert foot.pose[:3, 3] == pytest.approx([0.02, 0, -0.105])
    assert foot.joints[0] == "left_hip_yaw" and len(foot.joints) == 6
    assert found.source == "" and found.remarks == [] and found.posture["left_knee"][0] > 0.4


def test_standing():
    robot, contacts, stance = lissom.load_standing_robot(str(lissom.models / "quadruped.urdf"))
    assert stance.status == "found" and stance.balance_margin > 0.1
    for c in contacts.limbs:
        assert c.kind == "point" and c.radius == 0.025
        assert robot.placement(stance.q, c.name)[2, 3] == pytest.approx(c.radius, abs=1e-6)
    assert sum(c.force[2] for c in stance.contacts) == pytest.approx(lissom.weight(robot))
    assert all(np.allclose(c.points[:, 2], 0, atol=1e-6) for c in stance.contacts)


def test_the_file_beside_the_robot(tmp_path):
    robot = tmp_path / "robot.urdf"
    robot.write_text((lissom.models / "humanoid.urdf").read_text())
    sole = {"name": "sole", "role": "foot", "link": "left_foot", "kind": "point", "position": [0.02, 0, -0.1], "radius": 0.005}
    (tmp_path / "robot.contacts.json").write_text(json.dumps({"contacts": [sole]}))
    found = lissom.contacts(str(robot))
    assert [c.name for c in found.limbs] == ["sole"] and found.source.endswith("robot.contacts.json")
    assert len(lissom.contacts(str(robot), propose=True).limbs) == 4


def test_contacts_files(tmp_path):
    robot = lissom.load(lissom.models / "humanoid.urdf", base="free")
    found = lissom.propose_contacts(robot)
    assert [c.name for c in found.limbs] == [c.name for c in lissom.contacts(lissom.models / "humanoid.urdf").limbs]
    found.limbs = [limb for limb in found.limbs if limb.role == "foot"]
    file = tmp_path / "humanoid.contacts.json"
    lissom.write_contacts(robot, found, file)
    read = lissom.read_contacts(robot.description, file)
    assert [c.name for c in read.limbs] == [c.name for c in found.limbs] and read.source == str(file)
    assert np.allclose(read.limbs[0].pose, found.limbs[0].pose) and read.posture.keys() == found.posture.keys()
    standing, contacts, _ = lissom.load_standing_robot(lissom.models / "humanoid.urdf", contacts_file=file)
    q = lissom.nominal_configuration(standing, contacts)
    assert min(standing.placement(q, c.name)[2, 3] for c in contacts.limbs) == pytest.approx(0, abs=1e-6)
    assert standing.joint("left_knee").q(q) == pytest.approx(found.posture["left_knee"][0])
    with pytest.raises(TypeError, match="expected a Description or a Model"):
        lissom.propose_contacts("humanoid.urdf")


def test_errors():
    with pytest.raises(lissom.Error, match="robot 'arm7' has no feet"):
        lissom.contacts(str(lissom.models / "arm7.urdf"))
    with pytest.raises(lissom.Error, match="none.json"):
        lissom.contacts(str(lissom.models / "humanoid.urdf"), contacts_file="none.json")
