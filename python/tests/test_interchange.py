"""States in the conventions of other programs: Pinocchio and MuJoCo, given what lissom converts, find the same equations of motion.

The robots are ours, and those beside the checkout (../shared, or $LISSOM_SHARED).
"""
import os
import pathlib
import re
import xml.etree.ElementTree

import numpy as np
import pytest

import lissom
from lissom import formulations, interchange

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("LISSOM_SHARED", ROOT.parent / "shared"))
OURS = ["arm7.urdf", "humanoid.urdf", "quadruped.urdf", "mechanisms/planar_puck.urdf", "mechanisms/floating_box.urdf",
        "mechanisms/gripper_mimic.urdf", "mechanisms/branching_hub.urdf"]
FILES = [ROOT / "models" / name for name in OURS] + sorted((SHARED / "corpus" / "urdf").glob("*/*.urdf"))
MUST = {"arm7", "humanoid", "quadruped", "panda", "atlas_convex_hull", "iiwa14_primitive_collision"}  # that the other program reads them is part of the test
TOLERANCE = 1e-9  # axes within 1e-11 rad of a coordinate axis are replaced by it


def bare(file):
    """The URDF without visuals and collisions, whose meshes are not available and not needed."""
    text = file.read_text(encoding="utf-8", errors="replace")
    return re.sub(r"<(visual|collision)\b[^>]*?(/>|>.*?</\1>)", "", text, flags=re.S)


def floating(urdf):
    """The URDF with a floating joint above its root that has a frame of its own; None if that is not possible."""
    links, children = re.findall(r'<link\s+name="([^"]+)"', urdf), re.findall(r'<child\s+link="([^"]+)"', urdf)
    roots = [name for name in links if name not in children]
    if len(roots) != 1 or "world" in links or 'type="floating"' in urdf:
        return None
    return urdf.replace("</robot>", f'''<link name="ground_of_test"/><joint name="floating_of_test" type="floating">
        <origin xyz="0.1 -0.2 0.3" rpy="0.3 -0.2 0.1"/><parent link="ground_of_test"/><child link="{roots[0]}"/></joint></robot>''')


def ours(text, base):
    try:
        robot = lissom.load_text(text, base=base, mimic=False)
    except lissom.Error as error:
        pytest.skip(f"lissom does not read it: {str(error).splitlines()[0]}")
    if robot.nv == 0:
        pytest.skip("it has no degrees of freedom")
    return robot


def random_states(robot, count=3):
    dice = np.random.default_rng(1)
    q = robot.integrate(robot.random_configuration(5, count), 0.3 * dice.normal(size=(count, robot.nv)))
    return (q, *(dice.uniform(-1, 1, size=(count, robot.nv)) for _ in range(3)))


def close(mine, theirs, tolerance=TOLERANCE):
    assert mine.shape == theirs.shape
    scale = np.maximum(1, np.max(np.abs(theirs)))
    np.testing.assert_allclose(mine, theirs, atol=tolerance * scale, rtol=0)


def set_armature(robot, conversion, armature):
    """Neither program reads the rotors of our files."""
    for entry in conversion.entries:
        armature[entry.v_index:entry.v_index + entry.nv] = robot.joint(entry.name).armature


def compare(robot, conversion, to, from_, equations):
    """`equations` gives the other program's M, h, inverse and forward dynamics of its own q, v, a, tau."""
    q, v, a, tau = random_states(robot)
    there = to(q, v, a, tau)
    back = from_(*there)
    away = robot.difference(q, back[0])
    angles = [j.v_index + j.nv - 1 for j in robot.joints if j.type in ("continuous", "planar")]
    turns = np.round(away / (2 * np.pi)) * np.isin(np.arange(robot.nv), angles)
    close(away - 2 * np.pi * turns, np.zeros_like(v))  # (cos, sin) has no whole turns
    for x, y in zip(back[1:], (v, a, tau)):
        close(x, y)
    M, h, mine, qdd = robot.mass_matrix(q), robot.bias_forces(q, v), robot.inverse_dynamics(q, v, a), robot.forward_dynamics(q, v, tau)
    for i in range(len(q)):
        M_there, h_there, tau_there, qdd_there = equations(*(x[i] for x in there))
        close(conversion.from_mass_matrix(q[i], M_there), M[i])
        close(conversion.to_mass_matrix(q[i], M[i]), M_there)
        close(conversion.to_bias_forces(q[i], v[i], M[i], h[i]), h_there)
        close(conversion.from_forces(q[i], tau_there), mine[i])
        if np.linalg.cond(M[i]) < 1e12:
            # Joint by joint, as far as the mass matrix lets either of them be right.
            close(conversion.from_acceleration(q[i], v[i], qdd_there), qdd[i], max(TOLERANCE, 1e-14 * np.linalg.cond(M[i])))


