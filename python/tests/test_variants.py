"""Models that differ per row, against models that are built one by one."""
import pathlib
import pickle
import subprocess
import sys
import threading
import types

import numpy as np
import pytest

import lissom

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
B = 40


@pytest.fixture(scope="module")
def arm():
    return lissom.load(MODELS / "arm7.urdf")


@pytest.fixture(scope="module")
def names(arm):
    joint = next(j for j in arm.joints if j.type == "revolute" and np.linalg.norm(described(arm, j.name).origin[:3, 3]) > 0)
    return joint.child, joint.name


def described(model, name):
    d = model.description
    return next(x for x in [*d.joints, *d.links] if x.name == name)


@pytest.fixture(scope="module")
def values(arm, names):
    link, joint = names
    dice = np.random.default_rng(1)
    inertia = dice.normal(size=(B, 3, 3)) * 0.05
    inertia = inertia @ np.transpose(inertia, (0, 2, 1)) + np.eye(3)
    return {f"{link}.mass": dice.uniform(1, 5, B), f"{link}.com": dice.normal(size=(B, 3)) * 0.1, f"{link}.inertia": inertia,
            f"{joint}.origin": dice.normal(size=(B, 3)), f"{joint}.armature": dice.uniform(0, 1, B), f"{joint}.damping": dice.uniform(0, 1, B),
            f"{joint}.dry_friction": dice.uniform(0, 1, B)}


@pytest.fixture(scope="module")
def variants(arm, values):
    return arm.variants(values)


def one_by_one(arm, values, i):
    description = arm.description
    for name, x in values.items():
        owner, field = name.rsplit(".", 1)
        part = next(p for p in [*description.links, *description.joints] if p.name == owner)
        if field == "origin":
            pose = part.origin.copy()
            pose[:3, 3] = x[i]
            part.origin = pose
        else:
            setattr(part, field, x[i])
    return lissom.build(description)


def states(model, *shape):
    dice = np.random.default_rng(2)
    return dice.uniform(-1, 1, (*shape, model.nq)), *(dice.normal(size=(*shape, model.nv)) for _ in range(3))


def test_every_row_is_its_own_model(arm, values, variants, names):
    assert len(variants) == B and variants.failed == []
    q, v, a, tau = states(arm, B)
    frame = arm.links[-1].name
    wrench = {frame: np.random.default_rng(3).normal(size=(B, 6))}
    results = {"inverse_dynamics": variants.inverse_dynamics(q, v, a), "forward_dynamics": variants.forward_dynamics(q, v, tau),
               "mass_matrix": variants.mass_matrix(q), "inverse_mass_matrix": variants.inverse_mass_matrix(q), "bias_forces": variants.bias_forces(q, v),
               "gravity_forces": variants.gravity_forces(q), "center_of_mass": variants.center_of_mass(q), "kinetic_energy": variants.kinetic_energy(q, v),
               "potential_energy": variants.potential_energy(q), "placement": variants.placement(q, frame), "jacobian": variants.jacobian(q, frame),
               "coriolis_matrix": variants.coriolis_matrix(q, v), "centroidal_map": variants.centroidal_map(q),
               "pushed": variants.inverse_dynamics(q, v, a, external=wrench)}
    for i in (0, 7, B - 1):
        model = one_by_one(arm, values, i)
        expected = {"inverse_dynamics": model.inverse_dynamics(q[i], v[i], a[i]), "forward_dynamics": model.forward_dynamics(q[i], v[i], tau[i]),
                    "mass_matrix": model.mass_matrix(q[i]), "inverse_mass_matrix": model.inverse_mass_matrix(q[i]), "bias_forces": model.bias_forces(q[i], v[i]),
                    "gravity_forces": model.gravity_forces(q[i]), "center_of_mass": model.center_of_mass(q[i]), "kinetic_energy": model.kinetic_energy(q[i], v[i]),
                    "potential_energy": model.potential_energy(q[i]), "placement": model.placement(q[i], frame), "jacobian": model.jacobian(q[i], frame),
                    "coriolis_matrix": model.coriolis_matrix(q[i], v[i]), "centroidal_map": model.centroidal_map(q[i]),
                    "pushed": model.inverse_dynamics(q[i], v[i], a[i], external={frame: wrench[frame][i]})}
        for name, x in expected.items():
            assert np.array_equal(results[name][i], x), name
        link, joint = names
        assert variants[i].link(link).mass == values[f"{link}.mass"][i] and variants[i].joint(joint).damping == values[f"{joint}.damping"][i]
        assert np.array_equal(variants[i].mass_matrix(q[i]), model.mass_matrix(q[i]))
    assert not np.array_equal(results["mass_matrix"][0], arm.mass_matrix(q[0]))


