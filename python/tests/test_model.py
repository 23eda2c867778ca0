"""Models: loading, building, names, copies, errors."""

import copy
import pickle

import numpy as np
import pytest

import lissom


def pendulum(mass=2.0, length=0.5):
    """A point mass on a massless rod, about y, hanging down."""
    d = lissom.Description(name="pendulum")
    d.links.append(lissom.LinkDescription(name="ground"))
    d.links.append(lissom.LinkDescription(name="bob", mass=mass, com=[0, 0, -length], inertia=1e-9 * np.eye(3)))
    d.joints.append(lissom.JointDescription(name="pivot", type="continuous", parent="ground", child="bob", axis=[0, 1, 0]))
    return d


def test_built_pendulum():
    robot = lissom.build(pendulum())
    assert (robot.nq, robot.nv, robot.mass) == (1, 1, 2.0)
    angles = np.linspace(-3, 3, 13)[:, None]
    assert np.allclose(robot.gravity_forces(angles)[:, 0], 2 * 9.81 * 0.5 * np.sin(angles[:, 0]), atol=1e-12)
    assert np.allclose(robot.mass_matrix(angles), 2 * 0.25 + 1e-9)
    moon = robot.with_gravity([0, 0, -1.62])
    assert np.allclose(moon.gravity_forces(angles), robot.gravity_forces(angles) * 1.62 / 9.81)


def test_lists_of_a_description_are_the_lists_themselves():
    d = pendulum()
    d.links[1].mass = 3
    d.links[1].inertia = np.diag([1, 2, 3])
    d.joints[0].damping = 0.25
    assert lissom.build(d).mass == 3
    assert lissom.build(d).joint("pivot").damping == 0.25
    d.joints[0].mimic = lissom.Mimic(joint="other", ratio=2)
    assert d.joints[0].mimic.ratio == 2
    del d.joints[0]
    assert len(d.joints) == 0


def test_what_a_description_is_not():
    with pytest.raises(TypeError, match="LinkDescription has no field 'mas'; did you mean 'mass'\\? its fields are name, mass"):
        lissom.LinkDescription(mas=3)
    with pytest.raises(TypeError, match="LinkDescription.mass is 'heavy', expected float"):
        lissom.LinkDescription(mass="heavy")
    with pytest.raises(TypeError, match="JointDescription.type is 'hinge', expected Literal"):
        lissom.JointDescription(type="hinge")
    link = lissom.LinkDescription()
    with pytest.raises(TypeError, match="LinkDescription.inertia"):
        link.inertia = [[1, 2, 3], [0, 1, 0], [0, 0, 1]]
    with pytest.raises(TypeError, match="at most"):
        lissom.Mimic("a", 1, 2, 3)


def test_copies_keep_which_geometries_touch():
    """contype and conaffinity of MJCF decide in worlds what touches; workers of sweeps get pickled robots."""
    robot = lissom.load_text('<mujoco><worldbody><body name="ball"><freejoint/><geom name="shell" size=".1" contype="2" conaffinity="4"/></body></worldbody></mujoco>', "ball.xml")
    for other in (robot, copy.deepcopy(robot), pickle.loads(pickle.dumps(robot))):
        shell, = other.link("ball") and [c for link in other.description.links for c in link.collisions]
        assert (shell.contact_group, shell.contact_mask) == (2, 4)
    again = pickle.loads(pickle.dumps(robot.description))
    again.links[-1].collisions[0].contact_group = 8
    assert lissom.build(again).description.links[-1].collisions[0].contact_group == 8


def test_findings():
    d = pendulum(mass=-1)
    found = lissom.validate(d)
    assert any(f.severity == "error" and "bob" in f.subject for f in found)
    with pytest.raises(lissom.Error, match="bob") as caught:
        lissom.build(d)
    assert [f.code for f in caught.value.diagnostics] == [f.code for f in found if f.severity == "error"]


def test_names(humanoid):
    knee = humanoid.joint("left_knee")
    assert (knee.type, knee.nq, knee.nv) == ("revolute", 1, 1)
    q = humanoid.random_configuration(0, 5)
    assert np.array_equal(knee.q(q), q[:, knee.q_index])
    base = humanoid.joint("base")
    assert base.q(q).shape == (5, 7) and base.v(np.zeros(humanoid.nv)).shape == (6,)
    knee.q(q)[...] = 0.5  # a view
    assert (q[:, knee.q_index] == 0.5).all()
    q0 = q[0]
    base.q(q0)[:3] = 1, 2, 3
    assert list(q0[:3]) == [1, 2, 3]
    with pytest.raises(lissom.Error, match="left_knee"):
        humanoid.joint("left_kne")
    with pytest.raises(lissom.Error, match="too short"):
        knee.q(np.zeros(3))
    assert humanoid.has_link("chest") and not humanoid.has_link("tail")
    assert humanoid.frame("chest").name == "chest"
    assert humanoid.frames[humanoid.frame("chest").index].name == "chest"
    assert len(humanoid.lower) == humanoid.nq and len(humanoid.effort_limit) == humanoid.nv
    with pytest.raises(ValueError):
        humanoid.lower[0] = 1  # read-only


def test_repr(humanoid):
    assert repr(humanoid).startswith("Model('humanoid', nq=37, nv=36")
    assert repr(humanoid.joint("left_knee")) == "Joint('left_knee', revolute, left_thigh → left_shin, q[28])"
    assert "mass=2.0" in repr(lissom.LinkDescription(mass=2))


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies(humanoid, duplicate):
    moon = duplicate(humanoid.with_gravity([0, 0, -1.62]))
    q = humanoid.random_configuration(1)
    assert np.array_equal(moon.mass_matrix(q), humanoid.mass_matrix(q))
    assert moon.gravity[2] == -1.62 and moon.name == "humanoid"
    assert [f.name for f in moon.frames] == [f.name for f in humanoid.frames]
    d = duplicate(humanoid.description)
    assert len(d.links) == len(humanoid.description.links)
    d.links[0].mass += 1
    assert lissom.build(d, base="free").mass == pytest.approx(humanoid.mass + 1)


def test_files_that_are_none(tmp_path):
    with pytest.raises(lissom.Error, match="does not exist") as caught:
        lissom.load(tmp_path / "nothing.urdf")
    assert caught.value.diagnostics[0].code == "file-open"
    broken = tmp_path / "broken.urdf"
    broken.write_text("<robot name='x'><link name='a'/><link name='b'/></robot")
    with pytest.raises(lissom.Error, match="broken.urdf:1"):
        lissom.load(broken)
    description, findings = lissom.read(str(broken))
    assert any(f.severity == "error" for f in findings)
    with pytest.raises((TypeError, ValueError), match="base"):
        lissom.load(lissom.models / "arm7.urdf", base="floating")


def test_text_and_bases():
    text = (lissom.models / "planar2.urdf").read_text()
    robot = lissom.load_text(text)
    assert robot.nq == 2
    assert lissom.load_text(text, base="free").nq == 9
    assert lissom.load_text(text, base="planar").nq == 5
