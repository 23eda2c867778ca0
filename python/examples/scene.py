#!/usr/bin/env python3
"""A scene file as a world: it runs as its file says, is recorded, and a body of a mesh is thrown into it.

usage: scene.py [SCENE.json] [--seconds 0.5] [--record FILE.mcap] [--view]
"""

import argparse
import sys

import numpy as np

import lissom
from lissom import mesh

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("scene", nargs="?", default=lissom.models / "scenes/stack.json")
parser.add_argument("--seconds", type=float, default=0.5)
parser.add_argument("--record", metavar="FILE")
parser.add_argument("--view", action="store_true", help="show the run in the browser, until Ctrl-C")
arguments = parser.parse_args()

world = lissom.load_scene(arguments.scene)
print(f"{world.name}: {world.description}\n  {len(world.moving)} parts move")

# A wedge: mass and inertia follow from its surface, its shape in the world is a box of its size.
corners = np.array([[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [-1, 1, 1]]) * 0.05
wedge = mesh.convex_hull(corners).mesh
properties = mesh.mass_properties(wedge)
density, (lower, upper) = 600.0, wedge.bounds
print(f"  thrown: a wedge of {1e3 * density * properties.mass:.0f} g, center of mass at {np.round(properties.center, 4)} m")
world.add_body(lissom.RigidBody(
    name="wedge", mass=density * properties.mass, com=properties.center, inertia=density * properties.inertia,
    shapes=[lissom.Geometry(shape=lissom.Shape("box", size=upper - lower))], pose=(np.eye(3), [-1, 0, 1]), velocity=[4, 0, 1]))

run = world.run(arguments.seconds, record=arguments.record)
print(run.report)
print("the wedge ends at", np.round(run["q"][-1][-7:-4], 3))
if arguments.view:
    run.view().wait()
# The stack breaks down in some 80 contacts at once, of which a step may leave some unsolved; then a warning tells how far they are from their laws.
trusted = run.report.max_overlap < 1e-3 and run.report.max_residual < 0.01 and not run.report.energy_from_nowhere
sys.exit(0 if trusted else "the run is not to be trusted")