def test_mass_scales_the_inertia_unless_it_is_given(arm, names):
    link, _ = names
    before = described(arm, link)
    heavy = arm.variants({f"{link}.mass": [before.mass, 2 * before.mass]})
    after = described(heavy[1], link)
    np.testing.assert_allclose(after.inertia, 2 * before.inertia, rtol=1e-15)
    assert after.mass == 2 * before.mass and np.array_equal(described(heavy[0], link).inertia, before.inertia)
    given = arm.variants({f"{link}.inertia": np.eye(3), f"{link}.mass": [2 * before.mass]})
    assert np.array_equal(described(given[0], link).inertia, np.eye(3))


def test_length_keeps_the_direction(arm, names):
    _, joint = names
    before = described(arm, joint).origin
    longer = arm.variants({f"{joint}.length": [0.5, 1.5]})
    for i, length in enumerate((0.5, 1.5)):
        after = described(longer[i], joint).origin
        np.testing.assert_allclose(after[:3, 3], before[:3, 3] / np.linalg.norm(before[:3, 3]) * length, rtol=1e-14)
        assert np.array_equal(after[:3, :3], before[:3, :3])
    pose = before.copy()
    pose[:3, :3] = lissom.chart("exponential").rotation([0.1, 0.2, 0.3])
    turned = arm.variants({f"{joint}.origin": pose[None]})
    np.testing.assert_allclose(described(turned[0], joint).origin, pose)


