"""Triangle meshes and collision shapes."""

import pathlib
import pickle

import numpy as np
import pytest

import lissom
from lissom import geometry, mesh

FACES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
CORNERS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]


def tetrahedron():
    return mesh.TriangleMesh(CORNERS, FACES)


def box(size=(1.0, 2.0, 3.0), center=(0.0, 0.0, 0.0)):
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * size + center
    return mesh.convex_hull(corners).mesh


def at(x, y, z):
    return np.eye(3), [x, y, z]


def test_mass_properties():
    p = mesh.mass_properties(tetrahedron())
    assert p.mass == pytest.approx(1 / 6)
    np.testing.assert_allclose(p.center, [0.25] * 3)
    p = mesh.mass_properties(box(center=(1, 2, 3)))
    assert p.mass == pytest.approx(6)
    np.testing.assert_allclose(p.center, [1, 2, 3])
    np.testing.assert_allclose(p.inertia, np.diag([13, 10, 5]) * 6 / 12, atol=1e-12)
    assert mesh.mass_properties(box(), "shell").mass == pytest.approx(2 * (2 + 3 + 6)) == mesh.surface_area(box())
    inside_out = mesh.TriangleMesh(CORNERS, np.array(FACES)[:, ::-1])
    assert mesh.mass_properties(inside_out).mass == pytest.approx(-1 / 6)
    assert not mesh.check_surface(tetrahedron())
    assert [finding.code for finding in mesh.check_surface(inside_out)] == ["mesh-orientation"]
    assert any(finding.code == "mesh-open" for finding in mesh.check_surface(mesh.TriangleMesh(CORNERS, FACES[:3])))
    with pytest.raises(TypeError):
        mesh.mass_properties(tetrahedron(), "hollow")


def test_files(tmp_path):
    for ending in (".stl", ".obj"):
        mesh.write_mesh(tmp_path / ("part" + ending), tetrahedron())
        found = mesh.load_mesh(tmp_path / ("part" + ending), scale=[2, 2, 2])
        assert found.ok and found.format == ending[1:] and not found.findings and "4 triangles" in repr(found)
        np.testing.assert_allclose(np.sort(found.mesh.vertices, axis=0), 2 * np.sort(CORNERS, axis=0))
    with pytest.raises(lissom.Error):
        mesh.write_mesh(tmp_path / "part.doc", tetrahedron())
    (tmp_path / "broken.stl").write_bytes(b"solid nothing")
    for name in ("broken.stl", "nobody.stl"):
        found = mesh.load_mesh(str(tmp_path / name))
        assert not found.ok and found.findings and any(finding.severity == "error" for finding in found.findings)
    with pytest.raises(TypeError):
        mesh.load_mesh(3)
    with pytest.raises(TypeError):
        mesh.load_mesh(pathlib.Path("x.stl"), up_axis="z")