# ── Pinocchio

def pinocchio_model(text, base):
    pin = pytest.importorskip("pinocchio", reason="pinocchio is not installed: pip install pin")
    return pin.buildModelFromXML(text, pin.JointModelFreeFlyer()) if base == "free" else pin.buildModelFromXML(text)


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_pinocchio_finds_the_same(file, base):
    pin = pytest.importorskip("pinocchio", reason="pinocchio is not installed: pip install pin")
    text = bare(file)
    if base == "free" and floating(text) is None:
        pytest.skip("its base is not to be freed")
    robot = ours(text, base)
    try:
        model = pinocchio_model(text, base)
    except (ValueError, RuntimeError) as error:
        assert file.stem not in MUST
        pytest.skip(f"Pinocchio does not read it: {error}")
    conversion = interchange.pinocchio_conversion(robot, model)
    set_armature(robot, conversion, model.armature)
    data = model.createData()

    def equations(q, v, a, tau):
        M = np.triu(pin.crba(model, data, q))
        return (M + np.triu(M, 1).T, np.array(pin.nonLinearEffects(model, data, q, v)), np.array(pin.rnea(model, data, q, v, a)),
                np.array(pin.aba(model, data, q, v, tau)))

    compare(robot, conversion, lambda *x: interchange.to_pinocchio(robot, model, *x),
            lambda *x: interchange.from_pinocchio(robot, model, *x), equations)
    # The list of joints that needs no model of Pinocchio's is the same.
    q = robot.random_configuration(2)
    assert np.array_equal(lissom.to_convention(robot, "pinocchio", q), interchange.to_pinocchio(robot, model, q))


def test_a_model_of_another_robot_is_refused():
    pytest.importorskip("pinocchio", reason="pinocchio is not installed: pip install pin")
    text = bare(ROOT / "models/arm7.urdf")
    robot = lissom.load_text(text)
    with pytest.raises(lissom.Error, match="missing|unknown|no joint"):
        interchange.to_pinocchio(robot, pinocchio_model(bare(ROOT / "models/quadruped.urdf"), "fixed"), robot.neutral())
    other = pinocchio_model(text.replace('type="revolute"', 'type="continuous"', 1), "fixed")
    with pytest.raises(lissom.Error, match="same robot"):
        interchange.to_pinocchio(robot, other, robot.neutral())


def test_mimic_joints_of_pinocchio_have_coordinates_of_their_own():
    pytest.importorskip("pinocchio", reason="pinocchio is not installed: pip install pin")
    text = bare(ROOT / "models/mechanisms/gripper_mimic.urdf")
    robot, model = lissom.load_text(text), pinocchio_model(text, "fixed")
    q = robot.random_configuration(1)
    q_there = interchange.to_pinocchio(robot, model, q)
    assert q_there.shape == (model.nq,) and model.nq > robot.nq
    close(interchange.from_pinocchio(robot, model, q_there), q)
    moved = q_there.copy()
    moved += 0.01 * np.arange(model.nq)
    with pytest.raises(lissom.Error):
        interchange.from_pinocchio(robot, model, moved)
    c = interchange.pinocchio_conversion(robot, model)
    assert c.has_followers
    with pytest.raises(lissom.Error, match="mimic|follow"):
        c.to_mass_matrix(q, robot.mass_matrix(q))


# ── MuJoCo