def test_a_pendulum_of_each_length():
    text = '''<robot name="p"><link name="w"/><link name="b"><inertial><mass value="1"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <link name="arm"/><joint name="hinge" type="continuous"><parent link="w"/><child link="arm"/><axis xyz="0 1 0"/></joint>
      <joint name="rod" type="fixed"><parent link="arm"/><child link="b"/><origin xyz="0 0 -1"/></joint></robot>'''
    lengths, masses = np.array([0.5, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    variants = lissom.load_text(text).variants({"rod.length": lengths, "b.mass": masses})
    np.testing.assert_allclose(variants.mass_matrix([0.0])[:, 0, 0], masses * lengths**2)
    np.testing.assert_allclose(variants.forward_dynamics([0.3], [0.0], [0.0])[:, 0], -9.81 / lengths * np.sin(0.3))
    q, v = np.full((3, 1), 0.3), np.zeros((3, 1))
    assert variants.step(q, v, np.zeros(1), 0.01) == []
    np.testing.assert_allclose(v[:, 0], -0.01 * 9.81 / lengths * np.sin(0.3))
    np.testing.assert_allclose(q[:, 0], 0.3 + 0.01 * v[:, 0])


def test_shapes(arm, variants):
    q, v, a, _ = states(arm, B, 3)
    deep = variants.inverse_dynamics(q, v, a)
    assert deep.shape == (B, 3, arm.nv)
    assert np.array_equal(deep[:, 1], variants.inverse_dynamics(q[:, 1], v[:, 1], a[:, 1]))
    same = variants.inverse_dynamics(q[0, 0], v[0, 0], a[0, 0])
    assert same.shape == (B, arm.nv) and np.array_equal(same[4], variants[4].inverse_dynamics(q[0, 0], v[0, 0], a[0, 0]))
    assert np.array_equal(variants.gravity_forces(q[0, 0]), variants.gravity_forces(np.tile(q[0, 0], (B, 1))))
    assert variants.mass_matrix(q[:1]).shape == (B, 3, arm.nv, arm.nv)
    assert variants.kinetic_energy(q[:, 0], v[0, 0]).shape == (B,)
    small = variants.inverse_dynamics(*(x[:, 0].astype(np.float32) for x in (q, v, a)))
    assert small.dtype == np.float32
    np.testing.assert_allclose(small, deep[:, 0], rtol=1e-4, atol=1e-4)
    out = np.empty((B, arm.nv))
    assert variants.gravity_forces(q[:, 0], out=out) is out
    for wrong in (np.zeros((B + 1, arm.nq)), np.zeros((B, arm.nq + 1)), np.zeros((3, arm.nq)), None, "q"):
        with pytest.raises((ValueError, TypeError)):
            variants.gravity_forces(wrong)
    one = arm.variants({}, count=1)
    with pytest.raises(lissom.Error, match="expected 1"):
        one.gravity_forces(np.zeros((5, arm.nq)))
    with pytest.raises(lissom.Error, match="row 2: .*NaN"):
        bad = np.zeros((B, arm.nq))
        bad[2, 3] = np.nan
        variants.gravity_forces(bad)
    with pytest.raises(lissom.Error):
        variants.placement(q[:, 0], "nobody")


def test_rows_that_are_no_robots(arm, names):
    link, _ = names
    masses = np.array([1.0, -1.0, 2.0, np.nan])
    variants = arm.variants({f"{link}.mass": masses})
    assert [row for row, _ in variants.failed] == [1, 3] and link in variants.failed[0][1]
    q, v, a, tau = states(arm, 4)
    result = variants.inverse_dynamics(q, v, a)
    assert np.isnan(result[[1, 3]]).all() and np.isfinite(result[[0, 2]]).all()
    assert "2 failed" in repr(variants) and f"{link}.mass" in repr(variants)
    with pytest.raises(lissom.Error, match="row 1 has no model"):
        variants[1]
    before, q0 = v.copy(), q.copy()
    failed = variants.step(q, v, tau, 0.001)
    assert [row for row, _ in failed] == [1, 3]
    assert np.array_equal(q[[1, 3]], q0[[1, 3]]) and not np.any(v[[0, 2]] == before[[0, 2]])


def test_step(arm, variants):
    q, v, _, tau = states(arm, B)
    q0, v0 = q.copy(), v.copy()
    v[5, 2], tau[6, 0] = np.nan, np.inf
    q1, v1 = q.copy(), v.copy()
    failed = variants.step(q, v, tau, 0.01)
    assert [row for row, _ in failed] == [5, 6] and "v" in failed[0][1] and "tau" in failed[1][1]
    for i in (0, 9):
        expected = v0[i] + 0.01 * variants[i].forward_dynamics(q0[i], v0[i], tau[i])
        np.testing.assert_allclose(v[i], expected, rtol=1e-14)
        np.testing.assert_allclose(q[i], variants[i].integrate(q0[i], expected, 0.01), rtol=1e-14)
    assert np.array_equal(q[5:7], q1[5:7]) and np.array_equal(v[6], v1[6])
    qf, vf = q0.astype(np.float32), v0.astype(np.float32)
    assert variants.step(qf, vf, np.zeros(arm.nv), 0.01) == [] and qf.dtype == np.float32
    for wrong in (q0.tolist(), q0[:-1].copy(), q0[:, ::-1], q0.astype(np.float32)):
        with pytest.raises((lissom.Error, TypeError)):
            variants.step(wrong, v0, np.zeros(arm.nv), 0.01)
    with pytest.raises(lissom.Error, match="dt"):
        variants.step(q0, v0, np.zeros(arm.nv), np.nan)
    with pytest.raises(lissom.Error, match="tau"):
        variants.step(q0, v0, np.zeros((B, 2, arm.nv)), 0.01)


def test_the_number_of_threads_does_not_matter(arm, values, variants):
    q, v, a, _ = states(arm, B, 8)
    before = lissom.threads()
    try:
        lissom.set_threads(1)
        alone = arm.variants(values).inverse_dynamics(q, v, a)
        lissom.set_threads(7)
        assert np.array_equal(arm.variants(values).inverse_dynamics(q, v, a), alone)
    finally:
        lissom.set_threads(before)
    # And two callers at once do not disturb each other.
    results = []
    callers = [threading.Thread(target=lambda: results.append(variants.inverse_dynamics(q, v, a))) for _ in range(4)]
    [t.start() for t in callers], [t.join() for t in callers]
    assert len(results) == 4 and all(np.array_equal(x, alone) for x in results)


def test_free_base_gravity_and_mimic_are_kept():
    robot = lissom.load(MODELS / "humanoid.urdf", base="free").with_gravity([0, 0, -1.62])
    variants = robot.variants({}, count=2)
    q = robot.random_configuration(1, 2)
    assert np.array_equal(variants.gravity_forces(q)[1], lissom.build(robot.description, base="free").with_gravity([0, 0, -1.62]).gravity_forces(q[1]))
    assert variants[0].nv == robot.nv and any(link.visuals or link.collisions for link in variants[0].description.links)
    gripper = lissom.load(MODELS / "mechanisms/gripper_mimic.urdf")
    assert gripper.variants({}, count=1)[0].nv == gripper.nv


def test_as_a_sequence_and_pickled(arm, values, variants):
    assert variants[-1].mass == variants[B - 1].mass and sum(1 for _ in variants) == B
    with pytest.raises(IndexError):
        variants[B]
    again = pickle.loads(pickle.dumps(variants))
    q, v, a, _ = states(arm, B)
    assert np.array_equal(again.inverse_dynamics(q, v, a), variants.inverse_dynamics(q, v, a))
    assert set(again.parameters) == set(values) and variants.model.name == arm.name
    assert len(arm.variants({}, count=0)) == 0 and arm.variants({}, count=0).gravity_forces(np.zeros((0, arm.nq))).shape == (0, arm.nv)


def test_wrong_parameters(arm, names):
    link, joint = names
    for parameters, text in [({}, "count"), ({"mass": [1]}, "no parameter"), ({f"{link}.weight": [1]}, "expected one of 'mass'"),
                             ({"nobody.mass": [1]}, "nobody"), ({"nobody.damping": [1]}, "nobody"), ({f"{link}.mass": [1, 2], f"{link}.com": np.zeros((3, 3))}, "com has the shape"),
                             ({f"{link}.com": np.zeros((3, 2))}, "com has the shape"), ({f"{link}.mass": 1.0}, "count")]:
        with pytest.raises(lissom.Error, match=text):
            arm.variants(parameters)
    with pytest.raises(TypeError):
        arm.variants([1, 2])
    with pytest.raises(TypeError, match="forearm.mass"):
        arm.variants({3: [1.0]})
    with pytest.raises((TypeError, ValueError), match="mass"):
        arm.variants({f"{link}.mass": ["a"]})
    with pytest.raises(lissom.Error, match="count"):
        arm.variants({}, count=-1)
    assert "symmetric" in arm.variants({f"{link}.inertia": np.arange(9.0).reshape(1, 3, 3)}).failed[0][1]
    assert "positive" in arm.variants({f"{joint}.length": [-1.0]}).failed[0][1]
    assert "pose" in arm.variants({f"{joint}.origin": np.ones((1, 4, 4))}).failed[0][1]


def test_ctrl_c_stops_building():
    script = f"""
import lissom, os, signal, threading
robot = lissom.load({str(MODELS / 'humanoid.urdf')!r})
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    robot.variants({{}}, count=1000000)
except KeyboardInterrupt:
    print("interrupted")
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert ran.stdout.strip() == "interrupted", ran.stderr


def test_any_mapping_will_do(arm, names):
    link, _ = names
    assert len(arm.variants(types.MappingProxyType({f"{link}.mass": [1.0, 2.0]}))) == 2