def test_hulls(rng):
    points = rng.standard_normal((200, 3))
    hull = mesh.convex_hull(points)
    assert hull.kind == "solid" and hull.max_error == 0
    np.testing.assert_array_equal(points[hull.points], hull.mesh.vertices)
    a, b, c = (hull.mesh.vertices[hull.mesh.triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    assert np.max(np.einsum("fk,fpk->fp", normals, points[None] - a[:, None])) < 1e-9
    small = mesh.convex_hull(points, max_vertices=8)
    assert len(small.mesh.vertices) == 8 and small.max_error > 0
    assert mesh.convex_hull([[0, 0, 0], [1, 0, 0], [0, 1, 0]]).kind == "flat" and mesh.convex_hull([[np.nan, 0, 0]]).kind == "none"


def test_decomposition():
    """An L of two boxes is two convex bodies."""
    one, other = box((2, 1, 1)), box((1, 1, 2), (-0.5, 0, 1.5))
    both = mesh.TriangleMesh(np.concatenate([one.vertices, other.vertices]), np.concatenate([one.triangles, other.triangles + np.uint32(len(one.vertices))]))
    parts = mesh.decompose(both, max_hulls=4, resolution=32, use_cache=False)
    assert 2 <= len(parts.hulls) <= 4 and parts.concavity < 0.03 and not parts.from_cache
    assert sum(mesh.mass_properties(hull).mass for hull in parts.hulls) == pytest.approx(4, rel=0.1)
    with pytest.raises(lissom.Error, match="resolution"):
        mesh.decompose(both, resolution=3)


def test_meshes_of_arrays():
    m = tetrahedron()
    assert m.triangles.dtype == np.uint32 and m.vertices.shape == (4, 3)
    again = pickle.loads(pickle.dumps(m))
    assert np.array_equal(again.vertices, m.vertices) and np.array_equal(again.triangles, m.triangles)
    lower, upper = m.transformed(at(1, 2, 3)).bounds
    assert lower.tolist() == [1, 2, 3] and upper.tolist() == [2, 3, 4]
    assert mesh.mass_properties(m.scaled([-1, 1, 1])).mass == pytest.approx(1 / 6)  # mirrored, and still outside out
    assert len(mesh.TriangleMesh(np.zeros((2, 3)), []).triangles) == 0
    for wrong in ([[0, 1, 4]], [[0, 1, -1]], [[0, 1]], [0, 1, 2], [[0, 1, 2**40]]):
        with pytest.raises(lissom.Error, match="triangles"):
            mesh.TriangleMesh(CORNERS, wrong)
    for wrong in ([[0.5, 1, 2]], "abc", [[None, 1, 2]]):
        with pytest.raises(TypeError):
            mesh.TriangleMesh(CORNERS, wrong)
    with pytest.raises(ValueError, match="vertices"):
        mesh.TriangleMesh(np.zeros((2, 2)), [])


def test_distances():
    ball, cube = geometry.Collider.sphere(0.1), geometry.Collider.box([1, 1, 1])
    d = geometry.distance(ball, at(0, 0, 2), cube, None)
    assert d.distance == pytest.approx(1.4)
    np.testing.assert_allclose(d.normal, [0, 0, 1])
    np.testing.assert_allclose(d.point_a - d.point_b, d.distance * d.normal, atol=1e-12)
    assert geometry.distance(ball, at(0, 0, 0.55), cube, None).distance == pytest.approx(-0.05)
    hull = geometry.Collider.convex_hull(box((1, 1, 1)))
    assert hull.kind == "hull" and geometry.distance(hull, None, ball, at(0, 0, 2)).distance == pytest.approx(1.4)
    assert geometry.distance(lissom.Shape("box", size=[1, 1, 1]), None, ball, at(0, 0, 2)).distance == pytest.approx(1.4)
    plane = geometry.Collider.plane()
    assert geometry.distance(ball, at(0, 0, 2), plane, None).distance == pytest.approx(1.9) and not plane.is_convex
    with pytest.raises(lissom.Error):
        geometry.distance(plane, None, plane, at(0, 0, 1))
    with pytest.raises(TypeError, match="a is 3"):
        geometry.distance(3, None, ball, None)
    with pytest.raises(lissom.Error):
        geometry.Collider.sphere(-1)
    with pytest.raises(lissom.Error):
        geometry.Collider(lissom.Shape("mesh", path="part.stl"))
    with pytest.raises(lissom.Error, match="not finite"):
        geometry.Collider.convex_hull([[np.inf, 0, 0]])


def test_contact_points():
    cube, plane = geometry.Collider.box([1, 1, 1]), geometry.Collider.plane()
    points = geometry.collide(cube, at(0, 0, 0.49), plane, None)
    assert len(points) == 4 and all(p.gap == pytest.approx(-0.01) for p in points)
    np.testing.assert_allclose([p.normal for p in points], [[0, 0, 1]] * 4, atol=1e-12)
    assert sorted(tuple(np.round(p.point[:2], 6)) for p in points) == [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)]
    assert not geometry.collide(cube, at(0, 0, 0.6), plane, None) and len(geometry.collide(cube, at(0, 0, 0.6), plane, None, margin=0.2)) == 4
    assert geometry.Collider.capsule(0.1, 1).bounding_radius == pytest.approx(0.6)


def test_faces_to_stand_on(humanoid):
    corners = geometry.contact_polygon(humanoid, "left_sole")
    assert corners.shape == (4, 3) and np.allclose(corners[:, 2], 0) and np.ptp(corners[:, 0]) == pytest.approx(0.24, abs=1e-6)
    with pytest.raises(lissom.Error, match="head"):
        geometry.contact_polygon(humanoid, "head")