def mujoco_equations(mujoco, model):
    model.opt.gravity[:] = [0, 0, -9.81]
    model.dof_damping[:] = 0
    model.dof_frictionloss[:] = 0
    model.body_gravcomp[:] = 0
    flags = mujoco.mjtDisableBit  # what its own files have besides: springs, motors that hold a position
    model.opt.disableflags |= flags.mjDSBL_SPRING | flags.mjDSBL_DAMPER | flags.mjDSBL_ACTUATION
    data = mujoco.MjData(model)

    def equations(q, v, a, tau):
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, v, tau
        mujoco.mj_forward(model, data)
        M = np.zeros((model.nv, model.nv))
        for i in range(model.nv):
            mujoco.mj_mulM(model, data, M[i], np.eye(model.nv)[i])
        h, qdd = np.array(data.qfrc_bias), np.array(data.qacc_smooth)
        return M, h, M @ a + h, qdd

    return equations


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_mujoco_finds_the_same(file, base):
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed: pip install mujoco")
    text = bare(file) if base == "fixed" else floating(bare(file))
    if text is None:
        pytest.skip("its base is not to be freed")
    robot = ours(text, "fixed")  # the floating joint is in the text
    try:
        model = mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        assert file.stem not in MUST
        pytest.skip(f"MuJoCo does not read it: {error}")
    robot = robot.with_gravity([0, 0, -9.81])
    conversion = interchange.mujoco_conversion(robot, model)
    set_armature(robot, conversion, model.dof_armature)
    compare(robot, conversion, lambda *x: interchange.to_mujoco(robot, model, *x), lambda *x: interchange.from_mujoco(robot, model, *x),
            mujoco_equations(mujoco, model))


def test_joints_without_names_of_mujoco():
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed: pip install mujoco")
    ball = '<geom size=".1"/>'
    text = f"""<mujoco><worldbody>
        <body name="a"><freejoint/>{ball}<body><joint/><joint axis="0 1 0"/>{ball}</body></body>
        <body pos="1 0 0"><joint type="free"/>{ball}</body>
        <body name="c" pos="2 0 0"><joint type="slide"/>{ball}</body></worldbody></mujoco>"""
    robot, model = lissom.load_text(text, "nameless.xml"), mujoco.MjModel.from_xml_string(text)
    conversion = interchange.mujoco_conversion(robot, model)
    assert [entry.name for entry in conversion.entries] == ["a/free", "body2/joint1", "body2/joint2", "body3/joint", "c/joint"]
    compare(robot, conversion, lambda *x: interchange.to_mujoco(robot, model, *x), lambda *x: interchange.from_mujoco(robot, model, *x),
            mujoco_equations(mujoco, model))


MJCF = sorted((SHARED / "corpus" / "mjcf").glob("*/*.xml"))


def without_assets(file):
    """The MJCF without meshes, height fields and textures, whose files are not available, and without what refers to them."""
    tree = xml.etree.ElementTree.parse(file)
    for parent in list(tree.iter()):
        for part in list(parent):
            gone = part.tag in ("mesh", "texture", "hfield", "skin", "sensor", "pair", "include") or (part.tag == "geom" and {"mesh", "hfield"} & set(part.keys()))
            if gone:
                parent.remove(part)
            elif part.tag == "material":
                part.attrib.pop("texture", None)
            elif part.tag == "geom" and part.get("type") in ("mesh", "hfield"):
                del part.attrib["type"]  # of a class
    return xml.etree.ElementTree.tostring(tree.getroot(), encoding="unicode")


@pytest.mark.parametrize("file", MJCF, ids=lambda file: file.parent.name)
def test_mujoco_finds_the_same_in_its_own_files(file):
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed: pip install mujoco")
    text = without_assets(file)
    try:
        model = mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        pytest.skip(f"MuJoCo does not read it without its meshes: {error}")
    robot = lissom.load_text(text, file.name).with_gravity([0, 0, -9.81])
    if robot.couplings or any(joint.follows for joint in robot.joints):
        robot = lissom.load_text(text, file.name, mimic=False).with_gravity([0, 0, -9.81])
    compare(robot, interchange.mujoco_conversion(robot, model), lambda *x: interchange.to_mujoco(robot, model, *x),
            lambda *x: interchange.from_mujoco(robot, model, *x), mujoco_equations(mujoco, model))


def test_a_free_joint_of_mujoco_needs_no_name():
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed: pip install mujoco")
    inertial = '<inertial pos="0.1 0 0" mass="2" diaginertia="0.1 0.2 0.3"/>'
    model = mujoco.MjModel.from_xml_string(f'<mujoco><worldbody><body name="box"><freejoint/>{inertial}</body></worldbody></mujoco>')
    robot = lissom.load_text('''<robot name="box"><link name="box"><inertial><origin xyz="0.1 0 0"/><mass value="2"/>
        <inertia ixx="0.1" iyy="0.2" izz="0.3" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>''', base="free")
    compare(robot, interchange.mujoco_conversion(robot, model), lambda *x: interchange.to_mujoco(robot, model, *x),
            lambda *x: interchange.from_mujoco(robot, model, *x), mujoco_equations(mujoco, model))


