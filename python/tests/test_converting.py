"""Robots written in other formats, and compared."""
import lissom
import pytest


@pytest.mark.parametrize("ending", ["urdf", "xml", "sdf"])
@pytest.mark.parametrize("name", ["arm7.urdf", "humanoid.urdf", "mechanisms/universal_shaft.urdf", "mechanisms/gripper_mimic.urdf"])
def test_round_trip(tmp_path, name, ending):
    path = tmp_path / f"robot.{ending}"
    losses = lissom.convert(lissom.models / name, path)
    assert all(loss.severity == "note" for loss in losses if loss.code != "mesh-missing")
    comparison = lissom.same(lissom.models / name, path)
    assert comparison, comparison.sentence
    assert comparison.mass_matrix_difference < 1e-10


def test_differences_are_listed(tmp_path):
    robot = lissom.load(lissom.models / "arm7.urdf")
    changed = robot.description
    changed.links[2].mass *= 1.5
    comparison = lissom.same(robot, changed)
    assert not comparison
    assert any(d.property == "mass" for d in comparison.differences)
    lissom.write(changed, tmp_path / "changed.sdf")
    assert lissom.same(changed, tmp_path / "changed.sdf")


def test_strict_refuses_loss(tmp_path):
    robot = lissom.load(lissom.models / "arm7.urdf")
    description = robot.description
    description.joints[1].armature = 0.1
    path = tmp_path / "plain.urdf"
    with pytest.raises(lissom.Error, match="armature"):
        lissom.write(description, path, extensions=False, strict=True)
    assert not path.exists()


def test_the_source_is_not_replaced(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text((lissom.models / "planar2.urdf").read_text())
    with pytest.raises(lissom.Error, match="choose another name"):
        lissom.convert(path, path)


def test_text():
    text, losses = lissom.write_text(lissom.load(lissom.models / "planar2.urdf").description, "mjcf")
    assert text.startswith("<?xml") and "<mujoco" in text
    assert lissom.load_text(text).nv == 2
