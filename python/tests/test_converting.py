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


# The light, the spatial tendon, and the sensor are nowhere in the description.
LEFT_OUT = '''<mujoco><worldbody><light/><site name="s"/><body name="b"><joint name="j"/><geom size=".1"/><site name="t"/></body></worldbody>
<tendon><spatial name="rope"><site site="s"/><site site="t"/></spatial></tendon><sensor><jointpos joint="j"/></sensor></mujoco>'''


@pytest.mark.parametrize("ending", ["urdf", "xml", "sdf"])
def test_what_the_reader_leaves_out_is_lost(tmp_path, ending):
    source, path = tmp_path / "robot.xml", tmp_path / f"out.{ending}"
    source.write_text(LEFT_OUT)
    for robot in (source, lissom.load(source)):
        with pytest.raises(lissom.Error, match="rope"):
            lissom.write(robot, path, strict=True)
        assert not path.exists()
    lost = {loss.code for loss in lissom.convert(source, path) if loss.severity == "warning"}
    assert lost >= {"tendon-spatial", "not-read"}
    description, findings = lissom.read(source)
    _, losses = lissom.write_text(description, "urdf", findings=findings)
    assert any(loss.code == "tendon-spatial" and loss.severity == "warning" for loss in losses)


# MuJoCo does not read a DAE, but an OBJ that is made of it.
def test_strict_knows_what_becomes_of_meshes(tmp_path):
    (tmp_path / "part.ply").write_text("ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                                       "element face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
                                       "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n")
    source = tmp_path / "robot.urdf"
    source.write_text('<robot name="r"><link name="l"><visual><geometry><mesh filename="part.ply"/></geometry></visual></link></robot>')
    with pytest.raises(lissom.Error, match="mesh-format"):
        lissom.write(source, tmp_path / "kept.xml", strict=True)
    lissom.write(source, tmp_path / "copied.xml", meshes="copy", strict=True)
    with pytest.raises(lissom.Error, match="expected a name that ends with"):
        lissom.write(source, tmp_path / "robot.XML", strict=True)


def test_the_source_is_not_replaced(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text((lissom.models / "planar2.urdf").read_text())
    with pytest.raises(lissom.Error, match="choose another name"):
        lissom.convert(path, path)


def test_text():
    text, losses = lissom.write_text(lissom.load(lissom.models / "planar2.urdf").description, "mjcf")
    assert text.startswith("<?xml") and "<mujoco" in text
    assert lissom.load_text(text).nv == 2