# ── Without other programs

@pytest.fixture(scope="module")
def robot():
    return lissom.load(ROOT / "models/humanoid.urdf", base="free")


@pytest.mark.parametrize("name", ["pinocchio", "mujoco", "ros", "world", "lissom"])
def test_conventions_there_and_back(robot, name):
    q, v, a, tau = random_states(robot, 5)
    there = lissom.to_convention(robot, name, q, v, a, tau)
    close(lissom.to_convention(robot, name, q), there[0])
    back = lissom.from_convention(robot, name, *there)
    for x, y in zip(back, (q, v, a, tau)):
        close(x, y)
    # Power does not depend on the convention, and T is the map of velocities.
    c = interchange.conversion(robot, name)
    close(np.sum(there[1] * there[3], axis=-1), np.sum(v * tau, axis=-1))
    close(np.einsum("bij,bj->bi", c.velocity_map(q), v), there[1])
    J = robot.jacobian(q, "head_camera")
    J_there = c.to_jacobian(q, J)
    close(np.einsum("bij,bj->bi", J_there, there[1]), robot.velocity(q, v, "head_camera"))
    close(c.from_jacobian(q, J_there), J)
    assert [e.name for e in c.entries] == formulations.joint_order(robot, name) and c.other == name and name in repr(c)
    # More axes, and one state.
    deep = lissom.to_convention(robot, name, q.reshape(5, 1, -1), v.reshape(5, 1, -1))
    assert deep[0].shape == (5, 1, robot.nq)
    assert np.array_equal(deep[1][:, 0], there[1])
    assert np.array_equal(lissom.to_convention(robot, name, q[2], v[2])[1], there[1][2])


def test_elements_of_the_base(robot):
    q, v = robot.neutral(), np.zeros(robot.nv)
    half = np.sqrt(0.5)
    q[3:7], v[:6] = [half, 0, 0, half], [1, 0, 0, 0, 0, 2]  # turned by 90° about z
    assert formulations.base_joints(robot) == ["base"]
    close(lissom.to_convention(robot, "pinocchio", q)[3:7], np.array([0, 0, half, half]))
    close(lissom.to_convention(robot, "mujoco", q, v)[1][:6], np.array([0, 1.0, 0, 0, 0, 2]))
    q_pin, v_pin = lissom.to_convention(robot, "pinocchio", q, v)
    q_mj, v_mj = formulations.convert(robot, q_pin, v_pin, "pinocchio", "mujoco")
    for x, y in zip((q_mj, v_mj), lissom.to_convention(robot, "mujoco", q, v)):
        close(x, y)


def test_a_message_of_ros_in_any_order(robot):
    names = formulations.joint_order(robot, "ros")
    mixed = [names[0], *reversed(names[1:])]
    q = robot.random_configuration(4)
    there = lissom.to_convention(robot, "ros", q, joint_order=mixed)
    assert not np.array_equal(there, lissom.to_convention(robot, "ros", q))
    close(lissom.from_convention(robot, "ros", there, joint_order=mixed), q)
    assert there[7] == robot.joint(mixed[1]).q(q)


def test_wrong_arguments(robot):
    q, v = robot.neutral(), np.zeros(robot.nv)
    with pytest.raises(lissom.Error, match="pinocchio"):
        lissom.to_convention(robot, "drake", q)
    with pytest.raises(lissom.Error, match="without v"):
        lissom.to_convention(robot, "pinocchio", q, a=v)
    with pytest.raises(lissom.Error):
        lissom.to_convention(robot, "ros", q, joint_order=["nobody"])
    with pytest.raises(ValueError, match="q"):
        lissom.to_convention(robot, "ros", q[:-1])
    with pytest.raises(lissom.Error, match="NaN"):
        lissom.to_convention(robot, "ros", q * np.nan)
    with pytest.raises(lissom.Error, match="normalized|norm"):
        lissom.from_convention(robot, "pinocchio", 2 * lissom.to_convention(robot, "pinocchio", q))
    c = interchange.conversion(robot, "mujoco")
    with pytest.raises(lissom.Error, match="M has the shape"):
        c.to_mass_matrix(q, np.eye(3))
    with pytest.raises(lissom.Error, match="J has the shape"):
        c.to_jacobian(q, np.zeros(6))
    with pytest.raises(TypeError):
        lissom.to_convention(None, "ros", q)
