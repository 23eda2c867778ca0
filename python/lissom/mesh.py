"""Triangle meshes: files, mass properties, convex hulls, decomposition into convex bodies (docs/meshes.md).

    part = lissom.mesh.load_mesh("part.stl").mesh
    properties = lissom.mesh.mass_properties(part)        # for a density of 1
    hulls = lissom.mesh.decompose(part, max_hulls=8).hulls
"""
from ._core.mesh import *  # noqa: F401,F403
